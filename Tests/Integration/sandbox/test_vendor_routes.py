"""The issuer's routes beside OAuth, step-up and device credentials, held against the contract that they model.

usage: ALMONER_BIN=DIRECTORY-WITH-PROGRAMS python3 test_vendor_routes.py
"""
import json
import os
import sys
import unittest
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from issuer import Issuer  # noqa: E402

PROGRAM = os.path.join(os.environ.get("ALMONER_BIN", ""), "almoner-sandbox")
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class StepUp(unittest.TestCase):
    def setUp(self):
        self.issuer = Issuer(PROGRAM, "--no-rate-limits")
        self.addCleanup(self.issuer.stop)
        self.token = self.issuer.sign_in("ada")["access_token"]

    def ask(self, token=None, **fields):
        headers = {"Authorization": "Bearer " + (token or self.token), "Content-Type": "application/json"}
        return self.issuer.request("POST", "/step-up/", json.dumps(fields), headers)

    def status(self, name, token=None):
        headers = {"Authorization": "Bearer " + (token or self.token)}
        return self.issuer.request("GET", "/step-up/%s/" % name, headers=headers)

    def visit(self, url):
        split = urllib.parse.urlsplit(url)
        return self.issuer.request("GET", split.path + "?" + split.query)

    def choose(self, name, choice):
        form = urllib.parse.urlencode({"step_up": name, "choice": choice})
        return self.issuer.request("POST", "/verification", form, FORM)

    def test_a_small_payout_needs_no_proof(self):
        answer = self.ask(action="payout", amount="12.50", currency="EUR")
        self.assertEqual((answer.status, answer.json), (200, {"required": False}))

    def test_a_great_payout_a_bank_and_a_contact_need_proof(self):
        for fields in ({"action": "payout", "amount": "100.00"}, {"action": "bank"}, {"action": "contact"}):
            with self.subTest(fields):
                answer = self.ask(**fields).json
                self.assertIs(answer["required"], True)
                self.assertEqual(self.status(answer["id"]).json["status"], "pending")

    def test_what_the_contract_does_not_have_is_refused(self):
        for field, fields in (
                ("action", {"action": "pay"}), ("amount", {"action": "payout"}),
                ("amount", {"action": "payout", "amount": "1,5"}), ("amount", {"action": "payout", "amount": "1.234"}),
                ("currency", {"action": "payout", "amount": "1", "currency": "eur"}),
                ("return_to", {"action": "bank", "return_to": "https://elsewhere.example/"}),
                ("colour", {"action": "bank", "colour": "red"})):
            with self.subTest(fields):
                answer = self.ask(**fields)
                self.assertEqual((answer.status, answer.json["field"]), (400, field))

    def test_the_return_is_a_registered_redirect_with_a_hint(self):
        answer = self.ask(action="bank", return_to=self.issuer.redirect).json
        location = self.choose(answer["id"], "approved").header("location")
        self.assertEqual(location, "%s?step_up=%s&status=approved" % (self.issuer.redirect, answer["id"]))

    def test_the_persons_choice_is_what_the_status_says_and_is_made_once(self):
        for choice in ("approved", "declined", "cancelled"):
            with self.subTest(choice):
                answer = self.ask(action="bank").json
                self.assertIn(b"Prove who you are", self.visit(answer["url"]).body)
                self.assertEqual(self.choose(answer["id"], choice).status, 200)
                self.assertEqual(self.status(answer["id"]).json["status"], choice)
                self.assertEqual(self.choose(answer["id"], "approved").status, 400)
                self.assertEqual(self.status(answer["id"]).json["status"], choice)

    def test_another_session_learns_nothing_of_it(self):
        answer = self.ask(action="bank").json
        other = self.issuer.sign_in("ada")["access_token"]
        self.assertEqual(self.status(answer["id"], other).status, 404)
        self.assertEqual(self.status("nothing").status, 404)

    def test_a_token_that_is_superseded_or_missing_is_401(self):
        tokens = self.issuer.sign_in("grace")
        answer = self.ask(tokens["access_token"], action="bank").json
        fresh = self.issuer.refresh(tokens["refresh_token"]).json["access_token"]
        self.assertEqual(self.ask(tokens["access_token"], action="bank").status, 401)
        self.assertEqual(self.status(answer["id"], tokens["access_token"]).status, 401)
        # It belongs to the session, not to the token.
        self.assertEqual(self.status(answer["id"], fresh).status, 200)
        self.assertEqual(self.issuer.request("POST", "/step-up/", "{}").status, 401)

    def test_control_decides_and_sets_the_rule(self):
        self.issuer.control("POST", "set", {"step_up": "never"})
        self.assertEqual(self.ask(action="bank").json, {"required": False})
        self.issuer.control("POST", "set", {"step_up": "always", "step_up_url": "http://elsewhere.example/"})
        answer = self.ask(action="payout", amount="1").json
        self.assertEqual(answer["url"], "http://elsewhere.example/")
        self.assertEqual(self.issuer.control("GET", "step-up"), {"id": answer["id"], "status": "pending"})
        self.assertEqual(self.issuer.control("POST", "decide", {"status": "expired"}), {"decided": True})
        self.assertEqual(self.status(answer["id"]).json["status"], "expired")
        self.assertEqual(self.issuer.control("POST", "decide", {"status": "approved"}), {"decided": False})


class MonitoringToken(unittest.TestCase):
    def setUp(self):
        self.issuer = Issuer(PROGRAM, "--no-rate-limits")
        self.addCleanup(self.issuer.stop)

    def ask(self, token, body="{}"):
        headers = {"Authorization": "Bearer " + token, "Content-Type": "application/json"}
        return self.issuer.request("POST", "/monitoring-token/", body, headers)

    def test_it_is_unavailable_until_it_is_enabled(self):
        token = self.issuer.sign_in("ada")["access_token"]
        answer = self.ask(token)
        self.assertEqual((answer.status, answer.json["error"]), (503, "monitoring_unavailable"))
        self.issuer.control("POST", "set", {"monitoring": True})
        answer = self.ask(token)
        self.assertEqual((answer.status, answer.json["expires_in"]), (200, 900))
        self.assertNotEqual(answer.json["token"], self.ask(token).json["token"])

    def test_it_needs_a_live_session_and_an_empty_object(self):
        tokens = self.issuer.sign_in("ada")
        self.issuer.control("POST", "set", {"monitoring": True})
        self.assertEqual(self.ask(tokens["access_token"], '{"x":1}').json["field"], "x")
        self.assertEqual(self.ask(tokens["access_token"], "[]").status, 400)
        self.issuer.refresh(tokens["refresh_token"])
        self.assertEqual(self.ask(tokens["access_token"]).status, 401)


if __name__ == "__main__":
    unittest.main()
