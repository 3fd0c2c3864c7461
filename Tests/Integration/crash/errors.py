"""Makes calls of the daemon and its couriers fail, each at each place, during a refresh, a sign-in and a sign-out.

usage: errors.py [--quick] [--seed S]

After each: whoever asked got an answer that PROTOCOL.md knows, the daemon lives, the cached token is served, and once
the fault is gone everything works, no session is lost, nothing lies about, and the issuer saw no reuse. --quick takes
every failing sync, rename and full disk, and a sample of the rest.
"""
import argparse
import collections
import json
import os
import random
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from injection import COURIER, DAEMON, PROGRAMS, Injection  # noqa: E402
from place import Place, refuse_root  # noqa: E402

STATE = ".local/state/almoner"
# What fails, how, and below which path. Without one, calls on sockets and memory would be missed.
FAULTS = [
    ("open", ["EIO", "EACCES", "EMFILE"], STATE),
    ("read", ["EIO", "EINTR"], STATE),
    ("write", ["ENOSPC", "EIO"], STATE),
    ("fsync", ["EIO", "ENOSPC"], STATE),
    ("fdatasync", ["EIO", "ENOSPC"], STATE),
    ("rename", ["EIO", "ENOSPC", "EACCES"], STATE),
    ("unlink", ["EIO", "EACCES"], STATE),
    ("mkdir", ["EIO", "ENOSPC"], STATE),
    ("close", ["EIO"], STATE),
    ("mmap", ["ENOMEM"], ""),
    ("connect", ["ECONNREFUSED", "ETIMEDOUT", "EINTR"], ""),
]
ALWAYS = {"write ENOSPC", "fsync EIO", "fdatasync EIO", "rename EIO"}
# What a caller may be told of such a fault.
TYPED = {"storage", "temporary", "locked", "busy"}
PATIENCE = 60
# How many of the other faults of each action --quick tries.
SAMPLE = 5


class Failure(Exception):
    pass


def demand(claim, what):
    if not claim:
        raise Failure(what)


class Case(collections.namedtuple("Case", "action kind error match program skip times")):
    def __str__(self):
        often = "always from call %d on" % (self.skip + 1) if self.times < 0 else "at call %d" % (self.skip + 1)
        return "%s: %s of the %s fails with %s %s" % (
            self.action, self.kind, PROGRAMS[self.program], self.error, often)


class Sweep:
    """One daemon with an account that stays, `work`, and one that comes and goes, `other`."""

    def __init__(self, place, backend, chance):
        self.place, self.chance = place, chance
        self.store = ["--store", backend]
        self.injection = Injection(place.root)
        key = os.path.join(place.root, "key")
        with open(os.open(key, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
            file.write(os.urandom(32))
        place.configure("[refresh]\nforce-interval=0s\n[store]\nkey-file=%s\n" % key)
        place.environment["ALMONER_SOCKET"] = place.socket
        self.others = place.start_issuer("--auto", "ada", "--access-lifetime", "300")
        self.issuer = place.start_issuer("--auto", "ada", "--access-lifetime", "300")
        self.start()
        place.sign_in("work", *self.store)
        self.kept = self.remains()

    def start(self):
        self.place.start_daemon(**self.injection.environment)

    def restart(self):
        self.place.kill_daemon()
        self.start()

    # What is done, each: returns the command's end.

    def refresh(self):
        return self.place.almoner("token", "work", "--force", "--timeout", "30s", "--json", check=False)

    def sign_in(self):
        return self.place.almoner(
            "login", "other", "--publishable-key", self.others.ready["publishable_key"], "--redirect-uri",
            self.others.redirect, "--yes", "--json", *self.store, check=False)

    def sign_out(self):
        return self.place.almoner("logout", "other", "--json", check=False)

    def perform(self, action):
        try:
            return {"refresh": self.refresh, "sign-in": self.sign_in, "sign-out": self.sign_out}[action]()
        except subprocess.TimeoutExpired:
            raise Failure("no answer within a minute") from None

    def prepare(self, action):
        if action == "sign-out":
            demand(self.sign_in().returncode == 0, "cannot sign in: " + self.tail())

    # What has to be true.

    def count(self, action, match):
        self.prepare(action)
        self.injection.count(match)
        demand(self.perform(action).returncode == 0, action + " fails without a fault")
        seen = self.injection.seen
        self.injection.clear()
        self.leave()
        return seen

    def run(self, case):
        self.prepare(case.action)
        self.injection.arm(case.kind, case.error, case.skip, case.times, case.program, case.match)
        done = self.perform(case.action)
        self.answered(done)
        self.still_served()
        failed = self.injection.failed
        self.injection.clear()
        # Some cases wait until the daemon has recovered by itself; in the others it is killed just then. A sign-in that
        # could not be finished waits for the next start in any case.
        if self.chance.random() < 0.8 or case.action == "sign-in" and done.returncode != 0:
            self.restart()
        self.settle(case, done)
        self.works()
        demand(self.issuer.counters["reuse"] == 0 and self.others.counters["reuse"] == 0, "the issuer saw reuse")
        return failed

    def answered(self, done):
        demand(self.place.daemon.poll() is None, "the daemon died")
        # A sign-out that ended and could not wipe everything says so in its answer. Nothing is locked here.
        if done.returncode == 0 or done.returncode == 1 and b'"wiped":false' in done.stdout:
            return
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        try:
            told = json.loads(last[0])
        except (ValueError, IndexError):
            raise Failure("an answer of no type, status %d: %r" % (done.returncode, last)) from None
        demand(told.get("error") in TYPED or told.get("error", "").startswith("sign-in-") and
               told["error"] != "sign-in-required", "answered %r" % told)

    def still_served(self):
        done = self.place.almoner("token", "work", "--json", check=False)
        demand(done.returncode == 0, "the cached token is not served: %r" % done.stderr)

    def settle(self, case, done):
        if case.action == "refresh":
            return
        if case.action == "sign-out" and done.returncode == 0:
            demand("other" not in self.names(), "signed out, and still there")
        elif case.action == "sign-in" and done.returncode == 0:
            demand("other" in self.names(), "signed in, and not there")
        if "other" in self.names():
            self.usable("other", self.others)
        self.leave()

    def leave(self):
        """Signs `other` out and looks that nothing of it is left."""
        until = time.monotonic() + PATIENCE
        while True:
            if "other" in self.names():
                self.place.almoner("logout", "other", check=False)
            left = self.remains()
            if left == self.kept:
                return
            demand(time.monotonic() < until, "left behind: %r, not %r" % (left, self.kept))
            time.sleep(0.05)

    def remains(self):
        with open(os.path.join(self.place.state, "accounts.conf")) as file:
            accounts = file.read().count("[account ")
        return self.place.state_files(), accounts, self.place.keyring_items()

    def names(self):
        return [account["name"] for account in self.place.json("list")["accounts"]]

    def works(self):
        self.usable("work", self.issuer)

    def usable(self, name, issuer):
        """Refreshes, if need be after a while, and asks the issuer about the token."""
        until = time.monotonic() + PATIENCE
        while True:
            done = self.place.almoner("token", name, "--force", "--timeout", "30s", "--json", check=False)
            if done.returncode == 0:
                told = json.loads(done.stdout)
                if told["refreshed"]:
                    demand(issuer.session(told["accessToken"]).status == 200, "the token is not good")
                    return
            else:
                demand(b'"sign-in-required"' not in done.stderr, "a session was lost: %r" % done.stderr)
            demand(time.monotonic() < until, "no refresh after the fault: %r" % (done.stderr or done.stdout))
            time.sleep(0.05)

    def tail(self):
        with open(self.place.log, errors="replace") as file:
            return file.read()[-500:]


def cases(sweep, action):
    """Every call that the action makes, with every error, once and for ever."""
    found = []
    counts = {match: sweep.count(action, match) for match in (STATE, "")}
    for kind, errors, match in FAULTS:
        for program in (DAEMON, COURIER):
            calls = counts[match][kind, program]
            for error in errors:
                found += [Case(action, kind, error, match, program, skip, 1) for skip in range(calls)]
                # One that is interrupted is made again, for as long as it takes.
                if calls > 0 and error != "EINTR":
                    found.append(Case(action, kind, error, match, program, 0, -1))
    return found


def sample(found, quick, chance):
    if not quick:
        return found
    always = [case for case in found if "%s %s" % (case.kind, case.error) in ALWAYS]
    rest = [case for case in found if case not in always]
    return always + chance.sample(rest, min(len(rest), SAMPLE))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--quick", action="store_true")
    options.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options.add_argument("--only", default="", help="only cases whose text contains this")
    options = options.parse_args()
    refuse_root()
    print("seed %d" % options.seed, flush=True)
    chance = random.Random(options.seed)
    ran = struck = 0
    wrong = []
    for backend in ("sealed-file", "secret-service"):
        with Place(keyring=backend == "secret-service") as place:
            sweep = Sweep(place, backend, chance)
            for action in ("refresh", "sign-in", "sign-out"):
                for case in sample(cases(sweep, action), options.quick, chance):
                    if options.only not in str(case):
                        continue
                    ran += 1
                    try:
                        struck += sweep.run(case) > 0
                    except (Failure, AssertionError) as error:
                        wrong.append("%s, %s: %s" % (backend, case, error))
                        print("WRONG " + wrong[-1], flush=True)
                        sweep = recovered(sweep, backend, chance)
                    if sys.stdout.isatty():
                        print("\r%d cases, %d wrong " % (ran, len(wrong)), end="", flush=True)
            sweep.place.end()
    print("measured: %d faults at %s, %d struck, %d wrong" % (ran, "a sample of calls" if options.quick else
                                                              "every call", struck, len(wrong)))
    sys.exit(0 if struck > 0 and not wrong else 1)


def recovered(sweep, backend, chance):
    """A place of its own for what follows a case that went wrong."""
    sweep.injection.clear()
    sweep.place.end()
    place = Place(keyring=backend == "secret-service")
    return Sweep(place, backend, chance)


if __name__ == "__main__":
    main()
