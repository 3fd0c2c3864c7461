"""Many callers at once: one refresh for all of them, and one daemon."""
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
from place import Place, program, refuse_root  # noqa: E402

PROCESSES, CALLERS, DELAY = 50, 20, 500


class OneRefresh(unittest.TestCase):
    def setUp(self):
        self.place = Place()
        self.addCleanup(self.place.end)
        self.issuer = self.place.start_issuer("--auto", "ada", "--access-lifetime", "1")
        self.place.start_daemon()
        self.place.sign_in()

    def wait_until_due(self):
        """Until the token's life is over, by the daemon's own clock."""
        until = time.monotonic() + 30
        while self.place.json("list")["accounts"][0].get("expiresIn", 0) > 0 and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(1)  # the list counts whole seconds: what it shows as 0 may still live for one
        self.issuer.control("POST", "set", {"access_lifetime": 300, "delay_before_answer": DELAY})

    def start(self, name, *words):
        return subprocess.Popen([sys.executable, os.path.join(HERE, name), self.place.socket, *words],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def callers(self):
        processes = [self.start("callers.py", str(CALLERS)) for _ in range(PROCESSES)]
        for process in processes:
            self.addCleanup(process.communicate)
            self.addCleanup(process.kill)
            self.assertEqual(process.stdout.readline(), "ready\n")
        return processes

    def test_a_thousand_callers_of_fifty_processes_cause_one_refresh_although_the_first_is_killed(self):
        processes = self.callers()
        self.wait_until_due()
        before = self.issuer.counters["refresh_grants"]
        first = self.start("killed_caller.py")
        self.assertEqual(first.wait(), -signal.SIGKILL)
        first.communicate()
        for process in processes:
            process.stdin.write("go\n")
            process.stdin.flush()
        answers = [answer for process in processes for answer in json.loads(process.stdout.readline())]
        joined = sum(1 for answer in answers if isinstance(answer, list) and answer[1])
        print("\nmeasured: %d callers, %d of them joined the refresh while it ran, %d refreshes" % (
            len(answers), joined, self.issuer.counters["refresh_grants"] - before), flush=True)
        token = hashlib.sha256(self.place.token("work").encode()).hexdigest()
        self.assertEqual({answer[0] if isinstance(answer, list) else answer for answer in answers}, {token})
        self.assertEqual(len(answers), PROCESSES * CALLERS)
        self.assertEqual(self.issuer.counters["refresh_grants"], before + 1)
        self.assertGreater(joined, 0)


class OneDaemon(unittest.TestCase):
    """On a machine where none runs. The programs lie in a directory of this test, so that its daemons can be told."""

    def setUp(self):
        self.place = Place()
        self.addCleanup(self.place.end)
        self.bin = self.place.directory("bin")
        for name in ("almoner", "almonerd", "almoner-courier", "almoner-callback"):
            shutil.copy(program(name), self.bin)
        self.place.start_issuer("--auto", "ada")
        self.addCleanup(self.end_daemons)
        self.place.programs = self.bin
        self.place.sign_in()
        self.end_daemons()

    def daemons(self):
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/cmdline" % name, "rb") as file:
                    if file.read().startswith(os.path.join(self.bin, "almonerd").encode()):
                        found.append(int(name))
            except OSError:
                continue
        return found

    def end_daemons(self):
        for pid in self.daemons():
            os.kill(pid, signal.SIGTERM)
        until = time.monotonic() + 20
        while self.daemons() and time.monotonic() < until:
            time.sleep(0.02)
        self.assertEqual(self.daemons(), [])

    def test_twenty_command_substitutions_start_one_daemon_and_get_twenty_answers(self):
        line = 'x=$("%s/almoner" token work) && printf "%%s\\n" "$x"' % self.bin
        shells = [subprocess.Popen(["/bin/sh", "-c", line], env=self.place.environment, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(20)]
        # A daemon that held a pipe of its caller would let this wait until the daemon ends.
        answers = [shell.communicate(timeout=60) for shell in shells]
        token = self.place.token("work")
        self.assertEqual(answers, [(token + "\n", "")] * 20)
        self.assertEqual(self.daemons(), [self.place.json("status")["pid"]])


if __name__ == "__main__":
    refuse_root()
    unittest.main()
