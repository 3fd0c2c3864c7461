"""The command line in front of the real daemon: what stdout carries, what stderr says, how it ends."""
import json
import os
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from place import Place, program, refuse_root  # noqa: E402


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.place = Place()
        self.addCleanup(self.place.end)
        self.issuer = self.place.start_issuer("--auto", "ada")
        self.place.configure("[refresh]\nforce-interval=0s\n")

    def fails(self, status, *words, **more):
        """What a command says that ends so; it has nothing on stdout."""
        done = self.place.almoner(*words, check=False, **more)
        self.assertEqual((done.returncode, done.stdout), (status, b""), done.stderr)
        return done.stderr.decode()


class SignedIn(CommandLine):
    def setUp(self):
        super().setUp()
        self.place.start_daemon()
        self.place.sign_in()

    def test_every_answer_in_json_is_one_line_with_a_format(self):
        for words in (["version"], ["token", "work"], ["token"], ["status"], ["list"], ["session", "work"],
                      ["identity", "work"], ["refresh", "work"], ["lock"], ["unlock"], ["config", "check"], ["doctor"],
                      ["logout", "work"], ["logout", "--all"]):
            with self.subTest(words=words):
                # `doctor` finds something to say about programs that anybody could replace.
                done = self.place.almoner(*words, "--json", check=words != ["doctor"])
                self.assertEqual((done.stdout.count(b"\n"), done.stdout[-1:]), (1, b"\n"))
                self.assertEqual(json.loads(done.stdout)["format"], 1)

    def test_a_sign_in_in_json_is_one_line_with_a_format(self):
        answer = json.loads(self.place.sign_in("work", "--json").stdout)
        self.assertEqual((answer["format"], answer["stage"], answer["account"]), (1, "signed-in", "work"))

    def test_events_in_json_have_a_format(self):
        monitor = self.monitor("--json")
        self.assertEqual(json.loads(monitor.stdout.readline())["event"], "watching")
        self.place.almoner("lock")
        event = json.loads(monitor.stdout.readline())
        self.assertEqual((event["format"], event["event"]), (1, "locked"))

    def test_a_monitor_ends_with_its_reader_although_nothing_happens(self):
        monitor = self.monitor()
        self.assertEqual(monitor.stdout.readline(), b"watching\n")
        monitor.stdout.close()
        monitor.stdout = None
        self.assertEqual(monitor.wait(timeout=20), 0)

    def test_a_monitor_ends_when_the_daemon_does(self):
        monitor = self.monitor()
        self.assertEqual(monitor.stdout.readline(), b"watching\n")
        self.place.kill_daemon(signal.SIGTERM)
        self.assertEqual(monitor.wait(timeout=20), 5)

    def monitor(self, *more):
        monitor = subprocess.Popen([program("almoner"), "monitor", *more], env=self.place.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(monitor.communicate)
        self.addCleanup(monitor.kill)
        return monitor

    def test_stdout_carries_the_token_and_a_newline(self):
        done = self.place.almoner("token", "work")
        self.assertRegex(done.stdout, rb"\A[\x21-\x7e]+\n\Z")
        self.assertEqual(done.stderr, b"")

    def test_a_token_that_lives_less_long_than_asked_is_noted_on_stderr(self):
        done = self.place.almoner("token", "work", "--min-valid", "1h")
        self.assertRegex(done.stdout, rb"\A[\x21-\x7e]+\n\Z")
        self.assertIn(b"less than asked", done.stderr)

    def test_the_header_is_for_curl(self):
        self.assertEqual(self.place.token("work", "--header"), "Authorization: Bearer " + self.place.token("work"))

    def test_the_only_account_may_be_left_out_and_the_issuers_address_names_it(self):
        self.assertEqual({self.place.token(), self.place.token(self.issuer.origin)}, {self.place.token("work")})

    def test_which_of_two_accounts_is_meant_has_to_be_said(self):
        self.place.start_issuer("--auto", "ada")
        self.place.sign_in("home")
        errors = self.fails(2, "token")
        self.assertIn("home", errors)
        self.assertIn("work", errors)

    def test_an_unknown_account_needs_a_sign_in(self):
        self.assertIn("nobody", self.fails(3, "token", "nobody"))

    def test_an_error_in_json_is_one_object_on_stderr(self):
        errors = json.loads(self.fails(3, "token", "nobody", "--json"))
        self.assertEqual((errors["error"], errors["status"], errors["temporary"]), ("unknown-account", 3, False))

    def test_an_issuer_that_is_away_is_temporary_and_does_not_touch_a_token_that_lives(self):
        token = self.place.token("work")
        self.issuer.control("POST", "off")
        self.assertEqual(self.place.token("work"), token)
        self.assertEqual(self.place.almoner("token", "work", "--force").stdout.decode().strip(), token)
        self.issuer.control("POST", "on")
        self.assertEqual(self.issuer.session(self.place.token("work")).status, 200)

    def test_an_ended_session_is_told_by_session(self):
        self.assertEqual(self.place.almoner("session", "work").returncode, 0)
        self.place.almoner("logout", "work")
        self.fails(3, "session", "work")

    def test_a_locked_daemon_answers_status_and_nothing_else(self):
        self.place.almoner("lock")
        for words in (["token", "work"], ["identity", "work"], ["refresh", "work"], ["list"]):
            with self.subTest(words=words):
                self.assertIn("almoner unlock", self.fails(4, *words))
        self.assertEqual(self.place.almoner("status").returncode, 0)

    def test_what_cannot_be_written_is_a_failure(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([program("almoner"), "token", "work"], env=self.place.environment, stdout=full,
                                  stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 1)

    def test_no_token_of_a_line_of_wrong_usage_is_printed(self):
        for words in (["token", "work", "--min-valid", "soon"], ["token", "--timeout", "0s"], ["token", "--json=1"],
                      ["token", "work", "home"], ["logout", "work", "--all"], ["token", "--header", "--json"],
                      ["frobnicate"], ["config"], [], ["token", "--min-valid", "31d"]):
            with self.subTest(words=words):
                self.fails(2, *words)

    def test_colour_is_for_terminals(self):
        self.assertNotIn(b"\x1b", self.place.almoner("status").stdout + self.place.almoner("list").stdout)


class WithoutADaemon(CommandLine):
    def test_a_named_socket_without_a_daemon_is_status_7(self):
        errors = self.fails(7, "token", "work", ALMONER_SOCKET=os.path.join(self.place.root, "none"))
        self.assertIn("almoner doctor", errors)

    def test_doctor_and_version_need_no_daemon_and_start_none(self):
        self.assertIn(b"none runs now", self.place.almoner("doctor", check=False).stdout)
        self.assertEqual(self.place.almoner("version").returncode, 0)
        self.assertFalse(os.path.exists(self.place.socket))

    def test_doctor_finds_a_daemon_of_the_same_state_directory_at_another_socket(self):
        elsewhere = self.place.directory("elsewhere")
        self.place.start_daemon(XDG_RUNTIME_DIR=elsewhere)
        said = self.place.almoner("doctor", check=False).stdout.decode()
        self.assertRegex(said, "FIX  daemon: .*another daemon holds " + self.place.state)
        said = self.place.almoner("doctor", check=False, XDG_RUNTIME_DIR=elsewhere).stdout.decode()
        self.assertNotIn("another daemon", said)

    def test_help_is_an_answer(self):
        self.assertIn(b"--min-valid", self.place.almoner("token", "--help").stdout)


class WithoutABus(unittest.TestCase):
    def setUp(self):
        self.place = Place(keyring=False)
        self.addCleanup(self.place.end)
        self.place.start_issuer("--auto", "ada")

    def test_a_sign_in_into_the_keyring_says_what_to_do_and_is_not_to_be_tried_again(self):
        done = self.place.almoner("login", "work", "--publishable-key", self.place.issuer.ready["publishable_key"],
                                  "--redirect-uri", self.place.issuer.redirect, "--yes", "--json", check=False)
        said = json.loads(done.stderr)
        self.assertEqual((done.returncode, said["error"], said["temporary"]), (1, "storage", False))
        for words in ("no session bus", "--store sealed-file", "default=sealed-file"):
            self.assertIn(words, said["message"])

    def test_doctor_names_the_missing_bus_unless_nothing_needs_it(self):
        self.assertIn(b"FIX  session bus: ", self.place.almoner("doctor", check=False).stdout)
        self.place.configure("[store]\ndefault=sealed-file\n")
        self.assertIn(b"ok   session bus: ", self.place.almoner("doctor", check=False).stdout)


class Configured(CommandLine):
    GOOD = "[refresh]\nforce-interval=1h\n"

    @property
    def path(self):
        return os.path.join(self.place.home, ".config/almoner/almoner.conf")

    def test_a_mistake_is_reported_with_file_and_line_and_without_the_value(self):
        self.place.configure("[refresh]\nforce-interval=0s\n\n[issuer work]\nkind=s3cret\n")
        done = self.place.almoner("config", "check", check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn(self.path + ":5:", done.stdout.decode())
        self.assertNotIn(b"s3cret", done.stdout + done.stderr)
        self.assertFalse(json.loads(self.place.almoner("config", "check", "--json", check=False).stdout)["sound"])

    def test_a_sound_configuration_is_sound(self):
        self.assertTrue(self.place.json("config", "check")["sound"])

    def test_a_running_daemon_goes_on_with_the_last_configuration_without_mistakes(self):
        self.place.configure(self.GOOD)
        self.place.start_daemon()
        self.place.sign_in()
        first = self.place.token("work", "--force")
        self.reload("[refresh]\nforce-interval=never\n", lambda notes: "almoner.conf:2" in notes)
        self.assertEqual(self.place.token("work", "--force"), first)
        self.reload("[refresh]\nforce-interval=0s\n", lambda notes: "almoner.conf" not in notes)
        # While the last tokens are still on their way to the keyring, nothing is refreshed.
        until = time.monotonic() + 20
        while self.place.token("work", "--force") == first:
            self.assertLess(time.monotonic(), until)

    def reload(self, text, is_taken):
        self.place.configure(text)
        self.place.daemon.send_signal(signal.SIGHUP)
        until = time.monotonic() + 20
        while not is_taken(notes := " ".join(self.place.json("status")["notes"])):
            self.assertLess(time.monotonic(), until, notes)
            time.sleep(0.02)

    def test_a_sign_in_by_a_name_whose_group_is_not_sound_says_what_is_wrong_where(self):
        self.place.configure("[issuer box]\nkind=didit\n\n[account desk]\nissuer=box\n")
        self.place.start_daemon()
        errors = self.fails(1, "login", "desk", "--yes")
        self.assertIn(self.path + ":5: [account desk] issuer", errors)
        self.assertIn(self.path + ":1: [issuer box] origin: is missing", errors)
        self.assertIn("almoner config check", errors)

    def test_an_account_of_the_configuration_signs_in_by_its_name(self):
        self.place.configure(
            "[issuer box]\nkind=didit\npublishable-key=%s\nredirect-uri=%s\n\n[account desk]\nissuer=box\n" % (
                self.issuer.ready["publishable_key"], self.issuer.redirect))
        self.place.start_daemon()
        self.place.almoner("login", "desk", "--yes")
        self.assertEqual(self.issuer.session(self.place.token("desk")).status, 200)


if __name__ == "__main__":
    refuse_root()
    unittest.main()
