"""Everything at once, for as long as it is let: memory stays flat and no descriptor is lost.

ALMONER_SOAK says how many minutes. It goes in cycles: load, then rest, and at rest it is weighed.
"""
import os
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scene import (PATIENCE, QUICK, Helpers, Scene, children, descriptors, eventually, measured, not_done,  # noqa: E402
                   program, refuse_root, resident)
from wire import Wire  # noqa: E402

MINUTES = float(os.environ.get("ALMONER_SOAK") or (0.25 if QUICK else 10))
# Seconds of load in a cycle, and cycles in which memory may still grow: buffers, pools, the first of everything.
LOAD, WARM = (3, 2) if QUICK else (20, 4)
# Kilobytes that the weight at rest may grow after that.
GROWTH = 1536


class Soak(unittest.TestCase):
    def setUp(self):
        self.scene = Scene()
        self.addCleanup(self.scene.end)
        self.issuer = self.scene.start_issuer()
        self.daemon = self.scene.start_daemon()
        for number in range(1, 4):
            self.scene.sign_in_guest("work" if number == 1 else "guest%d" % number, number)
        self.rounds = 0

    def helpers(self):
        socket = self.scene.socket
        crowd = Helpers("crowd.py", (socket, 50))
        rude = Helpers("rude.py", (socket, "all", 80))
        for each in (crowd, rude):
            self.addCleanup(each.kill)
        return crowd, rude

    def load(self):
        """One cycle of everything that happens in a life, faster."""
        crowd, rude = self.helpers()
        stop = threading.Event()
        commands = threading.Thread(target=self.run_commands, args=[stop])
        commands.start()
        until = time.monotonic() + LOAD
        try:
            while time.monotonic() < until:
                self.step(crowd)
        finally:
            stop.set()
            commands.join()
        rude.all("stop")
        for each in (crowd, rude):
            each.kill()

    def step(self, crowd):
        self.rounds += 1
        for answers in crowd.all("ask work"):
            self.assertEqual(len(answers["answers"]), 1)
        self.scene.force("work")
        crowd.all("leave guest2")
        with Wire(self.scene.socket) as watching:
            watching.send("Monitor", more=True)
            watching.receive()
            self.scene.force("guest2")
            self.assertIsInstance(self.scene.ask("guest3", minValid=86400), dict)
        if self.rounds % 4 == 0:
            self.scene.almoner("logout", "guest3")
            self.scene.sign_in_guest("guest3", 3)

    def run_commands(self, stop):
        """The command line beside it, and a monitor whose reader goes."""
        while not stop.is_set():
            for words in (["token", "work"], ["status"], ["list", "--json"], ["identity", "work"], ["token", "nobody"]):
                self.scene.almoner(*words, check=False)
            monitor = subprocess.Popen([program("almoner"), "monitor"], env=self.scene.environment,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            monitor.stdout.readline()
            monitor.stdout.close()
            monitor.wait(timeout=PATIENCE)

    def weigh(self):
        """Descriptors and kilobytes when nothing is going on and memory was given back, which a refresh brings about."""
        self.scene.force("work")
        eventually("the last courier has ended", lambda: not children(self.daemon.pid, "almoner-courier"))
        last, now, until = None, (descriptors(self.daemon.pid), resident(self.daemon.pid)), time.monotonic() + PATIENCE
        while last != now:
            self.assertLess(time.monotonic(), until, "the daemon does not come to rest")
            # Longer than the quarter second after which memory is given back.
            time.sleep(0.6)
            last, now = now, (descriptors(self.daemon.pid), resident(self.daemon.pid))
        return now

    def test_memory_stays_flat_and_no_descriptor_is_lost(self):
        weights = [self.weigh()]
        until = time.monotonic() + MINUTES * 60
        while time.monotonic() < until or len(weights) < WARM + 4:
            self.load()
            weights.append(self.weigh())
        counts, kilobytes = [count for count, _ in weights], [weight for _, weight in weights]
        # The least of the earlier and of the later half: what was not given back in time is not lost.
        half = WARM + (len(kilobytes) - WARM) // 2
        first, last = min(kilobytes[WARM:half]), min(kilobytes[half:])
        counters = self.issuer.counters
        measured("soaked for %.1f min: %d cycles, %d refreshes, RSS at rest %s kB, descriptors %s", MINUTES,
                 len(weights) - 1, counters["refresh_grants"], " ".join(map(str, kilobytes)),
                 "not counted" if None in counts else "%d at first, %d at last" % (counts[0], counts[-1]))
        self.assertLess(last - first, GROWTH)
        if None in counts:
            not_done("descriptors of the daemon were not counted: only root can look")
        else:
            # The first rest may have one for the bus that the later ones have as well.
            self.assertEqual(set(counts[1:]), {counts[1]})
        self.assertEqual(counters["reuse"], 0)
        self.assertTrue(self.scene.served())


if __name__ == "__main__":
    refuse_root()
    unittest.main()
