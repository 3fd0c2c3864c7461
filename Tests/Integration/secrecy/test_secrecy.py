"""No refresh token, code or verifier anywhere but where it belongs: the whole main job, searched.

Every place has a leak planted in it afterwards, which the same search must find.
"""
import os
import re
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scanner import find, forms  # noqa: E402
from scenario import PLACES, Scenario, children, program, until  # noqa: E402
from place import refuse_root  # noqa: E402

CRASHES = (signal.SIGQUIT, signal.SIGILL, signal.SIGTRAP, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGSEGV)


def abort(process):
    """Ends a child of ours with SIGABRT; returns whether the kernel says that it left a core."""
    process.send_signal(signal.SIGABRT)
    ended = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    process.wait()
    return ended.si_code == os.CLD_DUMPED


def cores_are_files():
    with open("/proc/sys/kernel/core_pattern") as file:
        return not file.read().startswith(("|", "/"))


class Scan(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scene = scene = Scenario()
        cls.addClassCleanup(scene.end)
        scene.run_main_job()
        cls.watch_children(scene)
        cls.daemon_dumped = abort(scene.daemon)
        scene.daemon = None
        cls.secrets = scene.issuer.learned()
        cls.clean = scene.evidence()
        cls.plant(scene, min(cls.secrets["refresh token"]))
        cls.planted = scene.evidence()

    @classmethod
    def watch_children(cls, scene):
        """More flights and sign-ins until the watch has looked into a courier and a listener once."""
        def caught():
            if not scene.seen("environ almoner-courier "):
                scene.almoner("token", "work", "--force")
            if not scene.seen("environ almoner-callback "):
                scene.sign_in("again")
            return all(scene.seen("environ %s " % name) for name in ("almoner-courier", "almoner-callback"))
        until(caught, "the watch saw no environment of a child", 180)

    @classmethod
    def plant(cls, scene, secret):
        """One leak in each place, the way it would come there."""
        with open(scene.log, "ab") as log:
            subprocess.run(["sh", "-c", 'echo "almonerd: sending $0" >&2', secret], stderr=log, check=True)
        done = subprocess.run(["sh", "-c", 'echo $0; echo $0 >&2', secret], capture_output=True, check=True)
        scene.heard["stdout"] += done.stdout
        scene.heard["stderr"] += done.stderr
        scene.record.send("Leak", "string:" + secret)
        for arguments, variables in ((["60", secret], {}), (["60"], {"TOKEN": secret})):
            name = "sleeper" + str(len(arguments))
            sleeper = subprocess.Popen(
                ["sh", "-c", "read x", name, *arguments], env={**scene.environment, **variables}, stdin=subprocess.PIPE)
            place, mark = ("argv", secret) if not variables else ("environ", secret)
            until(lambda: mark.encode() in scene.read("watched", place), "the watch missed a process")
            sleeper.communicate()
        with open(os.path.join(scene.state, "leak"), "w") as file:
            file.write(secret)
        with open(os.path.join(scene.root, "pages"), "ab") as pages:
            pages.write(secret.encode())
        cls.sleeper_dumped = cls.dump(secret)

    @staticmethod
    def dump(secret):
        ordinary = subprocess.Popen(
            [sys.executable, "-c", "import sys; s = sys.stdin.readline(); print(flush=True); sys.stdin.read()"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        ordinary.stdin.write(secret.encode() + b"\n")
        ordinary.stdin.flush()
        ordinary.stdout.readline()
        dumped = abort(ordinary)
        ordinary.stdin.close()
        ordinary.stdout.close()
        return dumped

    def test_the_secrets_are_known(self):
        least = {"refresh token": 6, "access token": 6, "ID token": 4, "verifier": 3, "code": 10}
        for kind, count in least.items():
            self.assertGreaterEqual(len(self.secrets[kind]), count, kind)

    def test_something_was_seen_everywhere(self):
        for place in set(PLACES) - {"cores"}:
            # A daemon that has nothing to complain about logs little, but it has a broken configuration here.
            self.assertGreater(len(self.clean[place]), 200, place)

    def test_nothing_leaked(self):
        for place in PLACES:
            with self.subTest(place):
                self.assertEqual(find(self.secrets, self.clean[place]), set())

    def test_I5_an_error_that_repeats_a_token_is_not_repeated(self):
        said = self.scene.errors
        self.assertGreater(said.count(b"almoner: "), 2)
        self.assertEqual(find(self.secrets, said), set())

    def test_a_planted_leak_is_found(self):
        for place in PLACES:
            if place == "cores" and not cores_are_files():
                continue
            with self.subTest(place):
                self.assertIn(("refresh token", "raw"), find(self.secrets, self.planted[place]))

    def test_every_form_is_found(self):
        secret = "0123456789abcdefghijklmnopqrstuvwxyzABCDEF-"
        for name, written in forms(secret):
            with self.subTest(name):
                self.assertIn(("x", name), find({"x": {secret}}, b"??" + written + b"??"))
        # Cut and wrapped.
        self.assertTrue(find({"x": {secret}}, secret[5:-4].encode()))
        self.assertEqual(find({"x": {secret}}, secret[:8].encode()), set())

    def test_the_children_get_no_environment(self):
        lines = self.scene.read("watched", "seen").decode().splitlines()
        sizes = {line for line in lines if line.startswith(("environ almoner-courier", "environ almoner-callback"))}
        self.assertEqual(sizes, {"environ almoner-courier 0", "environ almoner-callback 0"})

    def test_an_aborted_daemon_leaves_no_core_where_another_program_does(self):
        self.assertFalse(self.daemon_dumped)
        self.assertTrue(self.sleeper_dumped, "no program leaves a core here, so this test shows nothing")


class Memory(unittest.TestCase):
    """What another program of the same user can see of ours while they hold secrets."""

    @classmethod
    def setUpClass(cls):
        cls.scene = scene = Scenario()
        cls.addClassCleanup(scene.end)

    def courier(self):
        # One may have been aborted before, and its session with it.
        self.scene.sign_in("work")
        before = self.scene.issuer.counters["refresh_grants"]
        self.scene.issuer.fates({"fate": "answer", "delay_before_answer": 3000})
        caller = subprocess.Popen([program("almoner"), "token", "work", "--force"], env=self.scene.environment,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(caller.wait)
        until(lambda: self.scene.issuer.counters["refresh_grants"] > before, "no refresh came to the issuer")
        return children(self.scene.daemon.pid, "almoner-courier")[0]

    def listener(self):
        login, _ = self.scene.begin("other")
        self.addCleanup(lambda: (login.kill(), login.communicate()))
        return children(self.scene.daemon.pid, "almoner-callback")[0]

    def readable(self, pid):
        found = []
        for name in ("mem", "environ", "maps", "smaps", "pagemap", "auxv", "stack", "syscall", "personality", "io", "fd",
                     "fdinfo", "map_files", "cwd", "root", "exe"):
            path = "/proc/%s/%s" % (pid, name)
            try:
                if name in ("fd", "fdinfo", "map_files"):
                    os.listdir(path)
                elif name in ("cwd", "root", "exe"):
                    os.readlink(path)
                else:
                    os.close(os.open(path, os.O_RDONLY))
                found.append(name)
            except (PermissionError, FileNotFoundError):
                # What a thread's directory lacks cannot be read there.
                continue
        return found

    def assert_closed(self, pid):
        self.assertEqual(self.readable(pid), [])
        # Nor by way of a thread.
        self.assertEqual(self.readable("%d/task/%d" % (pid, pid)), [])
        traced = subprocess.run(["strace", "-p", str(pid)], capture_output=True, text=True, timeout=20)
        self.assertIn("not permitted", traced.stderr)
        with open("/proc/%d/limits" % pid) as limits:
            self.assertRegex(limits.read(), r"Max core file size +0 +0 ")
        # Swift's backtracer, where a build finds it, would print memory and registers.
        with open("/proc/%d/status" % pid) as status:
            caught = int(re.search(r"SigCgt:\s+(\w+)", status.read()).group(1), 16)
        self.assertEqual([number for number in CRASHES if caught >> (number - 1) & 1], [])

    def test_the_daemon_is_closed(self):
        self.assert_closed(self.scene.daemon.pid)

    def test_a_courier_in_flight_is_closed(self):
        self.assert_closed(self.courier())

    def test_a_listener_is_closed(self):
        self.assert_closed(self.listener())

    def test_another_program_is_open(self):
        with subprocess.Popen(["sh", "-c", "read x"], stdin=subprocess.PIPE) as other:
            self.assertLessEqual({"mem", "environ", "maps", "fd"}, set(self.readable(other.pid)))

    def test_a_core_of_the_command_line_holds_what_it_was_about_to_print_and_no_other_secret(self):
        """`almoner token` is an ordinary program: the access token that it prints is in its core, a refresh token never."""
        if not cores_are_files():
            print("not done here: a core of the command line (/proc/sys/kernel/core_pattern)")
            return
        self.scene.sign_in("work")
        self.scene.almoner("token", "work", "--force")
        read, write = os.pipe()
        self.addCleanup(os.close, read)
        os.set_blocking(write, False)
        with self.assertRaises(BlockingIOError):
            while True:
                os.write(write, bytes(4096))
        os.set_blocking(write, True)
        command = subprocess.Popen([program("almoner"), "token", "work"], env=self.scene.environment,
                                   stdin=subprocess.DEVNULL, stdout=write, stderr=subprocess.DEVNULL)
        os.close(write)
        until(lambda: self.is_printing(command.pid), "it does not come to print")
        dumped = abort(command)
        cores = [os.path.join(self.scene.cores, name) for name in os.listdir(self.scene.cores)]
        core = b"".join(self.scene.read(path) for path in cores)
        for path in cores:
            os.unlink(path)
        self.assertTrue(dumped and core)
        secrets = self.scene.issuer.learned()
        self.assertTrue(find({"access token": {self.scene.issuer.newest("access token")}}, core))
        del secrets["access token"]
        self.assertEqual(find(secrets, core), set())

    @staticmethod
    def is_printing(pid):
        """Whether it is in a system call on its standard output."""
        with open("/proc/%d/syscall" % pid) as file:
            return file.read().split()[1:2] == ["0x1"]

    def test_aborted_children_leave_no_core(self):
        for find_child in (self.courier, self.listener):
            pid = find_child()
            os.kill(pid, signal.SIGABRT)
            until(lambda: not os.path.exists("/proc/%d" % pid), "it does not end")
            self.assertEqual(os.listdir(self.scene.cores), [])
        # The daemon lives on.
        self.assertEqual(self.scene.almoner("list").returncode, 0)


if __name__ == "__main__":
    refuse_root()
    unittest.main()
