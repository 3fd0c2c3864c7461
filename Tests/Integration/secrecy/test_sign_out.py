"""Signing out when the issuer hangs, is away, or answers too late; cut short; and with others still connected."""
import os
import signal
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
from place import Place, program, refuse_root  # noqa: E402
from scenario import BROWSER, children, until  # noqa: E402
from wire import INTERFACE, Wire  # noqa: E402


class SignOut(unittest.TestCase):
    def setUp(self):
        self.place = place = Place()
        self.addCleanup(place.end)
        with open(place.browser, "w") as file:
            file.write(BROWSER)
        # The sealed file's key: 32 bytes, ours alone.
        key = os.path.join(place.root, "key")
        with open(os.open(key, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(bytes(range(32)))
        place.configure("[refresh]\nforce-interval=0s\n[store]\nkey-file=%s\n" % key)
        self.issuer = place.start_issuer()
        place.start_daemon()

    def sign_in(self, name, person, *more):
        self.place.environment["PERSON"] = person
        self.place.sign_in(name, *more)

    def fly(self, name):
        """A refresh that the issuer has got, and answers in half a minute."""
        before = self.issuer.counters["refresh_grants"]
        self.issuer.fates({"fate": "answer", "delay_before_answer": 30000})
        self.start("token", name, "--force")
        until(lambda: self.issuer.counters["refresh_grants"] > before, "no refresh came to the issuer")

    def start(self, *arguments):
        """A command that is not waited for."""
        command = subprocess.Popen(
            [program("almoner"), *arguments], env=self.place.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(lambda: (command.kill(), command.wait()))

    def stop_the_issuer(self):
        """Connections are taken and never answered."""
        self.issuer.process.send_signal(signal.SIGSTOP)
        self.addCleanup(self.issuer.process.send_signal, signal.SIGCONT)

    def assert_nothing_left(self):
        self.assertEqual(self.place.state_files(), [])
        self.assertEqual(self.place.keyring_items(), 0)
        self.assertEqual(self.place.json("list")["accounts"], [])

    def test_an_issuer_that_hangs_delays_the_wipe_by_seconds_only(self):
        """I2 with it: a refresh is on its way, and what it brings is dropped."""
        self.sign_in("work", "ada")
        self.sign_in("idle", "grace", "--store", "sealed-file")
        self.fly("work")
        self.stop_the_issuer()
        began = time.monotonic()
        accounts = self.place.json("logout", "--all")["accounts"]
        print("measured: sign-out at an issuer that hangs: %.1f s" % (time.monotonic() - began))
        self.assertEqual(len(accounts), 2)
        for left in accounts:
            self.assertEqual((left["revoked"], left["wiped"]), (False, True))
            self.assertIn("in time", left["note"])
        self.assert_nothing_left()
        until(lambda: not children(self.place.daemon.pid, "almoner-courier"), "a courier flies on")
        self.issuer.process.send_signal(signal.SIGCONT)
        # The daemon has heard of everything that there was to hear.
        self.place.almoner("status")
        self.assert_nothing_left()

    def test_I1_offline_the_wipe_is_done_and_the_session_is_said_to_live(self):
        self.sign_in("work", "ada")
        self.sign_in("sealed", "grace", "--store", "sealed-file")
        self.issuer.process.kill()
        self.issuer.process.wait()
        for left in self.place.json("logout", "--all")["accounts"]:
            self.assertEqual((left["revoked"], left["wiped"]), (False, True))
            self.assertIn("not ended", left["note"])
        self.assert_nothing_left()

    def test_I3_a_wipe_that_was_cut_short_is_finished_by_the_next_daemon(self):
        """Killed after the mark; and, as if the wipe had got so far, the item is gone and the sealed file overwritten."""
        self.sign_in("work", "ada")
        self.sign_in("sealed", "grace", "--store", "sealed-file")
        self.stop_the_issuer()
        self.start("logout", "--all")
        index = os.path.join(self.place.state, "accounts.conf")
        until(lambda: self.read(index).count(b"signing-out") == 2, "two marks")
        self.place.kill_daemon()
        # Its couriers end without it, as long as they have not departed; nobody else may hold a journal.
        self.issuer.process.send_signal(signal.SIGCONT)
        subprocess.run(["secret-tool", "clear", "application", "org.almoner"], env=self.place.environment, check=True)
        [sealed] = [name for name in self.place.state_files() if name.startswith("sealed/") and "header" not in name]
        path = os.path.join(self.place.state, sealed)
        size = os.path.getsize(path)
        with open(path, "r+b") as file:
            file.write(bytes(size))
        before = os.path.getsize(self.place.log)
        self.place.start_daemon()
        until(lambda: not self.place.state_files(), "the next daemon does not finish the wipe")
        self.assert_nothing_left()
        said = self.place.almoner("status").stdout + self.read(self.place.log)[before:]
        for alarm in (b"damaged", b"corrupt", b"authentic", b"rolled"):
            self.assertNotIn(alarm, said)

    @staticmethod
    def read(path):
        with open(path, "rb") as file:
            return file.read()

    def test_I4_one_person_out_and_another_in_while_the_first_ones_programs_stay_connected(self):
        self.sign_in("work", "ada")
        with Wire(self.place.socket) as program, Wire(self.place.socket) as watcher:
            first = program.call("GetAccessToken", {"account": "work"})["parameters"]
            watcher.send("Monitor", {"account": "work"}, more=True)
            self.assertEqual(watcher.receive()["parameters"]["event"], "watching")
            self.place.almoner("logout", "work")
            # The stream is over: the last event does not continue.
            last = watcher.receive()
            self.assertEqual((last["parameters"]["event"], last.get("continues", False)), ("signed-out", False))
            refusal = program.call("GetAccessToken", {"account": "work"})
            self.assertEqual(refusal["error"], INTERFACE + "UnknownAccount")
            self.sign_in("work", "grace")
            second = program.call("GetAccessToken", {"account": "work"})["parameters"]
            self.assertNotEqual(second["accessToken"], first["accessToken"])
            said = program.call("GetIdentity", {"account": "work"})["parameters"]
            self.assertIn("Grace", str(said))
            self.assertNotIn("Ada", str(said))
        self.assertEqual(self.issuer.session(first["accessToken"]).status, 401)
        self.assertEqual(self.issuer.session(second["accessToken"]).status, 200)


if __name__ == "__main__":
    refuse_root()
    unittest.main()
