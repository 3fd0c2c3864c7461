"""What only root can show of the secrets: a daemon's memory, what of it goes to swap and into cores, and the raw disk;
and that programs which are installed as packages do cannot be looked into from their first instruction on.

usage: root.py USER BINDIR    root starts it; everything of ours runs as USER

Every place has a leak planted in it, which the same search must find.
"""
import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from cores import Cores  # noqa: E402
from disk import Disk, Swap  # noqa: E402
from holder import PLANTED  # noqa: E402
from memory import judge  # noqa: E402
from pages import page_out  # noqa: E402
from scanner import find  # noqa: E402

BACKENDS = ("secret-service", "sealed-file")
# The moments at which holder.py waits.
MOMENTS = 7
# What packages install root-owned with mode 0711, and how often each is raced for.
PROGRAMS = ("almonerd", "almoner-courier", "almoner-callback")
RACES = 12
# Bytes of a sealed file that do not change with what is sealed; more than there are.
HEAD = 256


class Look:
    """One run of holder.py, looked at from outside."""

    def __init__(self, user, programs, backend, place):
        self.backend, self.place, self.wrong, self.moments = backend, place, [], 0
        self.slowest = 0.0
        who = pwd.getpwnam(user)
        self.disk = self.made_disk(who.pw_uid)
        home = ["ALMONER_TEST_DISK=" + self.disk.path] if self.disk else []
        self.holder = subprocess.Popen(
            [*becoming(who), "ALMONER_BIN=" + programs, *home,
             "python3", os.path.join(place, "tree/secrecy/holder.py"), backend],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd="/")

    def made_disk(self, owner):
        try:
            return Disk(self.place, owner)
        except (OSError, subprocess.CalledProcessError) as error:
            print("not done here: a raw disk (%s)" % (getattr(error, "stderr", None) or error))
            return None

    def end(self):
        self.holder.kill()
        self.holder.wait()
        if self.disk:
            self.disk.end()

    def run(self):
        for line in self.holder.stdout:
            said = json.loads(line)
            self.moments += 1
            if "cores" in said:
                self.look_at_cores(said)
            else:
                self.look_at_memory(said)
            if "swap" in said:
                self.look_at_swap(said)
            if "sealed" in said:
                self.sealed = said["sealed"]
            if "disk" in said and self.disk:
                self.look_at_disk(said)
            self.holder.stdin.write("\n")
            self.holder.stdin.flush()
        self.expect(self.holder.wait() == 0, "holder.py failed")
        self.expect(self.moments == MOMENTS, "%d moments" % self.moments)
        return self.wrong

    def expect(self, holds, otherwise):
        if not holds:
            self.wrong.append("%s: %s" % (self.backend, otherwise))

    def look_at_memory(self, said):
        words, took = judge(said)
        self.slowest = max(self.slowest, took)
        for word in words:
            self.expect(False, word)

    def look_at_swap(self, said):
        secrets = as_sets(said)
        try:
            swap = Swap(self.place)
        except (OSError, subprocess.CalledProcessError) as error:
            print("not done here: swap (%s)" % (getattr(error, "stderr", None) or error))
            return
        try:
            size = page_out(said["pid"])
            self.expect(size > 0, "nothing of the daemon went to swap")
            print("measured: %s: %d KiB of the daemon went to swap, no secret among them" % (self.backend, size))
            self.expect(not find(secrets, swap.raw()), "a secret of the daemon is in swap")
            page_out(said["swap"])
            self.expect(is_there(newest(said), swap.raw()), "the planted leak in swap is not found")
        finally:
            swap.end()

    def look_at_disk(self, said):
        planted, raw = newest(said) + PLANTED, self.disk.raw()
        self.expect(is_there(planted, raw), "the planted leak on the disk is not found")
        found = find(as_sets(said), raw.replace(planted.encode(), b""))
        self.expect(not found, "in plain on the raw disk: %s" % sorted(found))
        # What was sealed when sign-out began was overwritten: whoever learns the key later finds nothing to open.
        self.expect(len(self.sealed) >= 1, "nothing was sealed")
        for name, text in self.sealed.items():
            body = bytes.fromhex(text)
            # The head is the same in all that were sealed, those before the last rotation included.
            pieces = [body[at:at + 64] for at in range(HEAD, len(body) - 64, 64)]
            left = sum(piece in raw for piece in pieces if len(set(piece)) > 16)
            self.expect(left == 0, "%d pieces of what was sealed in %s are on the raw disk" % (left, name))
        print("measured: %s: %d KiB of raw disk searched" % (self.backend, len(raw) // 1024))

    def look_at_cores(self, said):
        try:
            cores = Cores(self.place)
        except OSError as error:
            print("not done here: cores by a collector (%s)" % error)
            return
        pids, left = said["cores"], {}
        try:
            left["sleeper"] = cores.of(pids.pop("sleeper"), signal.SIGABRT)
            # The daemon last: its end is that of a child that waits.
            for (name, pid), number in zip(pids.items(), (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT)):
                left[name] = cores.of(pid, number)
        finally:
            cores.end()
        planted = left.pop("sleeper")
        self.expect(planted is not None and is_there(newest(said), planted), "the planted leak in a core is not found")
        for name, core in left.items():
            self.expect(core is None, "the %s left a core" % name)


def becoming(who):
    """The beginning of a command that runs as somebody else."""
    return ["setpriv", "--reuid", str(who.pw_uid), "--regid", str(who.pw_gid), "--clear-groups", "--no-new-privs",
            "env", "-i", "HOME=" + who.pw_dir, "PATH=" + os.environ["PATH"], "LANG=C.UTF-8"]


def race(user, programs, place):
    """As packages install them, the programs cannot be looked into even at the moment of their exec; others can."""
    installed, wrong, caught = os.path.join(place, "installed"), [], set()
    os.mkdir(installed)
    racer = [*becoming(pwd.getpwnam(user)), "python3", os.path.join(place, "tree/secrecy/racer.py")]
    for name in PROGRAMS:
        path = shutil.copy(os.path.join(programs, name), installed)
        os.chmod(path, 0o711)
        for program in (path, os.path.join(programs, name)):
            done = subprocess.run([*racer, program, str(RACES)], stdout=subprocess.PIPE, text=True, cwd="/")
            seen = done.stdout.split("\n")[:-2]
            if done.returncode != 0:
                wrong.append("racer.py failed with " + name)
            elif program != path:
                caught |= set(seen)
            elif seen:
                wrong.append("%s could be looked into just after exec: %s" % (name, seen))
    if "mem" not in caught:
        wrong.append("the race was never won against a program that can be read, so it shows nothing")
    return wrong


def as_sets(said):
    return {kind: set(values) for kind, values in said["secrets"].items()}


def newest(said):
    return said["secrets"]["refresh token"][-1]


def is_there(secret, data):
    """Whether the search finds a secret as it is."""
    return ("x", "raw") in find({"x": {secret}}, data)


def main(user, programs):
    if os.getuid() != 0:
        sys.exit("root.py: root must start it")
    # USER may not be able to read the tree that root works in.
    place = tempfile.mkdtemp(prefix="almoner-root-")
    wrong = []
    try:
        os.chmod(place, 0o755)
        for name in ("secrecy", "lib", "sandbox"):
            shutil.copytree(os.path.join(HERE, "..", name), os.path.join(place, "tree", name))
        subprocess.run(["chmod", "-R", "a+rX", place], check=True)
        wrong += race(user, programs, place)
        for backend in BACKENDS:
            mine = os.path.join(place, backend)
            shutil.copytree(os.path.join(place, "tree"), os.path.join(mine, "tree"))
            look = Look(user, programs, backend, mine)
            try:
                wrong += look.run()
            finally:
                look.end()
            print("measured: %s: only current tokens in memory, %.2f s after a change at most" % (backend, look.slowest))
    finally:
        shutil.rmtree(place)
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) == 3:
        # What is mounted and started here is seen by nobody else, and gone at the end.
        os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child",
                              "--mount-proc", sys.executable, *sys.argv, "inside"])
    sys.exit(main(*sys.argv[1:3]))
