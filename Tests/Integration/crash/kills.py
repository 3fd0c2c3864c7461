"""Kills the daemon during forced refreshes and counts what is lost. Needs a FAULTS build in ALMONER_BIN.

usage: kills.py [--kills N] [--seed S] [--no-landing]

Half of the kills come at a moment drawn uniformly over the whole flight, from outside; the other half are spread evenly
over the steps R1-R7, at a moment drawn uniformly within the step, since some steps last a millisecond and uniform
moments would hardly ever meet them. The issuer takes 0-300 ms. Without --no-landing nothing may be lost.
"""
import argparse
import collections
import os
import random
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from place import Place, program, refuse_root  # noqa: E402

STEPS = ["idle", "R1", "R2", "R3", "R4", "R5", "R6", "R7"]
# How long a step lasts at most, in microseconds, to draw a moment within it; R4 lasts as long as the issuer takes.
LENGTHS = {"R1": 1500, "R2": 15000, "R3": 800, "R5": 12000, "R6": 150, "R7": 700}


class Campaign:
    def __init__(self, place, chance, landing):
        self.place, self.chance = place, chance
        self.trace = os.path.join(place.root, "trace")
        open(self.trace, "wb").write(b"\0")
        self.settings = {"ALMONER_FAULT_TRACE": self.trace}
        if not landing:
            self.settings["ALMONER_FAULT_NO_LANDING"] = "1"
        self.lost = 0
        self.steps = collections.Counter()

    def begin(self, **more):
        self.place.start_daemon(**self.settings, **more)

    def sign_in(self):
        self.place.almoner("logout", "--all", check=False)
        self.place.sign_in()

    def refresh(self):
        return subprocess.Popen([program("almoner"), "token", "work", "--force", "--timeout", "5s"],
                                env=self.place.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill_from_outside(self, delay):
        asking = self.refresh()
        time.sleep(self.chance.uniform(0, 0.06 + delay / 1000))
        self.place.kill_daemon()
        asking.wait()

    def kill_within(self, step, delay):
        longest = delay * 1000 + 2000 if step == "R4" else LENGTHS[step]
        self.place.kill_daemon()
        self.begin(ALMONER_FAULT_KILL_AT="%s %d" % (step.lower(), self.chance.randrange(longest)))
        asking = self.refresh()
        try:
            self.place.daemon.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.place.daemon.kill()
            self.place.daemon.wait()
        self.place.daemon = None
        asking.wait()

    def trial(self, number):
        delay = self.chance.randrange(301)
        self.place.issuer.control("POST", "fates", [{"fate": "answer", "delay_before_commit": delay // 2,
                                                     "delay_before_answer": delay - delay // 2}])
        if number % 2:
            self.kill_within(STEPS[1 + number // 2 % 7], delay)
        else:
            self.kill_from_outside(delay)
        self.steps[STEPS[open(self.trace, "rb").read(1)[0]]] += 1
        self.place.issuer.control("POST", "fates", [])
        self.begin()
        done = self.place.almoner("token", "work", "--force", "--timeout", "60s", check=False, timeout=90)
        token = done.stdout.decode().strip()
        if done.returncode != 0 or self.place.issuer.session(token).status != 200:
            self.lost += 1
            self.sign_in()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--kills", type=int, default=200)
    options.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options.add_argument("--no-landing", action="store_true")
    options = options.parse_args()
    refuse_root()
    print("seed %d" % options.seed, flush=True)
    with Place() as place:
        # Named explicitly, so that no command line starts a daemon of its own after a kill.
        place.environment["ALMONER_SOCKET"] = place.socket
        place.configure("[refresh]\nforce-interval=0s\n")
        place.start_issuer("--auto", "ada", "--access-lifetime", "300")
        campaign = Campaign(place, random.Random(options.seed), not options.no_landing)
        campaign.begin()
        campaign.sign_in()
        for number in range(options.kills):
            campaign.trial(number)
            if sys.stdout.isatty():
                print("\r%d of %d, lost %d " % (number + 1, options.kills, campaign.lost), end="", flush=True)
        reuse = place.issuer.counters["reuse"]
    for step in STEPS:
        print("%-5s %4d %s" % (step, campaign.steps[step], "#" * campaign.steps[step]))
    print("measured: kills %d, sessions lost %d, reuse seen by the issuer %d" % (options.kills, campaign.lost, reuse))
    if options.no_landing:
        # Without the landing the test has to see losses, or it sees nothing.
        sys.exit(0 if campaign.lost > 0 else 1)
    few = [step for step in STEPS[1:] if options.kills >= 200 and campaign.steps[step] < 15]
    if few:
        print("too few kills in " + ", ".join(few))
    sys.exit(0 if campaign.lost == 0 and reuse == 0 and not few else 1)


if __name__ == "__main__":
    main()
