"""The issuer's control interface: what a test may ask, and what it may do to the next answers.

usage: ALMONER_BIN=DIRECTORY-WITH-PROGRAMS python3 test_control.py
"""
import concurrent.futures
import json
import os
import signal
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from issuer import Issuer  # noqa: E402

PROGRAM = os.path.join(os.environ.get("ALMONER_BIN", ""), "almoner-sandbox")


class Shared(unittest.TestCase):
    def setUp(self):
        self.issuer = Issuer(PROGRAM, "--no-rate-limits")
        self.addCleanup(self.issuer.stop)


class Control(Shared):
    def test_it_needs_the_key(self):
        self.assertEqual(self.issuer.request("GET", "/_control/counters").status, 401)
        self.assertEqual(
            self.issuer.request("GET", "/_control/counters", headers={"Authorization": "Bearer x"}).status, 401)

    def test_it_refuses_browsers(self):
        key = {"Authorization": "Bearer " + self.issuer.ready["control_key"]}
        for header in ({"Origin": self.issuer.origin}, {"Sec-Fetch-Site": "none"}):
            self.assertEqual(self.issuer.request("GET", "/_control/counters", headers={**key, **header}).status, 403)

    def test_off_is_404_everywhere(self):
        self.issuer.control("POST", "off")
        for method, path in (("GET", "/sign-in"), ("POST", "/token/"), ("GET", "/session/"), ("DELETE", "/session/"),
                             ("GET", "/.well-known/jwks.json"), ("GET", "/.well-known/openid-configuration")):
            self.assertEqual(self.issuer.request(method, path).status, 404)
        self.issuer.control("POST", "on")
        self.assertEqual(self.issuer.request("GET", "/.well-known/jwks.json").status, 200)

    def test_revoke_ends_one_persons_sessions(self):
        ada, grace = self.issuer.sign_in("ada"), self.issuer.sign_in("grace")
        self.assertEqual(self.issuer.control("POST", "revoke", {"person": "ada"}), {"revoked": 1})
        self.assertEqual(self.issuer.session(ada["access_token"]).status, 401)
        self.assertEqual(self.issuer.session(grace["access_token"]).status, 200)

    def test_bad_orders_are_explained(self):
        key = {"Authorization": "Bearer " + self.issuer.ready["control_key"]}
        for name, body in (("fates", ["boom"]), ("fates", 3), ("fates", [{"on": "moon"}]), ("set", {"grace": "x"}),
                           ("revoke", {"person": "bob"}), ("fates", [{"fate": "status", "status": 99}]),
                           ("fates", [{"fate": "status", "headers": {"A": "b\r\nc: d"}}])):
            with self.subTest(body):
                answer = self.issuer.request("POST", "/_control/" + name, json.dumps(body), key)
                self.assertEqual(answer.status, 400)
                self.assertTrue(answer.json["error"])


class Fates(Shared):
    def setUp(self):
        super().setUp()
        self.tokens = self.issuer.sign_in()

    def refresh(self, fate):
        self.issuer.fates(fate)
        return self.issuer.refresh(self.tokens["refresh_token"])

    def consumed(self):
        """The oracle: whether the refresh token was spent."""
        return self.issuer.session(self.tokens["access_token"]).status == 401

    def test_a_lost_request_consumes_nothing(self):
        self.assertEqual(self.refresh("lose_request").status, 0)
        self.assertFalse(self.consumed())
        self.assertEqual(self.issuer.refresh(self.tokens["refresh_token"]).status, 200)

    def test_a_lost_answer_consumes(self):
        self.assertEqual(self.refresh("lose_answer").status, 0)
        self.assertTrue(self.consumed())

    def test_late_processing_comes_after_the_connection_closed(self):
        self.assertEqual(self.refresh({"fate": "late", "ms": 300}).status, 0)
        self.assertFalse(self.consumed())
        deadline = time.monotonic() + 5
        while not self.consumed():
            self.assertLess(time.monotonic(), deadline)

    def test_the_odd_answers_consume_nothing_unless_told(self):
        for fate, status in (("html", 200), ("empty_400", 400), ("redirect", 307), ({"fate": "status", "status": 503}, 503)):
            with self.subTest(fate):
                self.assertEqual(self.refresh(fate).status, status)
                self.assertFalse(self.consumed())
        self.assertEqual(self.refresh({"fate": "status", "status": 500, "commit": True}).status, 500)
        self.assertTrue(self.consumed())

    def test_a_status_brings_its_headers(self):
        answer = self.refresh({"fate": "status", "status": 429, "headers": {"Retry-After": "3600"}, "body": "slow down"})
        self.assertEqual((answer.header("retry-after"), answer.body), ("3600", b"slow down"))

    def test_truncated_json_consumes(self):
        answer = self.refresh("truncated_json")
        self.assertRaises(ValueError, json.loads, answer.body)
        self.assertTrue(self.consumed())

    def test_slow_bytes_arrive_in_the_end(self):
        answer = self.refresh({"fate": "slow_bytes", "bytes": 64, "ms": 1})
        self.assertIn("refresh_token", answer.json)

    def test_delays_do_not_hold_others_up(self):
        self.issuer.fates(*[{"delay_before_commit": 700, "fate": "empty_400"}] * 100)
        start = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(101) as pool:
            slow = [pool.submit(self.issuer.refresh, "x") for _ in range(100)]
            while self.issuer.counters["fates_waiting"]:
                self.assertLess(time.monotonic() - start, 20)
            begun = time.monotonic()
            self.assertEqual(self.issuer.request("GET", "/.well-known/jwks.json").status, 200)
            self.assertLess(time.monotonic() - begun, 0.6)
            self.assertEqual({future.result().status for future in slow}, {400})

    def test_session_answers_have_fates_of_their_own(self):
        self.issuer.fates({"on": "session", "fate": "status", "status": 502})
        self.assertEqual(self.issuer.refresh("x").status, 400)
        self.assertEqual([self.issuer.session(self.tokens["access_token"]).status for _ in range(2)], [502, 200])

    def test_standing_delays_apply_to_every_request(self):
        self.issuer.control("POST", "set", {"delay_before_answer": 200})
        start = time.monotonic()
        self.issuer.refresh("x")
        self.assertGreaterEqual(time.monotonic() - start, 0.2)


if __name__ == "__main__":
    signal.alarm(300)
    unittest.main()
