"""Debian's glewlwyd as an issuer that rotates refresh tokens, for programs that cannot use our sandbox. Set up by its
own API, on a loopback address, with a database of its own. Standard library only.
"""
import base64
import gzip
import hashlib
import http.cookiejar
import json
import os
import secrets
import shutil
import sqlite3
import ssl
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

PROGRAM = "/usr/bin/glewlwyd"
SAMPLE = "/usr/share/doc/glewlwyd/glewlwyd.conf.sample.gz"
TABLES = "/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz"
# A public client, and one with a secret: oidc-agent always authenticates.
CLIENT = "native"
SECRET_CLIENT, SECRET = "with-secret", "a-secret"
PERSON, PASSWORD = "alice", "alice-password"
LIFETIME = 3600
# oidc-agent asks for offline_access by itself.
SCOPES = ["openid", "offline_access"]


def installed():
    return all(os.path.exists(path) for path in (PROGRAM, SAMPLE, TABLES))


def openssl(*arguments, stdin=b""):
    return subprocess.run(["openssl", *arguments], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=True).stdout


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Glewlwyd:
    """`with_tls` makes a certificate authority of its own, whose file is `authority`. `public` is where others find it, when
    that is another port. With `device` there is the device authorization grant, polled every two seconds."""

    def __init__(self, directory, port, redirect, with_tls=False, public=None, device=False):
        self.directory, self.port, self.redirect, self.with_tls = directory, port, redirect, with_tls
        self.device = device
        os.makedirs(directory, mode=0o700)
        self.origin = "%s://localhost:%d" % ("https" if with_tls else "http", public or port)
        self.issuer = self.origin + "/api/oidc"
        self.authority = os.path.join(directory, "authority.pem") if with_tls else None
        if with_tls:
            self.make_certificate()
        self.make_files()
        with open(os.path.join(directory, "log"), "wb") as log:
            self.process = subprocess.Popen([PROGRAM, "-c", os.path.join(directory, "glewlwyd.conf")], stdout=log,
                                            stderr=log, stdin=subprocess.DEVNULL)
        self.opener = self.make_opener()
        try:
            self.wait()
            self.set_up()
        except BaseException:
            self.stop()
            raise

    def path(self, name):
        return os.path.join(self.directory, name)

    def make_certificate(self):
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=bench authority",
                "-keyout", self.path("authority.key"), "-out", self.authority)
        request = openssl("req", "-new", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost",
                          "-keyout", self.path("server.key"))
        with open(self.path("names"), "w") as file:
            file.write("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
        certificate = openssl("x509", "-req", "-days", "2", "-CA", self.authority, "-CAkey", self.path("authority.key"),
                              "-set_serial", "1", "-extfile", self.path("names"), stdin=request)
        with open(self.path("server.pem"), "wb") as file:
            file.write(certificate)

    def make_files(self):
        with gzip.open(TABLES, "rt") as tables, sqlite3.connect(self.path("database")) as database:
            database.executescript(tables.read())
        database.close()
        os.mkdir(self.path("pages"))
        changes = {
            "port=4593": "port=%d" % self.port,
            '#bind_address="127.0.0.1"': 'bind_address="127.0.0.1"',
            'external_url="http://localhost:4593"': 'external_url="%s"' % self.origin,
            'static_files_path="/usr/share/glewlwyd/webapp/"': 'static_files_path="%s"' % self.path("pages"),
            'cookie_domain="localhost"': "#cookie_domain",
            "cookie_secure=1": "cookie_secure=0",
            'log_level="INFO"': 'log_level="ERROR"',
            'path = "/var/cache/glewlwyd/glewlwyd.db"': 'path = "%s"' % self.path("database"),
        }
        if self.with_tls:
            changes.update({
                "use_secure_connection=false": "use_secure_connection=true",
                "/etc/ssl/certs/cert.key": self.path("server.key"),
                "/etc/ssl/certs/cert.pem": self.path("server.pem"),
                "secure_connection_ca_file=": "#secure_connection_ca_file=",
            })
        with gzip.open(SAMPLE, "rt") as file:
            text = file.read()
        for old, new in changes.items():
            if old not in text:
                raise RuntimeError("the sample configuration of glewlwyd has no line " + old)
            text = text.replace(old, new)
        with open(self.path("glewlwyd.conf"), "w") as file:
            file.write(text)

    def make_opener(self):
        handlers = [urllib.request.ProxyHandler({}), NoRedirect(),
                    urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())]
        if self.with_tls:
            handlers.append(urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=self.authority)))
        return urllib.request.build_opener(*handlers)

    def send(self, method, path, body=None, kind="application/json"):
        """Status, headers and body of an answer."""
        request = urllib.request.Request(self.origin + "/api" + path, method=method, data=body,
                                         headers={"Content-Type": kind})
        try:
            with self.opener.open(request, timeout=20) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read()

    def call(self, method, path, body=None):
        status, _, answer = self.send(method, path, None if body is None else json.dumps(body).encode())
        if status != 200:
            raise RuntimeError("glewlwyd: %s %s: %d %s" % (method, path, status, answer[:300]))
        return json.loads(answer) if answer else None

    def wait(self):
        until = time.monotonic() + 30
        while True:
            try:
                return self.send("GET", "/auth/")
            except OSError:
                if time.monotonic() > until or self.process.poll() is not None:
                    raise
                time.sleep(0.05)

    def set_up(self):
        self.call("POST", "/auth/", {"username": "admin", "password": "password"})
        key = openssl("genrsa", "2048")
        self.call("POST", "/mod/plugin/", {
            "module": "oidc", "name": "oidc", "display_name": "OpenID Connect", "enabled": True,
            "parameters": self.plugin(key.decode(), openssl("rsa", "-pubout", stdin=key).decode())})
        self.call("POST", "/scope/", {"name": SCOPES[1], "display_name": "Offline", "description": "Refresh tokens",
                                      "password_required": False, "scheme": {}, "scheme_required": {}})
        self.call("POST", "/user/", {
            "username": PERSON, "password": PASSWORD, "name": "Alice Example", "email": "alice@example.org",
            "enabled": True, "scope": ["g_profile", *SCOPES]})
        for name in (CLIENT, SECRET_CLIENT):
            confidential = name == SECRET_CLIENT
            methods = ["client_secret_basic", "client_secret_post"] if confidential else ["none"]
            self.call("POST", "/client/", {
                "client_id": name, "name": name, "enabled": True, "confidential": confidential,
                "client_secret": SECRET if confidential else "", "redirect_uri": [self.redirect],
                "authorization_type": self.grants, "token_endpoint_auth_method": methods, "scope": []})
        self.sign_in()

    def sign_in(self):
        self.call("POST", "/auth/", {"username": PERSON, "password": PASSWORD})
        for name in (CLIENT, SECRET_CLIENT):
            self.call("PUT", "/auth/grant/" + name, {"scope": " ".join(SCOPES)})

    @property
    def grants(self):
        return ["code", "refresh_token"] + (["device_authorization"] if self.device else [])

    def plugin(self, key, public):
        return {
            "iss": self.issuer, "jwt-type": "rsa", "jwt-key-size": "256", "key": key, "cert": public,
            "access-token-duration": LIFETIME, "refresh-token-duration": 1209600, "code-duration": 600,
            "refresh-token-rolling": True, "refresh-token-one-use": "always", "allow-non-oidc": True,
            "auth-type-code-enabled": True, "auth-type-code-revoke-replayed": True, "auth-type-token-enabled": False,
            "auth-type-id-token-enabled": True, "auth-type-password-enabled": False,
            "auth-type-client-enabled": False, "auth-type-device-enabled": self.device, "device-authorization-expiration": 600,
            "device-authorization-interval": 2, "auth-type-refresh-enabled": True,
            "pkce-allowed": True, "pkce-method-plain-allowed": False, "pkce-required": False,
            "pkce-required-public-client": True, "pkce-scopes": [], "subject-type": "public", "jwks-show": True,
            "oauth-as-iss-id": True, "request-parameter-allow": False}

    def agree(self, user_code):
        """The person, who is signed in here, lets a device in."""
        status, headers, _ = self.send("GET", "/oidc/device?code=%s&g_continue" % user_code)
        if status != 302 or "deviceComplete" not in headers["Location"]:
            raise RuntimeError("glewlwyd lets no device in: %d %s" % (status, headers.get("Location")))

    def follow(self, url):
        """What the browser of the person, who is signed in here, is redirected to from an authorization request."""
        path = url.partition("/api")[2]
        status, headers, _ = self.send("GET", path + "&g_continue")
        if status != 302 or "code=" not in headers["Location"]:
            raise RuntimeError("glewlwyd gives no code: %d %s" % (status, headers.get("Location")))
        return headers["Location"]

    def refresh_token(self):
        """Signs in as a program of its own would, and redeems the code."""
        verifier = secrets.token_urlsafe(48)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        back = self.follow(self.issuer + "/auth?" + urllib.parse.urlencode({
            "response_type": "code", "client_id": SECRET_CLIENT, "redirect_uri": self.redirect,
            "scope": " ".join(SCOPES), "state": "s", "nonce": "n", "code_challenge": challenge,
            "code_challenge_method": "S256"}))
        code = urllib.parse.parse_qs(urllib.parse.urlsplit(back).query)["code"][0]
        return self.redeem(
            grant_type="authorization_code", code=code, redirect_uri=self.redirect, code_verifier=verifier)

    def redeem(self, **fields):
        form = urllib.parse.urlencode({"client_id": SECRET_CLIENT, "client_secret": SECRET, **fields}).encode()
        status, _, answer = self.send("POST", "/oidc/token", form, "application/x-www-form-urlencoded")
        if status != 200:
            raise RuntimeError("glewlwyd refuses: %d %s" % (status, answer[:300]))
        return json.loads(answer)["refresh_token"]

    def stop(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)
