"""A daemon with one account in the sealed file, whose state directory a test may spoil."""
import json
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from place import Place  # noqa: E402

PATIENCE = 60


def demand(claim, what):
    if not claim:
        raise AssertionError(what)


def until(claim, what):
    end = time.monotonic() + PATIENCE
    while not claim():
        demand(time.monotonic() < end, what)
        time.sleep(0.05)


class Scene(Place):
    """The state directory is `almoner` in `state`."""

    def __init__(self, state=None):
        super().__init__(keyring=False)
        if state:
            self.environment["XDG_STATE_HOME"] = state
            self.state = os.path.join(state, "almoner")
        key = os.path.join(self.root, "key")
        with open(os.open(key, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
            file.write(os.urandom(32))
        self.configure("[refresh]\nforce-interval=0s\n[store]\ndefault=sealed-file\nkey-file=%s\n" % key)
        # Named explicitly, so that no command line starts a daemon of its own.
        self.environment["ALMONER_SOCKET"] = self.socket
        self.start_issuer("--auto", "ada", "--access-lifetime", "300")
        self.start_daemon()
        self.sign_in()

    def restart(self):
        self.kill_daemon()
        self.start_daemon()

    def ask(self, *command):
        """Status and what was told, whichever way."""
        done = self.almoner(*command, "--json", check=False)
        demand(self.daemon.poll() is None, "the daemon died")
        lines = done.stdout.splitlines() or done.stderr.splitlines()
        return done.returncode, json.loads(lines[-1])

    def served(self):
        """The token that is there."""
        status, told = self.ask("token", "work")
        demand(status == 0, "the token is not served: %r" % told)
        return told["accessToken"]

    def refreshed(self):
        """Forces a refresh until there is one; the issuer likes the token and saw no reuse."""
        answers = []

        def once():
            status, told = self.ask("token", "work", "--force")
            demand(told.get("error") != "sign-in-required", "the session was lost: %r" % told)
            answers.append(told)
            return status == 0 and told["refreshed"]
        until(once, "no refresh")
        demand(self.alive(answers[-1]["accessToken"]), "the token is not good")
        demand(self.issuer.counters["reuse"] == 0, "the issuer saw reuse")

    def alive(self, token):
        return self.issuer.session(token).status == 200

    def names(self):
        return [account["name"] for account in self.json("list")["accounts"]]

    def login(self, name):
        return self.ask("login", name, "--publishable-key", self.issuer.ready["publishable_key"], "--redirect-uri",
                        self.issuer.redirect, "--yes")

    def refuses(self, told):
        demand(told.get("error") == "storage", "not refused for its storage: %r" % told)


def run(tests, make):
    """Each in a scene of its own."""
    wrong = 0
    for test in tests:
        try:
            with make() as scene:
                test(scene)
            print("ok: " + test.__doc__.splitlines()[0], flush=True)
        except (AssertionError, OSError, ValueError, subprocess.SubprocessError) as error:
            wrong += 1
            print("WRONG: %s: %s" % (test.__doc__.splitlines()[0], error), flush=True)
    print("%d passed" % (len(tests) - wrong))
    sys.exit(1 if wrong else 0)
