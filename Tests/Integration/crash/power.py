"""Cuts the power at every point of a rotation, a sign-in and a sign-out, and starts the daemon on what may be left.

usage: power.py [--quick] [--seed S]

The file operations of the daemon and its couriers are recorded (inject.c); disk.py says what a disk may hold after a
cut behind any of them. For each such state the action is done anew, the disk put into that state, the machine "started"
under another boot id, and the daemon on it. Then the account has its old generation or the new one, whole, and goes on;
only where the answer was on its way may the session be lost, and then it is said and nothing was sent twice. An account
that was not touched is always there. --quick takes a sample.
"""
import argparse
import collections
import json
import os
import random
import shutil
import sys
import time
import uuid

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from disk import Disk  # noqa: E402
from injection import COURIER, Injection  # noqa: E402
from place import refuse_root  # noqa: E402
from stage import Scene, demand, until  # noqa: E402

# States of each action that --quick tries.
QUICK = 12
ACTIONS = ["rotation", "refused rotation", "sign-in", "sign-out"]


class Machine(Scene):
    def __init__(self):
        self.injection = None
        # Sessions lost where that cannot be helped.
        self.lost = 0
        super().__init__()

    def start_daemon(self, **more):
        if self.injection is None:
            self.injection = Injection(self.root)
            self.reboot()
        return super().start_daemon(**self.injection.environment, **more)

    def start_issuer(self, *options):
        """One for each account: a person who signs in again where they are signed in has one account, not two."""
        self.others = super().start_issuer(*options)
        return super().start_issuer(*options)

    def login(self, name):
        return self.ask("login", name, "--publishable-key", self.others.ready["publishable_key"], "--redirect-uri",
                        self.others.redirect, "--yes")

    def reboot(self):
        path = os.path.join(self.root, "boot")
        with open(path, "w") as file:
            file.write(str(uuid.uuid4()) + "\n")
        self.injection.reboot(path)

    def recorded(self, action):
        """Does it; returns the disk as it was before, and what was done to it. The daemon is dead then."""
        if action == "sign-out":
            demand(self.login("other")[0] == 0, "cannot sign in")
        self.idle()
        disk = Disk(self.state)
        self.injection.record(self.state)
        if action == "rotation":
            demand(self.ask("token", "work", "--force")[1]["refreshed"], "no refresh")
            # What comes after the caller was answered.
            self.idle()
        elif action == "refused rotation":
            self.issuer.fates("lose_request")
            self.ask("token", "work", "--force", "--timeout", "1s")
            self.issuer.fates()
        elif action == "sign-in":
            demand(self.login("other")[0] == 0, "cannot sign in")
            self.idle()
        else:
            demand(self.ask("logout", "other")[0] == 0, "cannot sign out")
        self.kill_daemon()
        operations = self.injection.operations()
        self.injection.clear()
        return disk, operations

    def idle(self):
        """Returns when nothing has been written for a while."""
        quiet, before = 0, None
        while quiet < 3:
            now = contents(self.state)
            quiet = quiet + 1 if now == before else 0
            before = now
            time.sleep(0.02)

    def become(self, state):
        """The disk after the cut."""
        for name in os.listdir(self.state):
            path = os.path.join(self.state, name)
            shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
        for name, data in state.items():
            path = os.path.join(self.state, name)
            if data is None:
                os.makedirs(path, mode=0o700, exist_ok=True)
            else:
                with open(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
                    file.write(data)
        self.reboot()
        self.start_daemon()


    def mend(self, action):
        """After a record that nobody cut short."""
        if action == "sign-in":
            self.leave()
        self.refreshed()

    # What has to be true after the cut.

    def check(self, action, settled):
        """`settled`: the action's point of no return was durable before the cut."""
        demand("work" in self.names(), "an account is missing")
        {"rotation": self.check_rotation, "refused rotation": self.check_refused, "sign-in": self.check_sign_in,
         "sign-out": self.check_sign_out}[action](settled)
        self.refreshed()

    def check_rotation(self, settled):
        told = {}

        def decided():
            nonlocal told
            _, told = self.ask("token", "work", "--force", "--timeout", "20s")
            return told.get("refreshed") or told.get("error") == "sign-in-required"
        until(decided, "neither refreshed nor refused")
        if told.get("refreshed"):
            return
        demand(not settled, "a landed answer was lost: %r" % told)
        self.lost += 1
        demand("lost" in told["message"] or "fate" in told["message"], "lost without saying so: %r" % told)
        self.sign_in()

    def check_refused(self, settled):
        del settled

    def check_sign_in(self, settled):
        until(lambda: b"standing=pending" not in self.index(), "a sign-in stays pending")
        demand("other" in self.names() or not settled, "a finished sign-in is gone")
        if "other" in self.names():
            status, told = self.ask("token", "other", "--force")
            demand(status == 0, "the new account is no use: %r" % told)
        self.leave()

    def check_sign_out(self, settled):
        until(lambda: b"standing=signing-out" not in self.index(), "a sign-out stays unfinished")
        demand("other" not in self.names() or not settled, "a finished sign-out is undone")
        self.leave()

    def leave(self):
        if "other" in self.names():
            demand(self.ask("logout", "other")[0] == 0, "cannot sign out")
        left = set(self.state_files())
        demand(len(left) == 3, "something is left: %r" % left)

    def index(self):
        with open(os.path.join(self.state, "accounts.conf"), "rb") as file:
            return file.read()


def contents(directory):
    found = {}
    for path, _, names in os.walk(directory):
        for name in names:
            with open(os.path.join(path, name), "rb") as file:
                found[os.path.relpath(file.name, directory)] = file.read()
    return found


def no_return(action, operations):
    """How many operations make the action's outcome durable."""
    ends = [index + 1 for index, seen in enumerate(operations) if landmark(action, operations[:index + 1], seen)]
    return ends[0] if ends else len(operations)


def landmark(action, before, seen):
    if action == "rotation":
        # The courier's pad: its sync comes after a long write.
        return seen.kind == "fdatasync" and seen.program == COURIER
    if action == "sign-out":
        # The mark: the first sync of the state directory after the index was renamed.
        return (seen.kind == "fsync" and os.path.basename(seen.path) == "almoner"
                and any(earlier.kind == "rename" for earlier in before))
    return False


def first(action, operations):
    """The first point at which the issuer can have done what it has done in this record."""
    if action != "rotation":
        return 0
    return next(index + 1 for index, seen in enumerate(operations) if seen.kind == "fdatasync")


def states_at(disk, operations, count, chance):
    for operation in operations[:count]:
        disk.do(operation)
    return disk.states(chance)


def plan(machine, action, chance):
    """Every distinct state, each with the last point at which it may be there: that is where most is demanded."""
    disk, operations = machine.recorded(action)
    found, seen = [], []
    points = []
    for count in range(len(operations) + 1):
        if count:
            disk.do(operations[count - 1])
        points.append(disk.states(chance))
    for count in range(len(operations), first(action, operations) - 1, -1):
        for index, state in enumerate(points[count]):
            if state not in seen:
                seen.append(state)
                found.append((action, count, index))
    machine.start_daemon()
    machine.mend(action)
    return found, len(operations)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--quick", action="store_true")
    options.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = options.parse_args()
    refuse_root()
    print("seed %d" % options.seed, flush=True)
    chance = random.Random(options.seed)
    wrong, ran = [], collections.Counter()
    machine = Machine()
    try:
        for action in ACTIONS:
            cuts, count = plan(machine, action, chance)
            print("measured: %s: %d operations, %d states after a cut" % (action, count, len(cuts)), flush=True)
            for cut in chance.sample(cuts, min(len(cuts), QUICK)) if options.quick else cuts:
                ran[action] += 1
                try:
                    run(machine, cut, chance)
                except AssertionError as error:
                    wrong.append("%s cut behind operation %d, state %d: %s" % (*cut, error))
                    print("WRONG " + wrong[-1], flush=True)
                    machine.end()
                    machine = Machine()
        reuse, lost = machine.issuer.counters["reuse"] + machine.others.counters["reuse"], machine.lost
    finally:
        machine.end()
    print("measured: %d cuts of the power, %d wrong, %d sessions lost where the answer had not landed, reuse %d" % (
        sum(ran.values()), len(wrong), lost, reuse))
    sys.exit(1 if wrong or reuse or not ran else 0)


def run(machine, cut, chance):
    action, count, index = cut
    disk, operations = machine.recorded(action)
    count = min(count, len(operations))
    states = states_at(disk, operations, count, chance)
    machine.become(states[min(index, len(states) - 1)])
    machine.check(action, count >= no_return(action, operations))


if __name__ == "__main__":
    main()
