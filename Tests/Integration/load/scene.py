"""What the load campaign has in common: a place with many guests, how long a cached token takes, and what is printed."""
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
from place import Place, free_port, program, refuse_root  # noqa: E402, F401
from wire import Wire  # noqa: E402

# As `./dev test` runs it. `./dev load` sets it to something else, and takes its time.
QUICK = os.environ.get("ALMONER_LOAD", "quick") == "quick"
# How long anything may take that has to happen at all.
PATIENCE = 60
# A loop that waited for one of its troubles would stand still for two seconds and more. Milliseconds: far more than
# what a machine adds that has ten times as much to do as it can.
BLOCKED = 1000


def measured(text, *values):
    print("\nmeasured: " + text % values, flush=True)


def not_done(text):
    print("\nnot done here: " + text, flush=True)


def eventually(what, holds, patience=PATIENCE):
    """Returns what `holds` says as soon as it is something."""
    until = time.monotonic() + patience
    while True:
        found = holds()
        if found:
            return found
        assert time.monotonic() < until, "it did not come about: " + what
        time.sleep(0.02)


class Scene(Place):
    """A place whose accounts are kept in sealed files under a key file, so that a hundred of them cost little."""

    def __init__(self, keyring=False):
        super().__init__(keyring=keyring)
        # The daemon's process, where another one was started that runs it.
        self.inner = None
        key = os.path.join(self.root, "key")
        with open(key, "wb") as file:
            file.write(os.urandom(32))
        os.chmod(key, 0o600)
        self.configure("[refresh]\nforce-interval=0s\n[store]\ndefault=sealed-file\nkey-file=%s\n" % key)

    def sign_in_guest(self, name, number, issuer=None, store="sealed-file"):
        """Over the socket, with the redirected address handed in: no browser and no listener."""
        issuer = issuer or self.issuer
        registration = {"publishableKey": issuer.ready["publishable_key"], "redirectUri": issuer.redirect,
                        "store": store}
        with Wire(self.socket) as asking, Wire(self.socket) as handing:
            asking.send("SignIn", {"account": name, "registration": registration, "flow": "paste"}, more=True)
            attempt = asking.receive()["parameters"]
            address = urllib.parse.urlsplit(attempt["url"])
            page = issuer.request("GET", address.path + "?" + address.query)
            redirected = issuer.choose(page, "guest-%d" % number).header("location")
            handed = handing.call("CompleteSignIn", {"attempt": attempt["attempt"], "redirectedUrl": redirected})
            assert "error" not in handed, handed
            reply = asking.receive()
            assert reply.get("parameters", {}).get("stage") == "signed-in", reply

    def ask(self, account, timeout=PATIENCE, **more):
        """One call on a connection of its own; the parameters, or the error's name."""
        with Wire(self.socket, timeout=timeout + PATIENCE) as wire:
            reply = wire.call("GetAccessToken", {"account": account, "timeout": timeout, **more})
        return reply.get("error") or reply["parameters"]

    def force(self, account):
        """A refresh that is forced, and forced again while the last tokens are still being stored."""
        def refreshed():
            answer = self.ask(account, force=True)
            return isinstance(answer, dict) and answer["refreshed"] and answer
        return eventually("%s is refreshed" % account, refreshed)

    def served(self, account="work"):
        """Whether a token is served, by the issuer's own judgement."""
        answer = self.ask(account)
        return isinstance(answer, dict) and self.issuer.session(answer["accessToken"]).status == 200

    def wait_until_dead(self, account):
        """Until the token's life is over, by the daemon's own clock."""
        def is_over():
            found = [each for each in self.json("list")["accounts"] if each["name"] == account]
            return found and found[0].get("expiresIn", 0) == 0
        eventually("the token of %s runs out" % account, is_over)
        time.sleep(1)  # the list counts whole seconds: what it shows as 0 may still live for one

    def expire(self, account, issuer=None):
        """Gives the account a token of one second and waits until that is over. Tokens live for 300 s again then."""
        issuer = issuer or self.issuer
        issuer.control("POST", "set", {"access_lifetime": 1, "delay_before_answer": 0})
        self.force(account)
        self.wait_until_dead(account)
        issuer.control("POST", "set", {"access_lifetime": 300})


    def start_wrapped(self, words, directory=None):
        """Starts the daemon by a line of shell, for limits or a tracer: `words` ends where the program's name follows.

        Returns whether it came up."""
        self.programs = os.path.join(self.root, "wrapped")
        os.makedirs(self.programs, exist_ok=True)
        wrapper = os.path.join(self.programs, "almonerd")
        with open(wrapper, "w") as file:
            file.write('#!/bin/sh\n%s %s "$@"\n' % (words, program("almonerd", directory)))
        os.chmod(wrapper, 0o755)
        try:
            self.start_daemon()
        except AssertionError:
            self.daemon.wait()
            self.daemon = None
            return False
        finally:
            self.programs = None
        self.inner = self.json("status")["pid"]
        return True

    def stop_wrapped(self):
        """Ends the daemon that runs below something else, which ends with it."""
        os.kill(self.inner, signal.SIGTERM)
        self.daemon.wait(timeout=PATIENCE)
        self.inner = self.daemon = None

    def end(self):
        if self.inner and self.daemon:
            # What runs below a tracer outlives it.
            os.kill(self.inner, signal.SIGKILL)
            self.daemon.wait(timeout=PATIENCE)
            self.inner = self.daemon = None
        super().end()


class Latency:
    """A process that asks for one account's token, again and again, over one kept connection, while the body runs."""

    def __init__(self, scene, account="work"):
        self.command = [sys.executable, os.path.join(HERE, "latency.py"), scene.socket, account]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "ready\n"
        return self

    def __exit__(self, kind, *_):
        if kind is not None:
            self.process.kill()
        said, _ = self.process.communicate("stop\n" if kind is None else None)
        if kind is None:
            self.result = json.loads(said)

    def report(self, test, what):
        """Prints the figures, and fails when the loop stood still with its trouble."""
        found = self.result
        measured("%s: %d cached tokens, p50 %.3f ms, p99 %.3f ms, longest %.1f ms", what, found["count"], found["p50"],
                 found["p99"], found["longest"])
        test.assertEqual(found["wrong"], 0)
        test.assertLess(found["moment"], BLOCKED, what)


class Helpers:
    """Processes of one script beside this one, each with a line of its own to obey and to answer."""

    def __init__(self, script, *each):
        self.processes = [
            subprocess.Popen([sys.executable, os.path.join(HERE, script), *map(str, words)], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, text=True)
            for words in each]
        for process in self.processes:
            self.read(process)

    def read(self, process):
        line = process.stdout.readline()
        assert line, "a helper ended with %s" % process.wait()
        return json.loads(line)

    def all(self, order):
        """Sends an order to all at once, then reads what each came to."""
        for process in self.processes:
            process.stdin.write(order + "\n")
            process.stdin.flush()
        return [self.read(process) for process in self.processes]

    def kill(self):
        for process in self.processes:
            process.kill()
            process.communicate()


def facts(pid):
    """The lines `Name: value` of the kernel about a process."""
    with open("/proc/%d/status" % pid) as file:
        return dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)


def resident(pid):
    """Kilobytes."""
    return int(facts(pid)["VmRSS"].split()[0])


def processor_seconds(pid):
    with open("/proc/%d/stat" % pid) as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children(pid, name):
    """The processes that `pid` started and whose program is called so, as far as the kernel tells: 15 letters."""
    found = []
    for each in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % each) as file:
                text = file.read()
        except OSError:
            continue
        if text[text.index("(") + 1:text.rindex(")")] == name[:15] and text.rpartition(")")[2].split()[1] == str(pid):
            found.append(int(each))
    return found


def look(eyes):
    asking = socket.socket(socket.AF_UNIX)
    try:
        asking.connect(eyes)
        return asking
    except OSError:
        asking.close()


def descriptors(pid):
    """How many the daemon has open, or None: it cannot be looked into but by root, who may have sent somebody."""
    eyes = os.environ.get("ALMONER_EYES")
    if not eyes:
        return None
    with eventually("root's eyes are open", lambda: look(eyes)) as asking:
        asking.settimeout(PATIENCE)
        asking.sendall(b"%d\n" % pid)
        answer = asking.makefile().readline()
    return int(answer) if re.fullmatch(r"\d+\n", answer) else None
