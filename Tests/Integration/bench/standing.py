"""Rows: how the daemon starts, what it weighs, and that it sleeps."""
import os
import re
import signal
import socket
import statistics
import subprocess
import time

from place import program
from recorder import BusRecorder
from scene import facts, switches, wait_for_rest
from table import Row
from wire import Wire

REQUESTS, CONNECTIONS = 10_000, 20
START_BARS = {1: 25, 100: 60}
# Accounts in the index for the weight of one that is only known.
KNOWN = 1000
# Method calls of the Secret Service; the daemon makes none at start.
SECRET_CALLS = [b"SearchItems", b"GetSecrets", b"GetSecret", b"OpenSession", b"ReadAlias"]


class Index:
    """The index of accounts, with copies of its first account under other ids and names: known, and never asked for."""

    def __init__(self, scene):
        self.path = os.path.join(scene.place.state, "accounts.conf")
        with open(self.path) as file:
            self.text = file.read()
        self.group = re.search(r"^\[account [0-9a-f]{32}\]\nname=work\n.*?(?=^\[|\Z)", self.text, re.M | re.S).group()
        self.head = self.text[:self.text.index("[account ")]

    def write(self, count):
        groups = [self.group]
        for number in range(1, count):
            copy = re.sub(r"\[account [0-9a-f]{32}\]", "[account %032x]" % (number + (1 << 100)), self.group)
            copy = copy.replace("name=work\n", "name=copy-%d\n" % number)
            groups.append(copy.rstrip("\n") + "\n\n")
        self.put(self.head + groups[0].rstrip("\n") + "\n\n" + "".join(groups[1:]))

    def restore(self):
        self.put(self.text)

    def put(self, text):
        with open(self.path, "w") as file:
            file.write(text)


def start_once(place):
    """Milliseconds from the start of the process to READY=1 on its notification socket. The daemon is left running."""
    path = os.path.join(place.root, "notify")
    if os.path.exists(path):
        os.unlink(path)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified, open(place.log, "ab") as log:
        notified.bind(path)
        notified.settimeout(60)
        began = time.perf_counter()
        place.daemon = subprocess.Popen([program("almonerd")], env={**place.environment, "NOTIFY_SOCKET": path},
                                        stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        while b"READY=1" not in notified.recv(4096).split(b"\n"):
            pass
        return (time.perf_counter() - began) * 1000


def starting(scene, counts, times):
    index, place = Index(scene), scene.place
    place.kill_daemon(signal.SIGTERM)
    took = {count: [] for count in counts}
    try:
        for _ in range(times):
            for count in counts:
                index.write(count)
                took[count].append(start_once(place))
                place.kill_daemon(signal.SIGTERM)
        index.write(max(counts))
        calls = keyring_calls(scene)
    finally:
        index.restore()
    scene.daemon = place.start_daemon()
    middle = {count: statistics.median(values) for count, values in took.items()}
    for count, value in middle.items():
        bar = START_BARS.get(count)
        # What is linear takes no more for an account among many than for one among few.
        each = (value - middle[1]) / (count - 1) if count > 1 else None
        note = "" if each is None else "%.3f ms for each further account" % each
        if bar:
            yield Row("start until READY, %d account%s" % (count, "s" if count > 1 else ""), value, "ms",
                      bar="at most %d ms" % bar, reached=value <= bar, note=note)
        else:
            few = (middle[100] - middle[1]) / 99 if 100 in middle else None
            yield Row("start until READY, %s accounts" % format(count, ","), value, "ms", bar="linear",
                      reached=None if few is None else each <= max(2 * few, 0.1), note=note)
    yield Row("calls to the keyring at start, %s accounts" % format(max(counts), ","), calls, "", bar="none",
              reached=calls == 0)


def keyring_calls(scene):
    """Calls of the Secret Service that the bus sees until the daemon rests. Who is asked for a token makes some."""
    place = scene.place
    recorder = BusRecorder(place.environment, os.path.join(place.root, "bus-record"))
    try:
        start_once(place)
        wait_for_rest(place.daemon.pid)
        recorder.catch_up()
        calls = sum(recorder.bytes.count(name) for name in SECRET_CALLS)
        place.token("work")
        recorder.catch_up()
        if not any(name in recorder.bytes for name in SECRET_CALLS):
            raise RuntimeError("the recorder does not see the keyring's calls")
    finally:
        recorder.stop()
        place.kill_daemon(signal.SIGTERM)
    return calls


def resident(pid, kind="VmRSS"):
    return int(facts("/proc/%d/status" % pid)[kind].split()[0])


def weight(scene, shares, accounts):
    """RSS and Pss after a sign-in and ten thousand requests; then what one more account weighs, in use and known."""
    hammer(scene)
    wait_for_rest(scene.daemon.pid)
    rss = resident(scene.daemon.pid) / 1024
    yield Row("memory after 10,000 requests, RSS", rss, "MB", bar="at most 16 MB", reached=rss <= 16)
    pss = shares.megabytes(scene.daemon.pid)
    if pss is not None:
        yield Row("memory after 10,000 requests, Pss", pss, "MB", bar="at most 12 MB", reached=pss <= 12)
    yield in_use(scene, accounts)
    yield known(scene)


def hammer(scene):
    callers = [Wire(scene.place.socket) for _ in range(CONNECTIONS)]
    for _ in range(REQUESTS // CONNECTIONS):
        for caller in callers:
            caller.send("GetAccessToken", {"account": "work"})
        for caller in callers:
            caller.receive()
    for caller in callers:
        caller.close()


def in_use(scene, accounts):
    """From a daemon that hands out tokens of some accounts to the same one with more. From none to some would not do:
    the first brings what the keyring's library needs. Pages of files do not count, which come and go.
    """
    names = scene.add_crowd(accounts)
    wait_for_rest(scene.daemon.pid)
    scene.restart()
    wait_for_rest(scene.daemon.pid)
    some = max(1, accounts // 10)
    ask_all(scene, names[:some])
    before = resident(scene.daemon.pid, "RssAnon")
    ask_all(scene, names[some:])
    each = (resident(scene.daemon.pid, "RssAnon") - before) / (accounts - some)
    return Row("memory of an account in use", each, "KiB", bar="at most 4 KiB", reached=each <= 4,
               note="from %d accounts, counted in pages of 4 KiB" % (accounts - some))


def ask_all(scene, names):
    with Wire(scene.place.socket) as wire:
        for name in names:
            if "error" in wire.call("GetAccessToken", {"account": name}):
                raise RuntimeError("no token for " + name)
    wait_for_rest(scene.daemon.pid)


def known(scene):
    index = Index(scene)
    found = {}
    scene.place.kill_daemon(signal.SIGTERM)
    try:
        for count in (1, 1 + KNOWN):
            index.write(count)
            start_once(scene.place)
            wait_for_rest(scene.place.daemon.pid)
            found[count] = resident(scene.place.daemon.pid, "RssAnon")
            check_count(scene, count)
            scene.place.kill_daemon(signal.SIGTERM)
    finally:
        index.restore()
    scene.daemon = scene.place.start_daemon()
    each = (found[1 + KNOWN] - found[1]) * 1024 / KNOWN
    return Row("memory of an account that is only known", each, "bytes", bar="at most 512 bytes", reached=each <= 512,
               note="from %d copies in the index" % KNOWN)


def check_count(scene, count):
    """Whether the daemon took the index as it was meant."""
    place = scene.place
    listed = len(place.json("list")["accounts"])
    if listed != count:
        raise RuntimeError("%d accounts are known, and not %d" % (listed, count))


def idle(scene, seconds):
    scene.place.token("work")
    wait_for_rest(scene.daemon.pid)
    before = switches(scene.daemon.pid)
    time.sleep(seconds)
    after = switches(scene.daemon.pid)
    woken = sum(after.get(task, 0) - before.get(task, 0) for task in before) + len(set(after) - set(before))
    return Row("wake-ups in %d idle seconds, %d threads" % (seconds, len(before)), woken, "", bar="none",
               reached=woken == 0)
