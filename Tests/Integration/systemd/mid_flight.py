"""Run by mid-flight.sh inside with-user-manager.sh: what the installed units do when the daemon dies or is stopped."""
import os
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from place import Place, program, refuse_root  # noqa: E402

DELAY = 700


class ManagedPlace(Place):
    """The home, bus and runtime directory of the user manager, and a keyring on them."""

    def __init__(self):
        super().__init__(keyring=False)
        mine = {name: os.environ[name] for name in (
            "HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "DBUS_SESSION_BUS_ADDRESS")}
        self.environment.update(mine)
        self.home, self.runtime = mine["HOME"], mine["XDG_RUNTIME_DIR"]
        self.state = os.path.join(self.home, ".local/state/almoner")

    def systemctl(self, *arguments):
        return subprocess.run(["systemctl", "--user", *arguments], env=self.environment, capture_output=True, text=True)

    def unit(self, name, what):
        return self.systemctl("show", "--value", "-p", what, name).stdout.strip()


class MidFlight(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = ManagedPlace()
        cls.addClassCleanup(cls.place.end)
        if not os.path.exists(os.environ["DBUS_SESSION_BUS_ADDRESS"].partition("=")[2]):
            bus = subprocess.Popen(
                ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1",
                 "--address=" + os.environ["DBUS_SESSION_BUS_ADDRESS"]],
                env=cls.place.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            bus.stdout.readline()
            cls.place.children.append(bus)
        cls.place.start_keyring()
        cls.place.configure("[refresh]\nforce-interval=0s\n")
        cls.place.start_issuer("--auto", "ada", "--access-lifetime", "300")

    def setUp(self):
        self.addCleanup(self.place.systemctl, "stop", "almoner.service", "almoner.socket")
        self.addCleanup(self.place.almoner, "logout", "--all", check=False)

    def daemon(self):
        """The daemon's process, as the manager knows it."""
        return int(self.place.unit("almoner.service", "MainPID"))

    def fly(self):
        """Sends a refresh on its way. Returns, when the issuer has spent the old token and holds the answer back,
        the waiting caller and how many refreshes there had been before."""
        before = self.place.issuer.counters["refresh_grants"]
        self.place.issuer.fates({"fate": "answer", "delay_before_answer": DELAY})
        caller = subprocess.Popen(
            [program("almoner"), "token", "work", "--force"], env=self.place.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(caller.communicate)
        until = time.monotonic() + 20
        while self.place.issuer.counters["refresh_grants"] == before:
            self.assertLess(time.monotonic(), until, "no refresh came to the issuer")
            time.sleep(0.005)
        return caller, before

    def assert_landed(self, old, before):
        token = self.place.token("work")
        self.assertNotEqual(token, old)
        self.assertEqual(self.place.issuer.session(token).status, 200)
        counters = self.place.issuer.counters
        self.assertEqual((counters["refresh_grants"] - before, counters["reuse"]), (1, 0))
        # And it goes on from there.
        self.assertEqual(self.place.issuer.session(self.place.token("work", "--force")).status, 200)
        self.assertEqual(self.place.issuer.counters["reuse"], 0)

    def test_the_command_line_starts_the_units(self):
        self.assertEqual(self.place.unit("almoner.socket", "ActiveState"), "inactive")
        pid = self.place.json("status")["pid"]
        self.assertEqual(self.place.unit("almoner.socket", "ActiveState"), "active")
        self.assertEqual(self.daemon(), pid)

    def test_a_killed_daemon_is_back_by_itself_and_finds_the_answer(self):
        self.place.sign_in()
        old, killed = self.place.token("work"), self.daemon()
        restarts = int(self.place.unit("almoner.service", "NRestarts"))
        caller, before = self.fly()
        killing = time.monotonic()
        os.kill(killed, 9)
        until = time.monotonic() + 10
        while self.daemon() in (0, killed) or self.place.unit("almoner.service", "ActiveState") != "active":
            self.assertLess(time.monotonic(), until, "the unit did not restart")
            time.sleep(0.01)
        restarted = time.monotonic() - killing
        self.assertEqual(int(self.place.unit("almoner.service", "NRestarts")), restarts + 1)
        self.assertEqual(caller.wait(timeout=20), 5, "the caller was not told that it is temporary")
        self.assert_landed(old, before)
        print("measured: the unit was back %.0f ms after the kill" % (restarted * 1000))

    def test_C11_a_daemon_that_dies_again_and_again_is_not_started_for_ever_and_sends_nothing(self):
        self.place.systemctl("reset-failed", "almoner.service", "almoner.socket")
        self.addCleanup(self.place.systemctl, "reset-failed", "almoner.service", "almoner.socket")
        self.place.sign_in()
        posts = self.place.issuer.counters["token_posts"]
        until, killed = time.monotonic() + 50, set()
        while self.place.unit("almoner.service", "ActiveState") != "failed":
            self.assertLess(time.monotonic(), until, "after %d kills the unit was still started" % len(killed))
            pid = self.daemon()
            if pid and pid not in killed:
                killed.add(pid)
                os.kill(pid, 9)
            time.sleep(0.02)
        self.assertLessEqual(len(killed), 6)
        refused = self.place.systemctl("start", "almoner.service")
        self.assertNotEqual(refused.returncode, 0, "the unit can be started without an end")
        answer = self.place.almoner("token", "work", "--timeout", "5s", check=False)
        self.assertIn(answer.returncode, (5, 7), "a caller was not told that there is no daemon")
        self.assertEqual(self.place.issuer.counters["token_posts"], posts)

    def test_a_stopped_daemon_waits_for_its_courier_and_the_next_one_finds_the_answer(self):
        self.place.sign_in()
        old = self.place.token("work")
        _, before = self.fly()
        stopping = time.monotonic()
        self.assertEqual(self.place.systemctl("stop", "almoner.service").returncode, 0)
        stopped = time.monotonic() - stopping
        self.assertEqual(self.place.unit("almoner.service", "Result"), "success")
        self.assertEqual(self.place.systemctl("start", "almoner.service").returncode, 0)
        self.assert_landed(old, before)
        print("measured: stopping in mid-flight took %.0f ms" % (stopped * 1000))


if __name__ == "__main__":
    refuse_root()
    unittest.main(verbosity=2)
