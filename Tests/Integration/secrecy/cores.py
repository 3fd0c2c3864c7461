"""Cores as a desktop collects them: the kernel hands them to a program, and asks no limit. By root."""
import os
import time

PATTERN = "/proc/sys/kernel/core_pattern"

COLLECT = """#!/bin/sh
cat >"%s/core.$1.part" && mv "%s/core.$1.part" "%s/core.$1"
"""


class Cores:
    """While it is there, every core of the machine goes into a directory of its own."""

    def __init__(self, place):
        self.directory = os.path.join(place, "cores")
        os.mkdir(self.directory, 0o700)
        collector = os.path.join(place, "collect")
        with open(collector, "w") as file:
            file.write(COLLECT % ((self.directory,) * 3))
        os.chmod(collector, 0o755)
        with open(PATTERN) as file:
            self.before = file.read()
        self.set("|%s %%p" % collector)

    @staticmethod
    def set(pattern):
        with open(PATTERN, "w") as file:
            file.write(pattern)

    def of(self, pid, number, seconds=30):
        """Ends a process by a signal that makes cores. Returns the core, or None when it left none."""
        os.kill(pid, number)
        until = time.monotonic() + seconds
        # The kernel lets a process go when its core was taken.
        while os.path.exists("/proc/%d" % pid) and not self.is_zombie(pid):
            assert time.monotonic() < until, "process %d does not end: %s" % (pid, open("/proc/%d/status" % pid).read())
            time.sleep(0.01)
        part, whole = (os.path.join(self.directory, "core.%d%s" % (pid, end)) for end in (".part", ""))
        while os.path.exists(part):
            assert time.monotonic() < until, "a core does not end"
            time.sleep(0.01)
        if not os.path.exists(whole):
            return None
        with open(whole, "rb") as file:
            return file.read()

    @staticmethod
    def is_zombie(pid):
        try:
            with open("/proc/%d/stat" % pid) as file:
                return file.read().rpartition(")")[2].split()[0] == "Z"
        except OSError:
            return True

    def end(self):
        self.set(self.before)
