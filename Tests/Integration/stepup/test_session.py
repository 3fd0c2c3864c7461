"""What is known of a session: the live check, the identity, reports of refused tokens, device credentials."""
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from place import Place, refuse_root  # noqa: E402
from wire import Wire  # noqa: E402

CROWD = 200


class Signed(unittest.TestCase):
    def setUp(self):
        self.place = Place()
        self.addCleanup(self.place.end)
        self.place.configure("[refresh]\nforce-interval=0s\n")
        self.issuer = self.place.start_issuer("--auto", "ada")
        self.place.start_daemon()
        self.place.sign_in()

    def claims(self, command):
        return {claim["name"]: claim["value"] for claim in self.place.json(command, "work")["claims"]}

    def crowd(self, method, parameters):
        """Everybody at once, each on a connection of their own. What each was answered."""
        lines = [Wire(self.place.socket) for _ in range(CROWD)]
        try:
            for line in lines:
                line.send(method, parameters)
            return [line.receive() for line in lines]
        finally:
            for line in lines:
                line.close()


class Session(Signed):
    def test_the_identity_says_who_it_is_to_the_vendor_and_how_they_signed_in(self):
        claims = self.claims("identity")
        self.assertEqual({name: claims[name] for name in ("vendor_data", "verified", "amr", "org", "email")},
                         {"vendor_data": "customer-1815", "verified": "true", "amr": "passkey mfa",
                          "org": "analytical-engines", "email": "ada@example.org"})
        self.assertFalse({"sid", "jti", "aud", "exp"} & set(claims))

    def test_a_live_check_shows_what_the_issuer_says(self):
        claims = self.claims("session")
        self.assertEqual((claims["amr"], claims["organizations"], claims["mfa_verified"]),
                         ("passkey mfa", "analytical-engines", "true"))

    def test_nothing_is_asked_of_an_issuer_that_narrows_nothing_and_has_a_step_up_of_its_own(self):
        before = self.issuer.counters
        for words, said in ((["--scope", "profile"], b"narrows="), (["--resource", "https://api.example/"], b"narrows="),
                            (["--acr-values", "urn:key"], b"almoner step-up work"),
                            (["--max-age", "0s", "--interactive"], b"almoner step-up work")):
            with self.subTest(words):
                done = self.place.almoner("token", "work", "--force", *words, check=False)
                self.assertEqual((done.returncode, done.stdout), (2, b""))
                self.assertIn(said, done.stderr)
        self.assertEqual(self.issuer.counters, before)
        self.assertEqual(self.issuer.session(self.place.token("work")).status, 200)

    def test_a_crowd_that_checks_asks_the_issuer_once(self):
        before = self.issuer.counters["session_checks"]
        answers = self.crowd("CheckSession", {"account": "work"})
        self.assertEqual({answer["parameters"]["active"] for answer in answers}, {True})
        self.assertEqual(self.issuer.counters["session_checks"], before + 1)

    def test_a_page_in_the_issuers_place_is_no_session(self):
        self.issuer.fates({"on": "session", "fate": "html"})
        done = self.place.almoner("session", "work", check=False)
        self.assertEqual((done.returncode, done.stdout), (5, b""), done.stderr)

    def test_a_crowd_that_reports_a_refused_token_causes_one_refresh(self):
        before = self.issuer.counters["refresh_grants"]
        old = self.place.json("token", "work")
        self.issuer.control("POST", "set", {"delay_before_answer": 300})
        self.crowd("ReportRejected", {"account": "work", "generation": old["generation"]})
        with Wire(self.place.socket) as wire:
            while True:
                new = wire.call("GetAccessToken", {"account": "work"})["parameters"]
                if new["generation"] != old["generation"]:
                    break
        late = self.crowd("ReportRejected", {"account": "work", "generation": old["generation"]})
        self.assertEqual({answer["parameters"]["refreshing"] for answer in late}, {False})
        self.assertEqual(new["generation"], old["generation"] + 1)
        self.assertEqual(self.issuer.counters["refresh_grants"], before + 1)
        self.assertEqual(self.issuer.session(new["accessToken"]).status, 200)


class DeviceCredential(Signed):
    def test_until_it_is_enabled_there_is_a_word_for_that(self):
        done = self.place.almoner("monitoring-token", "work", "--json", check=False)
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertEqual(json.loads(done.stderr)["error"], "monitoring-unavailable")

    def test_it_is_asked_for_once_and_forgotten_with_the_lock(self):
        self.issuer.control("POST", "set", {"monitoring": True, "delay_before_answer": 300})
        answers = self.crowd("GetMonitoringToken", {"account": "work"})
        tokens = {answer["parameters"]["monitoringToken"] for answer in answers}
        self.assertEqual((len(tokens), self.issuer.counters["monitoring_tokens"]), (1, 1))
        self.assertEqual({self.place.almoner("monitoring-token", "work").stdout.decode().strip()}, tokens)
        self.place.almoner("lock")
        self.assertEqual(self.place.almoner("monitoring-token", "work", check=False).returncode, 4)
        self.place.almoner("unlock")
        self.assertNotIn(self.place.almoner("monitoring-token", "work").stdout.decode().strip(), tokens)

    def test_after_a_sign_out_and_in_it_is_another(self):
        self.issuer.control("POST", "set", {"monitoring": True})
        first = self.place.almoner("monitoring-token", "work").stdout
        self.place.almoner("logout", "work")
        self.assertEqual(self.place.almoner("monitoring-token", "work", check=False).returncode, 3)
        self.place.sign_in()
        self.assertNotEqual(self.place.almoner("monitoring-token", "work").stdout, first)


if __name__ == "__main__":
    refuse_root()
    unittest.main()
