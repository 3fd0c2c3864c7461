"""Faults of the disk, the network, memory and the clock for a running daemon and its couriers, by inject.c.

What fails is written into a file that the preloaded library has mapped, so it changes while the programs run.
"""
import errno
import mmap
import os
import shutil
import struct
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
# In the order of inject.c.
KINDS = ["open", "read", "write", "fsync", "fdatasync", "rename", "mmap", "connect", "close", "unlink", "mkdir", "link"]
DAEMON, COURIER, BOTH = 1, 2, 3
PROGRAMS = {DAEMON: "daemon", COURIER: "courier", BOTH: "both"}
PATH, LOG = 256, 16 << 20
# 4x: as a compiler pads it.
HEAD = struct.Struct("=7i%di%ds%ds4xqI" % (2 * len(KINDS), PATH, PATH))
ENTRY = struct.Struct("=4I2q2I")


class Operation:
    """One file operation that was seen."""

    def __init__(self, kind, program, flags, offset, result, path, data):
        self.kind, self.program, self.flags, self.offset, self.result = kind, program, flags, offset, result
        self.path, self.data = path, data

    def __repr__(self):
        return "%s %s at %d, %d bytes" % (self.kind, self.path, self.offset, len(self.data))


class Injection:
    def __init__(self, directory):
        self.library = os.path.join(directory, "inject.so")
        compiler = shutil.which("cc") or shutil.which("clang")
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", self.library, os.path.join(HERE, "inject.c")],
                       check=True)
        path = os.path.join(directory, "inject")
        with open(path, "wb") as file:
            file.truncate(HEAD.size + LOG)
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 0)
        self.boot, self.ahead = "", 0
        self.environment = {"LD_PRELOAD": self.library, "ALMONER_INJECT": path}
        self.clear()

    def set(self, kind, error, skip, times, programs, match, recording=0):
        self.memory[:HEAD.size] = HEAD.pack(kind, error, skip, times, programs, recording, 0, *[0] * 2 * len(KINDS),
                                            match.encode(), self.boot.encode(), self.ahead, 0)

    def arm(self, kind, error, skip=0, times=1, programs=BOTH, match=""):
        """From now on the calls of `kind` after the first `skip` fail, `times` of them, or all when negative."""
        self.set(KINDS.index(kind), getattr(errno, error), skip, times, programs, match)

    def clear(self):
        self.set(-1, 0, 0, 0, BOTH, "")

    def count(self, match):
        """Nothing fails; calls are counted."""
        self.set(-1, 0, 0, 0, BOTH, match)

    def reboot(self, file):
        """From the next start on the machine has the boot id that is in `file`."""
        self.boot = file
        self.clear()

    def sleep(self, seconds):
        """The machine sleeps and wakes: its boot clock is so much further. In an instant, and for running programs too."""
        self.ahead += int(seconds * 1e9)
        self.clear()

    def record(self, match):
        """Nothing fails; file operations are written down."""
        self.set(-1, 0, 0, 0, BOTH, match, recording=1)

    @property
    def failed(self):
        return struct.unpack_from("=i", self.memory, 24)[0]

    @property
    def seen(self):
        """Kind and program -> how many matching calls there were."""
        counts = HEAD.unpack_from(self.memory)[7:7 + 2 * len(KINDS)]
        return {(kind, program): counts[(program - 1) * len(KINDS) + index]
                for index, kind in enumerate(KINDS) for program in (DAEMON, COURIER)}

    def operations(self):
        """What was recorded, in order."""
        end, at = HEAD.unpack_from(self.memory)[-1], HEAD.size
        assert end <= LOG, "the record is full"
        found = []
        while at < HEAD.size + end:
            size, kind, program, flags, offset, result, path, data = ENTRY.unpack_from(self.memory, at)
            start = at + ENTRY.size
            found.append(Operation(KINDS[kind], program, flags, offset, result,
                                   self.memory[start:start + path].decode(), self.memory[start + path:at + size]))
            at += size
        return found
