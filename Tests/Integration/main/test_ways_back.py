"""The ways back from the browser, and the ways out: what must leave nothing, and what must change nothing."""
import os
import re
import socket
import subprocess
import sys
import time
import unittest
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
from place import Place, program, refuse_root  # noqa: E402


class WayBack(unittest.TestCase):
    issuer_options = ()

    def setUp(self):
        self.place = Place()
        self.addCleanup(self.place.end)
        self.place.configure("[refresh]\nforce-interval=0s\n")
        self.issuer = self.place.start_issuer(*self.issuer_options)
        self.place.start_daemon()

    def registration(self):
        return ["--publishable-key", self.issuer.ready["publishable_key"], "--redirect-uri", self.issuer.redirect,
                "--yes"]

    def begin(self, *more, account="work"):
        """A `login` that waits for a browser that this test plays, and the address to open."""
        login = subprocess.Popen(
            [program("almoner"), "login", account, *self.registration(), "--no-browser", *more],
            env=self.place.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(login.communicate)
        self.addCleanup(login.kill)
        shown = b""
        while not (found := re.search(rb"^  (http\S+)\n", shown, re.MULTILINE)):
            line = login.stderr.readline()
            self.assertTrue(line, shown)
            shown += line
        return login, found.group(1).decode()

    def redirected(self, url, person="ada"):
        """Where the issuer's page sends the browser once this button was pressed."""
        page = self.issuer.request("GET", url[len(self.issuer.origin):])
        return self.issuer.choose(page, person).header("location")

    def visit(self, url):
        """The page that the browser gets in the end."""
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=20) as answer:
            return answer.read()

    def end(self, login, typed=None):
        output, errors = login.communicate(typed, timeout=60)
        return login.returncode, output.decode(), errors.decode()

    def sign_in(self, person="ada", account="work"):
        login, url = self.begin(account=account)
        self.visit(self.redirected(url, person))
        return self.end(login)

    def person(self, account="work"):
        claims = self.place.json("identity", account)["claims"]
        return {claim["name"]: claim["value"] for claim in claims}["sub"]

    def left(self):
        return self.place.keyring_items(), self.place.state_files(), self.place.json("list")["accounts"]

    def assert_nothing_is_left(self):
        """What an attempt left is tidied up after its command has ended."""
        until = time.monotonic() + 10
        while self.left() != (0, [], []) and time.monotonic() < until:
            time.sleep(0.05)
        self.assertEqual(self.left(), (0, [], []))


class Pasting(WayBack):
    def paste(self, url):
        login, address = self.begin("--paste")
        return self.end(login, (url or self.redirected(address)).encode() + b"\n")

    def test_the_redirected_address_comes_from_standard_input(self):
        status, output, errors = self.paste(None)
        self.assertEqual((status, output.count("\n")), (0, 1), errors)
        self.assertEqual(self.issuer.session(self.place.token("work")).status, 200)

    def test_an_address_of_another_place_is_refused_and_leaves_nothing(self):
        status, output, errors = self.paste("http://localhost:1/elsewhere?code=abc&state=def")
        self.assertEqual((status, output), (2, ""), errors)
        self.assert_nothing_is_left()

    def test_a_refused_address_is_not_repeated(self):
        self.assertNotIn("c0de", self.paste("http://localhost:1/elsewhere?code=c0de&state=def")[2])

    def test_no_address_is_a_failure_and_leaves_nothing(self):
        login, _ = self.begin("--paste")
        self.assertEqual(self.end(login, b"")[0], 2)
        self.assert_nothing_is_left()


class Callback(WayBack):
    def test_cancel_in_the_browser_is_told_and_leaves_nothing(self):
        login, url = self.begin()
        self.visit(self.redirected(url, "cancel"))
        status, output, errors = self.end(login)
        self.assertEqual((status, output), (6, ""))
        self.assertIn("cancel", errors)
        self.assert_nothing_is_left()

    def test_interrupting_the_command_leaves_nothing_and_frees_the_port(self):
        login, _ = self.begin()
        login.terminate()
        self.end(login)
        self.assertEqual(self.sign_in()[0], 0)
        self.assertEqual(len(self.place.json("list")["accounts"]), 1)

    def test_a_wrong_state_changes_nothing_and_the_right_one_still_works(self):
        login, url = self.begin()
        right = self.redirected(url)
        parts = urllib.parse.urlsplit(right)
        fields = dict(urllib.parse.parse_qsl(parts.query), state="A" * 43, code="stolen")
        wrong = parts._replace(query=urllib.parse.urlencode(fields)).geturl()
        told = self.visit(wrong)
        self.assertIsNone(login.poll())
        self.assertEqual(self.issuer.counters["token_posts"], 0)
        self.assertNotEqual(self.visit(right), told)
        self.assertEqual(self.end(login)[0], 0)
        self.assertEqual(self.issuer.counters["code_grants"], 1)

    def test_a_port_that_somebody_else_has_is_told_before_a_browser_opens(self):
        taken = socket.socket()
        self.addCleanup(taken.close)
        taken.bind(("127.0.0.1", urllib.parse.urlsplit(self.issuer.redirect).port))
        taken.listen()
        opened = os.path.join(self.place.root, "opened")
        done = self.place.almoner("login", "work", *self.registration(), "--json", check=False,
                                  BROWSER="touch %s" % opened)
        self.assertEqual((done.returncode, done.stdout), (5, b""))
        self.assertIn(b'"error":"sign-in-port-busy"', done.stderr.replace(b" ", b""))
        self.assertFalse(os.path.exists(opened))
        self.assert_nothing_is_left()


class People(WayBack):
    def setUp(self):
        super().setUp()
        self.sign_in("ada")
        self.ada = self.person()

    def test_another_person_over_an_account_is_refused_and_the_first_one_kept(self):
        status, output, errors = self.sign_in("grace")
        self.assertEqual((status, output), (6, ""), errors)
        self.assertEqual(self.person(), self.ada)
        self.assertEqual(self.issuer.session(self.place.token("work", "--force")).status, 200)

    def test_the_session_of_the_person_who_was_refused_is_ended(self):
        self.sign_in("grace")
        self.assertEqual(self.issuer.counters["sessions_alive"], 1)

    def test_after_a_sign_out_another_person_finds_nothing_of_the_first(self):
        first = self.place.token("work")
        self.place.almoner("logout", "work")
        self.assertEqual(self.left(), (0, [], []))
        self.assertEqual(self.sign_in("grace")[0], 0)
        self.assertNotEqual(self.person(), self.ada)
        self.assertNotEqual(self.place.token("work"), first)
        self.assertEqual((self.issuer.session(first).status, self.place.keyring_items()), (401, 1))

    def test_two_accounts_keep_apart(self):
        self.sign_in("grace", "home")
        self.assertNotEqual(self.person("home"), self.person("work"))
        self.place.almoner("logout", "work")
        self.assertEqual(self.issuer.session(self.place.token("home", "--force")).status, 200)

    def test_the_same_person_under_another_name_stays_one_account(self):
        self.assertEqual(self.sign_in("ada", "home")[0], 0)
        self.assertEqual([account["name"] for account in self.place.json("list")["accounts"]], ["work"])
        self.assertEqual((self.issuer.counters["sessions_alive"], self.place.keyring_items()), (1, 1))

    def test_everybody_signs_out_at_once(self):
        self.sign_in("grace", "home")
        out = self.place.json("logout", "--all")["accounts"]
        self.assertEqual(sorted((one["account"], one["revoked"], one["wiped"]) for one in out),
                         [("home", True, True), ("work", True, True)])
        self.assertEqual(self.issuer.counters["sessions_alive"], 0)
        self.assertEqual(self.left(), (0, [], []))

    def test_a_sign_out_without_the_issuer_wipes_and_says_that_the_session_lives(self):
        self.issuer.control("POST", "off")
        done = self.place.almoner("logout", "work", check=False)
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"session NOT ended", done.stdout)
        self.assertEqual((self.place.keyring_items(), self.place.state_files()), (0, []))

    def test_a_session_that_the_issuer_ended_needs_a_sign_in_and_takes_one(self):
        self.issuer.control("POST", "revoke")
        done = self.place.almoner("token", "work", "--force", check=False)
        self.assertEqual((done.returncode, done.stdout), (3, b""))
        self.assertEqual(self.sign_in("ada")[0], 0)
        self.assertEqual(self.issuer.session(self.place.token("work")).status, 200)


class Locking(WayBack):
    def setUp(self):
        super().setUp()
        self.sign_in("ada")

    def test_a_locked_daemon_gives_nothing_out_until_it_is_unlocked(self):
        self.place.almoner("lock")
        done = self.place.almoner("token", "work", check=False)
        self.assertEqual((done.returncode, done.stdout), (4, b""))
        self.assertTrue(self.place.json("status")["locked"])
        self.place.almoner("unlock")
        self.assertEqual(self.issuer.session(self.place.token("work")).status, 200)

    def test_a_locked_keyring_at_the_start_is_told_and_nothing_is_made_over_it(self):
        self.place.kill_daemon()
        self.place.lock_keyring()
        before = self.place.state_snapshot()
        self.place.start_daemon()
        done = self.place.almoner("token", "work", check=False)
        self.assertEqual((done.returncode, done.stdout), (4, b""), done.stderr)
        self.assertEqual(self.place.state_snapshot(), before)

    def test_an_unlocked_keyring_is_used_without_a_restart(self):
        self.place.kill_daemon()
        self.place.lock_keyring()
        self.place.start_daemon()
        self.assertEqual(self.place.almoner("token", "work", check=False).returncode, 4)
        self.place.unlock_keyring()
        token = self.place.token("work", "--force")
        self.assertEqual((self.issuer.session(token).status, self.place.keyring_items()), (200, 1))

    def test_a_keyring_that_is_locked_while_a_token_lives_still_serves_it(self):
        token = self.place.token("work")
        self.place.lock_keyring()
        self.assertEqual(self.place.token("work"), token)

    def test_no_refresh_is_sent_that_could_not_be_stored(self):
        self.place.lock_keyring()
        before = self.issuer.counters["refresh_grants"]
        self.place.almoner("token", "work", "--force", check=False)
        self.assertEqual(self.issuer.counters["refresh_grants"], before)

    def test_nobody_signs_in_to_a_locked_keyring(self):
        self.place.lock_keyring()
        done = self.place.almoner("login", "home", *self.registration(), "--no-browser", check=False)
        self.assertEqual((done.returncode, done.stdout), (4, b""), done.stderr)
        self.assertEqual(self.issuer.counters["code_grants"], 1)


if __name__ == "__main__":
    refuse_root()
    unittest.main()
