"""No secret is in the journal: a real journald's export, of a real unit of a real user manager.

usage: journal.py USER BINDIR    root starts it; everything of ours runs as USER
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from logged import PLANTED  # noqa: E402
from scanner import find  # noqa: E402


def run(user, programs, place):
    """What the daemon's day left in the journal, and the secrets of it."""
    tree = os.path.join(place, "tree")
    for name in ("secrecy", "lib", "sandbox", "systemd"):
        shutil.copytree(os.path.join(HERE, "..", name), os.path.join(tree, "Tests/Integration", name))
    for name in ("systemd", "dbus"):
        shutil.copytree(os.path.join(HERE, "../../..", name), os.path.join(tree, name))
    subprocess.run(["chmod", "-R", "a+rX", place], check=True)
    export, mine = os.path.join(place, "export"), os.path.join(tree, "Tests/Integration")
    done = subprocess.run(
        [os.path.join(mine, "systemd/with-user-manager.sh"), user, programs, "python3",
         os.path.join(mine, "secrecy/logged.py")],
        env={**os.environ, "ALMONER_BIN": programs, "ALMONER_JOURNAL": export}, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit("journal.py: logged.py failed:\n" + done.stdout)
    [line] = [line for line in done.stdout.splitlines() if line.startswith("secrets ")]
    with open(export, "rb") as file:
        return file.read(), json.loads(line.partition(" ")[2])


def main(user, programs):
    if os.getuid() != 0:
        sys.exit("journal.py: root must start it")
    place = tempfile.mkdtemp(prefix="almoner-journal-")
    try:
        os.chmod(place, 0o755)
        export, secrets = run(user, programs, place)
    finally:
        shutil.rmtree(place)
    planted = (secrets["refresh token"][1] + PLANTED).encode()
    wrong = []
    if planted not in export or not find({"x": {planted.decode()}}, export):
        wrong.append("the planted leak in the journal is not found")
    if b"SYSLOG_IDENTIFIER=almonerd" not in export:
        wrong.append("the daemon's own lines are not in the journal")
    found = find({kind: set(values) for kind, values in secrets.items()}, export.replace(planted, b""))
    if found:
        wrong.append("in the journal: %s" % sorted(found))
    print("\n".join(wrong) or "measured: %d KiB of journal, %d lines of the daemon, no secret in it" % (
        len(export) // 1024, export.count(b"SYSLOG_IDENTIFIER=almonerd")))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
