"""Tokens bound to a key (RFC 9449) against glewlwyd, which checks every proof and wants its nonce in it."""
import base64
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "bench"), HERE]
from glewlwyd import CLIENT, Glewlwyd  # noqa: E402
from place import Place, free_port, refuse_root  # noqa: E402
from wire import Wire  # noqa: E402

CONFIGURATION = """[refresh]
force-interval=0s
[issuer club]
kind=openid
issuer=%s
client-id=%s
redirect-uri=%s
scopes=openid offline_access
%s
"""


class Binding(Glewlwyd):
    """Binds tokens to the key of whoever proves one."""

    wants_nonce = False

    def plugin(self, key, public):
        return {**super().plugin(key, public), "oauth-dpop-allowed": True, "oauth-dpop-iat-duration": 60,
                "oauth-dpop-iat-gap-duration": 5, "oauth-dpop-nonce-mandatory": self.wants_nonce,
                # Requests that one nonce is good for.
                "oauth-dpop-nonce-counter": 2}


class WantingNonces(Binding):
    wants_nonce = True


def claims(token):
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


class Bound(unittest.TestCase):
    Issuer = Binding

    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory(prefix="almoner-dpop-")
        cls.addClassCleanup(directory.cleanup)
        cls.glewlwyd = cls.Issuer(
            os.path.join(directory.name, "server"), free_port(), "http://127.0.0.1:%d/callback" % free_port(),
            device=True)
        cls.addClassCleanup(cls.glewlwyd.stop)

    def setUp(self):
        self.place = Place()
        self.addCleanup(self.place.end)
        self.configure("dpop=true")
        self.place.start_daemon()

    def configure(self, *lines):
        self.place.configure(
            CONFIGURATION % (self.glewlwyd.issuer, CLIENT, self.glewlwyd.redirect, "\n".join(lines)))

    def begin(self, flow):
        wire = Wire(self.place.socket)
        self.addCleanup(wire.close)
        wire.send("SignIn", {"account": "work", "flow": flow, "registration": {"issuer": "club"}}, more=True)
        return wire

    def sign_in(self):
        """As a caller that opens the address itself; returns what the browser was given."""
        wire = self.begin("loopback")
        url = wire.receive()["parameters"]["url"]
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
                self.glewlwyd.follow(url), timeout=30) as page:
            page.read()
        end = wire.receive()
        self.assertNotIn("error", end)
        return {name: values[0] for name, values in urllib.parse.parse_qs(urllib.parse.urlsplit(url).query).items()}

    def ask(self, fields, path="/oidc/userinfo"):
        """Status and JSON of the issuer's own resource for these header fields, as `almoner proof` prints them. Of a nonce
        that it wants it leaves the name."""
        request = urllib.request.Request(self.glewlwyd.origin + "/api" + path)
        for line in fields.splitlines():
            name, _, value = line.partition(": ")
            request.add_header(name, value)
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=20) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, {"nonce": error.headers["DPoP-Nonce"]}

    def proof(self, *options, path="/oidc/userinfo"):
        return self.place.almoner(
            "proof", "work", "--url", self.glewlwyd.origin + "/api" + path + "?x", *options).stdout.decode()

    def test_the_tokens_are_bound_to_the_key_that_the_browser_named(self):
        jkt = self.sign_in()["dpop_jkt"]
        token = self.place.json("token", "work")
        self.assertEqual((token["tokenType"], claims(token["accessToken"])["cnf"]), ("DPoP", {"jkt": jkt}))

    def test_B20_refreshes_are_proven_and_the_key_stays_over_a_restart(self):
        jkt = self.sign_in()["dpop_jkt"]
        first = self.place.token("work")
        self.place.refresh("work", 3)
        self.place.kill_daemon()
        self.place.start_daemon()
        self.place.refresh("work")
        last = self.place.token("work")
        self.assertNotEqual(first, last)
        self.assertEqual(claims(last)["cnf"], {"jkt": jkt})

    def test_another_sign_in_has_another_key(self):
        first = self.sign_in()["dpop_jkt"]
        second = self.sign_in()["dpop_jkt"]
        self.assertNotEqual(first, second)
        self.place.refresh("work")
        self.assertEqual(claims(self.place.token("work"))["cnf"], {"jkt": second})

    def test_a_resource_takes_a_token_with_its_proof_and_not_without(self):
        self.sign_in()
        fields = self.proof()
        status, answer = self.ask(fields)
        nonce = []
        if self.glewlwyd.wants_nonce:
            self.assertEqual(status, 401)
            nonce = ["--nonce", answer["nonce"]]
            fields = self.proof(*nonce)
            status, answer = self.ask(fields)
        self.assertEqual((status, "sub" in answer), (200, True))
        token = fields.splitlines()[0]
        self.assertEqual(self.ask(token)[0], 401)
        other = self.proof("--method", "POST", *nonce).splitlines()[1]
        self.assertEqual(self.ask(token + "\n" + other)[0], 401)

    def test_a_bound_token_is_no_bearers(self):
        self.sign_in()
        refused = self.place.almoner("token", "work", "--header", check=False)
        self.assertEqual((refused.returncode, refused.stdout), (1, b""))
        self.assertIn(b"almoner proof", refused.stderr)

    def test_the_key_is_in_the_keyring_and_nowhere_else(self):
        self.sign_in()
        self.place.refresh("work")
        said = [self.proof().encode(), self.place.almoner("token", "work", "--json").stdout]
        record = subprocess.run(["secret-tool", "lookup", "application", "org.almoner"], check=True,
                                env=self.place.environment, capture_output=True).stdout
        self.assertEqual(record[-100:-96], struct.pack("<I", 96))
        # The private number; the public point follows it.
        self.key = record[-96:-64]
        self.assertTrue(self.has_key(record))
        self.assertTrue(self.has_key(base64.urlsafe_b64encode(self.key)))
        self.assertFalse(any(map(self.has_key, said + self.files())))
        self.assertTrue(self.place.json("logout", "work")["accounts"][0]["wiped"])
        self.assertEqual((self.place.keyring_items(), self.place.state_files()), (0, []))
        self.assertFalse(any(map(self.has_key, self.files())))

    def has_key(self, data):
        text = base64.b64encode(self.key)[:-2]
        return any(form in data for form in (
            self.key, text, text.replace(b"+", b"-").replace(b"/", b"_"), self.key.hex().encode(),
            self.key.hex().upper().encode()))

    def files(self):
        """What every file of the place holds: state, runtime directory, the daemon's log, the keyring's own."""
        paths = [os.path.join(path, name) for path, _, names in os.walk(self.place.root) for name in names]
        found = [pathlib.Path(path).read_bytes() for path in paths if os.path.isfile(path)]
        self.assertGreater(len(found), 4)
        return found


class BoundWithNonces(Bound):
    """Every proof has to have the issuer's nonce, which nobody knows at first."""

    Issuer = WantingNonces

    def test_what_a_device_code_brings_is_bound_too(self):
        wire = self.begin("device")
        self.glewlwyd.agree(wire.receive()["parameters"]["userCode"])
        self.assertNotIn("error", wire.receive())
        first = claims(self.place.token("work"))["cnf"]
        self.place.refresh("work")
        self.assertEqual(claims(self.place.token("work"))["cnf"], first)


if __name__ == "__main__":
    refuse_root()
    unittest.main()
