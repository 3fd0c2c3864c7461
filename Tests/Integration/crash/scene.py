"""One account at one issuer in a place of its own, which can be crashed, tampered with and looked into.

Needs a FAULTS build in ALMONER_BIN. The daemon's clock runs HASTE times faster than the kernel's, so that processing
limits and the ends of tokens are waited for in seconds; what is decided by that clock is the product's own.
"""
import ctypes
import ctypes.util
import fcntl
import json
import os
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from place import Place, program, refuse_root  # noqa: E402,F401

HASTE = 10
BACKENDS = ["sealed-file", "secret-service"]
# A client's words for the issuer's grace, and the issuer's own, which lives by the kernel's clock.
GRACES = {"none": ("none", "none"), "window": ("90s", "9"), "until_used": ("until-used", "until-used")}
LIFETIME = 300
# Where the parts of a journal begin; each starts with its length and the number of its flight.
PARTS = {"intent": 4096, "departed": 8192, "pad": 12288}
F_OFD_GETLK = 36
PATIENCE = 60


class Journal:
    """The numbers of a journal's blocks, which are in the clear: (generation, flight), or None where nothing is."""

    def __init__(self, path):
        self.path = path
        self.numbers = dict.fromkeys(PARTS)
        try:
            with open(path, "rb") as file:
                data = file.read()
        except FileNotFoundError:
            return
        for part, offset in PARTS.items():
            count, generation, flight = struct.unpack_from(">IQQ", data, offset)
            if count:
                self.numbers[part] = (generation, flight)

    @property
    def has_departed(self):
        return self.numbers["intent"] is not None and self.numbers["departed"] == self.numbers["intent"]

    @property
    def has_landed(self):
        return self.numbers["intent"] is not None and self.numbers["pad"] == self.numbers["intent"]

    def tear(self):
        """Only the first sector of the pad reached the disk."""
        with open(self.path, "r+b") as file:
            count = struct.unpack(">I", os.pread(file.fileno(), 4, PARTS["pad"]))[0]
            assert 512 < count + 20, "the pad fits one sector"
            os.pwrite(file.fileno(), bytes(count + 20 - 512), PARTS["pad"] + 512)


class Scene:
    def __init__(self, backend, policy, haste=HASTE, *options):
        self.backend, self.policy = backend, policy
        self.place = Place(keyring=backend == "secret-service")
        # Named explicitly, so that no command line starts a daemon of its own after a kill.
        self.place.environment["ALMONER_SOCKET"] = self.place.socket
        ours, theirs = GRACES[policy]
        self.issuer = self.place.start_issuer("--auto", "ada", "--grace", theirs, *options)
        self.key = os.path.join(self.place.root, "key")
        with open(self.key, "wb") as file:
            file.write(bytes(range(32)))
        os.chmod(self.key, 0o600)
        self.place.configure(
            "[refresh]\nforce-interval=0s\n[store]\nkey-file=%s\n[issuer box]\nkind=didit\norigin=%s\n"
            "redirect-uri=%s\ngrace=%s\n[account work]\nissuer=box\nstore=%s\n" % (
                self.key, self.issuer.origin, self.issuer.redirect, ours, backend))
        self.refusals = os.path.join(self.place.root, "refusals")
        self.trace = os.path.join(self.place.root, "trace")
        with open(self.trace, "wb") as file:
            file.write(b"\0")
        self.settings = {"ALMONER_FAULT_HASTE": str(haste), "ALMONER_FAULT_REFUSE": self.refusals,
                         "ALMONER_FAULT_TRACE": self.trace}
        self.handed_out = []
        self.refuse("")
        self.start()
        self.sign_in()

    def end(self):
        self.place.end()

    # The daemon and its callers.

    def start(self, crash=None, **more):
        if crash:
            more["ALMONER_FAULT_CRASH"] = crash
        self.place.start_daemon(**self.settings, **more)

    def restart(self, crash=None, **more):
        if self.place.daemon:
            self.place.kill_daemon()
        self.start(crash, **more)

    @property
    def is_running(self):
        return self.place.daemon is not None and self.place.daemon.poll() is None

    def sign_in(self):
        """A new session, in place of the one that may be there."""
        # First: signing out asks the issuer too, and must not meet what was meant for a refresh.
        self.issuer.fates()
        self.refuse("")
        self.place.almoner("logout", "--all", check=False)
        self.handed_out = []
        # A keyring on a busy machine may miss its two seconds.
        for _ in range(4):
            if self.place.almoner("login", "work", "--yes", check=False).returncode == 0:
                return
        self.place.almoner("login", "work", "--yes")

    def refuse(self, letters):
        """What befalls the next flights, a letter each: `r` finds nobody who listens."""
        with open(self.refusals, "w") as file:
            file.write(letters)

    def asking(self, *arguments):
        """A caller that waits on its own."""
        return subprocess.Popen(
            [program("almoner"), "token", "work", "--json", *arguments], env=self.place.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def heard(self, caller):
        """The answer of a caller, or its error; every token that was handed out is kept in mind."""
        try:
            answer, error = caller.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            caller.kill()
            caller.communicate()
            raise AssertionError("a caller got no answer in %d s" % PATIENCE)
        if caller.returncode == 0:
            answer = json.loads(answer)
            token = answer.get("token") or answer.get("accessToken")
            if token not in self.handed_out:
                self.handed_out.append(token)
            return answer
        return {"status": caller.returncode, "error": error.decode(errors="replace")}

    def ask(self, *arguments):
        return self.heard(self.asking(*arguments))

    # Looking.

    @property
    def journal_path(self):
        folder = os.path.join(self.place.state, "journal")
        names = [name for name in os.listdir(folder) if not name.endswith(".new")] if os.path.isdir(folder) else []
        assert len(names) <= 1, "more journals than accounts"
        return os.path.join(folder, names[0] if names else "none")

    @property
    def journal(self):
        return Journal(self.journal_path)

    def couriers(self):
        """The process ids of this daemon's couriers. They cannot be looked into, but whose children they are can."""
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/stat" % name) as file:
                    words = file.read().rpartition(")")
            except OSError:
                continue
            if words[0].endswith("(almoner-courier") and int(words[2].split()[1]) == self.place.daemon.pid:
                found.append(int(name))
        return found

    def wait_for_courier(self, path=None):
        """Returns when nobody holds the journal's lock: no courier of whatever daemon is under way."""
        until = time.monotonic() + PATIENCE
        try:
            file = os.open(path or self.journal_path, os.O_RDWR)
        except FileNotFoundError:
            return
        try:
            while time.monotonic() < until:
                lock = fcntl.fcntl(file, F_OFD_GETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))
                if struct.unpack("hhqqi4x", lock)[0] == fcntl.F_UNLCK:
                    return
                time.sleep(0.005)
        finally:
            os.close(file)
        raise AssertionError("a courier did not end in %d s" % PATIENCE)

    def grant(self, token):
        """Which grant of its session a token came with."""
        return self.issuer.control("POST", "grant", {"token": token})

    def stored(self):
        """What lies in the store, read past the daemon; None where nothing does."""
        record = self.sealed_record() if self.backend == "sealed-file" else self.keyring_record()
        return Stored(record) if record else None

    def sealed_record(self):
        folder = os.path.join(self.place.state, "sealed")
        names = [name for name in os.listdir(folder) if name.endswith(".sealed")] if os.path.isdir(folder) else []
        if not names:
            return None
        with open(os.path.join(folder, names[0]), "rb") as file:
            data = file.read()
        context = [names[0].removesuffix(".sealed"), self.issuer.origin]
        return unsealed(data, bytes(range(32)), b"".join(word.encode() + b"\0" for word in context))

    def keyring_record(self):
        done = subprocess.run(["secret-tool", "lookup", "application", "org.almoner"], env=self.place.environment,
                              capture_output=True)
        return done.stdout or None


class Stored:
    """A stored record: its generation, and access, refresh and ID token."""

    def __init__(self, record):
        record = record[record.index(b"ALM1") + 4:]
        self.rest = record
        for _ in range(3):
            self.field()  # account, issuer, machine
        self.number()  # user
        self.generation = self.number()
        self.field()  # journal key
        self.field()  # nonce
        assert self.number() == 1, "a record without tokens"
        self.tokens = [self.field().decode() for _ in range(3)]

    def number(self):
        value, self.rest = struct.unpack_from("<Q", self.rest)[0], self.rest[8:]
        return value

    def field(self):
        count, self.rest = struct.unpack_from("<I", self.rest)[0], self.rest[4:]
        if count == 0xFFFFFFFF:
            return b""
        value, self.rest = self.rest[:count], self.rest[count:]
        return value


def unsealed(data, key, context):
    """What a sealed file holds: header (96 bytes), nonce (24), XChaCha20-Poly1305."""
    sodium = ctypes.CDLL(ctypes.util.find_library("sodium") or "libsodium.so.23")
    room = ctypes.create_string_buffer(len(data))
    count = ctypes.c_ulonglong()
    cipher, bound = data[120:], data[:96] + context
    status = sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(
        room, ctypes.byref(count), None, cipher, ctypes.c_ulonglong(len(cipher)), bound,
        ctypes.c_ulonglong(len(bound)), data[96:120], key)
    assert status == 0, "the sealed file is not authentic"
    return room.raw[:count.value]
