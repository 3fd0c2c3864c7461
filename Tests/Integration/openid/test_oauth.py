"""The same issuer as an OAuth 2.0 server without OpenID, as kind=oauth."""
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
from place import Place, refuse_root  # noqa: E402
from provider import Provider  # noqa: E402

WRITTEN_OUT = """[refresh]
force-interval=0s
[issuer club]
kind=oauth
issuer=%(issuer)s
client-id=native
scopes=email
authorization-endpoint=%(issuer)s/authorize/
token-endpoint=%(issuer)s/token/
revocation-endpoint=%(issuer)s/revoke_token/
userinfo-endpoint=%(origin)s/resource/
subject-claim=person
"""


class OAuth(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.provider = Provider.shared(60)

    def setUp(self):
        self.place = Place()
        self.addCleanup(self.place.end)
        self.place.configure(WRITTEN_OUT % vars(self.provider))
        self.provider.serve(self.place)
        self.place.start_daemon()

    def sign_in(self, person, account, *issuer, check=True):
        self.provider.signs_in_as(person)
        return self.place.almoner("login", account, "--yes", *issuer, check=check)


class WrittenOut(OAuth):
    def setUp(self):
        super().setUp()
        self.sign_in("alice", "work", "--issuer", "club")

    def test_the_person_is_who_the_userinfo_endpoint_says(self):
        identity = self.place.json("identity", "work")
        self.assertEqual((identity["issuer"], identity["subject"]), (self.provider.issuer, "alice"))
        self.assertEqual(self.provider.person(self.place.token("work")), "alice")

    def test_a_forced_refresh_rotates_and_the_person_stays(self):
        self.assertEqual(self.provider.person(self.place.token("work", "--force")), "alice")
        self.assertEqual(self.provider.books, {"access": 1, "issued": 2, "refresh": 1})
        self.assertEqual(self.place.json("identity", "work")["subject"], "alice")

    def test_another_person_is_refused_and_what_they_got_is_revoked(self):
        refused = self.sign_in("bob", "work", check=False)
        self.assertEqual(refused.returncode, 6, refused.stderr)
        self.assertEqual(self.provider.person(self.place.token("work", "--force")), "alice")
        self.assertEqual(self.provider.books["refresh"], 1)

    def test_a_restarted_daemon_knows_the_endpoints_without_the_configuration(self):
        self.place.kill_daemon()
        self.place.configure("[refresh]\nforce-interval=0s\n")
        self.place.start_daemon()
        self.assertEqual(self.provider.person(self.place.token("work", "--force")), "alice")

    def test_signing_out_revokes_at_the_issuer(self):
        out = self.place.json("logout", "work")["accounts"][0]
        self.assertEqual((out["revoked"], out["wiped"]), (True, True))
        self.assertEqual(self.provider.books, {"access": 0, "issued": 1, "refresh": 0})


class WithASecret(OAuth):
    """A client that the issuer knows by a secret: it is in a file, and nowhere else that anybody could read."""

    secret = "s3cret %+&=:~"

    def configure(self, *lines, content=None, mode=0o600):
        path = os.path.join(self.place.home, "secret")
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "w") as file:
            file.write(self.secret + "\n" if content is None else content)
        os.chmod(path, mode)
        self.place.configure("\n".join([
            "[refresh]", "force-interval=0s", "[issuer club]", "kind=openid", "issuer=" + self.provider.issuer,
            "client-id=kept", "scopes=openid email", "client-secret-file=" + path, *lines, ""]))

    def test_the_secret_is_shown_in_a_header_field(self):
        self.configure("client-authentication=basic")
        self.sign_in("alice", "work", "--issuer", "club")
        self.assertEqual(self.provider.person(self.place.token("work", "--force")), "alice")
        self.assertTrue(self.place.json("logout", "work")["accounts"][0]["revoked"])

    def test_the_secret_is_shown_in_the_form(self):
        self.configure("client-authentication=post")
        self.sign_in("alice", "work", "--issuer", "club")
        self.assertEqual(self.provider.person(self.place.token("work", "--force")), "alice")

    def test_a_wrong_secret_is_a_mistake_of_the_configuration_and_takes_no_tokens(self):
        self.configure()
        self.sign_in("alice", "work", "--issuer", "club")
        good = self.place.token("work")
        self.configure(content="another")
        self.place.almoner("refresh", "work", check=False)
        self.assertEqual((self.place.token("work"), self.provider.books["issued"]), (good, 1))
        self.configure()
        self.assertEqual(self.provider.person(self.place.token("work", "--force")), "alice")
        self.assertEqual(self.provider.books["refresh"], 1)

    def test_a_file_that_others_may_read_is_not_used(self):
        self.configure(mode=0o640)
        refused = self.sign_in("alice", "work", "--issuer", "club", check=False)
        self.assertIn(b"client-secret-file", refused.stderr)
        self.assertNotIn(b"s3cret", refused.stdout + refused.stderr)
        self.assertEqual(self.place.json("list")["accounts"], [])

    def test_the_secret_is_in_no_file_of_ours_and_in_no_argument(self):
        self.configure()
        self.sign_in("alice", "work", "--issuer", "club")
        for directory, _, names in os.walk(self.place.state):
            for name in names:
                with open(os.path.join(directory, name), "rb") as file:
                    self.assertNotIn(b"s3cret", file.read())
        with open("/proc/%d/cmdline" % self.place.daemon.pid, "rb") as file:
            self.assertNotIn(b"s3cret", file.read())


class Preset(OAuth):
    """An issuer that a file of its own describes, and that nobody has configured."""

    def test_it_is_an_issuer_when_somebody_names_it(self):
        directory = os.path.join(self.place.root, "share/almoner/presets")
        os.makedirs(directory)
        with open(os.path.join(directory, "parlour.conf"), "w") as file:
            file.write("[issuer parlour]\nkind=openid\nissuer=%s\nscopes=openid email\n" % self.provider.issuer)
        self.place.kill_daemon()
        self.place.environment["XDG_DATA_DIRS"] = os.path.join(self.place.root, "share")
        self.place.start_daemon()
        self.sign_in("alice", "work", "--issuer", "parlour", "--client-id", "native")
        self.assertEqual(self.provider.person(self.place.token("work")), "alice")


class Discovered(OAuth):
    def sign_in(self, person, account, check=True):
        return super().sign_in(
            person, account, "--kind", "oauth", "--issuer", self.provider.issuer, "--client-id", "native",
            "--scope", "email", check=check)

    def test_endpoints_are_found_by_the_authorization_servers_own_metadata(self):
        self.sign_in("alice", "work")
        self.assertEqual(self.provider.person(self.place.token("work", "--force")), "alice")
        self.assertTrue(self.place.json("logout", "work")["accounts"][0]["revoked"])

    def test_without_a_userinfo_endpoint_it_is_said_that_nobody_knows_who_signed_in(self):
        done = self.sign_in("alice", "work")
        self.assertIn(b"somebody whom the issuer does not name", done.stdout + done.stderr)
        self.assertEqual(self.place.json("identity", "work")["subject"], "")

    def test_without_a_userinfo_endpoint_the_account_that_is_named_is_replaced(self):
        self.sign_in("alice", "work")
        self.sign_in("bob", "work")
        self.assertEqual(self.provider.person(self.place.token("work")), "bob")
        self.assertEqual(len(self.place.json("list")["accounts"]), 1)


if __name__ == "__main__":
    refuse_root()
    unittest.main()
