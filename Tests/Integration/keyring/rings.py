"""A place with a bus that starts nothing by itself, keyring services to put on it, and two accounts: `work` in the
keyring and `home` in a sealed file, each at an issuer of its own. Standard library only.
"""
import os
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
sys.path.insert(0, HERE)
from keepassxc import KeePassXC  # noqa: E402
from place import Place, program, refuse_root  # noqa: E402, F401

OK, FAILURE, SIGN_IN, LOCKED, TEMPORARY, DENIED = 0, 1, 3, 4, 5, 6
DEADLINE = 60
APPLICATION = ("application", "org.almoner")


class Rings(Place):
    def __init__(self):
        super().__init__(keyring=False)
        self.service = None
        self.calls = os.path.join(self.root, "calls")
        self.key = os.path.join(self.root, "key")
        with open(self.key, "wb") as file:
            file.write(os.urandom(32))
        os.chmod(self.key, 0o600)
        self.configure("[store]\nkey-file=%s\n\n[refresh]\nforce-interval=0s\n" % self.key)
        self.start_bus()

    def launch(self, command, **more):
        process = subprocess.Popen(command, env=self.environment, **more)
        self.children.append(process)
        return process

    def start_bus(self):
        path = os.path.join(self.root, "bus")
        if os.path.exists(path):
            os.unlink(path)
        self.bus = self.launch(
            ["dbus-daemon", "--config-file=" + os.path.join(HERE, "bus.conf"), "--nofork", "--nopidfile",
             "--print-address=1", "--address=unix:path=" + path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = self.bus.stdout.readline().decode().strip()

    # Services: one at a time.

    def start_gnome(self, locked=False):
        words = ["gnome-keyring-daemon", "--foreground", "--components=secrets",
                 "--control-directory=" + os.path.join(self.root, "keyring-control")]
        self.service = self.launch([*words, "--start" if locked else "--unlock"], stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if not locked:
            self.service.stdin.write(self.password.encode())
        self.service.stdin.close()
        self.wait_for_name("org.freedesktop.secrets")

    def start_keepassxc(self, **settings):
        keepassxc = KeePassXC(self.environment, **settings).start()
        self.service = keepassxc.process
        self.children.append(self.service)
        return keepassxc

    def start_fake(self, mode):
        """A service that misbehaves; what it was asked is in `calls`."""
        open(self.calls, "w").close()
        self.service = self.launch(["/usr/bin/python3", os.path.join(HERE, "fake_service.py"), mode, self.calls],
                                   stdin=subprocess.DEVNULL)
        self.wait_for_name("org.freedesktop.secrets")

    def called(self, word):
        """How often the fake service was asked for this."""
        with open(self.calls) as file:
            return [line.split()[0] for line in file if line.strip()].count(word)

    def stop_service(self):
        """Kills it, and returns when the bus has noticed."""
        self.service.kill()
        self.service.wait()
        self.until(lambda: b"true" not in self.has_service(), "the service leaves the bus")

    def freeze(self):
        self.service.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.service.send_signal(signal.SIGCONT)

    def wait_for_name(self, name):
        self.until(lambda: b"true" in self.has_service(), name + " comes to the bus")

    def has_service(self):
        return subprocess.run(
            ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
             "org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets"], env=self.environment,
            capture_output=True).stdout

    # What lies in the keyring.

    def attributes(self):
        """Attributes and values of the item of `work`, as words for secret-tool."""
        done = subprocess.run(["secret-tool", "search", "--all", *APPLICATION], env=self.environment,
                              capture_output=True, timeout=DEADLINE)
        words = []
        for line in (done.stdout + done.stderr).decode(errors="replace").splitlines():
            name, _, value = line.partition(" = ")
            if name.startswith("attribute."):
                words += [name[len("attribute."):], value]
        return words

    def write_item(self, secret, *attributes):
        subprocess.run(["secret-tool", "store", "--label=planted", *attributes], env=self.environment, check=True,
                       input=secret, timeout=DEADLINE)

    def read_item(self, *attributes):
        return subprocess.run(["secret-tool", "lookup", *attributes], env=self.environment, capture_output=True,
                              timeout=DEADLINE).stdout

    def clear_items(self, *attributes):
        subprocess.run(["secret-tool", "clear", *attributes], env=self.environment, check=True, timeout=DEADLINE)

    # Accounts.

    def sign_in_both(self):
        """Each at an issuer of its own: one person at one issuer is one account."""
        self.home_issuer = self.start_issuer("--auto", "grace")
        self.sign_in("home", "--store", "sealed-file")
        self.work_issuer = self.start_issuer("--auto", "ada")
        self.sign_in("work")

    def ask(self, account, *words):
        """Exit status, token, and what was said."""
        done = self.almoner("token", account, "--timeout", "30s", *words, check=False)
        return done.returncode, done.stdout.decode().strip(), done.stderr.decode()

    def account(self, name):
        return {one["name"]: one for one in self.json("list")["accounts"]}[name]

    def until(self, holds, what):
        until = time.monotonic() + DEADLINE
        while not holds():
            assert time.monotonic() < until, "in vain: " + what
            time.sleep(0.05)

    def restart_daemon(self, number=signal.SIGTERM):
        self.kill_daemon(number)
        self.start_daemon()

    def end(self):
        if self.service and self.service.poll() is None:
            self.thaw()
        super().end()
