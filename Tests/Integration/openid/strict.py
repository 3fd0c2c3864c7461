"""Debian's glewlwyd that takes pushed requests only, revokes tokens, ends sessions, and has a scope that wants a code
beside the password.
"""
import base64
import hmac
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
# Behind everything else: there are other scenes in it.
sys.path.append(os.path.join(HERE, "..", "bench"))
from glewlwyd import CLIENT, PASSWORD, PERSON, SCOPES, SECRET, SECRET_CLIENT, Glewlwyd  # noqa: E402

STEP_UP = "stepup"
KEY = b"a secret of twenty b"

# The browser of the person, who is signed in at the issuer: leaves the address that it was given, and follows it.
BROWSER = r"""#!/usr/bin/python3
import sys, urllib.request
with open("OPENED", "a") as file: file.write(sys.argv[1] + "\n")
request = urllib.request.Request(sys.argv[1] + "&g_continue")
request.add_unredirected_header("Cookie", open("COOKIE").read())
urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60).read()
"""


def one_time_code(count):
    """RFC 4226, of six digits."""
    digest = hmac.digest(KEY, count.to_bytes(8, "big"), "sha1")
    start = digest[-1] & 15
    return "%06d" % ((int.from_bytes(digest[start:start + 4], "big") & 0x7FFFFFFF) % 1000000)


class Strict(Glewlwyd):
    def plugin(self, key, public):
        return {
            **super().plugin(key, public), "oauth-par-allowed": True, "oauth-par-required": True, "oauth-par-duration": 90,
            "oauth-par-request_uri-prefix": "urn:ietf:params:oauth:request_uri:",
            "introspection-revocation-allowed": True, "introspection-revocation-allow-target-client": True,
            "introspection-revocation-auth-scope": [], "session-management-allowed": True,
            "session-cookie-name": "GLEWLWYD2_OIDC_SID", "session-cookie-expiration": 2419200}

    def sign_in(self):
        """Made by whoever is still signed in, the administrator. Then the person gets a second factor."""
        self.call("POST", "/mod/scheme/", {
            "module": "otp", "name": "otp", "display_name": "otp", "expiration": 600, "max_use": 0,
            "allow_user_register": True, "parameters": {
                "issuer": "test", "secret-minimum-size": 16, "otp-length": 6, "hotp-allow": True, "hotp-window": 0,
                "totp-allow": False}})
        self.call("POST", "/scope/", {
            "name": STEP_UP, "display_name": "Step up", "description": "More than a password", "password_required": True,
            "password_max_age": 0, "scheme": {"2": [{"scheme_name": "otp"}]}, "scheme_required": {"2": 1}})
        self.call("PUT", "/user/" + PERSON, {
            "name": "Alice Example", "email": "alice@example.org", "enabled": True, "scope": ["g_profile", STEP_UP, *SCOPES]})
        super().sign_in()
        self.call("PUT", "/auth/grant/" + CLIENT, {"scope": " ".join([*SCOPES, STEP_UP])})
        self.codes = 0
        self.call("POST", "/profile/scheme/register/", self.factor({
            "type": "HOTP", "secret": base64.b32encode(KEY).decode(), "moving_factor": 0}))

    def factor(self, value):
        return {"username": PERSON, "scheme_type": "otp", "scheme_name": "otp", "value": value}

    def start_over(self):
        """What was issued is not counted any more, and the person has just signed in, by password alone."""
        self.call("DELETE", "/auth/")
        self.call("POST", "/auth/", {"username": PERSON, "password": PASSWORD})
        self.earlier = set()
        self.earlier = {token["token_hash"] for token in self.refresh_tokens()}

    def prove(self):
        """The person shows the second factor."""
        self.call("POST", "/auth/", self.factor({"value": one_time_code(self.codes)}))
        self.codes += 1

    def visit(self, url):
        """Status and Location, when the person's browser goes to an address of the issuer."""
        status, headers, _ = self.send("GET", url.partition("/api")[2] + "&g_continue")
        return status, headers["Location"]

    def issued(self):
        """How many refresh tokens the person has had since `start_over`, and how many live. It takes a person who is signed
        in at the issuer itself."""
        tokens = self.refresh_tokens()
        return {"issued": len(tokens), "alive": sum(token["enabled"] for token in tokens)}

    def end_sessions(self):
        """The person ends them at the issuer's own page."""
        for token in self.refresh_tokens():
            self.send("DELETE", "/oidc/token/" + urllib.parse.quote(token["token_hash"], safe=""))
        assert self.issued()["alive"] == 0

    def refresh_tokens(self):
        """As the issuer's own page of the person lists them."""
        tokens = self.call("GET", "/oidc/token?limit=10000")
        return [token for token in tokens if token["token_hash"] not in self.earlier]

    def takes(self, token):
        """Whether an access token still works here."""
        request = urllib.request.Request(self.issuer + "/userinfo", headers={"Authorization": "Bearer " + token})
        try:
            with self.opener.open(request, timeout=60) as answer:
                return bool(json.load(answer)["sub"])
        except urllib.error.HTTPError as error:
            with error:
                return False

    def serve(self, place):
        """The place's browser is the person's."""
        self.opened = os.path.join(place.root, "opened")
        cookie = os.path.join(place.root, "cookie")
        with open(cookie, "w") as file:
            file.write("; ".join("%s=%s" % (it.name, it.value) for it in self.cookies))
        with open(place.browser, "w") as file:
            file.write(BROWSER.replace("OPENED", self.opened).replace("COOKIE", cookie))

    @property
    def cookies(self):
        [jar] = [handler.cookiejar for handler in self.opener.handlers if hasattr(handler, "cookiejar")]
        return jar

    @property
    def addresses(self):
        """What the browser was given so far."""
        with open(self.opened) as file:
            return file.read().splitlines()
