"""A resource that wants a stronger or fresher sign-in (RFC 9470), at an issuer that nobody of this project wrote."""
import os
import sys
import time
import unittest
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "openid")]
from place import Place, refuse_root  # noqa: E402
from provider import Provider  # noqa: E402
from wire import Wire  # noqa: E402

STRONGER = ("token", "work", "--acr-values", "urn:key urn:otp")
INTERFACE = "org.almoner.Almoner."


class Authentication(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.provider = Provider(300)
        cls.addClassCleanup(cls.provider.stop)

    def setUp(self):
        self.place = Place()
        self.addCleanup(self.place.end)
        self.place.configure("[refresh]\nforce-interval=0s\n")
        self.provider.serve(self.place)
        self.strength()
        self.place.start_daemon()
        self.sign_in()

    def strength(self, acr=(), obeys=()):
        query = urllib.parse.urlencode({"acr": list(acr), "obeys": list(obeys)}, doseq=True)
        self.assertEqual(self.provider.get("/strength/?" + query)[0], 200)

    def sign_in(self, person="alice"):
        self.provider.signs_in_as(person)
        self.place.almoner("login", "work", "--kind", "openid", "--issuer", self.provider.issuer, "--client-id", "native",
                           "--redirect-uri", "http://127.0.0.1/callback", "--scope", "openid", "--yes")

    def fails(self, status, *words):
        done = self.place.almoner(*words, check=False)
        self.assertEqual((done.returncode, done.stdout), (status, b""), done.stderr)
        return done.stderr.decode()

    def issued(self):
        return self.provider.books["issued"]

    def test_without_leave_nothing_opens_and_nothing_is_refreshed(self):
        before = self.issued()
        for _ in range(5):
            self.assertIn("--interactive", self.fails(8, *STRONGER, "--force"))
        self.assertEqual(self.issued(), before)
        self.assertEqual(self.provider.person(self.place.token("work")), "alice")

    def test_over_the_socket_the_error_says_what_was_asked(self):
        with Wire(self.place.socket) as wire:
            answer = wire.call("GetAccessToken", {"acrValues": ["urn:key"], "maxAge": 5})
        self.assertEqual(answer["error"], INTERFACE + "StepUpRequired")
        self.assertEqual({name: answer["parameters"][name] for name in ("account", "acrValues", "maxAge")},
                         {"account": "work", "acrValues": ["urn:key"], "maxAge": 5})

    def test_with_leave_a_stronger_sign_in_brings_the_fresh_token(self):
        self.strength(obeys=["yes"])
        old = self.place.token("work")
        new = self.place.token(*STRONGER[1:], "--interactive")
        self.assertNotEqual(old, new)
        self.assertEqual(self.provider.person(new), "alice")
        # From now on the sign-in suffices, and nothing opens.
        self.assertEqual(self.place.token(*STRONGER[1:]), new)
        self.assertEqual(len(self.place.json("list")["accounts"]), 1)

    def test_nobody_signs_in_anew_for_a_scope_by_itself_where_the_issuer_is_not_known_to_narrow(self):
        self.strength(obeys=["yes"])
        before = self.issued()
        self.assertIn("narrows=", self.fails(2, *STRONGER, "--interactive", "--scope", "openid"))
        self.assertEqual(self.issued(), before)

    def test_an_issuer_that_does_not_do_it_is_asked_once(self):
        self.strength(acr=["urn:password"])
        said = self.fails(8, *STRONGER, "--interactive")
        self.assertIn("(acr)", said)
        # The same command would lead to the same page again.
        self.assertNotIn("Try:", said)
        # The sign-in is kept; it proves what it proves.
        claims = {claim["name"]: claim["value"] for claim in self.place.json("identity", "work")["claims"]}
        self.assertEqual(claims["acr"], "urn:password")
        self.assertEqual(self.provider.person(self.place.token("work")), "alice")

    def test_somebody_else_is_refused_and_the_first_one_kept(self):
        self.strength(obeys=["yes"])
        self.provider.signs_in_as("bob")
        self.fails(6, *STRONGER, "--interactive")
        self.assertEqual(self.provider.person(self.place.token("work", "--force")), "alice")

    def test_a_sign_in_that_is_too_old_is_made_anew(self):
        self.assertEqual(self.place.token("work", "--max-age", "10m"), self.place.token("work"))
        until = time.monotonic() + 60
        while self.place.almoner("token", "work", "--max-age", "2s", check=False).returncode != 8:
            self.assertLess(time.monotonic(), until, "the sign-in never gets older")
            time.sleep(0.2)
        old = self.place.token("work")
        self.assertNotEqual(self.place.token("work", "--max-age", "2s", "--interactive"), old)

    def test_a_refresh_makes_no_sign_in_younger(self):
        time.sleep(2.1)
        self.place.token("work", "--force")
        self.fails(8, "token", "work", "--max-age", "1s")


if __name__ == "__main__":
    refuse_root()
    unittest.main()
