"""Issuers that register clients by themselves (RFC 7591): Debian's glewlwyd, and one that answers as a test tells it.

Standard library only.
"""
import http.server
import json
import os
import sys
import threading
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
# Behind everything else: there is another scene in it.
sys.path.append(os.path.join(HERE, "..", "bench"))
from glewlwyd import SCOPES, Glewlwyd  # noqa: E402


class OpenDoor(Glewlwyd):
    """glewlwyd that registers whoever asks. Its metadata names the device grant, and its registration knows it by another
    name."""

    def __init__(self, directory, port):
        super().__init__(directory, port, "http://127.0.0.1/callback", device=True)

    def plugin(self, key, public):
        return {**super().plugin(key, public), "register-client-allowed": True, "register-client-auth-scope": [],
                "register-client-credentials-scope": [], "register-client-management-allowed": True}

    def agree_to(self, client):
        """The person, who is signed in here, lets a client have what it asks for."""
        self.call("PUT", "/auth/grant/" + client, {"scope": " ".join(SCOPES)})

    def make_public(self, client):
        """What its administrator has to do for a client that shows no secret: glewlwyd registers it, answers that it shows
        none, and takes it for one that does."""
        person, self.opener = self.opener, self.make_opener()
        try:
            self.call("POST", "/auth/", {"username": "admin", "password": "password"})
            self.call("PUT", "/client/" + client, {**self.call("GET", "/client/" + client), "confidential": False})
        finally:
            self.opener = person

    def metadata(self, client, token):
        """What the issuer has on record of a client, shown to whoever manages it (RFC 7592 section 2.1)."""
        request = urllib.request.Request(
            self.issuer + "/register/" + client, headers={"Authorization": "Bearer " + token})
        with self.opener.open(request, timeout=30) as answer:
            return json.load(answer)


class Clerk(http.server.ThreadingHTTPServer):
    """Publishes metadata, and answers a registration with `status`, `kind` and `body`. What was asked is in `asked`."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Desk)
        self.issuer = "http://127.0.0.1:%d" % self.server_port
        self.asked = []
        self.more = {}
        self.answers(201, {"client_id": "new"})
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def answers(self, status, body, kind="application/json", length=None, **fields):
        self.status, self.kind, self.length, self.fields = status, kind, length, fields
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()

    def stop(self):
        self.shutdown()
        self.server_close()


class Desk(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path != "/.well-known/openid-configuration":
            return self.say(404, "text/plain", b"", 0, {})
        metadata = {
            "issuer": self.server.issuer, "authorization_endpoint": self.server.issuer + "/authorize",
            "token_endpoint": self.server.issuer + "/token", "jwks_uri": self.server.issuer + "/keys",
            "registration_endpoint": self.server.issuer + "/register", **self.server.more}
        body = json.dumps(metadata).encode()
        return self.say(200, "application/json", body, len(body), {})

    def do_POST(self):
        sent = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked.append((self.path, self.headers, json.loads(sent)))
        server = self.server
        length = len(server.body) if server.length is None else server.length
        self.say(server.status, server.kind, server.body, length, server.fields)

    def say(self, status, kind, body, length, fields):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(length))
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True

    def log_message(self, *_):
        pass
