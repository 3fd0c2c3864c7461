"""A step-up with the real programs: the browser opens a page, and the issuer's own answer is the only one that counts."""
import json
import os
import subprocess
import sys
import time
import unittest
import urllib.parse
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from place import Place, program, refuse_root  # noqa: E402

BANK = ("step-up", "work", "--action", "bank")


class StepUp(unittest.TestCase):
    def setUp(self):
        self.place = Place()
        self.addCleanup(self.place.end)
        self.place.configure("[refresh]\nforce-interval=0s\n")
        self.issuer = self.place.start_issuer("--auto", "ada")
        self.place.start_daemon()
        self.place.sign_in()

    def counted(self, name):
        return self.issuer.counters[name]

    def fails(self, status, *words):
        done = self.place.almoner(*words, check=False)
        self.assertEqual((done.returncode, done.stdout), (status, b""), done.stderr)
        return done.stderr.decode()

    def start(self, *words):
        """A step-up that waits for the person; returns when its page is begun at the issuer."""
        before = self.counted("step_ups")
        child = subprocess.Popen([program("almoner"), *BANK, "--no-browser", *words], env=self.place.environment,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        self.addCleanup(child.communicate)
        self.addCleanup(child.kill)
        self.until(lambda: self.counted("step_ups") > before and self.last())
        return child

    def last(self):
        return self.issuer.control("GET", "step-up")["id"]

    def decide(self, status):
        self.assertEqual(self.issuer.control("POST", "decide", {"status": status}), {"decided": True})

    def until(self, what):
        end = time.monotonic() + 60
        while not what():
            self.assertLess(time.monotonic(), end, "it did not come")
            time.sleep(0.05)

    def end(self, child):
        out, err = child.communicate(timeout=60)
        return child.returncode, out, err.decode()

    def test_nothing_opens_when_nothing_is_to_be_proved(self):
        opened = os.path.join(self.place.root, "opened")
        done = self.place.almoner(
            "step-up", "work", "--action", "payout", "--amount", "12.50", "--currency", "EUR", BROWSER="touch " + opened)
        self.assertEqual(done.stdout, b"work: nothing more to prove\n")
        self.assertFalse(os.path.exists(opened))
        self.assertEqual(self.counted("step_up_reads"), 0)

    def test_the_browser_opens_the_page_and_the_issuers_word_is_the_answer(self):
        # With --auto the page approves by itself, as a person in it would.
        answer = self.place.json(*BANK)
        self.assertEqual((answer["stage"], answer["account"]), ("approved", "work"))
        self.assertGreaterEqual(self.counted("step_up_reads"), 1)

    def test_every_other_end_has_its_error_and_status(self):
        for status, code in (("declined", 6), ("expired", 5), ("cancelled", 8)):
            with self.subTest(status):
                child = self.start("--json")
                self.decide(status)
                returned, out, err = self.end(child)
                self.assertEqual((returned, out), (code, b""), err)
                error = json.loads(err.splitlines()[-1])
                self.assertEqual((error["error"], error["status"]), ("step-up-" + status, code))

    def test_what_the_browser_brings_back_is_not_looked_at(self):
        """The hint says approved, the issuer says declined."""
        redirect = urllib.parse.urlsplit(self.issuer.redirect)
        child = self.start("--return-to", self.issuer.redirect)
        name = self.last()
        self.decide("declined")
        with self.assertRaises(OSError):  # nobody listens there: the hint has no way in
            urllib.request.urlopen("%s?step_up=%s&status=approved" % (redirect.geturl(), name), timeout=5)
        self.assertEqual(self.end(child)[0], 6)

    def test_a_pages_address_that_may_not_be_opened_is_never_opened(self):
        opened = os.path.join(self.place.root, "opened")
        for url in ("http://elsewhere.example/", "file:///etc/passwd", "https://user:word@elsewhere.example/",
                    "https://elsewhere.example/" + "a" * 3000):
            with self.subTest(url[:40]):
                self.issuer.control("POST", "set", {"step_up_url": url})
                done = self.place.almoner(*BANK, check=False, BROWSER="touch " + opened)
                self.assertEqual((done.returncode, done.stdout), (1, b""), done.stderr)
                self.assertNotIn(b"elsewhere", done.stderr)
                self.assertFalse(os.path.exists(opened))
        self.assertEqual(self.counted("step_up_reads"), 0)

    def test_wrong_words_are_refused_before_anything_is_sent(self):
        for words, said in ((("payout",), "--amount"), (("payout", "--amount", "1,50"), "--amount"),
                            (("payout", "--amount", "1.234"), "--amount"),
                            (("payout", "--amount", "1", "--currency", "eur"), "--currency"),
                            (("bank", "--return-to", "http://elsewhere.example/"), "--return-to")):
            with self.subTest(words):
                self.assertIn(said, self.fails(2, "step-up", "work", "--action", *words))
        self.assertEqual(self.counted("step_ups"), 0)

    def test_a_return_that_is_not_registered_is_denied_by_the_issuer(self):
        self.assertIn("invalid_request", self.fails(6, *BANK, "--return-to", "https://elsewhere.example/"))

    def test_it_survives_a_refresh_of_its_session(self):
        child = self.start()
        self.place.token("work", "--force")
        self.decide("approved")
        self.assertEqual(self.end(child)[:2], (0, b"work: approved\n"))

    def test_a_sign_out_ends_it(self):
        child = self.start()
        self.place.almoner("logout", "work")
        returned, out, err = self.end(child)
        self.assertEqual((returned, out), (3, b""), err)

    def test_a_sign_in_anew_ends_it_although_the_old_one_is_approved(self):
        child = self.start()
        self.place.sign_in()
        self.issuer.control("POST", "decide", {"status": "approved"})
        returned, out, err = self.end(child)
        self.assertEqual((returned, out), (3, b""), err)

    def test_a_session_that_is_revoked_ends_it(self):
        child = self.start()
        self.issuer.control("POST", "revoke")
        returned, out, err = self.end(child)
        self.assertEqual((returned, out), (3, b""), err)

    def test_an_issuer_that_is_away_for_a_while_is_asked_again(self):
        child = self.start()
        self.issuer.fates({"on": "step_up", "fate": "status", "status": 503}, {"on": "step_up", "fate": "lose_answer"})
        self.decide("approved")
        self.assertEqual(self.end(child)[:2], (0, b"work: approved\n"))
        self.assertEqual(self.issuer.counters["fates_waiting"], 0)


if __name__ == "__main__":
    refuse_root()
    unittest.main()
