"""Thousands of callers of one account: one refresh for all of them, whoever leaves and whatever they ask for."""
import hashlib
import os
import signal
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scene import QUICK, Helpers, Scene, measured, refuse_root  # noqa: E402

# Callers, the processes that they are of, and rounds.
CROWDS = [(1000, 4, 2), (5000, 8, 1)] if QUICK else [(1000, 4, 20), (5000, 8, 20)]
LEAVING = 200
# Milliseconds; how long the issuer takes, so that all are there before it answers.
DELAY = 500


class Crowd(unittest.TestCase):
    def setUp(self):
        self.scene = Scene()
        self.addCleanup(self.scene.end)
        self.issuer = self.scene.start_issuer()
        self.scene.start_daemon()
        self.scene.sign_in_guest("work", 1)

    def crowd(self, callers, processes):
        crowd = Helpers("crowd.py", *[(self.scene.socket, callers // processes)] * processes)
        self.addCleanup(crowd.kill)
        return crowd

    def granted(self):
        return self.issuer.counters["refresh_grants"]

    def expire(self):
        self.scene.expire("work")
        self.issuer.control("POST", "set", {"delay_before_answer": DELAY})

    def check(self, said, callers):
        """All have the same token, which is the one that is served now."""
        token = hashlib.sha256(self.scene.ask("work")["accessToken"].encode()).hexdigest()
        total = {}
        for each in said:
            for answer, times in each["answers"].items():
                total[answer] = total.get(answer, 0) + times
        self.assertEqual(total, {token: callers})
        return sum(each["joined"] for each in said)

    def test_B1_however_many_ask_at_expiry_there_is_one_refresh_each_round(self):
        for callers, processes, rounds in CROWDS:
            crowd = self.crowd(callers, processes)
            joined, refreshes = [], []
            for _ in range(rounds):
                self.expire()
                before = self.granted()
                joined.append(self.check(crowd.all("ask work"), callers))
                refreshes.append(self.granted() - before)
            crowd.kill()
            measured("%d callers on one expired token: %d rounds, refreshes each round %s, joined while it ran %d to %d",
                     callers, rounds, sorted(set(refreshes)), min(joined), max(joined))
            self.assertEqual(refreshes, [1] * rounds)
            self.assertGreater(min(joined), 0)
        self.assertEqual(self.issuer.counters["reuse"], 0)

    def test_B1_those_who_leave_or_are_killed_cost_the_others_nothing(self):
        stay, leave, doomed = self.crowd(400, 2), self.crowd(2 * LEAVING, 2), self.crowd(LEAVING, 1)
        for _ in range(1 if QUICK else 10):
            self.expire()
            before = self.granted()
            # Asked for and not read: what they asked runs while they are killed.
            doomed.processes[0].stdin.write("ask work\n")
            doomed.processes[0].stdin.flush()
            for process in leave.processes:
                process.stdin.write("leave work\n")
                process.stdin.flush()
            for process in stay.processes:
                process.stdin.write("ask work\n")
                process.stdin.flush()
            doomed.processes[0].send_signal(signal.SIGKILL)
            self.check([stay.read(process) for process in stay.processes], 400)
            for process in leave.processes:
                self.assertEqual(leave.read(process)["left"], LEAVING)
            self.assertEqual(self.granted(), before + 1)
            doomed.kill()
            doomed = self.crowd(LEAVING, 1)
        self.assertTrue(self.scene.served())

    def test_B1_all_who_ask_are_gone_and_the_refresh_is_kept(self):
        leave = self.crowd(LEAVING, 1)
        self.expire()
        before = self.granted()
        leave.all("leave work")
        answer = self.scene.ask("work")
        self.assertEqual((self.granted(), answer["generation"]), (before + 1, before + 2))
        self.assertTrue(self.scene.served())

    def test_who_asks_for_more_life_than_the_issuer_grants_causes_no_refresh_a_call(self):
        self.scene.expire("work")
        crowd = self.crowd(500, 2)
        before = self.granted()
        for _ in range(4):
            self.check(crowd.all('ask work {"minValid": 86400}'), 500)
            # No account refreshes more than once a second, whatever is asked.
            time.sleep(1.1)
        answer = self.scene.ask("work", minValid=86400)
        measured("2,000 calls for more life than there is: %d refreshes", self.granted() - before)
        self.assertTrue(answer["shorter"])
        # One, and another if this should take longer than a third of the token's life.
        self.assertIn(self.granted() - before, (1, 2))


if __name__ == "__main__":
    refuse_root()
    unittest.main()
