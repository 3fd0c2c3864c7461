"""What the programs weigh and how long they take. Prints what was measured; the bounds are for what must never be."""
import os
import resource
import statistics
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from place import Place, program, refuse_root  # noqa: E402

LOCKED_MEMORY = 8 << 20
RUNS = 200


def measured(text, *values):
    print("\nmeasured: " + text % values, flush=True)


class OfTheProgram(unittest.TestCase):
    def test_the_command_line_links_no_library(self):
        done = subprocess.run(["ldd", program("almoner")], capture_output=True, text=True)
        self.assertRegex(done.stdout + done.stderr, "not a dynamic executable|statically linked")


class OfTheDaemon(unittest.TestCase):
    def setUp(self):
        # What a login gives an ordinary user on Debian, who cannot raise it either.
        _, hard = resource.getrlimit(resource.RLIMIT_MEMLOCK)
        limit = LOCKED_MEMORY if hard == resource.RLIM_INFINITY else min(hard, LOCKED_MEMORY)
        resource.setrlimit(resource.RLIMIT_MEMLOCK, (limit, limit))
        self.place = Place()
        self.addCleanup(self.place.end)
        self.place.start_issuer("--auto", "ada")
        self.daemon = self.place.start_daemon()
        self.place.sign_in()

    def test_a_cached_token_takes_about_a_millisecond(self):
        self.place.token("work")
        wall, processor = [], []
        null = os.open("/dev/null", os.O_RDWR)
        self.addCleanup(os.close, null)
        for _ in range(RUNS):
            began = time.perf_counter()
            pid = os.posix_spawn(program("almoner"), ["almoner", "token", "work"], self.place.environment,
                                 file_actions=[(os.POSIX_SPAWN_DUP2, null, 0), (os.POSIX_SPAWN_DUP2, null, 1)])
            _, status, used = os.wait4(pid, 0)
            wall.append((time.perf_counter() - began) * 1000)
            processor.append((used.ru_utime + used.ru_stime) * 1000)
            self.assertEqual(os.waitstatus_to_exitcode(status), 0)
        measured("almoner token, cached, whole process: median %.2f ms, fastest %.2f ms; processor time %.2f ms",
                 statistics.median(wall), min(wall), statistics.median(processor))
        # Of its own time, because a busy machine lets everybody wait.
        self.assertLess(statistics.median(processor), 20)


if __name__ == "__main__":
    refuse_root()
    unittest.main()
