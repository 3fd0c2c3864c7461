"""A place of its own for the real programs: home, runtime directory, session bus, keyring, issuer, daemon.

Standard library only. Refuses to run as root, because root passes such tests for the wrong reason.
ALMONER_BIN names the directory of the programs.
"""
import json
import os
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "sandbox"))
from issuer import Issuer  # noqa: E402

PROGRAMS = os.environ.get("ALMONER_BIN", "")
# A shell that starts a test in the background lets it ignore what a terminal sends, and so its children.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Signs in as a person would, without one: follows the authorization URL to the callback.
BROWSER = """#!/usr/bin/python3
import sys, urllib.request
urllib.request.build_opener(urllib.request.ProxyHandler({})).open(sys.argv[1], timeout=20).read()
"""


def refuse_root():
    if os.getuid() == 0:
        sys.exit("these tests must not run as root: root passes them for the wrong reason")


def program(name, directory=None):
    path = os.path.join(directory or PROGRAMS, name)
    if not os.access(path, os.X_OK):
        sys.exit("ALMONER_BIN does not lead to " + name)
    return path


def free_port():
    """A port that nobody listens on. Below those that the kernel hands out, so that it stays free."""
    while True:
        port = random.randrange(20000, 32000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


class Place:
    def __init__(self, keyring=True, password="test"):
        refuse_root()
        self.root = tempfile.mkdtemp(prefix="almoner-place-")
        self.runtime = self.directory("run")
        self.home = self.directory("home")
        self.state = os.path.join(self.home, ".local/state/almoner")
        self.log = os.path.join(self.root, "daemon.log")
        self.children = []
        self.daemon = None
        # Another directory with copies of the programs, for a test that has to tell its own from others.
        self.programs = None
        self.environment = {
            "HOME": self.home, "PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": self.runtime, "LANG": "C.UTF-8",
            "XDG_DATA_HOME": os.path.join(self.home, ".local/share"),
            "SWIFT_BACKTRACE": "enable=no",
        }
        self.password = password
        if keyring:
            self.start_bus()
            self.start_keyring()
        self.browser = os.path.join(self.root, "browser")
        with open(self.browser, "w") as file:
            file.write(BROWSER)
        os.chmod(self.browser, 0o755)
        self.environment["BROWSER"] = self.browser

    def directory(self, name):
        path = os.path.join(self.root, name)
        os.mkdir(path, 0o700)
        return path

    def __enter__(self):
        return self

    def __exit__(self, kind, *rest):
        if kind is not None and os.path.exists(self.log):
            sys.stderr.write(open(self.log, errors="replace").read()[-4000:])
        self.end()

    def end(self):
        if self.daemon:
            self.kill_daemon()
        for child in reversed(self.children):
            child.kill()
            child.wait()
            if child.stdout:
                child.stdout.close()
        self.children = []
        shutil.rmtree(self.root, ignore_errors=True)

    def start_bus(self):
        address = "unix:path=" + os.path.join(self.root, "bus")
        bus = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1", "--address=" + address],
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().decode().strip()
        self.children.append(bus)

    def start_keyring(self):
        self.keyring = subprocess.Popen(
            ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets",
             "--control-directory=" + os.path.join(self.root, "keyring-control")],
            env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.keyring.stdin.write(self.password.encode())
        self.keyring.stdin.close()
        self.children.append(self.keyring)
        self.wait_for_name("org.freedesktop.secrets")

    def wait_for_name(self, name):
        until = time.monotonic() + 10
        while time.monotonic() < until:
            answer = subprocess.run(
                ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
                 "org.freedesktop.DBus.NameHasOwner", "string:" + name], env=self.environment, capture_output=True)
            if b"true" in answer.stdout:
                return
            time.sleep(0.02)
        raise AssertionError(name + " did not come to the bus")

    def start_issuer(self, *options):
        """The sandbox issuer, with a redirect on a port of its own, so that places do not meet."""
        if "--redirect-uri" not in options:
            options = (*options, "--redirect-uri", "http://localhost:%d/callback" % free_port())
        self.issuer = Issuer(program("almoner-sandbox"), "--no-rate-limits", *options)
        self.children.append(self.issuer.process)
        return self.issuer

    def configure(self, text):
        path = os.path.join(self.home, ".config/almoner")
        os.makedirs(path, mode=0o700, exist_ok=True)
        with open(os.path.join(path, "almoner.conf"), "w") as file:
            file.write(text)

    def start_daemon(self, **more):
        """Starts the daemon and returns when it says that it is ready."""
        ready, told = os.pipe()
        os.set_inheritable(told, True)
        with open(self.log, "ab") as log:
            self.daemon = subprocess.Popen(
                [program("almonerd", self.programs), "--ready-fd", str(told)], env={**self.environment, **more},
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=[told])
        os.close(told)
        line = os.read(ready, 1)
        os.close(ready)
        assert line, "almonerd did not start: " + open(self.log, errors="replace").read()[-2000:]
        return self.daemon

    def kill_daemon(self, number=signal.SIGKILL):
        self.daemon.send_signal(number)
        status = self.daemon.wait()
        self.daemon = None
        return status

    @property
    def socket(self):
        return os.path.join(self.runtime, "almoner/almoner.sock")

    def almoner(self, *arguments, check=True, stdin=None, timeout=60, **more):
        """Runs the command line without a terminal."""
        done = subprocess.run(
            [program("almoner", self.programs), *arguments], env={**self.environment, **more}, timeout=timeout, capture_output=True,
            input=stdin if stdin is not None else b"")
        if check and done.returncode != 0:
            raise AssertionError("almoner %s: status %d\n%s" % (
                " ".join(arguments), done.returncode, done.stderr.decode(errors="replace")))
        return done

    def json(self, *arguments, **more):
        return json.loads(self.almoner(*arguments, "--json", **more).stdout)

    def sign_in(self, name="work", *more):
        """Signs in at the sandbox issuer."""
        return self.almoner(
            "login", name, "--publishable-key", self.issuer.ready["publishable_key"],
            "--redirect-uri", self.issuer.redirect, "--yes", *more)

    def token(self, *arguments, **more):
        return self.almoner("token", *arguments, **more).stdout.decode().strip()

    def refresh(self, account, times=1):
        """Forces refreshes. While the last tokens are still on their way to the keyring, nothing is refreshed."""
        until = time.monotonic() + 60
        while times:
            assert time.monotonic() < until, "nothing is refreshed"
            times -= self.json("refresh", account)["refreshed"]

    def keyring_items(self):
        done = subprocess.run(
            ["secret-tool", "search", "--all", "application", "org.almoner"], env=self.environment,
            capture_output=True)
        # The secrets that it prints beside are no text.
        return (done.stdout + done.stderr).count(b"attribute.account")

    def state_files(self):
        """What lies in the state directory, the lock and the index aside."""
        found = []
        for path, _, names in os.walk(self.state):
            found += [os.path.relpath(os.path.join(path, name), self.state) for name in names]
        return sorted(name for name in found if name not in ("lock", "accounts.conf"))

    def state_snapshot(self):
        """Every file of the state directory with what it holds, the lock aside."""
        found = {}
        for path, _, names in os.walk(self.state):
            for name in names:
                with open(os.path.join(path, name), "rb") as file:
                    found[os.path.relpath(file.name, self.state)] = file.read()
        found.pop("lock", None)
        return found

    def lock_keyring(self):
        subprocess.run(
            ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets",
             "org.freedesktop.Secret.Service.Lock", "array:objpath:/org/freedesktop/secrets/aliases/default"],
            env=self.environment, check=True, capture_output=True)

    def unlock_keyring(self):
        """Without a prompt, as a login does: a word on the control socket of gnome-keyring."""
        password = self.password.encode()
        with socket.socket(socket.AF_UNIX) as control:
            control.settimeout(20)
            control.connect(os.path.join(self.root, "keyring-control/control"))
            control.sendall(b"\0")  # where credentials travel on other systems
            control.sendall(struct.pack(">III", 12 + len(password), 1, len(password)) + password)
            answer = control.recv(8, socket.MSG_WAITALL)
        assert answer == struct.pack(">II", 8, 0), answer
