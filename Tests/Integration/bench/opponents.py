"""The programs to compare with, each with a socket or a command of its own, and gone at the end.

Standard library only.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
import glewlwyd  # noqa: E402
from load import Target  # noqa: E402
from place import free_port  # noqa: E402

# SSH_AGENTC_REQUEST_IDENTITIES: four bytes of length, and the message's number.
LIST_IDENTITIES = b"\0\0\0\1\x0b"


def wait_for(path, process):
    until = time.monotonic() + 20
    while not os.path.exists(path):
        if time.monotonic() > until or process.poll() is not None:
            raise RuntimeError("nobody listens on " + path)
        time.sleep(0.01)


class Opponents:
    """What is installed of them. `missing` names the rest."""

    def __init__(self, place, tools):
        self.place, self.tools = place, tools
        self.missing = []
        self.children = []
        self.ssh_agent = self.secret_tool = None
        self.oidc = self.memory = None
        self.issuers = {}
        # By name and the length of their answer.
        self.echoes = {}
        try:
            self.start()
        except BaseException:
            self.stop()
            raise

    def start(self):
        if self.has("ssh-agent"):
            path = self.path("ssh-agent")
            self.child(["ssh-agent", "-D", "-a", path], path)
            self.add_key(path)
            self.ssh_agent = Target("ssh-agent", path, LIST_IDENTITIES, "length", self.place.root)
        if self.has("secret-tool"):
            self.start_secret_tool()
        if self.has("glewlwyd", glewlwyd.installed()):
            # Its database syncs to disk for every token; where there is memory to hold it, the issuer's delay is none.
            memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else self.place.root
            self.memory = tempfile.mkdtemp(prefix="almoner-bench-", dir=memory)
            for scheme in ("http", "https"):
                self.issuers[scheme] = glewlwyd.Glewlwyd(
                    os.path.join(self.memory, scheme), free_port(), "http://localhost:%d/callback" % free_port(),
                    with_tls=scheme == "https")
        if self.has("oidc-agent") and self.issuers:
            self.oidc = OidcAgent(self, self.issuers)

    def has(self, name, is_whole=True):
        found = shutil.which(name) is not None and is_whole
        if not found:
            self.missing.append(name)
        return found

    def path(self, name):
        return os.path.join(self.place.root, name)

    def child(self, command, socket, environment=None):
        process = subprocess.Popen(command, env=environment or self.place.environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.children.append(process)
        wait_for(socket, process)
        return process

    def echo(self, request, length, work=0):
        """The C echo: answers so many bytes, and works so many nanoseconds for each answer."""
        name = "C echo" if work == 0 else "C echo +%g us" % (work / 1000)
        if (name, length) not in self.echoes:
            path = self.path("echo-%d-%d" % (length, work))
            process = subprocess.Popen([os.path.join(self.tools, "echo"), path, str(length), str(work)],
                                       stdout=subprocess.PIPE)
            self.children.append(process)
            if process.stdout.readline() != b"ready\n":
                raise RuntimeError("the echo does not start")
            process.stdout.close()
            self.echoes[name, length] = Target(name, path, request, "nul", self.place.root)
        return self.echoes[name, length]

    def add_key(self, socket):
        """One, so that it has something to list, as we have one account."""
        key = self.path("ssh-key")
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
        subprocess.run(["ssh-add", "-q", key], check=True, env={**self.place.environment, "SSH_AUTH_SOCK": socket})

    def start_secret_tool(self):
        """An item of the size of a token, in the same keyring."""
        subprocess.run(["secret-tool", "store", "--label=bench", "bench", "one"], input=b"x" * 800, check=True,
                       env=self.place.environment)
        self.secret_tool = ["secret-tool", "lookup", "bench", "one"]

    def stop(self):
        if self.oidc:
            self.oidc.stop()
        for child in self.children:
            child.kill()
            child.wait()
        for issuer in self.issuers.values():
            issuer.stop()
        if self.memory:
            shutil.rmtree(self.memory, ignore_errors=True)


class OidcAgent:
    """oidc-agent with an account at each issuer, named as the issuer's scheme."""

    def __init__(self, opponents, issuers):
        self.socket = opponents.path("oidc-agent")
        self.environment = {**opponents.place.environment, "OIDC_SOCK": self.socket, "TMPDIR": opponents.place.root,
                            "OIDC_ENCRYPTION_PW": "a passphrase"}
        self.process = opponents.child(["oidc-agent", "--console", "-a", self.socket], self.socket, self.environment)
        self.directory = opponents.place.root
        for name, issuer in issuers.items():
            self.add(name, issuer)

    def add(self, name, issuer):
        command = [
            "oidc-gen", name, "--manual", "--issuer=" + issuer.issuer, "--client-id=" + glewlwyd.SECRET_CLIENT,
            "--client-secret=" + glewlwyd.SECRET, "--scope=openid", "--redirect-uri=" + issuer.redirect,
            "--rt=" + issuer.refresh_token(), "--flow=refresh", "--pw-env=OIDC_ENCRYPTION_PW", "--confirm-default",
            "--no-url-call"]
        if issuer.authority:
            command.append("--cp=" + issuer.authority)
        done = subprocess.run(command, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        if done.returncode != 0:
            raise RuntimeError("oidc-gen: " + (done.stdout + done.stderr).decode(errors="replace")[-500:])

    def target(self, account):
        request = json.dumps({"request": "access_token", "account": account, "min_valid_period": 0})
        return Target("oidc-agent", self.socket, request.encode(), "object", self.directory)

    def command(self, account):
        return ["oidc-token", account]

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
