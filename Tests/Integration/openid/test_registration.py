"""Dynamic client registration (RFC 7591): a client is registered at glewlwyd, an issuer that nobody of this project wrote,
and signs in by exactly the configuration that was printed; and every refusal, from an issuer that answers as it is told.
"""
import json
import os
import re
import resource
import stat
import subprocess
import sys
import tempfile
import unittest
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
from place import Place, free_port, program, refuse_root  # noqa: E402
from register import Clerk, OpenDoor  # noqa: E402

# Seconds: a slow machine must not fail a test.
PATIENCE = 60


class Registration(unittest.TestCase):
    def setUp(self):
        self.place = Place()
        self.addCleanup(self.place.end)
        self.place.configure("[refresh]\nforce-interval=0s\n")
        self.place.start_daemon()

    def path(self, name):
        return os.path.join(self.place.home, name)

    def read(self, name):
        """A file that `register` made, which has to be the person's alone."""
        self.assertEqual(stat.S_IMODE(os.stat(self.path(name)).st_mode), 0o600)
        with open(self.path(name)) as file:
            return file.read()


class AtGlewlwyd(Registration):
    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory(prefix="almoner-register-")
        cls.addClassCleanup(directory.cleanup)
        cls.glewlwyd = OpenDoor(os.path.join(directory.name, "server"), free_port())
        cls.addClassCleanup(cls.glewlwyd.stop)

    def register(self, *more):
        """Registers, and puts what is printed, and nothing else, into a configuration file of its own."""
        redirect = "http://127.0.0.1:%d/callback" % free_port()
        done = self.place.almoner(
            "register", self.glewlwyd.issuer, "--redirect-uri", redirect, "--scope", "openid", "--scope",
            "offline_access", *more)
        directory = self.path(".config/almoner/almoner.conf.d")
        os.makedirs(directory)
        with open(os.path.join(directory, "registered.conf"), "wb") as file:
            file.write(done.stdout)
        printed = done.stdout.decode()
        self.name = re.search(r"^\[issuer (.+)\]$", printed, re.MULTILINE).group(1)
        self.client = re.search(r"^client-id=(.+)$", printed, re.MULTILINE).group(1)
        self.assertIn("almoner login --issuer " + self.name, done.stderr.decode())
        return done

    def sign_in(self):
        """From the command to the callback, played by the person's own browser."""
        self.glewlwyd.agree_to(self.client)
        login = subprocess.Popen(
            [program("almoner"), "login", "work", "--issuer", self.name, "--no-browser", "--yes"],
            env=self.place.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(login.communicate)
        self.addCleanup(login.kill)
        shown = b""
        while not (found := re.search(rb"^  (http\S+)\n", shown, re.MULTILINE)):
            line = login.stderr.readline()
            self.assertTrue(line, shown)
            shown += line
        back = self.glewlwyd.follow(found.group(1).decode())
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(back, timeout=PATIENCE) as page:
            page.read()
        _, errors = login.communicate(timeout=PATIENCE)
        self.assertEqual(login.returncode, 0, errors)

    def assert_tokens(self):
        """The access token is one that glewlwyd takes, and a refresh brings another one."""
        first = self.place.token("work")
        second = self.place.token("work", "--force")
        self.assertNotEqual(first, second)
        for token in (first, second):
            request = urllib.request.Request(
                self.glewlwyd.issuer + "/userinfo", headers={"Authorization": "Bearer " + token})
            with self.glewlwyd.opener.open(request, timeout=PATIENCE) as answer:
                self.assertEqual(
                    json.load(answer)["sub"], self.place.json("identity", "work")["subject"])

    def test_a_public_client_signs_in_by_exactly_what_was_printed(self):
        done = self.register()
        self.assertIn(b"device_code, the issuer registered authorization_code refresh_token.", done.stderr)
        self.assertIn(b"RFC 7592); it is kept nowhere", done.stderr)
        self.assertEqual(self.place.almoner("config", "check").returncode, 0)
        self.glewlwyd.make_public(self.client)
        self.sign_in()
        self.assert_tokens()

    def test_a_client_with_a_secret_signs_in_by_what_was_printed_and_written(self):
        done = self.register(
            "--client-secret-file", self.path("secret"), "--registration-file", self.path("registration"), "--name",
            "Ada's desk")
        secret, kept = self.read("secret").strip(), json.loads(self.read("registration"))
        for said in (done.stdout.decode(), done.stderr.decode()):
            self.assertNotIn(secret, said)
            self.assertNotIn(kept["registration_access_token"], said)
        self.assertEqual((kept["issuer"], kept["client_id"]), (self.glewlwyd.issuer, self.client))
        known = self.glewlwyd.metadata(self.client, kept["registration_access_token"])
        self.assertEqual(
            (known["client_name"], known["token_endpoint_auth_method"]), ("Ada's desk", ["client_secret_basic"]))
        self.sign_in()
        self.assert_tokens()


class AtTheClerk(Registration):
    @classmethod
    def setUpClass(cls):
        cls.clerk = Clerk()
        cls.addClassCleanup(cls.clerk.stop)

    def setUp(self):
        super().setUp()
        self.clerk.asked, self.clerk.more = [], {}
        self.clerk.answers(201, {"client_id": "new"})

    def register(self, *more, check=False, **others):
        return self.place.almoner("register", self.clerk.issuer, *more, check=check, **others)

    def refused(self, status, *more, **others):
        """What is said of a registration that fails; nothing may be printed as an answer."""
        done = self.register(*more, **others)
        self.assertEqual((done.returncode, done.stdout), (status, b""), done.stderr)
        self.assertNotIn(b"evil", done.stderr)
        return done.stderr.decode()

    def test_each_error_of_the_standard_is_told_by_its_name(self):
        said = set()
        for word in ("invalid_redirect_uri", "invalid_client_metadata", "invalid_software_statement",
                     "unapproved_software_statement"):
            self.clerk.answers(400, {"error": word, "error_description": "evil"})
            error = self.refused(6)
            self.assertIn("(%s)" % word, error)
            said.add(error)
        self.assertEqual((len(said), len(self.clerk.asked)), (4, 4))

    def test_who_wants_an_initial_access_token_says_so_and_gets_it(self):
        self.clerk.answers(401, b"")
        self.assertIn("initial access token", self.refused(6))
        self.clerk.answers(201, {"client_id": "new"})
        with open(os.open(self.path("token"), os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write("from-a-file\n")
        self.register("--token-file", self.path("token"), check=True)
        self.register("--token-stdin", stdin=b"from-a-pipe\n", check=True)
        self.assertEqual([fields["Authorization"] for _, fields, _ in self.clerk.asked],
                         [None, "Bearer from-a-file", "Bearer from-a-pipe"])
        for name, contents in self.place.state_snapshot().items():
            self.assertNotIn(b"from-a-", contents, name)

    def test_what_is_asked_is_a_native_application(self):
        self.clerk.more = {"grant_types_supported": ["urn:ietf:params:oauth:grant-type:device_code"]}
        self.register(check=True)
        (path, fields, asked), = self.clerk.asked
        self.assertEqual((path, fields["Content-Type"]), ("/register", "application/json"))
        self.assertEqual(asked, {
            "application_type": "native", "client_name": "Almoner", "redirect_uris": ["http://127.0.0.1/callback"],
            "grant_types": ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
            "response_types": ["code"], "token_endpoint_auth_method": "none"})

    def test_a_redirect_is_not_followed(self):
        self.clerk.answers(307, b"", Location=self.clerk.issuer + "/elsewhere")
        self.assertIn("not followed", self.refused(1))
        self.assertEqual([path for path, _, _ in self.clerk.asked], ["/register"])

    def test_what_is_no_answer_of_the_standard_registers_nothing(self):
        page = b"<html>evil</html>"
        for status, body, kind, length in (
                (201, page, "text/html", None), (201, page, "application/json", None),
                (202, b'{"client_id":"evil"}', "application/json", None),
                (201, b'{"client_id":"' + b"e" * 100_000 + b'"}', "application/json", None),
                (201, b'{"client_id":"evil\\nkind=didit"}', "application/json", None)):
            self.clerk.answers(status, body, kind, length)
            self.refused(1)

    def test_an_answer_that_breaks_off_is_not_asked_for_again(self):
        self.clerk.answers(201, b'{"client_id":"evil"}', length=4000)
        self.assertIn("whether a client was registered", self.refused(5))
        self.assertEqual(len(self.clerk.asked), 1)

    def test_a_secret_that_nobody_asked_for_is_kept_nowhere_and_the_option_is_named(self):
        self.clerk.answers(201, {"client_id": "new", "client_secret": "evil-secret",
                                 "token_endpoint_auth_method": "client_secret_basic"})
        self.assertIn("--client-secret-file", self.refused(1))
        for name, contents in self.place.state_snapshot().items():
            self.assertNotIn(b"evil-secret", contents, name)

    def test_a_secret_that_could_not_be_written_is_said_to_be_lost_and_leaves_no_file(self):
        self.clerk.answers(201, {"client_id": "new", "client_secret": "evil-secret"})
        # Python ignores the signal of a write past the limit, and so the command does: it sees an error, as of a full disk.
        done = subprocess.run(
            [program("almoner"), "register", self.clerk.issuer, "--client-secret-file", self.path("secret")],
            env=self.place.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE,
            restore_signals=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))
        self.assertEqual((done.returncode, done.stdout), (1, b""), done.stderr)
        self.assertIn(b"the client new is registered, but", done.stderr)
        self.assertNotIn(b"evil-secret", done.stderr)
        self.assertFalse(os.path.exists(self.path("secret")))

    def test_what_was_registered_otherwise_is_said_and_used(self):
        other = "http://127.0.0.1:%d/other" % free_port()
        self.clerk.answers(201, {"client_id": "new", "redirect_uris": [other], "grant_types": ["authorization_code"]})
        answer = self.place.json("register", self.clerk.issuer)
        self.assertEqual(answer["redirectUri"], other)
        self.assertEqual([note.partition(":")[0] for note in answer["notes"]], ["redirect_uris", "grant_types"])
        self.assertIn("redirect-uri=%s\n" % other, answer["configuration"])

    def test_a_configured_issuer_is_named_by_its_group(self):
        self.place.configure("[issuer club]\nkind=openid\nissuer=%s\nscopes=openid a\n" % self.clerk.issuer)
        done = self.place.almoner("register", "club")
        self.assertEqual(done.stdout.decode().splitlines()[0], "[issuer club]")
        self.assertEqual(self.clerk.asked[0][2]["scope"], "openid a")

    def test_an_issuer_that_registers_nobody_says_so(self):
        self.clerk.more = {"registration_endpoint": None}
        self.assertIn("by hand", self.refused(1))
        self.assertEqual(self.clerk.asked, [])


if __name__ == "__main__":
    refuse_root()
    unittest.main()
