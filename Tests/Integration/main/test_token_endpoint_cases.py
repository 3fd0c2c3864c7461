"""Token endpoints that answer oddly, and what the issuer counts then: cases B8 to B15 of Tests/cases.txt."""
import json
import os
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from place import Place, refuse_root  # noqa: E402

DEADLINE = 90
OK, FAILURE, SIGN_IN, TEMPORARY = 0, 1, 3, 5


class TokenEndpoint(unittest.TestCase):
    """An issuer of which nothing is known but its kind, unless a test says more."""
    policy = "grace=none\noracle=none\nreuse-blast=unknown\n"
    lifetime = "300"

    def setUp(self):
        self.place = Place()
        self.addCleanup(self.place.end)
        self.issuer = self.place.start_issuer("--auto", "ada", "--access-lifetime", self.lifetime)
        self.place.configure(
            "[refresh]\nforce-interval=0s\n\n[issuer box]\nkind=didit\npublishable-key=%s\nredirect-uri=%s\n%s\n"
            "[account work]\nissuer=box\n" % (
                self.issuer.ready["publishable_key"], self.issuer.redirect, self.policy))
        self.place.start_daemon()
        self.place.almoner("login", "work", "--yes")

    @property
    def refreshes(self):
        """How many requests came to the token endpoint since the sign-in."""
        return self.issuer.counters["token_posts"] - 1

    def answer_with(self, status, body="", **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        self.issuer.fates({"fate": "status", "status": status, "body": body, "headers": headers})

    def ask(self, *words):
        done = self.place.almoner("token", "work", *words, check=False)
        return done.returncode, done.stdout.decode().strip(), done.stderr.decode()

    def wait_until_dead(self):
        """Until the token's life is over, by the daemon's own clock."""
        until = time.monotonic() + DEADLINE
        while self.place.json("list")["accounts"][0].get("expiresIn", 0) > 0:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)
        time.sleep(1)  # the list counts whole seconds: what it shows as 0 may still live for one
        self.issuer.control("POST", "set", {"access_lifetime": 300})

    def until_renewed(self):
        """The token that comes when the issuer answers again; until then it is only ever temporary."""
        until = time.monotonic() + DEADLINE
        while (answer := self.ask())[0] != OK:
            self.assertEqual(answer[0], TEMPORARY, answer[2])
            self.assertLess(time.monotonic(), until, answer[2])
            time.sleep(0.1)
        self.assertEqual(self.issuer.session(answer[1]).status, 200)
        self.assertEqual(self.issuer.counters["reuse"], 0)
        return answer[1]


class BusyWhileTheTokenLives(TokenEndpoint):
    def turned_away(self, status, **headers):
        token = self.ask()[1]
        self.answer_with(status, **headers)
        for _ in range(5):
            self.assertEqual(self.ask("--force")[:2], (OK, token))
        self.assertEqual((self.refreshes, self.issuer.counters["fates_waiting"]), (1, 0))
        self.assertEqual(self.place.json("list")["accounts"][0]["state"], "signed-in")

    def test_B8_after_429_the_living_token_is_served_and_nothing_more_is_sent_for_an_hour(self):
        self.turned_away(429, Retry_After="3600")

    def test_B8_after_503_too_however_long_it_asks(self):
        self.turned_away(503, Retry_After="99999999999999999999999999")


class BusyWhenTheTokenRunsOut(TokenEndpoint):
    lifetime = "1"

    def setUp(self):
        super().setUp()
        self.wait_until_dead()

    def turned_away(self, status, body="", **headers):
        self.answer_with(status, body, **headers)
        status, output, errors = self.ask()
        self.assertEqual((status, output), (TEMPORARY, ""), errors)
        self.until_renewed()
        self.assertEqual(self.refreshes, 2)

    def test_B8_429_costs_no_sign_in(self):
        self.turned_away(429)

    def test_B8_429_that_asks_for_less_than_nothing_is_waited_out_for_a_second(self):
        self.turned_away(429, Retry_After="-86400")

    def test_B8_503_until_a_date_in_the_past_costs_no_sign_in(self):
        self.turned_away(503, "<html>", Retry_After="Sun, 06 Nov 1994 08:49:37 GMT")

    def test_B8_503_that_says_why_costs_no_sign_in(self):
        self.turned_away(503, '{"error":"temporarily_unavailable"}')

    def test_B8_what_was_asked_for_is_waited_for_by_the_next_daemon_too(self):
        self.answer_with(429, Retry_After="3600")
        self.assertEqual(self.ask()[0], TEMPORARY)
        self.place.kill_daemon()
        self.place.start_daemon()
        for _ in range(3):
            self.assertEqual(self.ask()[0], TEMPORARY)
        self.assertEqual(self.refreshes, 1)

    def test_503_without_a_word_stays_unknown_and_is_never_sent_again(self):
        self.answer_with(503)
        self.assertEqual(self.ask()[0], SIGN_IN)
        self.assertEqual((self.ask()[0], self.refreshes), (SIGN_IN, 1))

    def test_B15_what_the_issuer_says_of_us_or_of_itself_keeps_the_tokens(self):
        answers = [(401, '{"error":"invalid_client"}'), (400, '{"error":"unauthorized_client"}'), (404, "")]
        for count, (status, body) in enumerate(answers, 1):
            with self.subTest(status=status, body=body):
                self.answer_with(status, body)
                until = time.monotonic() + DEADLINE
                # In the pause after a failure the last one is told again, and nothing is sent.
                while (asked := self.ask())[0] == FAILURE and self.refreshes < count:
                    self.assertLess(time.monotonic(), until)
                    time.sleep(0.1)
                self.assertEqual((asked[0], self.refreshes), (FAILURE, count), asked[2])
                self.assertEqual(self.place.json("list")["accounts"][0]["state"], "signed-in")
        until = time.monotonic() + DEADLINE
        while (asked := self.ask())[0] != OK:
            self.assertEqual(asked[0], FAILURE, asked[2])
            self.assertLess(time.monotonic(), until)
            time.sleep(0.1)
        self.assertEqual((self.issuer.session(asked[1]).status, self.issuer.counters["reuse"]), (200, 0))


class Refused(TokenEndpoint):
    def test_B13_after_invalid_grant_nothing_is_sent_any_more_by_this_daemon_or_the_next(self):
        self.issuer.control("POST", "revoke")
        for turn in range(3):
            self.assertEqual(self.ask("--force")[0], SIGN_IN)
            self.assertEqual((self.refreshes, self.issuer.counters["invalid_grants"]), (1, 1))
            self.place.kill_daemon()
            self.place.start_daemon()
        self.assertEqual(self.ask()[0], SIGN_IN)
        self.place.almoner("login", "work", "--yes")
        self.assertEqual(self.issuer.session(self.ask("--force")[1]).status, 200)


class WithAnOracle(TokenEndpoint):
    policy = ""

    def test_B12_an_answer_without_a_refresh_token_is_followed_by_a_probe_and_one_repetition(self):
        other = self.issuer.sign_in()
        other.pop("refresh_token")
        token = self.ask()[1]
        before = self.issuer.counters
        self.answer_with(200, json.dumps(other), Content_Type="application/json")
        self.assertEqual(self.ask("--force")[:2], (OK, token))
        until = time.monotonic() + DEADLINE
        while (fresh := self.ask()[1]) == token:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.2)
        after = self.issuer.counters
        self.assertEqual((after["token_posts"] - before["token_posts"], after["session_checks"] - before["session_checks"],
                          after["reuse"]), (2, 1, 0))
        self.assertNotEqual(fresh, other["access_token"])
        self.assertEqual(self.issuer.session(fresh).status, 200)


if __name__ == "__main__":
    refuse_root()
    unittest.main()
