"""Tokens that somebody forged, in the answer of an issuer's token endpoint: case A16 of Tests/cases.txt."""
import base64
import hashlib
import hmac
import json
import os
import socket
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from place import Place, refuse_root  # noqa: E402

TEMPORARY, DENIED = 5, 6


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Forged(unittest.TestCase):
    """The tokens are the issuer's own, with another header and a signature that fits it."""

    @classmethod
    def setUpClass(cls):
        cls.place = Place()
        cls.addClassCleanup(cls.place.end)
        cls.issuer = cls.place.start_issuer("--auto", "ada")
        cls.place.start_daemon()
        cls.granted = cls.issuer.sign_in()
        cls.parts = cls.granted["access_token"].split(".")
        cls.header = json.loads(decode(cls.parts[0]))
        cls.key = json.loads(cls.issuer.request("GET", "/.well-known/jwks.json").body)["keys"][0]
        cls.elsewhere = socket.socket()
        cls.addClassCleanup(cls.elsewhere.close)
        cls.elsewhere.bind(("127.0.0.1", 0))
        cls.elsewhere.listen()
        cls.elsewhere.setblocking(False)

    def login(self, **tokens):
        body = json.dumps({**self.granted, **tokens})
        self.issuer.fates({"fate": "status", "status": 200, "body": body,
                           "headers": {"Content-Type": "application/json"}})
        return self.place.almoner(
            "login", "work", "--publishable-key", self.issuer.ready["publishable_key"], "--redirect-uri",
            self.issuer.redirect, "--yes", check=False)

    def token(self, key=None, **changes):
        header = {name: value for name, value in {**self.header, **changes}.items() if value is not None}
        signed = encode(json.dumps(header).encode()) + "." + self.parts[1]
        if key is None:
            return signed + "." + ("" if header["alg"] == "none" else self.parts[2])
        return signed + "." + encode(hmac.new(key, signed.encode(), hashlib.sha256).digest())

    def assert_refused(self, statuses=(DENIED,), **tokens):
        done = self.login(**tokens)
        self.assertIn(done.returncode, statuses, done.stderr)
        self.assertEqual(done.stdout, b"")
        self.assertEqual(self.place.json("list")["accounts"], [])
        self.assertRaises(BlockingIOError, self.elsewhere.accept)

    def test_A16_the_issuers_own_tokens_pass(self):
        done = self.login()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.place.almoner("logout", "work")

    def test_A16_no_algorithm(self):
        for name in ("none", "None", "NONE"):
            with self.subTest(name):
                self.assert_refused(access_token=self.token(alg=name))

    def test_A16_a_secret_made_of_the_public_key(self):
        point = b"\4" + decode(self.key["x"]) + decode(self.key["y"])
        for key in (json.dumps(self.key).encode(), json.dumps(self.key, separators=(",", ":")).encode(), point,
                    point[1:], self.key["x"].encode()):
            with self.subTest(key):
                self.assert_refused(access_token=self.token(alg="HS256", key=key))

    def test_A16_addresses_of_keys_are_never_fetched(self):
        there = "http://127.0.0.1:%d/keys" % self.elsewhere.getsockname()[1]
        for name in ("jku", "x5u"):
            with self.subTest(name):
                self.assert_refused(access_token=self.token(**{name: there}))
                self.assert_refused(access_token=self.token(kid=None, **{name: there}))

    def test_A16_unknown_keys_cause_one_fetch(self):
        self.assert_refused(access_token=self.token(kid="none of yours"))
        before = self.issuer.counters["jwks_fetches"]
        # Within a minute of the last fetch a key may be too new to be known: it is looked for again and again while the
        # caller waits, and then that is said.
        self.assert_refused((TEMPORARY, DENIED), access_token=self.token(kid="unknown"))
        # A minute may end meanwhile.
        self.assertLessEqual(self.issuer.counters["jwks_fetches"], before + 1)

    def test_A16_one_kind_of_token_for_the_other(self):
        self.assert_refused(access_token=self.granted["id_token"])
        self.assert_refused(id_token=self.granted["access_token"])


if __name__ == "__main__":
    refuse_root()
    unittest.main()
