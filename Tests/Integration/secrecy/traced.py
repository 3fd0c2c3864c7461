"""The sandbox issuer under strace: every code, verifier and token that goes through it, as the issuer saw it."""
import os
import re
import signal
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "sandbox"))
from issuer import Issuer  # noqa: E402

# In the trace, quotes are escaped. The values are base64url or dotted base64url.
MEMBER = r'\\"%s\\":\\"([A-Za-z0-9_.~-]{20,})\\"'
KINDS = {
    "refresh token": [MEMBER % "refresh_token"],
    "access token": [MEMBER % "access_token"],
    "ID token": [MEMBER % "id_token"],
    "verifier": [MEMBER % "code_verifier"],
    "code": [MEMBER % "code", r"[?&]code=([A-Za-z0-9_.~-]{20,})"],
}


class TracedIssuer(Issuer):
    def __init__(self, trace, program, *options):
        self.trace = trace
        super().__init__(
            "strace", "-f", "-qq", "-s", "65536", "-e", "trace=read,recvfrom,recvmsg,write,writev,sendto,sendmsg",
            "-e", "signal=none", "-o", trace, program, *options)

    def learned(self):
        """Kind -> set of values."""
        return {kind: set(values) for kind, values in self.in_order().items()}

    def newest(self, kind):
        return self.in_order()[kind][-1]

    def in_order(self):
        """Kind -> values, each once, in the order in which they came to be."""
        with open(self.trace, errors="replace") as file:
            text = file.read()
        return {kind: list(dict.fromkeys(found for each in patterns for found in re.findall(each, text)))
                for kind, patterns in KINDS.items()}

    def stop(self):
        """Ends the issuer; its tracer ends with it."""
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/stat" % name) as file:
                    parent = int(file.read().rpartition(")")[2].split()[1])
                if parent == self.process.pid:
                    os.kill(int(name), signal.SIGKILL)
            except (FileNotFoundError, ProcessLookupError):
                continue
        self.process.wait(timeout=10)
        self.process.stdout.close()
