"""Rows: a token that is in memory, asked for over the socket and by the command line."""
import os
import signal
import statistics
import threading
import time

from load import medians
from place import program
from table import Row
from wire import Wire

KEPT, MANY = 1, 64
# Nanoseconds of work for each answer, for an echo that shows what any work costs.
WORK = 2000
# With one key of 32 bytes.
SSH_BYTES = "about 80"
WHY = ("; the echo with two microseconds of work shows what is left for a server that has to read a request and to"
       " write an answer")


def ratio(ours, theirs):
    return None if theirs is None else ours / theirs


def at_least(ours, theirs, bar):
    return None if theirs is None else ours / theirs >= bar


def at_most(ours, theirs, bar):
    return None if theirs is None else ours / theirs <= bar


def kept(scene, opponents, load):
    """One kept connection and 64, against ssh-agent's list and the C echo that answers as many bytes as we do."""
    ours = scene.target()
    with open(ours.request, "rb") as file:
        request = file.read()
    length = int(load.once(ours, "kept", milliseconds=50)["bytes"])
    targets = [ours, opponents.echo(request, length), opponents.echo(request, length, WORK)]
    targets += [opponents.ssh_agent] if opponents.ssh_agent else []
    for connections, bar, note in ((KEPT, 0.9, ""), (MANY, 1.5, WHY)):
        rate = {name: figures["rate"] for name, figures in load.compare(targets, "kept", connections).items()}
        mine, agent = rate.pop("almoner"), rate.get("ssh-agent")
        yield Row("cached token, %d kept connection%s" % (connections, "s" if connections > 1 else ""), mine,
                  "requests/s", rate, ratio(mine, agent), "at least %s x ssh-agent" % bar, at_least(mine, agent, bar),
                  "%.2f x the C echo, which answers %d bytes too (ssh-agent: %s) and does nothing else%s"
                  % (mine / rate["C echo"], length, SSH_BYTES, note))


def new(scene, opponents, load):
    """A connection for each request."""
    account = next(iter(opponents.issuers), None)
    theirs = opponents.oidc.target(account) if opponents.oidc else None
    found = load.compare([scene.target()] + ([theirs] if theirs else []), "new")
    mine, agent = found["almoner"], found.get("oidc-agent")
    for measure, key, unit, bar, check in (
            ("rate", "rate", "requests/s", "at least 1.5 x oidc-agent", lambda a, b: at_least(a, b, 1.5)),
            ("p50", "p50", "us", "", lambda a, b: None),
            ("p99", "p99", "us", "no more than oidc-agent", lambda a, b: at_most(a, b, 1))):
        other = agent and agent[key]
        yield Row("cached token, new connection each, " + measure, mine[key], unit,
                  {"oidc-agent": other} if agent else {}, ratio(mine[key], other), bar, check(mine[key], other))


def whole_process(scene, opponents, runs):
    """`almoner token` from start to end, in turn with the others, and with a C program that asks the daemon the same."""
    ours = scene.target()
    caller = [os.path.join(opponents.tools, "caller"), ours.socket, ours.request]
    commands = {"almoner": ([program("almoner"), "token", "work"], scene.place.environment),
                "C caller": (caller, scene.place.environment)}
    if opponents.oidc:
        account = next(iter(opponents.issuers))
        commands["oidc-token"] = (opponents.oidc.command(account), opponents.oidc.environment)
    if opponents.secret_tool:
        commands["secret-tool"] = (opponents.secret_tool, scene.place.environment)
    took = {name: [] for name in commands}
    for _ in range(runs):
        for name, (command, environment) in commands.items():
            took[name].append(milliseconds(command, environment))
    middle = {name: statistics.median(values) for name, values in took.items()}
    mine, agent = middle.pop("almoner"), middle.get("oidc-token")
    yield Row("almoner token, cached, whole process", mine, "ms", middle, ratio(mine, agent),
              "at most 0.6 x oidc-token", at_most(mine, agent, 0.6),
              "%.2f x a static C program that sends the same call and prints the answer" % (mine / middle["C caller"]))


def milliseconds(command, environment):
    """How long a process takes. Its output is thrown away."""
    null = os.open("/dev/null", os.O_RDWR)
    try:
        began = time.perf_counter()
        pid = os.posix_spawnp(command[0], command, environment,
                              file_actions=[(os.POSIX_SPAWN_DUP2, null, number) for number in (0, 1, 2)])
        _, status = os.waitpid(pid, 0)
        took = (time.perf_counter() - began) * 1000
    finally:
        os.close(null)
    if os.waitstatus_to_exitcode(status) != 0:
        raise RuntimeError("%s failed" % command[0])
    return took


def while_another_hangs(scene, opponents, load):
    """A cached token, while the issuer of another account is stopped and a refresh there waits for it."""
    ours = hanging(load, scene.target(), scene.other.process, lambda: refresh_other(scene))
    yield Row("cached token while another issuer hangs, p99", ours["hanging"], "us", {"otherwise": ours["free"]},
              ours["ratio"], "at most 1.2 x its own p99 otherwise", ours["ratio"] <= 1.2,
              "a ratio of p99 a round, their median; %d requests/s meanwhile" % ours["rate"])
    if opponents.oidc and len(opponents.issuers) > 1:
        first, second = list(opponents.issuers)[:2]
        theirs = stuck(opponents, first, second)
        yield Row("the same of oidc-agent: the longest wait", theirs, "ms")


def refresh_other(scene):
    with Wire(scene.place.socket) as wire:
        wire.call("GetAccessToken", {"account": "other", "force": True, "timeout": 20})


def hanging(load, target, issuer, refresh):
    free, held = [], []
    for _ in range(load.rounds):
        free.append(load.once(target, "kept"))
        issuer.send_signal(signal.SIGSTOP)
        waiting = threading.Thread(target=refresh)
        try:
            waiting.start()
            # The courier's start is over, and it waits for its answer.
            time.sleep(0.3)
            held.append(load.once(target, "kept"))
            if not waiting.is_alive():
                raise RuntimeError("the refresh did not hang")
        finally:
            issuer.send_signal(signal.SIGCONT)
        waiting.join()
        time.sleep(0.3)
    return {"hanging": medians(held)["p99"], "free": medians(free)["p99"], "rate": medians(held)["rate"],
            "ratio": statistics.median(slow["p99"] / fast["p99"] for slow, fast in zip(held, free))}


def stuck(opponents, first, second, seconds=2):
    """Milliseconds that oidc-agent lets the owner of a cached token wait; its issuer is let go after `seconds`."""
    issuer = opponents.issuers[second].process
    issuer.send_signal(signal.SIGSTOP)
    forced = threading.Thread(target=milliseconds, args=(
        [*opponents.oidc.command(second), "-f"], opponents.oidc.environment))
    wake = threading.Timer(seconds, issuer.send_signal, [signal.SIGCONT])
    try:
        forced.start()
        wake.start()
        time.sleep(0.3)
        return milliseconds(opponents.oidc.command(first), opponents.oidc.environment)
    finally:
        wake.join()
        forced.join()

