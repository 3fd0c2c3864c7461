"""Run by journal.py under a real user manager with a journald: the daemon as its unit, and everything that makes it talk.

Says at the end which secrets there were. ALMONER_BIN names the directory of the programs.
"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "systemd"))
from mid_flight import ManagedPlace  # noqa: E402
from scenario import free_port, program, until  # noqa: E402
from traced import TracedIssuer  # noqa: E402

# Stands behind a secret that was logged on purpose.
PLANTED = "planted"


def talk(place):
    issuer = place.issuer
    place.configure("[refresh]\nforce-interval=0s\n")
    place.sign_in("work")
    place.almoner("token", "work", "--force")
    secret = issuer.newest("refresh token")
    place.configure("[refresh]\nforce-interval=%s\n%s\n" % (secret, secret))
    place.systemctl("kill", "--signal=HUP", "--kill-who=main", "almoner.service")
    until(lambda: b"almoner.conf" in place.almoner("status", check=False).stdout, "the broken file is not seen")
    issuer.fates({"fate": "status", "status": 400,
                  "body": '{"error":"invalid_request","error_description":"%s"}' % secret})
    place.almoner("token", "work", "--force", check=False)
    issuer.control("POST", "revoke")
    place.almoner("token", "work", "--force", check=False)
    # A daemon that dies and is started again says so, and finds what there is.
    place.systemctl("kill", "--signal=SEGV", "--kill-who=main", "almoner.service")
    place.almoner("status", check=False)
    place.almoner("logout", "--all", check=False)
    subprocess.run(["systemd-cat", "-t", "leak", "echo", secret + PLANTED], check=True)


def main():
    place = ManagedPlace()
    try:
        if not os.path.exists(place.environment["DBUS_SESSION_BUS_ADDRESS"].partition("=")[2]):
            place.start_bus()
        place.start_keyring()
        place.issuer = TracedIssuer(
            os.path.join(place.root, "wire"), program("almoner-sandbox"), "--no-rate-limits", "--auto", "ada",
            "--redirect-uri", "http://localhost:%d/callback" % free_port())
        try:
            talk(place)
            print("secrets " + json.dumps(place.issuer.in_order()), flush=True)
        finally:
            place.issuer.stop()
            place.systemctl("stop", "almoner.service", "almoner.socket")
    finally:
        place.end()


if __name__ == "__main__":
    main()
