"""Answers that are no answers, and a session that was ended elsewhere: kept, told, and never taken for a sign-out."""
import json
import os
import re
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
from place import Place, free_port, program, refuse_root  # noqa: E402
from scanner import find  # noqa: E402
from traced import KINDS, TracedIssuer  # noqa: E402

PORTAL = b"Please accept the terms of this network"


class Answers(unittest.TestCase):
    def setUp(self):
        self.place = place = Place()
        self.addCleanup(place.end)
        place.configure("[refresh]\nforce-interval=0s\n")
        self.issuer = TracedIssuer(
            os.path.join(place.root, "wire"), program("almoner-sandbox"), "--no-rate-limits", "--auto", "ada",
            "--redirect-uri", "http://localhost:%d/callback" % free_port())
        self.addCleanup(self.issuer.stop)
        place.issuer = self.issuer
        place.start_daemon()
        place.sign_in("work")

    def assert_signed_in(self, token):
        self.assertEqual(self.place.token("work"), token)
        [account] = self.place.json("list")["accounts"]
        self.assertIn(account["state"], ("signed-in", "refreshing"))

    def journal(self):
        [name] = [name for name in self.place.state_files() if name.startswith("journal/")]
        with open(os.path.join(self.place.state, name), "rb") as file:
            return file.read()

    def test_B9_a_portal_or_half_an_answer_is_kept_sealed_and_ends_nothing(self):
        broken = {"fate": "status", "status": 500, "body": PORTAL.decode()}
        for fate in ("html", "truncated_json", broken):
            with self.subTest(fate):
                token = self.place.token("work")
                before = self.journal()
                self.issuer.fates(fate)
                # The present token still lives: it is what a forced refresh of unknown fate is answered with.
                self.assertEqual(self.place.token("work", "--force"), token)
                self.assert_signed_in(token)
                after = self.journal()
                self.assertNotEqual(before, after)
                self.assertNotIn(PORTAL, after)
                self.assertEqual(find(self.issuer.learned(), after), set())
                sent = self.issuer.counters["token_posts"]
                # A daemon that starts over what landed comes to the same end, and sends nothing at once.
                self.place.kill_daemon()
                self.place.start_daemon()
                self.assert_signed_in(token)
                self.assertEqual(self.issuer.counters["token_posts"], sent)
                self.place.almoner("logout", "work")
                self.place.sign_in("work")

    def test_B16_reuse_elsewhere_is_told_by_the_next_refresh_and_earlier_to_who_asks(self):
        token = self.place.token("work", "--force")
        # The first refresh token is spent; whoever stole it sends it again.
        self.assertEqual(self.issuer.refresh(self.first_refresh_token()).status, 400)
        # Nobody asked the issuer yet: the token is served, good as far as anybody here knows.
        self.assert_signed_in(token)
        asked = self.place.almoner("session", "work", "--json", check=False)
        self.assertEqual((asked.returncode, json.loads(asked.stdout)["active"]), (3, False))
        # While the last tokens are still being stored, nobody can force a refresh.
        until = time.monotonic() + 60
        while (done := self.place.almoner("token", "work", "--force", check=False)).returncode == 0:
            self.assertIn(b"not refreshed", done.stderr)
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn(b"almoner login work", done.stderr)

    def first_refresh_token(self):
        with open(self.issuer.trace, errors="replace") as file:
            return re.search(KINDS["refresh token"][0], file.read()).group(1)


if __name__ == "__main__":
    refuse_root()
    unittest.main()
