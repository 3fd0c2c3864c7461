"""Kills daemon, courier, or both during forced refreshes and counts what is lost. Needs a FAULTS build in ALMONER_BIN.

usage: kills.py [--quick] [--kills N] [--seed S] [--victims WORDS] [--no-landing]

Half of the kills come at a moment drawn uniformly over the whole flight, from outside; the other half are spread evenly
over the steps, at a moment drawn uniformly within the step, since some steps last a millisecond and uniform moments
would hardly ever meet them. The issuer takes 0-300 ms. --kills is how many for each victim (--quick: 300, 60 and 60).

Killing the daemon alone may lose nothing. A session that is lost with the courier is looked into: it may be lost only
if the request had departed, its answer had not landed and the issuer had spent the token. Anything else fails.
"""
import argparse
import collections
import os
import random
import signal
import sys
import threading
import time
import traceback

from scene import Scene, refuse_root

STEPS = ["idle", "R0", "R1", "R2", "R3", "R4", "R5", "R6", "R7"]
# How long a step lasts at most, in microseconds, to draw a moment within it; R4 lasts as long as the issuer takes.
LENGTHS = {"R1": 1500, "R2": 15000, "R3": 800, "R5": 12000, "R6": 150, "R7": 700}
TARGETS = {"daemon": STEPS[2:], "courier": STEPS[3:6], "both": STEPS[3:6]}
QUICK = {"daemon": 300, "courier": 60, "both": 60}
WORKERS = 4
# Fewer kills than this in a step, of so many in all, and the campaign says nothing about it.
FEW, ENOUGH = 5, 200


class Tally:
    """What the kills of one victim came to."""

    def __init__(self, victim, planned):
        self.victim, self.planned, self.wanted, self.begun = victim, planned, planned, 0
        self.kills, self.missed, self.on_the_wire, self.reuse = 0, 0, 0, 0
        self.steps, self.lost = collections.Counter(), []
        self.lock = threading.Lock()

    def next(self):
        with self.lock:
            if self.begun == self.planned:
                return None
            self.begun += 1
            return self.begun - 1

    def show(self):
        for step in STEPS:
            print("  %-5s %5d %s" % (step, self.steps[step], "#" * (60 * self.steps[step] // max(1, self.kills))))
        print("measured: kills of the %s: %d, lost %d (on the wire %d, elsewhere %d), reuse %d, came too late %d" % (
            self.victim, self.kills, self.on_the_wire + len(self.lost), self.on_the_wire, len(self.lost), self.reuse,
            self.missed))

    def problems(self):
        if self.victim == "daemon" and self.on_the_wire:
            yield "a killed daemon lost %d sessions" % self.on_the_wire
        yield from self.lost
        if self.reuse:
            yield "%s: the issuer saw reuse" % self.victim
        if self.kills >= ENOUGH:
            few = [step for step in TARGETS[self.victim] if self.steps[step] < FEW]
            if few:
                yield "%s: too few kills in %s" % (self.victim, ", ".join(few))


class Worker:
    """Kills in a scene of its own, one after the other."""

    def __init__(self, tally, chance, landing):
        self.tally, self.chance = tally, chance
        self.scene = Scene("secret-service", "none")
        if not landing:
            self.scene.settings["ALMONER_FAULT_NO_LANDING"] = "1"
            self.scene.restart()
        self.old = self.scene.ask()["generation"]

    def run(self, shown):
        try:
            for number in iter(self.tally.next, None):
                self.trial(number)
                shown()
        finally:
            self.scene.end()

    def trial(self, number):
        scene, delay = self.scene, self.chance.randrange(301)
        scene.issuer.fates({"fate": "answer", "delay_before_commit": delay // 2,
                            "delay_before_answer": delay - delay // 2})
        before = scene.issuer.counters
        if number % 2:
            targets = TARGETS[self.tally.victim]
            step, hit = self.kill_within(targets[number // 2 % len(targets)], delay)
        else:
            step, hit = self.kill_from_outside(delay)
        scene.wait_for_courier()
        with self.tally.lock:
            self.tally.kills += hit
            self.tally.missed += not hit
            # One that came too late is made up for, unless that never ends.
            self.tally.planned += not hit and self.tally.missed < self.tally.wanted
            self.tally.steps[step] += hit
        scene.issuer.fates()
        if not scene.is_running:
            if scene.place.daemon:
                scene.place.daemon.wait()
                scene.place.daemon = None
            scene.start()
        why = self.judge()
        after = scene.issuer.counters
        with self.tally.lock:
            self.tally.reuse += after["reuse"] - before["reuse"]
        if why:
            self.lose(step, after["refresh_grants"] > before["refresh_grants"], why)

    def judge(self):
        """Goes on as callers do, until there are new tokens. Returns why there are none."""
        scene, until = self.scene, time.monotonic() + 60
        while time.monotonic() < until:
            answer = scene.ask("--force", "--timeout", "100s")
            if "accessToken" in answer and answer["generation"] > self.old:
                if scene.issuer.session(answer["accessToken"]).status == 200:
                    self.old = answer["generation"]
                    return None
                return "the issuer refuses the access token"
            if answer.get("status") == 3:
                return answer["error"].strip()
            time.sleep(0.02)
        return "no end: %s" % answer

    def lose(self, step, has_committed, why):
        # As it is now: a courier may have met its end only when the session was asked for again.
        journal = self.scene.journal
        evidence = "%s in %s: journal %s, spent %s: %s" % (
            self.tally.victim, step, journal.numbers, has_committed, why)
        with self.tally.lock:
            if journal.has_departed and not journal.has_landed and has_committed:
                self.tally.on_the_wire += 1
            else:
                self.tally.lost.append(evidence)
        self.scene.restart()
        self.scene.sign_in()
        self.old = self.scene.ask()["generation"]

    def step(self):
        with open(self.scene.trace, "rb") as file:
            return STEPS[file.read(1)[0]]

    def kill_from_outside(self, delay):
        """Returns the step it was in, and whether there was somebody to kill."""
        scene = self.scene
        if not scene.is_running:
            scene.start()
        daemon = scene.place.daemon
        asking = scene.asking("--force", "--timeout", "50s")
        courier = self.courier(asking) if self.tally.victim != "daemon" else None
        time.sleep(self.chance.uniform(0, (0.03 if courier else 0.06) + delay / 1000))
        step, hit = self.step(), True
        if courier:
            hit = courier in scene.couriers() and killed(courier)
        if self.tally.victim != "courier":
            daemon.kill()
            daemon.wait()
            step = self.step()
        scene.heard(asking)
        return step, hit and (courier is not None or self.tally.victim == "daemon")

    def courier(self, asking):
        """The courier of this refresh, as soon as it is there."""
        until = time.monotonic() + 20
        while asking.poll() is None and time.monotonic() < until:
            found = self.scene.couriers()
            if found:
                return found[0]
        return None

    def kill_within(self, step, delay):
        scene, longest = self.scene, delay * 1000 + 2000 if step == "R4" else LENGTHS[step]
        scene.restart("%s %s %d" % (step.lower(), self.tally.victim, self.chance.randrange(longest)))
        daemon, asking = scene.place.daemon, scene.asking("--force", "--timeout", "100s")
        if self.tally.victim == "courier":
            scene.heard(asking)
            return step, True
        until = time.monotonic() + 20
        while daemon.poll() is None and time.monotonic() < until:
            time.sleep(0.001)
        daemon.kill()
        daemon.wait()
        scene.heard(asking)
        return self.step(), True


def killed(process):
    """Kills it. Returns whether it was there to be killed."""
    try:
        os.kill(process, signal.SIGKILL)
        return True
    except ProcessLookupError:
        return False


class Campaign:
    def __init__(self, options):
        counts = QUICK if options.quick else dict.fromkeys(QUICK, options.kills)
        victims = ["daemon"] if options.no_landing else options.victims.split(",")
        self.tallies = [Tally(victim, counts[victim]) for victim in victims]
        self.options, self.crashed = options, []
        self.total = sum(tally.wanted for tally in self.tallies)

    def run(self):
        seeds = random.Random(self.options.seed)
        for group in self.groups():
            threads = [threading.Thread(target=self.work, args=(tally, random.Random(seeds.random())))
                       for tally in group]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

    def groups(self):
        """The tallies of the workers that run together: as many for each victim as it needs."""
        if self.options.no_landing:
            return [self.tallies]
        weights = [max(1, round(WORKERS * tally.planned / self.total)) for tally in self.tallies]
        return [[tally for tally, weight in zip(self.tallies, weights) for _ in range(weight)]]

    def work(self, tally, chance):
        try:
            Worker(tally, chance, not self.options.no_landing).run(self.shown)
        except Exception:
            self.crashed.append(traceback.format_exc())

    def shown(self):
        if sys.stdout.isatty():
            done = sum(tally.kills for tally in self.tallies)
            lost = ", ".join("%s %d" % (t.victim, t.on_the_wire + len(t.lost)) for t in self.tallies)
            bar = "#" * (40 * done // self.total)
            print("\r[%-40s] %d of %d, lost: %s " % (bar, done, self.total, lost), end="", flush=True)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--quick", action="store_true")
    options.add_argument("--kills", type=int, default=200)
    options.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options.add_argument("--victims", default="daemon,courier,both")
    options.add_argument("--no-landing", action="store_true")
    options = options.parse_args()
    refuse_root()
    print("seed %d" % options.seed, flush=True)
    campaign = Campaign(options)
    campaign.run()
    print()
    for tally in campaign.tallies:
        tally.show()
    if options.no_landing:
        # Without the landing the test has to see losses, or it sees nothing.
        tally = campaign.tallies[0]
        sys.exit(0 if tally.on_the_wire + len(tally.lost) > 0 and not campaign.crashed else 1)
    problems = [problem for tally in campaign.tallies for problem in tally.problems()] + campaign.crashed
    for problem in problems[:20]:
        print("WRONG " + problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
