"""Starts almoner-sandbox and speaks to it as a client and as a test. Standard library only."""
import base64
import hashlib
import http.client
import json
import secrets
import subprocess
import urllib.parse


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Answer:
    """Status 0 means that the connection closed without an answer."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    def header(self, name):
        found = [value for key, value in self.headers if key.lower() == name.lower()]
        return found[0] if len(found) == 1 else None


class Issuer:
    def __init__(self, program, *options):
        self.process = subprocess.Popen([program, *options], stdout=subprocess.PIPE)
        line = self.process.stdout.readline()
        assert line, "almoner-sandbox said nothing and ended with %s" % self.process.wait()
        self.ready = json.loads(line)
        self.origin = self.ready["origin"]
        self.redirect = self.ready["redirect_uris"][0]
        self.authority = urllib.parse.urlsplit(self.origin).netloc

    def request(self, method, target, body=None, headers=(), timeout=30):
        connection = http.client.HTTPConnection(self.authority, timeout=timeout)
        try:
            connection.request(method, target, body=body, headers=dict(headers))
            answer = connection.getresponse()
            return Answer(answer.status, answer.getheaders(), answer.read())
        except (http.client.RemoteDisconnected, http.client.BadStatusLine, ConnectionResetError):
            return Answer(0, [], b"")
        finally:
            connection.close()

    def begin(self, redirect=None, state="state-1", verifier=None, **more):
        """GET /sign-in."""
        fields = {"redirect_uri": redirect or self.redirect, "state": state, "code_challenge_method": "S256"}
        fields["code_challenge"] = base64url(hashlib.sha256((verifier or "v" * 43).encode()).digest())
        fields.update(more)
        fields = {name: value for name, value in fields.items() if value is not None}
        return self.request("GET", "/sign-in?" + urllib.parse.urlencode(fields))

    def choose(self, page, person):
        """Presses a button of the page."""
        transaction = page.body.decode().partition('name="transaction" value="')[2].partition('"')[0]
        form = urllib.parse.urlencode({"transaction": transaction, "as": person})
        return self.request("POST", "/sign-in", form, {"Content-Type": "application/x-www-form-urlencoded"})

    def code(self, person="ada", verifier=None):
        answer = self.begin(verifier=verifier)
        if answer.status == 200:
            answer = self.choose(answer, person)
        query = urllib.parse.urlsplit(answer.header("location")).query
        return urllib.parse.parse_qs(query)["code"][0]

    def token(self, body, **named):
        data = body if isinstance(body, (bytes, str)) else json.dumps(body)
        return self.request("POST", "/token/", data, {"Content-Type": "application/json"}, **named)

    def redeem(self, code, verifier=None, **more):
        fields = {"grant_type": "authorization_code", "code": code, "code_verifier": verifier or "v" * 43}
        fields["redirect_uri"] = self.redirect
        fields.update(more)
        return self.token(fields)

    def refresh(self, token, **named):
        return self.token({"grant_type": "refresh_token", "refresh_token": token}, **named)

    def sign_in(self, person="ada"):
        verifier = secrets.token_urlsafe(48)
        return self.redeem(self.code(person, verifier), verifier).json

    def session(self, access_token, method="GET"):
        return self.request(method, "/session/", headers={"Authorization": "Bearer " + access_token})

    def control(self, method, name, body=None):
        headers = {"Authorization": "Bearer " + self.ready["control_key"]}
        answer = self.request(method, "/_control/" + name, None if body is None else json.dumps(body), headers)
        assert answer.status == 200, (answer.status, answer.body)
        return answer.json

    @property
    def counters(self):
        return self.control("GET", "counters")

    def fates(self, *fates):
        return self.control("POST", "fates", list(fates))

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=5)
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
