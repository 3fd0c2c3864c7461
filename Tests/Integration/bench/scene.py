"""The place in which everything is measured: the daemon with its accounts. Standard library only."""
import json
import os
import signal
import sys
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "sandbox")]
import glewlwyd  # noqa: E402
from issuer import Issuer  # noqa: E402
from load import Target  # noqa: E402
from place import Place, free_port, program  # noqa: E402
from wire import Wire  # noqa: E402

CONFIGURATION = "[refresh]\nforce-interval=0s\n"
OPENID = """
[issuer {name}]
kind=openid
issuer={issuer}
client-id={client}
redirect-uri={redirect}
scopes={scopes}
{authority}
[account {name}]
issuer={name}
"""


class Scene:
    """Account `work` at one sandbox issuer, `other` at another, and `http` and `https` where there is a glewlwyd."""

    def __init__(self):
        self.place = Place()
        self.place.environment["ALMONER_SOCKET"] = self.place.socket
        self.configuration = CONFIGURATION
        self.place.configure(self.configuration)
        self.place.start_issuer("--auto", "ada")
        self.daemon = self.place.start_daemon()
        self.place.sign_in("work")
        self.other = self.add_account("other")

    def add_account(self, name):
        """An account at a sandbox issuer of its own, which is returned."""
        issuer = Issuer(program("almoner-sandbox"), "--no-rate-limits", "--auto", "ada",
                        "--redirect-uri", "http://localhost:%d/callback" % free_port())
        self.place.children.append(issuer.process)
        self.place.almoner("login", name, "--publishable-key", issuer.ready["publishable_key"],
                           "--redirect-uri", issuer.redirect, "--yes")
        return issuer

    def add_crowd(self, count):
        """So many accounts at one issuer, each somebody else's. Returns their names."""
        issuer = Issuer(program("almoner-sandbox"), "--no-rate-limits",
                        "--redirect-uri", "http://localhost:%d/callback" % free_port())
        self.place.children.append(issuer.process)
        registration = {"publishableKey": issuer.ready["publishable_key"], "redirectUri": issuer.redirect}
        names = ["guest-%d" % number for number in range(1, count + 1)]
        for name in names:
            def follow(url):
                page = issuer.request("GET", url[len(issuer.origin):])
                return issuer.choose(page, name).header("location")
            self.sign_in(name, follow, registration)
        issuer.process.kill()
        return names

    def add_openid_accounts(self, issuers):
        for name, issuer in issuers.items():
            self.configuration += OPENID.format(
                name=name, issuer=issuer.issuer, client=glewlwyd.CLIENT, redirect=issuer.redirect,
                scopes=" ".join(glewlwyd.SCOPES), authority="ca-file=" + issuer.authority if issuer.authority else "")
        self.place.configure(self.configuration)
        self.restart()
        for name, issuer in issuers.items():
            self.sign_in(name, issuer.follow)

    def sign_in(self, account, follow, registration=None):
        """What `almoner login` and a browser do together. `follow` does at the issuer what a person would."""
        with Wire(self.place.socket) as wire:
            wire.send("SignIn", {"account": account, "registration": registration}, more=True)
            attempt = wire.receive()
            if "error" in attempt:
                raise RuntimeError("signing in to %s: %s" % (account, attempt))
            back = follow(attempt["parameters"]["url"])
            urllib.request.build_opener(urllib.request.ProxyHandler({})).open(back, timeout=20).read()
            done = wire.receive()
            if done.get("parameters", {}).get("stage") != "signed-in":
                raise RuntimeError("signing in to %s: %s" % (account, done))

    def restart(self):
        self.place.kill_daemon(signal.SIGTERM)
        self.daemon = self.place.start_daemon()

    def target(self, account="work"):
        call = {"method": "org.almoner.Almoner.GetAccessToken", "parameters": {"account": account}}
        return Target("almoner", self.place.socket, json.dumps(call).encode() + b"\0", "nul", self.place.root)

    def end(self):
        self.place.end()


def facts(path):
    """The lines `Name: value` of a file of /proc."""
    with open(path) as file:
        return {name: value.strip() for name, _, value in (line.partition(":") for line in file)}


def switches(pid):
    """How often each thread gave the processor up to wait, so far."""
    tasks = "/proc/%d/task" % pid
    return {task: int(facts("%s/%s/status" % (tasks, task))["voluntary_ctxt_switches"]) for task in os.listdir(tasks)}


def wait_for_rest(pid, quiet=1.0):
    """Until no thread has run for a while: after a sign-in something is left to store, and a child to end."""
    last, now, until = None, switches(pid), time.monotonic() + 60
    while last != now and time.monotonic() < until:
        time.sleep(quiet)
        last, now = now, switches(pid)
