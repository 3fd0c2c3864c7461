"""Run by memory.py as the unprivileged user: a daemon with tokens, which says after each step what it should hold."""
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scenario import Scenario  # noqa: E402
from traced import KINDS  # noqa: E402


def tell(scene, after, holds=True):
    """One line to memory.py; goes on when it has looked. Secrets are in the order in which they came to be."""
    with open(scene.issuer.trace, errors="replace") as file:
        text = file.read()
    secrets = {kind: list(dict.fromkeys(re.findall(KINDS[kind][0], text)))
               for kind in ("refresh token", "access token", "verifier", "code")}
    print(json.dumps({"pid": scene.daemon.pid, "after": after, "holds": holds, "secrets": secrets}), flush=True)
    sys.stdin.readline()


def refresh(scene):
    """A forced refresh may find the last one still being stored; so until one is made."""
    before = scene.issuer.counters["refresh_grants"]
    while scene.issuer.counters["refresh_grants"] == before:
        scene.almoner("token", "work", "--force")


def main():
    scene = Scenario()
    try:
        scene.sign_in("work")
        tell(scene, "sign-in")
        refresh(scene)
        tell(scene, "one rotation")
        for _ in range(5):
            refresh(scene)
        scene.almoner("session", "work")
        tell(scene, "six rotations")
        scene.almoner("lock")
        tell(scene, "lock", holds=False)
        scene.almoner("unlock")
        scene.almoner("token", "work")
        tell(scene, "unlock")
        scene.almoner("logout", "work")
        tell(scene, "sign-out", holds=False)
    finally:
        scene.end()


if __name__ == "__main__":
    main()
