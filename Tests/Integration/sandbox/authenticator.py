"""What a person proves themselves with, in software: an authenticator app, and a security key that may lie.

Standard library and the openssl command.
"""
import base64
import hashlib
import hmac
import json
import os
import secrets
import struct
import subprocess
import tempfile

from issuer import base64url


def code(secret, moment):
    """The one-time code of a secret in base32 at a time in seconds (RFC 6238 with RFC 4226's digits)."""
    digest = hmac.new(base64.b32decode(secret), struct.pack(">Q", int(moment) // 30), hashlib.sha1).digest()
    start = digest[-1] & 15
    return "%06d" % ((struct.unpack(">I", digest[start:start + 4])[0] & 0x7FFFFFFF) % 1000000)


class SecurityKey:
    """One key pair on P-256. What it says of itself is in its fields, for tests to change."""

    def __init__(self, origin):
        self.origin, self.party, self.flags, self.counter = origin, "localhost", 0x05, 1
        self.credential = secrets.token_bytes(16)
        self.folder = tempfile.TemporaryDirectory()
        self.key = os.path.join(self.folder.name, "key")
        self.openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", self.key)
        public = self.openssl("ec", "-in", self.key, "-pubout", "-outform", "DER")
        self.x, self.y = public[-64:-32], public[-32:]

    def openssl(self, *words, data=b""):
        return subprocess.run(["openssl", *words], input=data, capture_output=True, check=True).stdout

    def end(self):
        self.folder.cleanup()

    def client_data(self, kind, asked, **more):
        fields = {"type": "webauthn." + kind, "challenge": asked, "origin": self.origin, "crossOrigin": False}
        return json.dumps({**fields, **more}).encode()

    def data(self, more=0):
        """The signed data without what a registration attests; counts."""
        self.counter += 1
        return (hashlib.sha256(self.party.encode()).digest() + bytes([self.flags | more])
                + struct.pack(">I", self.counter - 1))

    def cose(self):
        return bytes.fromhex("a5010203262001215820") + self.x + bytes.fromhex("225820") + self.y

    def make(self, asked, **more):
        """The fields of a registration."""
        attested = b"\0" * 16 + struct.pack(">H", len(self.credential)) + self.credential + self.cose()
        return {"credential": base64url(self.credential), "authenticator_data": base64url(self.data(0x40) + attested),
                "client_data": base64url(self.client_data("create", asked, **more))}

    def use(self, asked, **more):
        """The fields of a sign-in."""
        data, client = self.data(), self.client_data("get", asked, **more)
        signature = self.openssl("dgst", "-sha256", "-sign", self.key, data=data + hashlib.sha256(client).digest())
        return {"credential": base64url(self.credential), "authenticator_data": base64url(data),
                "client_data": base64url(client), "signature": base64url(signature)}
