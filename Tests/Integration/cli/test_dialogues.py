"""Questions on the terminal that are answered without being seen: the address to paste, the passphrase. Against a daemon
that answers from a script; needs an unprivileged user.

usage: ALMONER_BIN=DIRECTORY-WITH-PROGRAMS python3 test_dialogues.py
"""
import json
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from answers import ADA, ATTEMPT, SIGNED_OUT, error, home  # noqa: E402
from home import DEADLINE, Terminal  # noqa: E402


class Pasting(unittest.TestCase):
    WAITING = {"SignIn": [[ATTEMPT, "wait"]]}

    def test_the_address_is_read_without_being_shown_and_handed_in(self):
        with home(self.WAITING) as here:
            terminal = Terminal(here, "login", "--paste", "--no-browser")
            terminal.expect("press Enter:")
            self.assertFalse(terminal.echoes())
            terminal.type("http://localhost:1/c?code=CODE-1\n")
            here.wait_for("call", method="CompleteSignIn")
            self.assertEqual(here.seen("call", method="CompleteSignIn")[0]["parameters"],
                             {"attempt": "1", "redirectedUrl": "http://localhost:1/c?code=CODE-1"})
            terminal.process.send_signal(2)
            terminal.end()
            self.assertNotIn("CODE-1", terminal.shown)

    def test_a_wrong_address_may_be_followed_by_another(self):
        wrong = error("BadRequest", field="redirectedUrl")
        with home({**self.WAITING, "CompleteSignIn": [[wrong]]}) as here:
            terminal = Terminal(here, "login", "--paste", "--no-browser")
            for turn in range(1, 4):
                terminal.expect("press Enter:", turn)
                terminal.type("https://wrong.example\n")
            self.assertEqual(terminal.end()[0], 2)
            self.assertEqual(len(here.seen("call", method="CompleteSignIn")), 3)

    def test_what_is_said_beside_the_question_has_lines_of_its_own_and_the_question_comes_again(self):
        with home(self.WAITING) as here:
            here.environment["BROWSER"] = here.tool("late", f"""#!/bin/sh
                while ! [ -e {here.root}/go ]; do sleep 0.02; done
                exit 1\n""")
            terminal = Terminal(here, "login", "--paste")
            terminal.expect("press Enter:")
            open(here.root + "/go", "w").close()
            terminal.expect("press Enter:", 2)
            self.assertRegex(terminal.shown, "Enter: \r\nOpen this address [^\r]*\r\n[^\r]*\r\nThen paste [^\r]* Enter:")
            self.assertFalse(terminal.echoes())
            terminal.process.send_signal(2)
            terminal.end()

    def test_an_end_while_the_question_stands_begins_a_line_of_its_own(self):
        failed = error("Denied")
        for replies, status, said in (([ATTEMPT, ADA], 0, "Signed in as"), ([ATTEMPT, failed], 6, "almoner: it is")):
            with self.subTest(said), home({"SignIn": [replies]}) as here:
                terminal = Terminal(here, "login", "--paste", "--no-browser")
                if status == 0:
                    terminal.expect("[Y/n]")
                    terminal.type("y\n")
                self.assertEqual(terminal.end()[0], status)
                self.assertIn("press Enter: \r\n" + said, terminal.shown)

    def test_an_interrupt_gives_the_echo_back(self):
        with home(self.WAITING) as here:
            terminal = Terminal(here, "login", "--paste", "--no-browser")
            terminal.expect("press Enter:")
            terminal.type("\x03")
            self.assertEqual(terminal.end()[0], -2)
            self.assertTrue(terminal.echoes())

    def test_the_address_may_come_from_standard_input(self):
        with home(self.WAITING) as here:
            running = here.start("login", "--paste", "--no-browser", stdin=subprocess.PIPE, stderr=subprocess.PIPE)
            running.stdin.write("http://localhost:1/c?code=CODE-1\n")
            running.stdin.flush()
            here.wait_for("call", method="CompleteSignIn")
            running.terminate()
            self.assertNotIn("CODE-1", running.communicate(timeout=DEADLINE)[1])

    def test_an_end_without_an_address_is_told(self):
        with home(self.WAITING) as here:
            done = here.run("login", "--paste", "--no-browser")
            self.assertEqual(done.returncode, 2)
            self.assertIn("no address", done.stderr)


class Unlocking(unittest.TestCase):
    LOCKED = error("Locked")
    STATUS = {"parameters": {
        "version": "0.1.0", "pid": 1, "locked": True, "memoryLocked": True, "confined": True, "notes": [],
        "accounts": [{"id": "1", "name": "work", "issuer": "https://a.example", "kind": "didit", "renews": True,
                      "environment": "live", "store": "sealed-file", "state": "locked"}]}}

    def test_a_passphrase_is_asked_for_three_times_at_most(self):
        with home({"Unlock": [[self.LOCKED]], "Status": [[self.STATUS]]}) as here:
            terminal = Terminal(here, "unlock")
            for turn in range(3):
                terminal.expect("Passphrase:", turn + 1)
                self.assertFalse(terminal.echoes())
                terminal.type(f"phrase-{turn}\n")
            self.assertEqual(terminal.end()[0], 4)
            given = [call["parameters"].get("passphrase") for call in here.seen("call", method="Unlock")]
            self.assertEqual(given, [None, "phrase-0", "phrase-1", "phrase-2"])
            self.assertNotIn("phrase-", terminal.shown)
            self.assertTrue(terminal.echoes())

    def test_the_right_passphrase_unlocks(self):
        with home({"Unlock": [[self.LOCKED], [{"parameters": {}}]], "Status": [[self.STATUS]]}) as here:
            terminal = Terminal(here, "unlock", "work")
            terminal.expect("Passphrase:")
            terminal.type("right\n")
            self.assertEqual(terminal.end()[0], 0)

    def test_an_account_that_is_not_loaded_may_need_a_passphrase(self):
        status = json.loads(json.dumps(self.STATUS))
        status["parameters"]["accounts"][0]["state"] = "signed-in"
        with home({"Unlock": [[self.LOCKED], [{"parameters": {}}]], "Status": [[status]]}) as here:
            terminal = Terminal(here, "unlock")
            terminal.expect("Passphrase:")
            terminal.type("right\n")
            self.assertEqual(terminal.end()[0], 0)

    def test_a_wrong_passphrase_may_be_followed_by_another(self):
        wrong, right = error("Denied"), {"parameters": {}}
        with home({"Unlock": [[self.LOCKED], [wrong], [right]], "Status": [[self.STATUS]]}) as here:
            terminal = Terminal(here, "unlock")
            for turn in (1, 2):
                terminal.expect("Passphrase:", turn)
                terminal.type("phrase\n")
            self.assertEqual(terminal.end()[0], 0)

    def test_a_sign_in_into_a_new_sealed_file_chooses_its_passphrase(self):
        empty = {"parameters": {**self.STATUS["parameters"], "accounts": []}}
        replies = {"SignIn": [[self.LOCKED], [ATTEMPT, ADA]], "Status": [[empty]], "Unlock": [[{"parameters": {}}]]}
        with home(replies) as here:
            terminal = Terminal(here, "login", "--store", "sealed-file", "--no-browser", "--yes")
            for question in ("New passphrase:", "Once more:"):
                terminal.expect(question)
                terminal.type("chosen\n")
            self.assertEqual(terminal.end()[0], 0)
            self.assertEqual([call["parameters"] for call in here.seen("call", method="Unlock")],
                             [{"passphrase": "chosen"}])

    def test_a_sign_out_from_a_locked_store_offers_to_unlock_it(self):
        left = json.loads(json.dumps(SIGNED_OUT))
        left["parameters"]["accounts"][0].update(wiped=False, locked=True)
        gone = [error("UnknownAccount", account="work")]
        with home({"SignOut": [[left], gone], "Unlock": [[{"parameters": {}}]]}) as here:
            terminal = Terminal(here, "logout", "work")
            terminal.expect("Unlock it to wipe what is left? [Y/n]")
            terminal.type("\n")
            self.assertEqual(terminal.end(), (0, "work: signed out, session ended, wiped\n"))

    def test_a_locked_keyring_is_no_reason_to_ask(self):
        status = json.loads(json.dumps(self.STATUS))
        status["parameters"]["accounts"][0]["store"] = "secret-service"
        with home({"Unlock": [[self.LOCKED]], "Status": [[status]]}) as here:
            self.assertEqual(Terminal(here, "unlock").end()[0], 4)


if __name__ == "__main__":
    if os.getuid() == 0:
        sys.exit("run this as an unprivileged user")
    unittest.main()
