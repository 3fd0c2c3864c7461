"""Debian's glewlwyd with its own pages, and a scope that wants a passkey or a code beside the password."""
import json
import os
import secrets
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# Behind everything else: there is another scene in it.
sys.path.append(os.path.join(HERE, "..", "bench"))
from glewlwyd import Glewlwyd  # noqa: E402

PAGES, TEMPLATE = "/usr/share/glewlwyd/webapp", "/usr/share/glewlwyd/templates/config.json"
PEOPLE = ("bob", "carol")


class Pages(Glewlwyd):
    def make_files(self):
        super().make_files()
        os.rmdir(self.path("pages"))
        shutil.copytree(PAGES, self.path("pages"), ignore=lambda *_: ["config.json"])
        with open(TEMPLATE) as template, open(self.path("pages/config.json"), "w") as copy:
            json.dump(json.load(template), copy)

    def plugin(self, key, public):
        return {**super().plugin(key, public), "name-claim": "mandatory", "name-claim-scope": []}

    def sign_in(self):
        """Nobody yet: people do it at the pages. What they need is made by whoever is still signed in, the administrator."""
        for module, parameters in (("otp", self.codes()), ("webauthn", self.passkeys())):
            self.call("POST", "/mod/scheme/", {
                "module": module, "name": module, "display_name": module, "expiration": 600, "max_use": 0,
                "allow_user_register": True, "parameters": parameters})
        self.call("POST", "/scope/", {
            "name": "stepup", "display_name": "Step up", "description": "More than a password",
            "password_required": True, "password_max_age": 0,
            "scheme": {"2": [{"scheme_name": "otp"}, {"scheme_name": "webauthn"}]}, "scheme_required": {"2": 1}})
        for name in PEOPLE:
            self.call("POST", "/user/", {
                "username": name, "password": name + "-pw", "name": name.title() + " Example",
                "email": name + "@example.org", "enabled": True, "scope": ["g_profile", "openid", "stepup"]})

    def codes(self):
        return {"issuer": "test", "secret-minimum-size": 16, "otp-length": 6, "hotp-allow": True, "hotp-window": 0,
                "totp-allow": True, "totp-window": 1, "totp-start-offset": 0}

    def passkeys(self):
        formats = {name: False for name in ("tpm", "android-key", "android-safetynet", "apple")}
        return {"session-mandatory": False, "seed": secrets.token_hex(32), "challenge-length": 64,
                "credential-expiration": 120, "credential-assertion": 120, "rp-origin": self.origin,
                "pubKey-cred-params": [-7], "ctsProfileMatch": 1, "basicIntegrity": 1, "google-root-ca-r2": "",
                "apple-root-ca": "", "force-fmt-none": True,
                "fmt": {**formats, "packed": True, "fido-u2f": True, "none": True}}
