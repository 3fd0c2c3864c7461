"""The main job, shown step by step. Run by `./dev demo`."""
import concurrent.futures
import os
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Integration/lib"))
from place import Place  # noqa: E402

LIFETIME = 12


def say(text):
    print("\n\033[1m%s\033[0m" % text if sys.stdout.isatty() else "\n" + text, flush=True)


def show(command):
    print("  $ " + command, flush=True)


def lines(data):
    for line in data.decode(errors="replace").strip().splitlines():
        print("  " + line, flush=True)


def short(token):
    return token[:16] + "…" + token[-6:]


def secret_service_is_there():
    if "DBUS_SESSION_BUS_ADDRESS" not in os.environ:
        return False
    return subprocess.run(["secret-tool", "lookup", "almoner-demo", "none"], capture_output=True,
                          timeout=10).stderr == b""


def countdown(seconds, what):
    for left in range(seconds, 0, -1):
        if sys.stdout.isatty():
            print("\r  %s %2d s " % (what, left), end="", flush=True)
        time.sleep(1)
    print(("\r" if sys.stdout.isatty() else "") + "  " + what + " over.     ", flush=True)


def run(place):
    screen = "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
    options = [] if screen else ["--auto", "ada"]
    place.configure("[refresh]\nforce-interval=0s\n")
    issuer = place.start_issuer("--access-lifetime", str(LIFETIME), *options)
    others = place.keyring_items()
    place.start_daemon()

    say("1. Sign in, in a browser" + ("." if screen else " (no display here, so a script plays the browser)."))
    if screen:
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"):
            if name in os.environ:
                place.environment[name] = os.environ[name]
        del place.environment["BROWSER"]
    show("almoner login work --publishable-key %s…" % issuer.ready["publishable_key"][:14])
    lines(place.sign_in(timeout=600).stderr if screen else place.sign_in().stderr)
    show("almoner identity work")
    lines(place.almoner("identity", "work").stdout)

    say("2. Ask for a token. It comes from memory; the refresh token never leaves the daemon.")
    show("almoner token work")
    first = place.token("work")
    print("  " + short(first))

    say("3. Let it run out and ask again: the daemon refreshes, and all tokens are replaced together.")
    countdown(LIFETIME, "The token's life:")
    second = place.token("work")
    print("  %s\n  %s  (a new one)" % (short(first), short(second)))
    assert first != second
    print("  The issuer says of the old one: status %d, of the new one: %d" % (
        issuer.session(first).status, issuer.session(second).status))

    say("4. 50 callers at once on a token that ran out cause one refresh.")
    countdown(LIFETIME, "The token's life:")
    before = issuer.counters["refresh_grants"]
    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        tokens = set(pool.map(lambda _: place.token("work"), range(50)))
    refreshes = issuer.counters["refresh_grants"] - before
    print("  Different answers: %d. Refreshes at the issuer: %d" % (len(tokens), refreshes))
    assert len(tokens) == refreshes == 1

    say("5. Kill the daemon while a refresh is on its way. The courier brings the answer home.")
    issuer.control("POST", "fates", [{"fate": "answer", "delay_before_answer": 700}])
    before = issuer.counters["refresh_grants"]
    asking = subprocess.Popen([os.path.join(os.environ["ALMONER_BIN"], "almoner"), "token", "work", "--force"],
                              env=place.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while issuer.counters["refresh_grants"] == before:
        time.sleep(0.01)
    place.kill_daemon()
    asking.wait()
    print("  Killed, after the issuer had spent the old token and before its answer came.")
    place.start_daemon()
    survived = place.token("work")
    status, reuse = issuer.session(survived).status, issuer.counters["reuse"]
    print("  A new daemon answers: %s, and the issuer says %d. Reuse seen by the issuer: %d" % (
        short(survived), status, reuse))
    assert status == 200 and reuse == 0

    say("6. Sign out: the session ends at the issuer, and everything goes here.")
    show("almoner logout work")
    done = place.almoner("logout", "work")
    lines(done.stdout + done.stderr)
    items, files, status = place.keyring_items() - others, place.state_files(), issuer.session(survived).status
    print("  Items in the keyring: %d. Files in the state directory: %s. The issuer says of the token: %d" % (
        items, ", ".join(files) or "none", status))
    assert not items and not files and status == 401
    say("That was all. Nothing is left on this machine.")


def main():
    own = secret_service_is_there()
    print("Almoner's main job, with %s and the sandbox issuer." % (
        "your keyring" if own else "gnome-keyring on a private bus"))
    place = Place(keyring=not own)
    try:
        if own:
            place.environment["DBUS_SESSION_BUS_ADDRESS"] = os.environ["DBUS_SESSION_BUS_ADDRESS"]
        run(place)
    finally:
        if own and place.daemon:
            place.almoner("logout", "--all", check=False)
        place.end()
        shutil.rmtree(place.root, ignore_errors=True)


if __name__ == "__main__":
    main()
