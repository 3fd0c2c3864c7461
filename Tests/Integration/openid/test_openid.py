"""The main job against django-oauth-toolkit, an issuer that nobody of this project wrote, as kind=openid."""
import json
import os
import sys
import time
import unittest
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
from place import Place, refuse_root  # noqa: E402
from provider import Provider  # noqa: E402
from wire import Wire  # noqa: E402


class OpenID(unittest.TestCase):
    lifetime = 60

    @classmethod
    def setUpClass(cls):
        cls.provider = Provider.shared(cls.lifetime)

    def setUp(self):
        self.place = Place()
        self.addCleanup(self.place.end)
        self.place.configure("[refresh]\nforce-interval=0s\n")
        self.provider.serve(self.place)
        self.place.start_daemon()

    def sign_in(self, person="alice", account="work", check=True, *more):
        self.provider.signs_in_as(person)
        return self.place.almoner(
            "login", account, "--kind", "openid", "--issuer", self.provider.issuer, "--client-id", "native",
            "--redirect-uri", "http://127.0.0.1/callback", "--scope", "openid", "--scope", "email", "--yes", *more,
            check=check)


class SignedIn(OpenID):
    def setUp(self):
        super().setUp()
        self.sign_in()

    def test_the_token_is_the_persons(self):
        self.assertEqual(self.provider.person(self.place.token("work")), "alice")

    def test_the_issuers_address_names_the_account(self):
        self.assertEqual(self.place.token(self.provider.issuer), self.place.token("work"))

    def test_a_token_that_is_not_due_is_not_refreshed(self):
        self.assertEqual(self.place.token("work"), self.place.token("work"))
        self.assertEqual(self.provider.books["issued"], 1)

    def test_a_forced_refresh_rotates_both_tokens(self):
        old = self.place.token("work")
        new = self.place.token("work", "--force")
        self.assertEqual((self.provider.person(old), self.provider.person(new)), (None, "alice"))
        self.assertEqual(self.provider.books, {"access": 1, "issued": 2, "refresh": 1})

    def test_ten_forced_refreshes_in_a_row_use_no_token_twice(self):
        self.place.refresh("work", 10)
        self.assertEqual(self.provider.books, {"access": 1, "issued": 11, "refresh": 1})

    def test_the_identity_is_of_the_verified_id_token(self):
        identity = self.place.json("identity", "work")
        claims = {claim["name"]: claim["value"] for claim in identity["claims"]}
        self.assertEqual((identity["issuer"], claims.get("email")), (self.provider.issuer, "alice@example.org"))

    def test_a_restarted_daemon_serves_and_refreshes(self):
        self.place.kill_daemon()
        self.place.start_daemon()
        self.assertEqual(self.provider.person(self.place.token("work", "--force")), "alice")

    def test_signing_out_revokes_at_the_issuer_and_leaves_nothing_here(self):
        token = self.place.token("work")
        out = self.place.json("logout", "work")["accounts"][0]
        self.assertEqual((out["revoked"], out["wiped"]), (True, True))
        self.assertIsNone(self.provider.person(token))
        self.assertEqual(self.provider.books["refresh"], 0)
        self.assertEqual((self.place.keyring_items(), self.place.state_files()), (0, []))

    def test_another_person_is_refused_and_the_first_one_kept(self):
        refused = self.sign_in("bob", check=False)
        self.assertEqual(refused.returncode, 6, refused.stderr)
        self.assertEqual(self.provider.person(self.place.token("work", "--force")), "alice")

    def test_what_was_got_for_the_person_who_was_refused_is_revoked(self):
        self.sign_in("bob", check=False)
        self.assertEqual(self.provider.books["refresh"], 1)

    def test_the_same_person_signs_in_again(self):
        again = self.sign_in("alice")
        self.assertEqual(again.returncode, 0)
        self.assertEqual((self.place.keyring_items(), len(self.place.json("list")["accounts"])), (1, 1))
        self.assertEqual(self.provider.person(self.place.token("work")), "alice")

    def test_two_accounts_at_one_issuer_are_two_people(self):
        self.sign_in("bob", "home")
        people = [self.provider.person(self.place.token(account)) for account in ("work", "home")]
        self.assertEqual(people, ["alice", "bob"])
        self.place.almoner("logout", "work")
        self.assertEqual(self.provider.person(self.place.token("home", "--force")), "bob")

    def test_after_a_sign_out_somebody_else_finds_nothing_of_the_first(self):
        self.place.almoner("logout", "work")
        self.sign_in("bob")
        self.assertEqual(self.provider.person(self.place.token("work")), "bob")
        self.assertNotIn("alice", json.dumps(self.place.json("identity", "work")))

    def test_a_session_that_the_issuer_ended_needs_a_sign_in(self):
        tokens = self.place.json("token", "work")
        self.assertEqual(self.provider.person(tokens["accessToken"]), "alice")
        self.provider.forget()
        done = self.place.almoner("token", "work", "--force", check=False)
        self.assertEqual((done.returncode, done.stdout), (3, b""))
        self.assertIn(b"almoner login work", done.stderr)


class Configured(OpenID):
    """With more said of the issuer than a command line can."""

    def sign_in(self, *lines, place=None):
        place = place or self.place
        place.configure("\n".join([
            "[refresh]", "force-interval=0s", "[issuer club]", "kind=openid", "issuer=" + self.provider.issuer,
            "client-id=native", "scopes=openid email", *lines, ""]))
        self.provider.signs_in_as("alice")
        place.almoner("login", "work", "--issuer", "club", "--yes")


class Promises(OpenID):
    def test_A5_a_response_that_does_not_name_the_issuer_as_promised_is_refused_and_the_right_one_passes(self):
        self.place.configure(
            "[issuer club]\nkind=openid\nissuer=%s\nclient-id=native\nscopes=openid\n" % self.provider.issuer)
        with Wire(self.place.socket) as wire:
            wire.send("SignIn", {"account": "work", "registration": {"issuer": "club"}}, more=True)
            right = self.provider.visit(wire.receive()["parameters"]["url"], "alice")
            name = "iss=" + urllib.parse.quote(self.provider.issuer, safe="")
            self.assertIn(name, right)
            pages = []
            for url in (right.replace(name, ""), right):
                with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=60) as page:
                    pages.append(urllib.parse.urlsplit(page.url).path)
            self.assertEqual(pages, ["/callback/refused", "/callback/done"])
            self.assertEqual(wire.receive()["parameters"]["stage"], "signed-in")
        self.assertEqual(self.provider.books["issued"], 1)


class Narrowing(Configured):
    """This issuer narrows the session itself, and ends the access token that there was."""

    def setUp(self):
        super().setUp()
        self.sign_in("narrows=true")
        self.own = self.place.json("token", "work")

    def narrowed(self, scope):
        """Waits until the last tokens are in the keyring, before which nothing is refreshed."""
        until = time.monotonic() + 60
        while True:
            done = self.place.almoner("token", "work", "--scope", scope, "--json", check=False)
            if done.returncode != 5 or time.monotonic() > until:
                return done

    def test_the_narrowed_token_reaches_no_further_and_the_accounts_own_is_another(self):
        narrow = json.loads(self.narrowed("email").stdout)
        self.assertEqual((self.own["scope"], narrow["scope"]), ("openid email", "email"))
        self.assertEqual(self.provider.person(narrow["accessToken"]), "alice")
        self.assertEqual(self.place.token("work"), self.own["accessToken"])
        self.assertEqual(self.provider.books, {"access": 1, "issued": 2, "refresh": 1})

    def test_an_own_token_that_the_issuer_ended_is_replaced_when_it_is_reported(self):
        self.assertEqual(self.narrowed("email").returncode, 0)
        self.assertIsNone(self.provider.person(self.own["accessToken"]))
        with Wire(self.place.socket) as wire:
            report = {"account": "work", "generation": self.own["generation"]}
            # Until the narrowed tokens are in the keyring, nothing is refreshed.
            until = time.monotonic() + 60
            while not wire.call("ReportRejected", report)["parameters"]["refreshing"]:
                self.assertLess(time.monotonic(), until)
            answer = wire.call("GetAccessToken", {"account": "work", "force": True})["parameters"]
        self.assertEqual(self.provider.person(answer["accessToken"]), "alice")

    def test_the_session_stays_narrow_and_lives_until_a_sign_in_widens_it(self):
        self.assertEqual(self.narrowed("email").returncode, 0)
        self.place.refresh("work")
        token = self.place.json("token", "work")
        self.assertEqual((token["scope"], self.provider.person(token["accessToken"])), ("email", "alice"))
        refused = self.narrowed("openid")
        self.assertEqual((refused.returncode, refused.stdout), (2, b""))
        self.assertIn(b"openid was not granted at sign-in", refused.stderr)
        self.place.refresh("work")
        self.assertEqual(self.place.json("identity", "work")["subject"], "1")
        self.place.almoner("login", "work", "--yes")
        token = self.place.json("token", "work")
        self.assertEqual((token["scope"], self.provider.person(token["accessToken"])), ("openid email", "alice"))


class Logout(Configured):
    """The person has a session on another machine too."""

    def setUp(self):
        super().setUp()
        self.other = Place()
        self.addCleanup(self.other.end)
        self.provider.serve(self.other)
        self.other.start_daemon()
        self.sign_in(place=self.other)

    def sign_out(self):
        out = self.place.json("logout", "work")["accounts"][0]
        self.assertEqual((out["revoked"], out["wiped"]), (True, True))
        return out.get("note")

    def test_as_it_comes_it_takes_no_form_of_ours_which_is_said_and_ends_this_session_alone(self):
        self.sign_in()
        self.assertEqual(self.sign_out(), "the browser's session at the issuer was not ended: status 403")
        self.assertEqual(self.provider.books, {"access": 1, "issued": 2, "refresh": 1})
        self.assertEqual(self.provider.person(self.other.token("work", "--force")), "alice")

    def test_where_it_takes_the_form_the_id_token_names_the_person_who_is_signed_out_everywhere(self):
        self.sign_in("end-session-endpoint=" + self.provider.origin + "/logout/")
        self.assertIsNone(self.sign_out())
        self.assertEqual(self.provider.books, {"access": 0, "issued": 2, "refresh": 0})
        self.assertEqual(self.other.almoner("token", "work", "--force", check=False).returncode, 3)


class Ageing(OpenID):
    lifetime = 4

    def test_a_token_that_ran_out_is_refreshed_by_itself_when_asked_for(self):
        self.sign_in()
        first = self.place.token("work")
        # The issuer's own clock: its tokens cannot be aged from outside.
        until = time.monotonic() + 15
        while self.provider.person(first) and time.monotonic() < until:
            time.sleep(0.1)
        second = self.place.token("work")
        self.assertEqual((self.provider.person(first), self.provider.person(second)), (None, "alice"))


class Redirects(OpenID):
    def test_any_free_port_of_this_machine_serves_the_callback(self):
        ports = set()
        for account in ("one", "two"):
            self.sign_in("alice", account)
            ports.add(self.provider.last_redirect_port)
        self.assertEqual(len(ports), 2)
        self.assertNotIn(80, ports)


if __name__ == "__main__":
    refuse_root()
    unittest.main()
