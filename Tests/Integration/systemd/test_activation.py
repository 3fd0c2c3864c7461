"""The daemon started by others: by a socket that waits for it, and by the message bus."""
import os
import signal
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
from place import PROGRAMS, Place, program, refuse_root  # noqa: E402
from recorder import BusRecorder  # noqa: E402

NAME = "org.almoner.Almoner1"
OBJECT = "/org/almoner/Almoner1"
# As the member of a message: with its length before it, which NameOwnerChanged has not.
CHANGED = b"\x07\0\0\0Changed\0"


def listens(path):
    """Whether somebody listens at the path: it is bound a moment before, and who comes then is refused."""
    with open("/proc/net/unix") as table:
        return any(row[7:] == [path] and row[3] == "00010000" for row in map(str.split, table))


def end(pid):
    """Ends a daemon that is nobody's child here."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class SocketActivation(unittest.TestCase):
    def setUp(self):
        self.place = Place()
        self.addCleanup(self.place.end)
        self.place.start_issuer("--auto", "ada")

    def activate(self):
        os.makedirs(os.path.dirname(self.place.socket), mode=0o700)
        variables = [word for item in self.place.environment.items() for word in ("-E", "%s=%s" % item)]
        waiting = subprocess.Popen(
            ["systemd-socket-activate", *variables, "-l", self.place.socket, program("almonerd")],
            env=self.place.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.place.children.append(waiting)
        until = time.monotonic() + 30
        while not listens(self.place.socket):
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)
        return waiting

    def test_the_first_caller_gets_a_token_from_the_daemon_that_it_woke(self):
        waiting = self.activate()
        self.assertNotIn("almonerd", os.readlink("/proc/%d/exe" % waiting.pid))
        self.place.sign_in()
        self.assertEqual(self.place.issuer.session(self.place.token("work")).status, 200)
        # The activator became the daemon: no second one was started beside it.
        self.assertEqual(self.place.json("status")["pid"], waiting.pid)

    def test_a_daemon_that_stops_leaves_the_socket_to_whoever_made_it(self):
        waiting = self.activate()
        self.place.almoner("status")
        waiting.send_signal(signal.SIGTERM)
        self.assertEqual(waiting.wait(timeout=20), 0)
        self.assertTrue(os.path.exists(self.place.socket))


class BusActivation(unittest.TestCase):
    def setUp(self):
        self.place = Place(keyring=False)
        self.addCleanup(self.place.end)
        services = os.path.join(self.place.environment["XDG_DATA_HOME"], "dbus-1/services")
        subprocess.run(
            ["sh", os.path.join(HERE, "install-units.sh"), PROGRAMS, os.path.join(self.place.root, "units"), services],
            check=True)
        self.session = subprocess.Popen(
            ["dbus-run-session", "--", "sh", "-c", 'echo "$DBUS_SESSION_BUS_ADDRESS"; exec cat'],
            env=self.place.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.place.environment["DBUS_SESSION_BUS_ADDRESS"] = self.session.stdout.readline().decode().strip()
        self.addCleanup(self.end_session)
        self.place.start_keyring()
        self.place.start_issuer("--auto", "ada")

    def end_session(self):
        self.session.stdin.close()
        self.session.wait(timeout=10)
        self.session.stdout.close()

    def call(self, member, interface=NAME):
        return subprocess.run(
            ["dbus-send", "--session", "--print-reply", "--reply-timeout=20000", "--dest=" + NAME, OBJECT,
             interface + "." + member], env=self.place.environment, capture_output=True, text=True)

    def owner(self):
        done = subprocess.run(
            ["dbus-send", "--session", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
             "org.freedesktop.DBus.GetConnectionUnixProcessID", "string:" + NAME], env=self.place.environment,
            capture_output=True, text=True)
        return int(done.stdout.split()[-1]) if done.returncode == 0 else None

    def wake(self):
        self.assertIsNone(self.owner())
        done = self.call("Status")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.addCleanup(end, self.owner())
        return done.stdout

    def test_a_call_of_status_starts_the_daemon_that_serves_the_socket(self):
        answer = self.wake()
        self.assertRegex(answer, r'string "count"\s+variant\s+uint32 0')
        self.assertEqual(self.place.json("status")["pid"], self.owner())

    def test_status_tells_accounts_by_name_and_state(self):
        self.wake()
        self.place.sign_in()
        answer = self.call("Status").stdout
        self.assertRegex(answer, r'string "work"\s+string "signed-in"')
        self.assertNotIn("example.org", answer)

    def test_there_is_nothing_but_status_and_changed(self):
        self.wake()
        tree = self.call("Introspect", "org.freedesktop.DBus.Introspectable").stdout
        ours = tree.partition('<interface name="%s">' % NAME)[2].partition("</interface>")[0]
        self.assertEqual((ours.count("<method"), ours.count("<signal"), ours.count("<property")), (1, 1, 0), tree)
        self.assertNotEqual(self.call("GetAccessToken").returncode, 0)

    def test_a_sign_in_is_announced_and_no_token_is_ever_on_the_bus(self):
        self.wake()
        record = BusRecorder(self.place.environment, os.path.join(self.place.root, "bus.pcap"))
        self.addCleanup(record.stop)
        self.assertFalse(CHANGED in record.bytes)
        self.place.sign_in()
        until = time.monotonic() + 10
        while CHANGED not in record.bytes:
            self.assertLess(time.monotonic(), until, "Changed was not sent")
            record.catch_up()  # the monitor writes whole blocks
        token = self.place.token("work")
        self.call("Status")
        record.catch_up()
        self.assertFalse(token.encode() in record.bytes)
        # The record can show a token: one that is sent on purpose is in it.
        record.send("Leak", "string:" + token)
        record.catch_up()
        self.assertTrue(token.encode() in record.bytes)


if __name__ == "__main__":
    refuse_root()
    unittest.main()
