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
from answers import ADA, ATTEMPT, PROGRAM, SIGNED_OUT, URL, home  # noqa: E402
from home import DEADLINE, Terminal  # noqa: E402


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
            done = here.run("login", "work", variables={"DISPLAY": ":0"})
            self.assertEqual((done.returncode, done.stdout), (0, "work: signed in as Ada at https://a.example\n"))
            self.assertEqual(here.await_file("/xdg-open.opened"), URL + "\n")

    def test_without_a_display_no_browser_is_promised_and_the_other_flows_are_named(self):
        attempt = {**ATTEMPT, "parameters": {**ATTEMPT["parameters"], "flow": "loopback"}}
        with home({"SignIn": [[attempt, ADA]]}) as here:
            self.browser(here, "xdg-open")
            for words, device in (([], False), (["--flow", "loopback"], True)):
                with self.subTest(words):
                    done = here.run("login", "work", *words)
                    self.assertIn(f"Open this address in your browser to sign in:\n  {URL}\n", done.stderr)
                    self.assertNotIn("Your browser opens", done.stderr)
                    self.assertEqual(("--flow paste" in done.stderr, "--flow device" in done.stderr), (True, device))
            self.assertEqual(here.read("/xdg-open.opened"), "")
            self.assertNotIn("--flow paste", here.run("login", "--no-browser", variables={"DISPLAY": ":0"}).stderr)

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


if __name__ == "__main__":
    if os.getuid() == 0:
        sys.exit("run this as an unprivileged user")
    unittest.main()
