"""Races for a program of ours at the moment of its exec: may another program of the same user look into it?

usage: racer.py PROGRAM TIMES    prints, a line each, what could be looked into; then how often it looked

A look counts only when the kernel had given the process its new name before: then it is the new program's memory.
"""
import os
import shutil
import socket
import sys
import tempfile

# What the kernel shows only to who may trace the process. Enough looks to last until it has forbidden that itself.
LOOKS = ("mem", "maps", "environ", "auxv", "exe", "cwd", "root", "fd")
TIMES = 200


def look(pid, name):
    """Whether there was something to see; raises PermissionError where it must. Who is ending has no memory any more."""
    path = "/proc/%d/%s" % (pid, name)
    if name in ("exe", "cwd", "root"):
        return bool(os.readlink(path))
    if name == "fd":
        return bool(os.listdir(path))
    file = os.open(path, os.O_RDONLY)
    try:
        return bool(os.pread(file, 1, 0))
    except OSError:
        # Nothing is mapped at the beginning of "mem": it is an error where there is memory, and the end where not.
        return True
    finally:
        os.close(file)


def begin(program, home):
    """A child that becomes the program when a byte comes. Its standard input never speaks, so it stays."""
    read, write = os.pipe()
    # As the daemon speaks to its children.
    kind = socket.SOCK_STREAM if program.endswith("callback") else socket.SOCK_SEQPACKET
    ours, theirs = socket.socketpair(socket.AF_UNIX, kind)
    quiet = os.open("/dev/null", os.O_RDWR)
    pid = os.fork()
    if pid == 0:
        try:
            os.dup2(theirs.fileno(), 0)
            os.dup2(quiet, 1)
            os.read(read, 1)
            os.execve(program, [program], {"HOME": home, "XDG_RUNTIME_DIR": home})
        finally:
            os._exit(127)
    theirs.close()
    os.close(read)
    os.close(quiet)
    return pid, write, ours


def has_ended(pid):
    ended, status = os.waitpid(pid, os.WNOHANG)
    if ended:
        print("ended with", os.waitstatus_to_exitcode(status), file=sys.stderr)
    return bool(ended)


def race(program, home, seen):
    """One exec. Returns whether it could be looked at all the time; a process that has ended has nothing to see."""
    name = os.path.basename(program)[:15].encode()
    pid, write, ours = begin(program, home)
    comm, found = os.open("/proc/%d/comm" % pid, os.O_RDONLY), set()
    try:
        os.write(write, b"x")
        while os.pread(comm, 32, 0).strip() != name:
            if has_ended(pid):
                return False
        for number in range(TIMES):
            what = LOOKS[number % len(LOOKS)]
            try:
                if look(pid, what):
                    found.add(what)
            except PermissionError:
                continue
            except (FileNotFoundError, ProcessLookupError):
                break
        if has_ended(pid):
            return False
    finally:
        os.close(write)
        os.close(comm)
        ours.close()
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    seen |= found
    return True


def main(program, times):
    home = tempfile.mkdtemp(prefix="almoner-race-")
    seen = set()
    try:
        won = sum(race(program, home, seen) for _ in range(times))
    finally:
        shutil.rmtree(home)
    for what in sorted(seen):
        print(what)
    assert won > times // 2, "it ended too often before it was looked at"
    print("looks", won * TIMES)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
