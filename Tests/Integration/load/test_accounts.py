"""B17: a hundred accounts whose tokens run out in the same second, and few couriers at once."""
import json
import os
import select
import socket
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scene import PATIENCE, QUICK, Scene, children, measured, refuse_root  # noqa: E402
from wire import Wire  # noqa: E402

ACCOUNTS, ISSUERS = (40, 4) if QUICK else (100, 4)
# As the daemon has it: couriers at once, and of one origin.
TOTAL, PER_ORIGIN = 8, 2
# Milliseconds that the issuers take, so that couriers pile up.
DELAY = 100


class Watch(threading.Thread):
    """Looks again and again how many couriers there are."""

    def __init__(self, pid):
        super().__init__()
        self.pid, self.most, self.isOver = pid, 0, threading.Event()

    def run(self):
        while not self.isOver.is_set():
            self.most = max(self.most, len(children(self.pid, "almoner-courier")))
            self.isOver.wait(0.02)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.isOver.set()
        self.join()


class Crowd(unittest.TestCase):
    """Accounts at some issuers, signed in once for all tests, and all of whose tokens have run out when one begins."""

    count, issuer_count = ACCOUNTS, ISSUERS

    @classmethod
    def setUpClass(cls):
        cls.scene = Scene()
        cls.addClassCleanup(cls.scene.end)
        cls.issuers = [cls.scene.start_issuer() for _ in range(cls.issuer_count)]
        cls.scene.start_daemon()
        cls.names = ["guest%d" % number for number in range(cls.count)]
        began = time.monotonic()
        for number, name in enumerate(cls.names):
            cls.scene.sign_in_guest(name, number + 1, cls.issuers[number % cls.issuer_count])
        measured("%d sign-ins one after the other: %.1f s", cls.count, time.monotonic() - began)

    def setUp(self):
        self.set({"access_lifetime": 1, "delay_before_answer": 0})
        left = self.names
        until = time.monotonic() + 2 * PATIENCE
        while left:
            # Who was refreshed a moment ago is refreshed again when that is stored.
            self.assertLess(time.monotonic(), until)
            left = [name for name, (_, refreshed) in self.ask_all(left, force=True).items() if not refreshed]
        self.scene.wait_until_dead(self.names[-1])

    def set(self, settings, issuers=None):
        for issuer in issuers or self.issuers:
            issuer.control("POST", "set", settings)

    def counters(self, name):
        return [issuer.counters[name] for issuer in self.issuers]

    def ask_all(self, names, **more):
        """One caller an account, all at once. Returns how long each waited, and whether it got new tokens."""
        callers = [Wire(self.scene.socket, timeout=2 * PATIENCE) for _ in names]
        began = time.monotonic()
        for caller, name in zip(callers, names):
            caller.send("GetAccessToken", {"account": name, "timeout": PATIENCE, **more})
        waiting = {caller.socket: (caller, name) for caller, name in zip(callers, names)}
        found = {}
        while waiting:
            for ready in self.readable(waiting):
                caller, name = waiting.pop(ready)
                reply = caller.receive()
                self.assertNotIn("error", reply)
                found[name] = (time.monotonic() - began, reply["parameters"]["refreshed"])
        for caller in callers:
            caller.close()
        return found

    def refresh_all(self, names):
        """The same for tokens that have run out. Returns how long each waited, the shortest first."""
        found = self.ask_all(names).values()
        self.assertTrue(all(refreshed for _, refreshed in found))
        return sorted(waited for waited, _ in found)

    @staticmethod
    def readable(waiting):
        ready, _, _ = select.select(list(waiting), [], [], 2 * PATIENCE)
        assert ready, "nobody is answered any more"
        return ready


class SeveralIssuers(Crowd):
    def test_B17_few_couriers_at_once_one_request_each_and_nobody_starves(self):
        before = self.counters("token_posts")
        self.assertEqual(before, self.counters("token_posts"), "nobody asked, and yet something was sent")
        self.set({"access_lifetime": 300, "delay_before_answer": DELAY})
        with Watch(self.scene.daemon.pid) as watch:
            waited = self.refresh_all(self.names)
        measured("%d accounts at once at %d issuers that take %d ms: all within %.2f s, half within %.2f s, at most %d "
                 "couriers at once", ACCOUNTS, ISSUERS, DELAY, waited[-1], waited[len(waited) // 2], watch.most)
        self.assertEqual(self.counters("token_posts"), [count + ACCOUNTS // ISSUERS for count in before])
        self.assertLessEqual(watch.most, TOTAL)
        self.assertGreater(watch.most, 1)
        self.assertEqual(sum(self.counters("reuse")), 0)

    def test_B17_then_an_issuer_that_hangs_delays_its_own_accounts_and_no_others(self):
        hanging, good = self.issuers[0], self.issuers[1:]
        self.set({"access_lifetime": 300}, good)
        # Longer than the others could ever take together.
        hanging.control("POST", "set", {"access_lifetime": 300, "delay_before_answer": 25000})
        mine = [name for number, name in enumerate(self.names) if number % ISSUERS == 0]
        others = [name for name in self.names if name not in mine]
        stuck = [Wire(self.scene.socket) for _ in mine]
        for caller, name in zip(stuck, mine):
            caller.send("GetAccessToken", {"account": name, "timeout": 60})
        with Watch(self.scene.daemon.pid) as watch:
            waited = self.refresh_all(others)
        # Nobody waits for the hanging ones: not one of them is answered by now.
        for caller in stuck:
            caller.socket.setblocking(False)
            with self.assertRaises(BlockingIOError):
                caller.socket.recv(1, socket.MSG_PEEK)
            caller.close()
        measured("one of %d issuers hangs: the %d accounts of the others all within %.2f s, at most %d couriers at once",
                 ISSUERS, len(others), waited[-1], watch.most)
        self.assertLessEqual(watch.most, TOTAL)


@unittest.skipIf(QUICK, "takes two minutes; ./dev load runs it")
class OneIssuer(Crowd):
    count, issuer_count = 100, 1

    def test_B17_more_accounts_than_a_slow_issuer_answers_in_time_are_all_served_in_the_end(self):
        slow, names = self.issuers[0], self.names
        self.set({"access_lifetime": 300, "delay_before_answer": 1000}, [slow])
        before, began = slow.counters["token_posts"], time.monotonic()
        left, rounds = list(names), 0
        while left:
            rounds += 1
            self.assertLess(time.monotonic() - began, 600)
            left = self.once(left)
        measured("%d accounts of one issuer that takes 1 s: all served after %.0f s, %d rounds of asking", len(names),
                 time.monotonic() - began, rounds)
        self.assertEqual(slow.counters["token_posts"], before + len(names))

    def once(self, names):
        """Asks for each; returns who has to come again."""
        callers = [Wire(self.scene.socket, timeout=120) for _ in names]
        for caller, name in zip(callers, names):
            caller.send("GetAccessToken", {"account": name, "timeout": 30})
        again = []
        for caller, name in zip(callers, names):
            reply = caller.receive()
            caller.close()
            if "error" in reply:
                self.assertEqual(reply["error"], "org.almoner.Almoner.Temporary", json.dumps(reply))
                again.append(name)
        return again


if __name__ == "__main__":
    refuse_root()
    unittest.main()
