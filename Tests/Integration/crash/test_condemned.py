"""A journal file whose fdatasync failed is condemned: a fresh one takes its place, nothing of the old one counts any
more, and tokens go on. What the disk holds of a condemned file nobody knows; here it is made garbage.
"""
import os
import sys
import time
import unittest

from injection import BOTH, DAEMON
from scene import PARTS, PATIENCE, refuse_root
from watched import Watched

JOURNAL = "/journal/"


def setUpModule():
    refuse_root()


class Condemned(unittest.TestCase):
    def setUp(self):
        self.scene = Watched("sealed-file", "none", 1)
        self.addCleanup(self.scene.end)
        self.issuer, self.injection = self.scene.issuer, self.scene.injection
        self.settled(1)
        self.before = self.issuer.counters
        self.held = os.open(self.scene.journal_path, os.O_RDWR)
        self.addCleanup(os.close, self.held)

    def counted(self, *names):
        after = self.issuer.counters
        return tuple(after[name] - self.before[name] for name in names)

    def until(self, holds, what):
        end = time.monotonic() + PATIENCE
        while not holds():
            self.assertLess(time.monotonic(), end, "in vain: " + what)
            time.sleep(0.02)

    def settled(self, generation):
        self.until(lambda: self.scene.journal.numbers["intent"][0] == generation, "the journal is at rest")

    def fails(self, skip, times, programs):
        self.injection.arm("fdatasync", "EIO", skip, times, programs, JOURNAL)

    def is_replaced(self, failed):
        """Another file is in its place, of its size and ours alone, and the condemned one is nobody's any more."""
        old = os.fstat(self.held).st_ino
        self.until(lambda: os.stat(self.scene.journal_path).st_ino != old, "another file is in its place")
        self.assertEqual(self.injection.failed, failed)
        self.injection.clear()
        old, new = os.fstat(self.held), os.stat(self.scene.journal_path)
        self.assertEqual((old.st_nlink, new.st_nlink, new.st_mode & 0o777, new.st_size),
                         (0, 1, 0o600, old.st_size))
        self.assertEqual(os.listdir(os.path.dirname(self.scene.journal_path)),
                         [os.path.basename(self.scene.journal_path)])
        # What a disk may hold of it: anything but what was written.
        for offset in PARTS.values():
            os.pwrite(self.held, os.urandom(4096), offset)

    def goes_on(self, generation, posts):
        """Refreshed by this daemon and by the next, with no more requests than that, and none twice. The session resource
        is asked by this test alone."""
        for number in (1, 2):
            answer = {}

            def refreshed():
                answer.update(self.scene.ask("--force", "--timeout", "30s"))
                return answer.get("refreshed")
            self.until(refreshed, "a refresh")
            self.assertEqual(answer["generation"], generation + number)
            self.assertEqual(self.issuer.session(answer["accessToken"]).status, 200)
            self.settled(generation + number)
            self.scene.restart()
        self.assertEqual(self.counted("token_posts", "session_checks", "reuse"), (posts + 2, 2, 0))

    def test_C4_at_the_intent_nothing_is_sent_and_the_next_refresh_is_made_from_a_fresh_file(self):
        numbers = self.scene.journal.numbers
        self.fails(0, 1, DAEMON)
        answer = self.scene.ask("--force")
        self.assertEqual((answer["generation"], answer["refreshed"]), (1, False))
        self.is_replaced(1)
        # The intent that the condemned file got last is not in it.
        self.assertEqual(self.scene.journal.numbers, numbers)
        self.assertEqual(self.counted("token_posts"), (0,))
        self.goes_on(1, 0)

    def test_C4_at_the_intent_and_killed_the_next_daemon_knows_nothing_of_that_flight(self):
        self.fails(0, 1, DAEMON)
        self.scene.ask("--force")
        self.is_replaced(1)
        self.scene.restart()
        answer = self.scene.ask()
        self.assertEqual((answer["generation"], self.counted("token_posts", "session_checks")), (1, (0, 0)))
        self.goes_on(1, 0)

    def test_C5_at_the_end_of_a_rotation_the_new_generation_stands_in_a_fresh_file(self):
        self.fails(2, 1, BOTH)
        answer = self.scene.ask("--force")
        self.assertEqual((answer["generation"], answer["refreshed"]), (2, True))
        self.is_replaced(1)
        self.settled(2)
        self.scene.restart()
        self.assertEqual(self.scene.ask()["accessToken"], answer["accessToken"])
        self.assertEqual(self.counted("token_posts", "session_checks"), (1, 0))
        self.goes_on(2, 1)

    def test_C5_where_no_pad_can_be_landed_the_answer_lands_in_a_fresh_file(self):
        """Twice for the courier, twice for the daemon that it leaves the answer to, which dies before it is stored."""
        self.scene.restart("r5 daemon")
        self.fails(1, 4, BOTH)
        self.scene.ask("--force")
        self.scene.place.daemon.wait(timeout=PATIENCE)
        self.scene.place.daemon = None
        self.scene.wait_for_courier()
        self.assertEqual(self.scene.stored().generation, 1)
        self.assertTrue(self.scene.journal.has_landed)
        self.is_replaced(4)
        self.scene.start()
        self.assertEqual(self.scene.ask()["generation"], 2)
        self.settled(2)
        self.assertEqual(self.counted("token_posts", "session_checks"), (1, 0))
        self.goes_on(2, 1)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
