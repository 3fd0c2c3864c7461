"""Run by root.py as the unprivileged user: a daemon with tokens, which says after each step what it should hold.

usage: holder.py BACKEND    ALMONER_TEST_DISK is the directory for the home
"""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scenario import Scenario, children, program, until  # noqa: E402

# Stands behind a secret that was written on purpose.
PLANTED = "planted"
# Holds a secret as an ordinary program would, with some memory beside it.
SLEEPER = "import sys; s = sys.stdin.readline(); more = bytes(range(256)) * 8192; print(flush=True); sys.stdin.read()"


def tell(scene, after, holds=True, **more):
    """One line to root.py; goes on when it has looked. Secrets are in the order in which they came to be."""
    print(json.dumps({"pid": scene.daemon.pid, "after": after, "holds": holds, "secrets": scene.issuer.in_order(),
                      **more}), flush=True)
    sys.stdin.readline()


def refresh(scene):
    """A forced refresh may find the last one still being stored; so until one is made."""
    before = scene.issuer.counters["refresh_grants"]
    while scene.issuer.counters["refresh_grants"] == before:
        scene.almoner("token", "work", "--force")


def sleeper(secret):
    process = subprocess.Popen([sys.executable, "-c", SLEEPER], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(secret.encode() + b"\n")
    process.stdin.flush()
    process.stdout.readline()
    return process


def end(process):
    process.kill()
    process.wait()
    process.stdin.close()
    process.stdout.close()


def pids_with_secrets(scene):
    """A courier that carries a token, and a listener that waits for a code."""
    before = scene.issuer.counters["refresh_grants"]
    scene.issuer.fates({"fate": "answer", "delay_before_answer": 20000})
    subprocess.Popen([program("almoner"), "token", "work", "--force"], env=scene.environment,
                     stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: scene.issuer.counters["refresh_grants"] > before, "no refresh came to the issuer")
    scene.begin("other")
    return {name: children(scene.daemon.pid, "almoner-" + name)[0] for name in ("courier", "callback")}


def sealed(scene):
    """What lies sealed in the state directory."""
    found = {}
    for name in scene.state_files():
        with open(os.path.join(scene.state, name), "rb") as file:
            found[name] = file.read().hex()
    return found


def main(backend):
    scene = Scenario()
    key = os.path.join(scene.home, "key")
    with open(os.open(key, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
        file.write(os.urandom(32))
    scene.configure("[refresh]\nforce-interval=0s\n[store]\nkey-file=%s\ndefault=%s\n" % (key, backend))
    try:
        scene.almoner("config", "check")
        scene.kill_daemon()
        scene.start_daemon()
        scene.sign_in("work")
        tell(scene, "sign-in")
        refresh(scene)
        tell(scene, "one rotation")
        for _ in range(5):
            refresh(scene)
        scene.almoner("session", "work")
        plain = sleeper(scene.issuer.newest("refresh token"))
        tell(scene, "six rotations", swap=plain.pid)
        end(plain)
        scene.almoner("lock")
        tell(scene, "lock", holds=False)
        scene.almoner("unlock")
        scene.almoner("token", "work")
        tell(scene, "unlock", sealed=sealed(scene))
        scene.almoner("logout", "work")
        with open(os.path.join(scene.home, "leak"), "w") as file:
            file.write(scene.issuer.newest("refresh token") + PLANTED)
            file.flush()
            os.fsync(file.fileno())
        os.unlink(os.path.join(scene.home, "leak"))
        tell(scene, "sign-out", holds=False, disk=True)
        scene.sign_in("work")
        plain = sleeper(scene.issuer.newest("refresh token"))
        tell(scene, "flight", cores={**pids_with_secrets(scene), "daemon": scene.daemon.pid, "sleeper": plain.pid})
        end(plain)
    finally:
        scene.end()


if __name__ == "__main__":
    main(sys.argv[1])
