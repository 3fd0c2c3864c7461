"""Exhaustive model of one refresh-token rotation under crashes and lost messages.

usage: rotation_model.py

Enumerates policy of the issuer x strategy of the client x crash point x what becomes of every request x length of the
outage. Prints for each strategy and policy in how many runs the person has to sign in again, in how many of those no
client could have helped it, in how many our own repetition made the issuer revoke the session, and the most requests
that one run sent. The unit of time is a second.

`courier` is what the daemon does: an answer outlives the crash of whoever asked for it, and what never departed is
known not to have been sent.
"""
import collections
import itertools

LIFE = 90  # what the old access token has left at the start
GRACE = 30
GIVE_UP = 10  # how long a request waits for its answer
QUIET = 15  # how long after its sending a request may still be processed
BACKOFF = 1
MARGIN = 2  # kept clear of the end of a grace window

POLICIES = ["none", "window", "until_used"]
STRATEGIES = ["naive", "store_first", "marker_stop", "marker_last", "marker_probe_stop", "marker_probe", "courier"]
PROBING = ("marker_probe", "marker_probe_stop", "courier")
CRASHES = [None, "before_marker", "after_marker", "waiting", "got_before_store", "stored_before_serve",
           "served_before_store"]
FATES = ["ok", "not_sent", "req_lost", "resp_lost", "late"]  # late: processed 8 s after the client gave up
OUTAGES = [2, 20, 600]
COLUMNS = ["runs", "ok", "offline", "sign_in", "unavoidable", "avoidable", "reuse_seen", "served_but_lost", "most_posts"]


class Server:
    def __init__(self, policy):
        self.policy, self.current, self.previous, self.spent = policy, 1, None, None
        self.is_used, self.is_revoked, self.reuse, self.queue = False, False, 0, []

    def advance(self, now):
        for due in sorted(due for due in self.queue if due[0] <= now):
            self.queue.remove(due)
            self.refresh(due[1], due[0])

    def refresh(self, token, now):
        if self.is_revoked:
            return None
        if token == self.current:
            self.previous, self.spent, self.current, self.is_used = token, now, token + 1, False
            return self.current
        if token == self.previous and (
                (self.policy == "window" and now - self.spent <= GRACE)
                or (self.policy == "until_used" and not self.is_used)):
            return self.current
        self.reuse += 1
        self.is_revoked = True
        return None

    def honours(self, generation, now):
        """As GET session/ does: an access token that was replaced fails at once."""
        return not self.is_revoked and generation == self.current and now < LIFE


class Crash(Exception):
    pass


class Run:
    """One client, from the start of a rotation to its end, through at most one crash: at the `nth` time there."""

    def __init__(self, policy, strategy, crash, fates, outage, nth=1):
        self.server, self.strategy, self.crash, self.outage = Server(policy), strategy, crash, outage
        self.fates, self.left = list(fates), nth
        self.now, self.disk, self.served, self.posts = 0, 1, 0, 0
        self.landed = None  # what lies on the pad
        self.last_send, self.is_unknown = None, False  # the marker
        self.marks = strategy.startswith("marker") or strategy == "courier"
        self.outcome = "offline"
        for _ in range(3):
            try:
                self.outcome = self.life()
                break
            except Crash:
                continue
        self.server.advance(self.now + 1000)  # let a delayed request arrive after all

    @property
    def is_whole(self):
        return self.outcome == "ok" and self.server.current == self.disk and not self.server.is_revoked

    def die(self, place):
        if self.crash != place or self.left == 0:
            return
        self.left -= 1
        if self.left == 0:
            self.now += self.outage
            self.server.advance(self.now)
            raise Crash

    def life(self):
        self.die("before_marker")
        if self.landed:
            return self.keep(self.landed)
        if self.marks:
            if self.last_send is None:
                self.last_send = self.now
            elif self.strategy != "courier":
                self.is_unknown = True  # a marker that is found at the start
            self.die("after_marker")
        for _ in range(6):
            if self.marks and self.is_unknown and not self.may_send():
                return "sign_in"
            self.die_waiting()
            status, token = self.send()
            if status == "not_sent":
                self.now += BACKOFF
            elif status == "unknown":
                self.is_unknown = True
                self.now += 0 if self.marks else BACKOFF
            elif status == "refused":
                return "sign_in"
            else:
                return self.keep(token)
        return "offline"

    def may_send(self):
        """Waits and asks as the strategy does; False when only the person can mend it."""
        if self.server.policy == "window" and self.now - self.last_send <= GRACE - MARGIN:
            return True
        if self.server.policy == "until_used":
            self.wait(self.now + QUIET)
            return True
        if self.strategy in PROBING and self.now + QUIET < LIFE:
            self.wait(self.now + QUIET)
            return self.server.honours(self.disk, self.now)
        if self.strategy in ("marker_last", "marker_probe", "courier"):
            self.wait(max(self.now, LIFE) + QUIET)  # the old access token is dead: nothing is left to lose
            return True
        return False

    def wait(self, until):
        self.now = until
        self.server.advance(self.now)

    def die_waiting(self):
        """The request leaves, then comes the crash. A courier goes on and lands the answer, if there is one."""
        if self.crash != "waiting" or self.left == 0:
            return
        self.left -= 1
        if self.left > 0:
            return
        fate = self.fates.pop(0) if self.fates else "ok"
        self.posts += 1
        if fate != "not_sent":
            self.last_send, self.is_unknown = self.now, True
        if fate in ("ok", "resp_lost"):
            answer = self.server.refresh(self.disk, self.now)
            if fate == "ok" and self.strategy == "courier":
                self.landed = answer
        if fate == "late":
            self.server.queue.append((self.now + 8, self.disk))
        self.now += self.outage
        self.server.advance(self.now)
        raise Crash

    def send(self):
        self.posts += 1
        fate = self.fates.pop(0) if self.fates else "ok"
        self.server.advance(self.now)
        if fate == "not_sent":
            self.now += 1
            return "not_sent", None
        self.last_send = self.now
        if fate == "ok":
            token = self.server.refresh(self.disk, self.now)
            self.now += 1
            return ("ok", token) if token else ("refused", None)
        if fate == "resp_lost":
            self.server.refresh(self.disk, self.now)
        if fate == "late":
            self.server.queue.append((self.now + GIVE_UP + 8, self.disk))
        self.now += GIVE_UP
        return "unknown", None

    def keep(self, token):
        if self.strategy == "courier":
            self.landed = token
        if self.strategy == "naive":
            self.served, self.server.is_used = token, True
            self.die("served_before_store")
        self.die("got_before_store")
        self.disk, self.last_send, self.is_unknown = token, None, False
        self.die("stored_before_serve")
        self.served, self.server.is_used = token, True
        return "ok"


def is_avoidable(policy, crash, fates, outage):
    """Whether some strategy without a courier still ends with a working token."""
    return any(Run(policy, strategy, crash, fates, outage).is_whole for strategy in STRATEGIES[:-1])


def scenarios():
    """Every crash, pair of fates and outage."""
    for crash, outage in itertools.product(CRASHES, OUTAGES):
        for fates in itertools.product(FATES, repeat=2):
            yield crash, fates, outage


def count(row, run, can_be_avoided):
    row["runs"] += 1
    if run.is_whole:
        row["ok"] += 1
    elif run.outcome == "offline":
        row["offline"] += 1
    else:
        row["sign_in"] += 1
        row["avoidable" if can_be_avoided else "unavoidable"] += 1
    row["reuse_seen"] += 1 if run.server.reuse else 0
    row["served_but_lost"] += 1 if run.served > run.disk else 0
    row["most_posts"] = max(row["most_posts"], run.posts)


def table(policies=POLICIES, strategies=STRATEGIES):
    rows = {(policy, strategy): collections.Counter() for policy in policies for strategy in strategies}
    for policy in policies:
        for crash, fates, outage in scenarios():
            avoidable = is_avoidable(policy, crash, fates, outage)
            for strategy in strategies:
                count(rows[policy, strategy], Run(policy, strategy, crash, fates, outage), avoidable)
    return rows


def show(rows):
    widths = [max(7, len(name)) for name in COLUMNS]
    print("%-17s %-10s %s" % ("strategy", "issuer", " ".join(name.rjust(w) for name, w in zip(COLUMNS, widths))))
    for (policy, strategy), row in rows.items():
        print("%-17s %-10s %s" % (strategy, policy, " ".join(str(row[n]).rjust(w) for n, w in zip(COLUMNS, widths))))


if __name__ == "__main__":
    show(table())
