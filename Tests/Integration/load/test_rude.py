"""E2, E6, E8: clients that stall, drip, flood, never read, reset or send gifts cost nobody else anything."""
import os
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from rude import KINDS  # noqa: E402
from scene import (PATIENCE, QUICK, Helpers, Latency, Scene, descriptors, eventually, facts, measured,  # noqa: E402
                   not_done, refuse_root, resident)
from wire import Wire  # noqa: E402

# How many of all kinds together, and of those who never read.
COUNT, SILENT = 400, 900
# Longer than the 5 s after which a frame that does not end, or an answer that is not read, closes its connection.
SECONDS = 6 if QUICK else 15

# Who send one message without an end, and the bytes that they would send.
ENDLESS, LENGTH = 50, 32 << 20


def peak(pid):
    """Kilobytes."""
    return int(facts(pid)["VmHWM"].split()[0])


class Rude(unittest.TestCase):
    def setUp(self):
        self.scene = Scene()
        self.addCleanup(self.scene.end)
        self.scene.start_issuer()
        self.daemon = self.scene.start_daemon()
        self.scene.sign_in_guest("work", 1)

    def endure(self, kind, count, expected=0):
        """Goes on until so many were closed on."""
        before = descriptors(self.daemon.pid)
        weight = resident(self.daemon.pid)
        rude = Helpers("rude.py", (self.scene.socket, kind, count))
        self.addCleanup(rude.kill)
        with Latency(self.scene) as latency:
            began, connected = time.monotonic(), 0
            while time.monotonic() < began + SECONDS or rude.all("count")[0] < expected:
                self.assertLess(time.monotonic(), began + SECONDS + 2 * PATIENCE)
                # Also who comes anew.
                self.assertIsInstance(self.scene.ask("work"), dict)
                connected += 1
                time.sleep(0.05)
            during = resident(self.daemon.pid)
        closed = rude.all("stop")[0]
        latency.report(self, "%d clients, %s" % (count, kind))
        measured("%s: closed on %d times; %d came anew and were served; RSS %d kB before, %d kB during", kind, closed,
                 connected, weight, during)
        self.assertTrue(self.scene.served())
        if before is None:
            not_done("descriptors of the daemon were not counted: only root can look")
        else:
            eventually("every descriptor is given back", lambda: descriptors(self.daemon.pid) <= before)

    def test_E2_E6_E8_all_kinds_at_once_cost_nobody_else_anything(self):
        # Some are closed on at once, the stalled and the dripping ones after 5 s.
        self.endure("all", COUNT, expected=COUNT)

    def test_E2_who_never_reads_costs_nobody_else_anything(self):
        self.endure("never-reading", SILENT, expected=SILENT)

    def test_E1_who_sends_without_end_costs_no_memory(self):
        before, told = peak(self.daemon.pid), 0
        for _ in range(ENDLESS):
            with Wire(self.scene.socket) as wire:
                self.assertRaises(OSError, self.send_without_end, wire)
                told += "org.almoner.Almoner.BadRequest" in wire.receive()["error"]
        grown = peak(self.daemon.pid) - before
        measured("%d clients tried to send %d MiB each in one message: all were told and closed on, the daemon's peak grew "
                 "by %d kB", ENDLESS, LENGTH >> 20, grown)
        self.assertEqual(told, ENDLESS)
        self.assertLess(grown, LENGTH >> 10)

    @staticmethod
    def send_without_end(wire):
        for _ in range(LENGTH >> 16):
            wire.socket.sendall(b"x" * (1 << 16))

    @unittest.skipIf(QUICK, "./dev load tries each kind alone")
    def test_each_kind_alone(self):
        for kind in sorted(set(KINDS) - {"never-reading"}):
            with self.subTest(kind=kind):
                self.endure(kind, COUNT)


if __name__ == "__main__":
    refuse_root()
    unittest.main()
