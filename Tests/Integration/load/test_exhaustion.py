"""E7, H4: no descriptors, no memory, no processes: what is there is served, and everything comes back."""
import os
import resource
import signal
import socket
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scene import PATIENCE, Helpers, Scene, eventually, facts, measured, processor_seconds, refuse_root  # noqa: E402
from wire import Wire  # noqa: E402

TEMPORARY = "org.almoner.Almoner.Temporary"
# Seconds; and of them, those of the processor that a daemon which spins would use up.
STANDSTILL, SPINNING = 2, 1


class Exhaustion(unittest.TestCase):
    def setUp(self):
        self.scene = Scene()
        self.addCleanup(self.scene.end)
        self.issuer = self.scene.start_issuer()

    def begin(self, limit=None):
        if limit:
            self.assertTrue(self.scene.start_wrapped(limit + "; exec"))
        else:
            self.scene.start_daemon()
        self.daemon = self.scene.daemon
        self.scene.sign_in_guest("work", 1)
        self.before = self.issuer.counters

    def limit(self, what, soft):
        """Changes a limit of the running daemon."""
        _, hard = resource.prlimit(self.daemon.pid, what)
        resource.prlimit(self.daemon.pid, what, (hard if soft is None else soft, hard))

    def stands_still(self):
        began = processor_seconds(self.daemon.pid)
        time.sleep(STANDSTILL)
        used = processor_seconds(self.daemon.pid) - began
        self.assertLess(used, SPINNING, "the door spins")
        return used

    def comes_back(self):
        """How long it takes until somebody new is served, in seconds."""
        began = time.monotonic()

        def is_served():
            try:
                return isinstance(self.scene.ask("work", timeout=10), dict)
            except (EOFError, OSError):
                return False
        eventually("somebody new is served", is_served)
        return time.monotonic() - began

    def check_nothing_lost(self):
        self.assertTrue(self.scene.served())
        counters = self.issuer.counters
        self.assertEqual((counters["reuse"], counters["sign_ins"]), (0, self.before["sign_ins"]))

    def test_E7_five_thousand_connects_and_256_descriptors(self):
        self.begin("ulimit -n 256")
        kept = Wire(self.scene.socket)
        self.addCleanup(kept.close)
        self.assertNotIn("error", kept.call("GetAccessToken", {"account": "work"}))
        knocking = Helpers("knock.py", *[(self.scene.socket, 1000)] * 5)
        used = self.stands_still()
        # Who was there before them is served as ever.
        self.assertNotIn("error", kept.call("GetAccessToken", {"account": "work"}))
        eventually("it is refreshed as ever", lambda: self.refreshed(kept))
        closed = sum(knocking.all("go"))
        for process in knocking.processes:
            self.assertEqual(process.wait(timeout=PATIENCE), 0)
        recovery = self.comes_back()
        knocking.kill()
        measured("5,000 connects under 256 descriptors: %d turned away, %.2f s of processor time in %d s of standstill, "
                 "somebody new served %.2f s after", closed, used, STANDSTILL, recovery)
        self.assertGreater(closed, 0)
        self.check_nothing_lost()

    def test_E7_without_a_descriptor_left_the_door_neither_spins_nor_stays_shut(self):
        self.begin()
        kept = Wire(self.scene.socket)
        self.addCleanup(kept.close)
        kept.call("GetAccessToken", {"account": "work"})
        # Sockets of this side that wait; the daemon has some twenty descriptors, and from now on no more than 40.
        self.limit(resource.RLIMIT_NOFILE, 40)
        clients = []
        for _ in range(100):
            client = socket.socket(socket.AF_UNIX)
            self.addCleanup(client.close)
            client.connect(self.scene.socket)
            clients.append(client)
        used = self.stands_still()
        self.assertNotIn("error", kept.call("GetAccessToken", {"account": "work"}))
        # No pipe for a courier: nothing is sent, the present token is as good as it was.
        forced = kept.call("GetAccessToken", {"account": "work", "force": True, "timeout": 5})
        self.assertEqual(forced.get("error", TEMPORARY), TEMPORARY)
        self.assertEqual(self.issuer.counters["refresh_grants"], self.before["refresh_grants"])
        told = [self.heard(client) for client in clients]
        self.assertGreater(sum(1 for text in told if b"org.almoner.Almoner.Busy" in text), 0, "it had descriptors left")
        for client in clients:
            client.close()
        recovery = self.comes_back()
        measured("no descriptor left: %.2f s of processor time in %d s, somebody new served %.2f s after", used, STANDSTILL,
                 recovery)
        self.limit(resource.RLIMIT_NOFILE, None)
        eventually("the refresh that could not be sent is sent", lambda: self.refreshed(kept))
        self.check_nothing_lost()

    @staticmethod
    def heard(client):
        client.setblocking(False)
        try:
            return client.recv(4096)
        except OSError:
            return b""

    @staticmethod
    def refreshed(wire):
        reply = wire.call("GetAccessToken", {"account": "work", "force": True, "timeout": 20})
        return reply.get("parameters", {}).get("refreshed")

    def test_H4_without_memory_nothing_is_lost(self):
        self.begin()
        self.issuer.control("POST", "set", {"delay_before_answer": 2000})
        refreshing = Wire(self.scene.socket)
        self.addCleanup(refreshing.close)
        refreshing.send("GetAccessToken", {"account": "work", "force": True})
        eventually("the refresh is on its way", lambda: self.issuer.counters["token_posts"] > self.before["token_posts"])
        size = int(facts(self.daemon.pid)["VmSize"].split()[0]) << 10
        self.limit(resource.RLIMIT_AS, size + (4 << 20))
        rude = Helpers("rude.py", (self.scene.socket, "never-reading", 400))
        until = time.monotonic() + 4
        while self.daemon.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        rude.kill()
        status = self.daemon.poll()
        if status is None:
            self.limit(resource.RLIMIT_AS, None)
        else:
            self.scene.start_daemon()
        measured("no memory in mid-refresh: the daemon %s", "went on" if status is None else "ended with %d and was "
                 "started again" % status)
        self.comes_back()
        self.assertEqual(self.scene.ask("work")["generation"], 2)
        self.check_nothing_lost()

    def test_H4_killed_for_its_memory_in_mid_refresh(self):
        self.begin()
        self.issuer.control("POST", "set", {"delay_before_answer": 1000})
        refreshing = Wire(self.scene.socket)
        self.addCleanup(refreshing.close)
        refreshing.send("GetAccessToken", {"account": "work", "force": True})
        eventually("the refresh is on its way", lambda: self.issuer.counters["token_posts"] > self.before["token_posts"])
        # As the kernel does it.
        self.scene.kill_daemon(signal.SIGKILL)
        self.scene.start_daemon()
        self.assertEqual(self.scene.ask("work")["generation"], 2)
        self.check_nothing_lost()

    def test_H4_without_locked_memory_status_says_so(self):
        self.begin("ulimit -l 0")
        self.assertFalse(self.scene.json("status")["memoryLocked"])
        self.assertIn(b"memory NOT locked", self.scene.almoner("status").stdout)
        self.assertIn(b"FIX", self.scene.almoner("doctor", check=False).stdout)
        self.scene.force("work")
        self.check_nothing_lost()

    def test_H4_without_processes_a_refresh_waits_and_is_sent_once(self):
        self.begin()
        self.scene.expire("work")
        before = self.issuer.counters["token_posts"]
        # Of this user there are more than one already.
        self.limit(resource.RLIMIT_NPROC, 1)
        self.assertEqual(self.scene.ask("work", timeout=3), TEMPORARY)
        self.assertEqual(self.issuer.counters["token_posts"], before)
        self.limit(resource.RLIMIT_NPROC, None)
        eventually("the token is refreshed", lambda: isinstance(self.scene.ask("work", timeout=20), dict))
        self.assertEqual(self.issuer.counters["token_posts"], before + 1)
        self.check_nothing_lost()


if __name__ == "__main__":
    refuse_root()
    unittest.main()
