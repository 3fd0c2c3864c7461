"""H1: the machine sleeps for two days under a running daemon. Its boot clock, and every timer on it, is then that much
further, by inject.c.
"""
import sys
import time
import unittest

from scene import PATIENCE, refuse_root
from watched import Watched
from wire import Wire

SLEEP, CALLERS = 48 * 3600, 5
TEMPORARY = "org.almoner.Almoner.Temporary"


def setUpModule():
    refuse_root()


class Sleep(unittest.TestCase):
    def setUp(self):
        # By the kernel's clock: nothing but the sleep is to move.
        self.scene = Watched("sealed-file", "none", 1)
        self.addCleanup(self.scene.end)
        self.issuer = self.scene.issuer
        self.before = self.issuer.counters

    def counted(self, name):
        return self.issuer.counters[name] - self.before[name]

    def callers(self):
        wires = [Wire(self.scene.place.socket, timeout=PATIENCE) for _ in range(CALLERS)]
        for wire in wires:
            self.addCleanup(wire.close)
        return wires

    def all_ask(self, wires, **more):
        for wire in wires:
            wire.send("GetAccessToken", {"account": "work", "timeout": PATIENCE, **more})

    def answers(self, wires):
        replies = [wire.receive() for wire in wires]
        self.assertEqual([reply.get("error") for reply in replies], [None] * CALLERS, replies)
        return [reply["parameters"] for reply in replies]

    def is_good(self, token):
        return self.issuer.session(token).status == 200

    def test_H1_a_daemon_that_slept_refreshes_once_for_all_who_were_connected_and_serves_nothing_dead(self):
        wires = self.callers()
        self.all_ask(wires)
        first = self.answers(wires)
        self.assertEqual({answer["generation"] for answer in first}, {1})
        self.assertEqual(self.counted("token_posts"), 0)
        self.scene.injection.sleep(SLEEP)
        # Nobody asks: waking up is no reason to send anything.
        self.until_awake()
        self.assertEqual(self.counted("token_posts"), 0)
        self.all_ask(wires)
        second = self.answers(wires)
        self.assertEqual({answer["generation"] for answer in second}, {2})
        self.assertEqual(len({answer["accessToken"] for answer in second}), 1)
        self.assertNotEqual(second[0]["accessToken"], first[0]["accessToken"])
        self.assertTrue(self.is_good(second[0]["accessToken"]))
        self.assertGreater(second[0]["expiresIn"], 60)
        # Awake, the clock goes on as usual: nothing more is due.
        self.all_ask(wires)
        self.assertEqual({answer["generation"] for answer in self.answers(wires)}, {2})
        self.assertEqual((self.counted("token_posts"), self.counted("reuse")), (1, 0))

    def test_H1_who_waits_while_it_sleeps_is_told_to_come_back_or_gets_what_is_good(self):
        """Their minute is over when the machine wakes, and the flight lands as if nothing had been."""
        self.issuer.fates({"fate": "answer", "delay_before_answer": 2000})
        wires = self.callers()
        self.all_ask(wires, force=True)
        self.until(lambda: self.counted("refresh_grants") == 1, "the issuer refreshes")
        self.scene.injection.sleep(SLEEP)
        for reply in [wire.receive() for wire in wires]:
            if reply.get("error") != TEMPORARY:
                self.assertNotIn("error", reply)
                self.assertEqual(reply["parameters"]["generation"], 2)
                self.assertTrue(self.is_good(reply["parameters"]["accessToken"]))
        wires = self.callers()
        self.until(lambda: self.scene.ask().get("generation") == 2, "the answer that was under way is served")
        self.all_ask(wires)
        self.assertTrue(all(self.is_good(answer["accessToken"]) for answer in self.answers(wires)))
        self.assertEqual((self.counted("token_posts"), self.counted("reuse")), (1, 0))

    def until_awake(self):
        """The daemon knows the time: the token has none left."""
        self.until(lambda: self.scene.place.json("list")["accounts"][0].get("expiresIn", 0) == 0, "it is awake")

    def until(self, holds, what):
        end = time.monotonic() + PATIENCE
        while not holds():
            self.assertLess(time.monotonic(), end, "in vain: " + what)
            time.sleep(0.02)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
