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
from wire import Wire  # noqa: E402

LOCKED_MEMORY = 8 << 20
RUNS = 200
CONNECTIONS, REQUESTS = 20, 10_000
MOST_MEMORY = 16 * 1024  # kB
IDLE = 10


def measured(text, *values):
    print("\nmeasured: " + text % values, flush=True)


def facts(path):
    """The lines `Name: value` of a file of /proc; none when it may not be read."""
    try:
        with open(path) as file:
            return dict((line.split(":", 1) + [""])[:2] for line in file)
    except OSError:
        return {}


def kilobytes(text):
    return int(text.split()[0])


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

    def test_the_daemon_stays_small_after_ten_thousand_requests(self):
        self.wait_for_rest()  # memory goes back a moment after the sign-in
        callers = [Wire(self.place.socket) for _ in range(CONNECTIONS)]
        tokens = set()
        for _ in range(REQUESTS // CONNECTIONS):
            for caller in callers:
                caller.send("GetAccessToken", {"account": "work"})
            tokens |= {caller.receive()["parameters"]["accessToken"] for caller in callers}
        for caller in callers:
            caller.close()
        self.assertEqual(len(tokens), 1)
        self.assertTrue(self.place.json("status")["memoryLocked"])
        state = facts("/proc/%d/status" % self.daemon.pid)
        share = facts("/proc/%d/smaps_rollup" % self.daemon.pid).get("Pss")
        measured("almonerd after a sign-in and %d requests: RSS %d kB, peak %d kB, own share %s, %s threads", REQUESTS,
                 kilobytes(state["VmRSS"]), kilobytes(state["VmHWM"]),
                 "%d kB" % kilobytes(share) if share else "not readable", state["Threads"].strip())
        self.assertLessEqual(kilobytes(state["VmRSS"]), MOST_MEMORY)

    def switches(self):
        """How often its threads gave the processor up to wait, so far."""
        tasks = "/proc/%d/task" % self.daemon.pid
        return {task: int(facts("%s/%s/status" % (tasks, task)).get("voluntary_ctxt_switches", 0))
                for task in os.listdir(tasks)}

    def wait_for_rest(self):
        """After the sign-in there is something left to store, and a child to end."""
        last, now, until = None, self.switches(), time.monotonic() + 30
        while last != now and time.monotonic() < until:
            time.sleep(1)
            last, now = now, self.switches()

    def test_nothing_wakes_while_nobody_asks(self):
        self.place.token("work")
        self.wait_for_rest()
        before = self.switches()
        time.sleep(IDLE)
        after = self.switches()
        woken = {task: after.get(task, 0) - before.get(task, 0) for task in before}
        measured("almonerd idle for %d s: %d wakeups in %d threads", IDLE, sum(woken.values()), len(before))
        self.assertEqual({self.thread(task): times for task, times in woken.items() if times}, {})
        self.assertEqual(set(after), set(before))

    def thread(self, task):
        return facts("/proc/%d/task/%s/status" % (self.daemon.pid, task)).get("Name", "").strip() + " " + task


if __name__ == "__main__":
    refuse_root()
    unittest.main()
