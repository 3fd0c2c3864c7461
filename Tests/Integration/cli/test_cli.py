"""The command line as a person and a script meet it, against a daemon that answers from a script. Needs an unprivileged
user.

usage: ALMONER_BIN=DIRECTORY-WITH-PROGRAMS python3 test_cli.py
"""
import json
import os
import signal
import socket
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from home import DEADLINE, Home, Terminal  # noqa: E402

PROGRAM = os.path.join(os.environ.get("ALMONER_BIN", ""), "almoner")
NAME = "org.almoner.Almoner."
URL = "https://a.example/sign-in?state=x&code_challenge=y"
ATTEMPT = {"parameters": {"stage": "attempt", "attempt": "1", "url": URL}, "continues": True}
ADA = {"parameters": {"stage": "signed-in", "account": "work", "issuer": "https://a.example", "subject": "s1",
                      "isNew": True, "claims": [{"name": "name", "value": "Ada"}]}}
SIGNED_OUT = {"parameters": {"accounts": [
    {"account": "work", "issuer": "https://a.example", "revoked": True, "wiped": True}]}}


def error(name, **parameters):
    return {"error": NAME + name, "parameters": {"message": "it is so", "help": "", **parameters}}


def home(replies=None, daemon=True, **script):
    return Home(PROGRAM, {"replies": replies or {}, **script}, daemon)


class Starting(unittest.TestCase):
    def test_twenty_at_once_start_one_daemon_and_get_twenty_answers(self):
        line = 'x=$(bin/almoner token) && printf "%s\\n" "$x"'
        with home(slow=0.3) as here:
            shells = [subprocess.Popen(["/bin/sh", "-c", line], cwd=here.root, env=here.environment, text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(20)]
            answers = [shell.communicate(timeout=DEADLINE) for shell in shells]
            self.assertEqual(answers, [("token-1\n", "")] * 20)
            self.assertEqual(len(here.seen("start")), 1)

    def test_the_daemon_gets_nothing_of_the_caller_but_the_named_variables(self):
        with home() as here:
            leak = os.open("/dev/null", os.O_RDONLY)
            os.set_inheritable(leak, True)
            self.assertEqual(here.run("token", close_fds=False, cwd="/tmp").stdout, "token-1\n")
            os.close(leak)
            start = here.seen("start")[0]
            self.assertEqual((start["session"], start["cwd"], start["umask"]), (start["pid"], "/", 0o077))
            ready = start["descriptors"].pop("3")
            self.assertTrue(ready.startswith("pipe:"))
            self.assertLessEqual({"0", "1", "2"}, set(start["descriptors"]))
            self.assertEqual({start["descriptors"][n] for n in "012"}, {"/dev/null"})
            self.assertEqual([v for n, v in start["descriptors"].items() if n not in "012" and "seen" not in v], [])
            self.assertLessEqual(set(start["environment"]) - {"LC_CTYPE"},
                                 {"HOME", "LANG", "XDG_RUNTIME_DIR", "XDG_STATE_HOME"})

    def test_a_named_socket_is_never_started_for(self):
        with home() as here:
            done = here.run("token", variables={"ALMONER_SOCKET": here.root + "/run/x"})
            self.assertEqual((done.returncode, done.stdout, here.seen()), (7, "", []))

    def test_a_daemon_that_fails_is_told(self):
        with home(exit=1) as here:
            done = here.run("token")
            self.assertEqual((done.returncode, done.stdout), (7, ""))
            self.assertIn("status 1", done.stderr)

    def test_without_a_daemon_installed_it_says_so(self):
        with home(daemon=False) as here:
            done = here.run("token")
            self.assertEqual(done.returncode, 7)
            self.assertIn("not installed beside", done.stderr)

    def test_a_dead_socket_is_replaced(self):
        with home() as here:
            os.mkdir(here.root + "/run/almoner", 0o700)
            dead = socket.socket(socket.AF_UNIX)
            dead.bind(here.root + "/run/almoner/almoner.sock")
            dead.close()
            self.assertEqual(here.run("token").stdout, "token-1\n")

    def test_a_runtime_directory_open_to_others_is_refused(self):
        with home() as here:
            os.mkdir(here.root + "/run/almoner", 0o755)
            os.chmod(here.root + "/run/almoner", 0o755)
            done = here.run("token")
            self.assertEqual((done.returncode, here.seen()), (7, []))

    def with_user_manager(self, here, systemctl):
        os.mkdir(here.root + "/run/systemd", 0o700)
        here.tool("../run/systemd/private", "")
        here.tool("systemctl", systemctl)

    def test_a_user_manager_starts_the_socket_unit(self):
        with home() as here:
            self.with_user_manager(here, f"""#!/bin/sh
                printf '%s\\n' "$*" >{here.root}/asked
                {here.root}/bin/almonerd >/dev/null 2>&1 &
                while ! [ -S {here.root}/run/almoner/almoner.sock ]; do sleep 0.02; done\n""")
            self.assertEqual(here.run("token").stdout, "token-1\n")
            self.assertEqual(here.read("/asked"), "--user --quiet start almoner.socket\n")

    def test_a_user_manager_that_does_not_know_the_unit_leaves_the_program(self):
        with home() as here:
            self.with_user_manager(here, "#!/bin/sh\nexit 5\n")
            self.assertEqual(here.run("token").stdout, "token-1\n")

    def test_a_unit_that_fails_is_told(self):
        with home() as here:
            self.with_user_manager(here, "#!/bin/sh\nexit 1\n")
            done = here.run("token")
            self.assertEqual((done.returncode, here.seen()), (7, []))

    def test_doctor_starts_nothing(self):
        with home() as here:
            done = here.run("doctor")
            self.assertEqual((here.seen(), "none runs now" in done.stdout), ([], True))


    def test_doctor_names_a_missing_runtime_directory_and_does_not_promise_a_daemon(self):
        with home() as here:
            for runtime in ("run", here.root + "/none"):
                with self.subTest(runtime):
                    done = here.run("doctor", variables={"XDG_RUNTIME_DIR": runtime})
                    self.assertEqual(done.returncode, 1)
                    self.assertRegex(done.stdout, "FIX  runtime directory: .*set XDG_RUNTIME_DIR to a directory")
                    self.assertNotIn("none runs now", done.stdout)
                    self.assertIn("FIX  daemon: ", done.stdout)

    def test_a_missing_runtime_directory_is_told_as_such(self):
        with home() as here:
            done = here.run("token", variables={"XDG_RUNTIME_DIR": here.root + "/none"})
            self.assertEqual(done.returncode, 7)
            self.assertIn("none/almoner cannot be made", done.stderr)


class Output(unittest.TestCase):
    def test_an_answer_that_cannot_be_written_is_a_failure(self):
        with home() as here, open("/dev/full", "w") as full:
            done = here.run("token", capture_output=False, stdout=full, stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 1)
            self.assertIn("standard output", done.stderr)

    def test_a_closed_output_never_becomes_the_socket(self):
        with home() as here:
            done = subprocess.run(["/bin/sh", "-c", "bin/almoner token >&-"], cwd=here.root, env=here.environment,
                                  capture_output=True, text=True, timeout=DEADLINE)
            self.assertEqual((done.returncode, done.stdout), (1, ""))

    def test_config_check_shows_what_the_daemons_program_says(self):
        with home(check=["almoner.conf:3: group issuer: unknown key colour"]) as here:
            done = here.run("config", "check", "--json")
            self.assertEqual(done.returncode, 1)
            self.assertEqual(json.loads(done.stdout), {
                "format": 1, "sound": False, "lines": ["almoner.conf:3: group issuer: unknown key colour"]})
        with home() as here:
            self.assertEqual(here.run("config", "check").stdout, "The configuration is sound.\n")

    def test_the_program_links_nothing(self):
        done = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True)
        self.assertRegex(done.stdout + done.stderr, "not a dynamic executable|statically linked")


class SigningIn(unittest.TestCase):
    def browser(self, here, name="browser", status=0):
        return here.tool(name, f"""#!/bin/sh
            printf '%s\\n' "$@" >{here.root}/{name}.opened
            exit {status}\n""")

    def test_the_browser_gets_the_address_and_the_answer_says_who(self):
        with home({"SignIn": [[ATTEMPT, ADA]]}) as here:
            self.browser(here, "xdg-open")
            done = here.run("login", "work")
            self.assertEqual((done.returncode, done.stdout), (0, "work: signed in as Ada at https://a.example\n"))
            self.assertEqual(here.await_file("/xdg-open.opened"), URL + "\n")

    def test_a_browser_that_fails_is_followed_by_the_next_and_then_by_the_address(self):
        with home({"SignIn": [[ATTEMPT, "wait"]]}) as here:
            first, second = self.browser(here, "first", 1), self.browser(here, "second", 1)
            here.environment["BROWSER"] = f"/nonexistent:{first}:{second} -n %s"
            running = here.start("login", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            shown = ""
            while "Open this address" not in shown:
                shown += running.stderr.readline()
            self.assertEqual(running.stderr.readline(), f"  {URL}\n")
            self.assertEqual(here.read("/second.opened"), f"-n\n{URL}\n")
            running.terminate()
            running.communicate(timeout=DEADLINE)

    def test_interrupting_closes_the_connection(self):
        with home({"SignIn": [[ATTEMPT, "wait"]]}) as here:
            running = here.start("login", "--no-browser", stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
            running.stderr.readline()
            running.send_signal(2)
            running.communicate(timeout=DEADLINE)
            self.assertEqual(running.returncode, -2)
            here.wait_for("closed")

    def test_who_joins_a_sign_in_waits_for_its_outcome_and_opens_nothing(self):
        joined = {"parameters": {"stage": "attempt", "account": "work"}, "continues": True}
        with home({"SignIn": [[joined, ADA]]}) as here:
            self.browser(here, "xdg-open")
            done = here.run("login", "work")
            self.assertEqual((done.returncode, done.stdout), (0, "work: signed in as Ada at https://a.example\n"))
            self.assertEqual(here.read("/xdg-open.opened"), "")

    def test_a_first_sign_in_that_is_not_kept_is_undone(self):
        with home({"SignIn": [[ATTEMPT, ADA]], "SignOut": [[SIGNED_OUT]]}) as here:
            terminal = Terminal(here, "login", "--no-browser")
            terminal.expect("Keep this sign-in as the account work? [Y/n]")
            terminal.type("no\n")
            self.assertEqual(terminal.end(), (6, ""))
            self.assertEqual(here.seen("call", method="SignOut")[0]["parameters"], {"account": "work"})

    def test_an_interrupt_at_the_question_undoes_the_sign_in_as_no_does(self):
        for interrupt in ("\x03", signal.SIGTERM, signal.SIGHUP):
            with self.subTest(interrupt), home({"SignIn": [[ATTEMPT, ADA]], "SignOut": [[SIGNED_OUT]]}) as here:
                terminal = Terminal(here, "login", "--no-browser")
                terminal.expect("[Y/n]")
                if isinstance(interrupt, str):
                    terminal.type(interrupt)
                else:
                    terminal.process.send_signal(interrupt)
                self.assertEqual(terminal.end(), (6, ""))
                self.assertEqual(here.seen("call", method="SignOut")[0]["parameters"], {"account": "work"})

    def test_another_interrupt_does_not_wait_for_the_sign_out(self):
        with home({"SignIn": [[ATTEMPT, ADA]], "SignOut": [["wait"]]}) as here:
            terminal = Terminal(here, "login", "--no-browser")
            terminal.expect("[Y/n]")
            terminal.type("\x03")
            here.wait_for("call", method="SignOut")
            terminal.type("\x03")
            self.assertEqual(terminal.end(), (-2, ""))

    def test_a_first_sign_in_is_kept_by_default_and_by_yes(self):
        with home({"SignIn": [[ATTEMPT, ADA]]}) as here:
            terminal = Terminal(here, "login", "--no-browser")
            terminal.expect("[Y/n]")
            terminal.type("\n")
            self.assertEqual(terminal.end()[0], 0)
            self.assertEqual(Terminal(here, "login", "--no-browser", "--yes").end()[0], 0)
            self.assertEqual(here.seen("call", method="SignOut"), [])

    def test_an_unknown_issuer_is_asked_about_first(self):
        words = ("login", "--issuer", "https://other.example", "--no-browser")
        with home({"SignIn": [[ATTEMPT, ADA]]}) as here:
            terminal = Terminal(here, *words)
            terminal.expect("Do you mean this issuer? [y/N]")
            terminal.type("\n")
            self.assertEqual(terminal.end()[0], 6)
            self.assertEqual(here.run(*words).returncode, 2)
            self.assertEqual(here.seen(), [])
            self.assertEqual(here.run(*words, "--yes").returncode, 0)

    def test_what_was_given_reaches_the_daemon(self):
        with home({"SignIn": [[ATTEMPT, ADA]]}) as here:
            here.run("login", "work", "--issuer", "acme", "--kind", "openid", "--client-id", "c", "--redirect-uri",
                     "http://localhost:1/c", "--scope", "openid", "--scope=email", "--store", "sealed-file",
                     "--no-browser", variables={"LANG": "de_AT.UTF-8", "LANGUAGE": "fr:de"})
            self.assertEqual(here.seen("call")[0]["parameters"], {
                "account": "work", "locales": ["fr", "de", "de-AT"],
                "registration": {"issuer": "acme", "kind": "openid", "clientId": "c", "store": "sealed-file",
                                 "redirectUri": "http://localhost:1/c", "scopes": ["openid", "email"]}})


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
