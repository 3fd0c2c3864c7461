"""The main job against glewlwyd, an issuer that nobody of this project wrote and that takes pushed requests only."""
import os
import sys
import tempfile
import unittest
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
from place import Place, free_port, refuse_root  # noqa: E402
from strict import CLIENT, SECRET, SECRET_CLIENT, STEP_UP, Strict  # noqa: E402
from wire import Wire  # noqa: E402

CONFIGURATION = """[refresh]
force-interval=0s
[issuer club]
kind=openid
issuer=%s
client-id=%s
redirect-uri=%s
scopes=openid offline_access
"""


class Glewlwyds(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory(prefix="almoner-glewlwyd-")
        cls.addClassCleanup(directory.cleanup)
        cls.glewlwyd = Strict(
            os.path.join(directory.name, "server"), free_port(), "http://127.0.0.1:%d/callback" % free_port())
        cls.addClassCleanup(cls.glewlwyd.stop)

    def setUp(self):
        self.place = Place()
        self.addCleanup(self.place.end)
        self.glewlwyd.start_over()
        self.glewlwyd.serve(self.place)

    def sign_in(self, *lines, client=CLIENT):
        """With these lines in the configuration of the issuer."""
        self.configure(*lines, client=client)
        self.place.start_daemon()
        self.place.almoner("login", "work", "--issuer", "club", "--yes")

    def configure(self, *lines, client=CLIENT):
        known = CONFIGURATION % (self.glewlwyd.issuer, client, self.glewlwyd.redirect)
        self.place.configure(known + "".join(line + "\n" for line in lines))

    def opened(self):
        """The parameters of each address that the browser was given."""
        return [urllib.parse.parse_qs(urllib.parse.urlsplit(url).query) for url in self.glewlwyd.addresses]

    def begin(self, **parameters):
        """A sign-in by a caller that opens the address itself: its connection, and the address."""
        wire = Wire(self.place.socket)
        self.addCleanup(wire.close)
        wire.send("SignIn", {"account": "work", "registration": {"issuer": "club"}, **parameters}, more=True)
        return wire, wire.receive()["parameters"]["url"]

    def back(self, url):
        """Where the issuer sends the person's browser."""
        status, back = self.glewlwyd.visit(url)
        self.assertEqual((status, back.partition("?")[0]), (302, self.glewlwyd.redirect))
        return back

    def come(self, back):
        """The browser comes to the callback; the page that it ends at."""
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(back, timeout=60) as page:
            page.read()
            return urllib.parse.urlsplit(page.url).path


class Pushed(Glewlwyds):
    def test_the_browser_carries_the_clients_name_and_the_requests_and_nothing_else(self):
        self.sign_in("par=always")
        [address] = self.opened()
        self.assertEqual((set(address), address["client_id"]), ({"client_id", "request_uri"}, [CLIENT]))
        self.assertTrue(self.glewlwyd.takes(self.place.token("work")))
        self.assertEqual(self.place.json("identity", "work")["issuer"], self.glewlwyd.issuer)

    def test_what_was_got_by_a_pushed_request_is_refreshed_and_rotates(self):
        self.sign_in("par=always")
        old = self.place.token("work")
        self.place.refresh("work", 3)
        new = self.place.token("work")
        self.assertNotEqual(old, new)
        self.assertTrue(self.glewlwyd.takes(new))
        self.assertEqual(self.glewlwyd.issued(), {"issued": 4, "alive": 1})

    def test_each_sign_in_pushes_its_own_request(self):
        self.sign_in()
        self.place.almoner("login", "work", "--yes")
        first, second = self.opened()
        self.assertEqual((set(first), set(second)), ({"client_id", "request_uri"},) * 2)
        self.assertNotEqual(first["request_uri"], second["request_uri"])
        self.assertEqual(len(self.place.json("list")["accounts"]), 1)

    def test_this_issuer_refuses_what_was_not_pushed(self):
        self.configure("par=never")
        self.place.start_daemon()
        _, url = self.begin()
        self.assertIn("code_challenge", url)
        self.assertEqual(self.glewlwyd.visit(url)[0], 403)


class Refusals(Glewlwyds):
    def test_A4_a_response_that_names_another_issuer_is_refused_and_the_right_one_passes(self):
        self.configure()
        self.place.start_daemon()
        wire, url = self.begin()
        right = self.back(url)
        name = "iss=" + urllib.parse.quote(self.glewlwyd.issuer, safe="")
        self.assertIn(name, right)
        self.assertEqual(self.come(right.replace(name, "iss=https%3A%2F%2Fissuer.example")), "/callback/refused")
        self.assertEqual(self.glewlwyd.issued(), {"issued": 0, "alive": 0})
        self.assertEqual(self.come(right), "/callback/done")
        self.assertEqual(wire.receive()["parameters"]["stage"], "signed-in")

    def test_B13_a_session_that_ended_there_is_refused_with_an_empty_answer_and_needs_a_sign_in(self):
        self.sign_in()
        token = self.place.token("work")
        self.glewlwyd.end_sessions()
        for _ in range(3):
            done = self.place.almoner("token", "work", "--force", check=False)
            self.assertEqual((done.returncode, done.stdout), (3, b""))
            self.assertIn(b"almoner login work", done.stderr)
        self.place.almoner("login", "work", "--yes")
        self.assertNotEqual(self.place.token("work"), token)
        self.place.refresh("work")


class SigningOut(Glewlwyds):
    def test_a_client_with_a_secret_revokes_its_tokens(self):
        secret = os.path.join(self.place.home, "secret")
        with open(os.open(secret, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(SECRET + "\n")
        self.sign_in("client-secret-file=" + secret, client=SECRET_CLIENT)
        token = self.place.token("work")
        self.assertTrue(self.glewlwyd.takes(token))
        out = self.place.json("logout", "work")["accounts"][0]
        self.assertEqual((out["revoked"], out["wiped"]), (True, True))
        self.assertFalse(self.glewlwyd.takes(token))
        # It ends a browser's session in that browser only: the person is signed in there, and it is said that they are.
        self.assertIn("the browser's session at the issuer was not ended: status 404", out["note"])
        self.assertEqual(self.glewlwyd.issued(), {"issued": 1, "alive": 0})

    def test_a_public_client_cannot_and_is_told_and_no_token_is_issued_for_it(self):
        # It would have to show its access token, which is none of RFC 7009's ways.
        self.sign_in()
        out = self.place.json("logout", "work")["accounts"][0]
        self.assertEqual((out["revoked"], out["wiped"]), (False, True))
        self.assertIn("the session at the issuer was not ended: status 401", out["note"])
        self.assertEqual(self.glewlwyd.issued(), {"issued": 1, "alive": 1})
        self.assertEqual((self.place.keyring_items(), self.place.state_files()), (0, []))


class Narrowing(Glewlwyds):
    """It grants everything again, whatever scope a refresh asks for."""

    def setUp(self):
        super().setUp()
        self.sign_in("narrows=true")

    def test_more_than_was_asked_for_is_not_handed_out_and_the_session_goes_on(self):
        own = self.place.token("work")
        refused = self.place.almoner("token", "work", "--scope", "offline_access", check=False)
        self.assertEqual((refused.returncode, refused.stdout), (2, b""))
        self.assertIn(b"the issuer granted openid beside what was asked for", refused.stderr)
        self.assertEqual(self.place.token("work"), own)
        self.assertTrue(self.glewlwyd.takes(own))
        self.place.refresh("work")
        self.assertTrue(self.glewlwyd.takes(self.place.token("work")))
        self.assertEqual(self.glewlwyd.issued(), {"issued": 3, "alive": 1})

    def test_however_often_it_is_asked_for_the_issuer_is_asked_once(self):
        for _ in range(5):
            self.assertEqual(
                self.place.almoner("token", "work", "--scope", "offline_access", check=False).returncode, 2)
        self.assertEqual(self.glewlwyd.issued(), {"issued": 2, "alive": 1})

    def test_a_daemon_that_is_killed_afterwards_has_lost_nothing(self):
        own = self.place.token("work")
        self.place.almoner("token", "work", "--scope", "offline_access", check=False)
        self.place.kill_daemon()
        self.place.start_daemon()
        self.assertEqual(self.place.token("work"), own)
        self.place.refresh("work")
        self.assertEqual(self.glewlwyd.issued(), {"issued": 3, "alive": 1})


class MoreProofByScope(Glewlwyds):
    """A resource wants more (RFC 9470), and this issuer asks for more proof when a scope is asked for."""

    def setUp(self):
        super().setUp()
        self.sign_in()

    def test_a_scope_that_wants_a_code_is_had_by_a_sign_in_that_proves_it(self):
        old = self.place.json("token", "work")
        wire, url = self.begin(scopes=[STEP_UP])
        self.assertIn("/login.html?", self.glewlwyd.visit(url)[1])
        self.glewlwyd.prove()
        self.assertEqual(self.come(self.back(url)), "/callback/done")
        answer = wire.receive()["parameters"]
        self.assertEqual((answer["stage"], answer["account"], answer["isNew"]), ("signed-in", "work", False))
        [amr] = [claim["value"] for claim in answer["claims"] if claim["name"] == "amr"]
        self.assertIn("otp", amr.split())
        self.place.refresh("work")
        new = self.place.json("token", "work")
        self.assertEqual(set(new["scope"].split()) - set(old["scope"].split()), {STEP_UP})
        self.assertTrue(self.glewlwyd.takes(new["accessToken"]))
        self.assertEqual(len(self.place.json("list")["accounts"]), 1)

    def test_who_gives_up_at_the_second_factor_keeps_what_there_was(self):
        old = self.place.json("token", "work")
        wire, url = self.begin(scopes=[STEP_UP])
        self.assertIn("/login.html?", self.glewlwyd.visit(url)[1])
        wire.close()
        self.place.refresh("work")
        new = self.place.json("token", "work")
        self.assertEqual((new["scope"], new["generation"]), (old["scope"], old["generation"] + 1))
        self.assertTrue(self.glewlwyd.takes(new["accessToken"]))

    def test_what_this_issuer_never_says_is_told_apart_and_causes_no_refresh(self):
        with Wire(self.place.socket) as wire:
            for asked, claim in (({"acrValues": ["urn:otp"]}, "(acr)"), ({"maxAge": 3600}, "(auth_time)")):
                answer = wire.call("GetAccessToken", {"account": "work", "force": True, **asked})
                self.assertEqual(answer["error"], "org.almoner.Almoner.StepUpRequired")
                self.assertIn(claim, answer["parameters"]["message"])
        self.assertEqual(self.glewlwyd.issued(), {"issued": 1, "alive": 1})

    def test_a_sign_in_whose_age_is_not_told_is_kept_and_does_not_suffice(self):
        old = self.place.token("work")
        wire, url = self.begin(maxAge=60)
        back = self.back(url)
        # It had the demand, by way of the pushed request: what it has no use for it gives back.
        self.assertIn("max_age=60", back)
        self.come(back)
        answer = wire.receive()
        self.assertEqual(answer["error"], "org.almoner.Almoner.StepUpRequired")
        self.assertIn("has just signed in for it: the issuer does not say when", answer["parameters"]["message"])
        new = self.place.token("work")
        self.assertNotEqual(old, new)
        self.assertTrue(self.glewlwyd.takes(new))


if __name__ == "__main__":
    refuse_root()
    unittest.main()
