"""KeePassXC as the Secret Service, without a screen: a database of its own below HOME, its root group exposed.

usage: keepassxc.py start     makes the database if there is none, starts KeePassXC on the session bus, and returns when
                              the database is open there; its process id goes to $XDG_RUNTIME_DIR/keyring.pid

Standard library only. Debian's package: keepassxc.
"""
import base64
import os
import subprocess
import sys
import time
import uuid

PASSWORD = "test-password"
COLLECTION = "/org/freedesktop/secrets/collection/passwords"

# FDO_SECRETS_EXPOSED_GROUP is how a database says which of its groups the bus may see.
DATABASE = """<?xml version="1.0" encoding="UTF-8"?>
<KeePassFile>
  <Meta>
    <DatabaseName>passwords</DatabaseName>
    <RecycleBinEnabled>False</RecycleBinEnabled>
    <MemoryProtection><ProtectPassword>True</ProtectPassword></MemoryProtection>
    <CustomData><Item><Key>FDO_SECRETS_EXPOSED_GROUP</Key><Value>{%s}</Value></Item></CustomData>
  </Meta>
  <Root><Group><UUID>%s</UUID><Name>Root</Name></Group></Root>
</KeePassFile>
"""

# ConfirmAccessItem: whether a program that was not let in yet has to be, in a window, for each item.
SETTINGS = """[General]
ConfigVersion=2
UpdateCheckMessageShown=true
AutoSaveAfterEveryChange=%(saves)s
[GUI]
CheckForUpdates=false
ShowTrayIcon=false
[FdoSecrets]
Enabled=true
ShowNotification=false
ConfirmAccessItem=%(confirms)s
ConfirmDeleteItem=%(confirms)s
UnlockBeforeSearch=false
[Security]
LockDatabaseIdle=false
"""


class KeePassXC:
    """One KeePassXC. `environment` holds HOME, XDG_RUNTIME_DIR and the bus; `name` tells databases of one HOME apart."""

    def __init__(self, environment, saves=True, confirms=False, name="passwords"):
        self.environment = {**environment, "QT_QPA_PLATFORM": "offscreen", "XDG_DATA_HOME": ""}
        for variable in ("DISPLAY", "WAYLAND_DISPLAY"):
            self.environment.pop(variable, None)
        self.home = environment["HOME"]
        self.settings = SETTINGS % {"saves": str(saves).lower(), "confirms": str(confirms).lower()}
        self.database = os.path.join(self.home, name + ".kdbx")
        self.log = os.path.join(self.home, "keepassxc.log")
        self.process = None

    def prepare(self):
        for directory in (".config/keepassxc", ".cache/keepassxc"):
            os.makedirs(os.path.join(self.home, directory), exist_ok=True)
        with open(os.path.join(self.home, ".config/keepassxc/keepassxc.ini"), "w") as file:
            file.write(self.settings)
        if os.path.exists(self.database):
            return
        group = uuid.uuid4()
        source = self.database + ".xml"
        with open(source, "w") as file:
            file.write(DATABASE % (group, base64.b64encode(group.bytes).decode()))
        # The fewest rounds of key derivation: these tests are not about slowness.
        subprocess.run(
            ["keepassxc-cli", "import", "-q", "-p", "-t", "100", source, self.database], env=self.environment,
            input=(PASSWORD + "\n") * 2, text=True, check=True, capture_output=True, timeout=60)

    def start(self):
        """Returns when the database is open on the bus."""
        self.prepare()
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                ["keepassxc", "--pw-stdin", self.database], env=self.environment, stdin=subprocess.PIPE, stdout=log,
                stderr=log, start_new_session=True)
        self.process.stdin.write(PASSWORD.encode() + b"\n")
        self.process.stdin.close()
        until = time.monotonic() + 60
        while b"boolean false" not in self.property("Locked"):
            assert self.process.poll() is None, "keepassxc ended: " + open(self.log, errors="replace").read()
            assert time.monotonic() < until, "keepassxc does not show its database on the bus"
            time.sleep(0.05)
        return self

    def property(self, name):
        done = subprocess.run(
            ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets",
             "/org/freedesktop/secrets/aliases/default", "org.freedesktop.DBus.Properties.Get",
             "string:org.freedesktop.Secret.Collection", "string:" + name], env=self.environment, capture_output=True)
        return done.stdout

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None


if __name__ == "__main__":
    if sys.argv[1:] != ["start"]:
        sys.exit(__doc__)
    started = KeePassXC(dict(os.environ)).start()
    with open(os.path.join(os.environ["XDG_RUNTIME_DIR"], "keyring.pid"), "w") as file:
        print(started.process.pid, file=file)
