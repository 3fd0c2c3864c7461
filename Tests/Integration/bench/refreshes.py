"""Rows: a refresh that is forced, at issuers that answer at once and give a new refresh token each time."""
import json
import os
import socket
import statistics
import time

from cached import at_most, ratio
from journalwatch import JournalWatch
from table import Row
from wire import Wire

BAR, OWN_BAR = 0.1, 5


class Ours:
    """An account of almoner's, refreshed over a kept connection."""

    def __init__(self, scene, account):
        self.account = account
        self.wire = Wire(scene.place.socket)
        self.watch = JournalWatch(os.path.join(scene.place.state, "journal"))
        self.own = []

    def refresh(self):
        """Milliseconds. While the last tokens are on their way to the keyring, nothing is refreshed: asked again."""
        until = time.monotonic() + 30
        while time.monotonic() < until:
            self.watch.clear()
            began = time.monotonic()
            answer = self.wire.call("GetAccessToken", {"account": self.account, "force": True})
            ended = time.monotonic()
            if "error" in answer:
                raise RuntimeError("refreshing %s: %s" % (self.account, answer))
            if answer["parameters"]["refreshed"]:
                landed = self.watch.landed()
                if landed is not None:
                    self.own.append((ended - landed) * 1000)
                return (ended - began) * 1000
            time.sleep(0.02)
        raise RuntimeError("%s is not refreshed" % self.account)


class Theirs:
    """An account of oidc-agent's, refreshed over its socket."""

    def __init__(self, agent, account):
        self.agent = agent
        self.request = json.dumps({"request": "access_token", "account": account,
                                   "min_valid_period": 1 << 30}).encode()

    def refresh(self):
        began = time.monotonic()
        with socket.socket(socket.AF_UNIX) as asked:
            asked.settimeout(60)
            asked.connect(self.agent.socket)
            asked.sendall(self.request)
            answer = b""
            while not answer.endswith(b"}"):
                data = asked.recv(65536)
                if not data:
                    break
                answer += data
        took = (time.monotonic() - began) * 1000
        if json.loads(answer)["status"] != "success":
            raise RuntimeError("oidc-agent: %s" % answer[:200])
        return took


class Raw:
    """The issuer alone: the same request, sent by this program."""

    def __init__(self, issuer):
        self.issuer = issuer
        self.token = issuer.refresh_token()

    def refresh(self):
        began = time.monotonic()
        self.token = self.issuer.redeem(grant_type="refresh_token", refresh_token=self.token)
        return (time.monotonic() - began) * 1000


def forced(scene, opponents, times):
    """By scheme and contender, in turn; then what of it was the daemon's own."""
    contenders = {("sandbox", "almoner"): Ours(scene, "work")}
    for scheme, issuer in opponents.issuers.items():
        contenders[scheme, "almoner"] = Ours(scene, scheme)
        contenders[scheme, "issuer alone"] = Raw(issuer)
        if opponents.oidc:
            contenders[scheme, "oidc-agent"] = Theirs(opponents.oidc, scheme)
    took = {name: [] for name in contenders}
    for _ in range(times):
        for name, contender in contenders.items():
            took[name].append(contender.refresh())
    middle = {name: statistics.median(values) for name, values in took.items()}
    for place in ["sandbox", *opponents.issuers]:
        ours = middle[place, "almoner"]
        theirs = {name: middle[place, name] for name in ("oidc-agent", "issuer alone") if (place, name) in middle}
        agent = theirs.get("oidc-agent")
        yield Row("forced refresh with rotation, " + (place if place == "sandbox" else "glewlwyd over " + place), ours,
                  "ms", theirs, ratio(ours, agent), "at most 0.1 x oidc-agent" if place != "sandbox" else "",
                  at_most(ours, agent, BAR))
    own = [value for (_, name), contender in contenders.items() if name == "almoner" for value in contender.own]
    if own:
        yield Row("answer written to the journal until the caller has it", statistics.median(own), "ms",
                  bar="at most 5 ms", reached=statistics.median(own) <= OWN_BAR,
                  note="%d of %d refreshes were seen; the journal's fdatasync is part of it; slowest tenth %.1f ms"
                  % (len(own), sum(len(took[name]) for name in took if name[1] == "almoner"),
                     sorted(own)[int(len(own) * 0.9)]))
