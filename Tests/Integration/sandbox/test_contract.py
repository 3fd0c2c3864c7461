"""The issuer for trying and testing, held against the contract that it models.

usage: ALMONER_BIN=DIRECTORY-WITH-PROGRAMS python3 test_contract.py
"""
import base64
import concurrent.futures
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from issuer import Issuer, base64url  # noqa: E402

PROGRAM = os.path.join(os.environ.get("ALMONER_BIN", ""), "almoner-sandbox")


def issuer(*options):
    return Issuer(PROGRAM, *options)


def parts(token):
    header, claims, _ = token.split(".")
    return [json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))) for part in (header, claims)]


def query(answer):
    split = urllib.parse.urlsplit(answer.header("location"))
    return split, {name: values[0] for name, values in urllib.parse.parse_qs(split.query).items()}


def verifies(token, key):
    """Whether OpenSSL's own command takes the ES256 signature."""
    signed, _, signature = token.rpartition(".")
    raw = base64.urlsafe_b64decode(signature + "==")
    point = b"".join(base64.urlsafe_b64decode(key[name] + "=") for name in ("x", "y"))
    # SubjectPublicKeyInfo of P-256 (RFC 5480), and the signature as DER (RFC 3279).
    spki = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d03010703420004") + point
    numbers = b""
    for half in (raw[:32], raw[32:]):
        half = half.lstrip(b"\0")
        half = b"\0" + half if half[0] & 0x80 else half
        numbers += bytes([2, len(half)]) + half
    der = bytes([0x30, len(numbers)]) + numbers
    folder = tempfile.mkdtemp()
    try:
        for name, data in (("key", spki), ("signature", der), ("data", signed.encode())):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
        command = "openssl dgst -sha256 -verify key -keyform DER -signature signature data"
        return subprocess.run(command.split(), cwd=folder, stdout=subprocess.DEVNULL).returncode == 0
    finally:
        shutil.rmtree(folder)


class Shared(unittest.TestCase):
    options = ("--no-rate-limits",)

    def setUp(self):
        self.issuer = issuer(*self.options)
        self.addCleanup(self.issuer.stop)


class Start(unittest.TestCase):
    def test_the_ready_line_says_where_it_is(self):
        with issuer("--redirect-uri", "http://localhost:4711/a", "--redirect-uri", "https://app.example/b") as it:
            self.assertEqual(set(it.ready), {"origin", "publishable_key", "client_id", "control_key", "redirect_uris"})
            self.assertEqual(it.ready["publishable_key"], "pk_test_" + base64url(it.origin.encode()))
            self.assertEqual(it.ready["redirect_uris"], ["http://localhost:4711/a", "https://app.example/b"])

    def test_bad_options_are_refused(self):
        bad = [
            ["--port", "99999"], ["--port"], ["--grace", "maybe"], ["--auto", "bob"], ["--access-lifetime", "301"],
            ["--redirect-uri", "http://127.0.0.1:1/a"], ["--redirect-uri", "http://localhost/a"], ["--what"],
            ["--redirect-uri", "https://*.example/a"], ["--redirect-uri", "https://a.example/#b"],
            ["--redirect-uri", "https://u@a.example/"], ["--redirect-uri", "almoner:/callback"],
        ]
        for options in bad:
            with self.subTest(options):
                result = subprocess.run([PROGRAM, *options], capture_output=True)
                self.assertEqual((result.returncode, result.stdout), (2, b""))

    def test_a_taken_port_is_said(self):
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            result = subprocess.run([PROGRAM, "--port", str(other.getsockname()[1])], capture_output=True)
            self.assertEqual(result.returncode, 1)
            self.assertIn(b"in use", result.stderr)

    def test_it_ends_at_once_when_told_to_while_a_request_waits(self):
        it = issuer()
        it.fates({"fate": "lose_answer", "delay_before_commit": 60000})
        with concurrent.futures.ThreadPoolExecutor() as pool:
            waiting = pool.submit(it.refresh, "x")
            while it.counters["token_posts"] == 0:
                pass
            start = time.monotonic()
            it.stop()
            waiting.result()
        self.assertLess(time.monotonic() - start, 1)

    def test_it_ends_with_its_parent(self):
        script = "import subprocess,sys;p=subprocess.Popen(sys.argv[1:],stdout=subprocess.PIPE);p.stdout.readline();print(p.pid)"
        result = subprocess.run(
            [sys.executable, "-c", script, PROGRAM, "--exit-with-parent"], stdout=subprocess.PIPE, check=True)
        deadline = time.monotonic() + 5
        while os.path.exists("/proc/%d" % int(result.stdout)) and time.monotonic() < deadline:
            try:
                with open("/proc/%d/stat" % int(result.stdout)) as file:
                    if file.read().split()[2] == "Z":
                        return
            except FileNotFoundError:
                return
        self.assertLess(time.monotonic(), deadline)


class SignIn(Shared):
    def test_a_person_is_chosen_on_the_page(self):
        page = self.issuer.begin(state="a b&c=d")
        self.assertEqual(page.status, 200)
        back = self.issuer.choose(page, "grace")
        split, fields = query(back)
        self.assertEqual((back.status, split.scheme + "://" + split.netloc + split.path), (303, self.issuer.redirect))
        self.assertEqual((set(fields), fields["state"]), ({"code", "state"}, "a b&c=d"))
        self.assertLessEqual(len(fields["code"]), 128)

    def test_cancel_goes_back_with_access_denied(self):
        _, fields = query(self.issuer.choose(self.issuer.begin(), "cancel"))
        self.assertEqual(fields, {"error": "access_denied", "state": "state-1"})

    def test_a_transaction_ends_once(self):
        page = self.issuer.begin()
        self.issuer.choose(page, "ada")
        again = self.issuer.choose(page, "ada")
        self.assertEqual((again.status, again.header("location")), (400, None))

    def test_an_unregistered_redirect_is_never_followed(self):
        near = [
            self.issuer.redirect + "/", self.issuer.redirect.replace("localhost", "127.0.0.1"), "https://evil.example/",
            self.issuer.redirect.upper(), self.issuer.redirect + "?x", self.issuer.redirect[:-1],
        ]
        for redirect in near:
            with self.subTest(redirect):
                answer = self.issuer.begin(redirect=redirect)
                self.assertEqual((answer.status, answer.header("location")), (400, None))
                self.assertIn("text/html", answer.header("content-type"))

    def test_without_s256_there_is_no_code(self):
        for more in ({"code_challenge_method": "plain"}, {"code_challenge": None}, {"code_challenge": "short"}):
            with self.subTest(more):
                self.assertEqual(query(self.issuer.begin(**more))[1]["error"], "invalid_request")

    def test_the_page_is_locked(self):
        page = self.issuer.begin()
        policy = page.header("content-security-policy")
        self.assertIn("default-src 'none'", policy)
        self.assertIn("form-action 'self' http://localhost:21873;", policy)
        self.assertNotIn(b"<script", page.body)


class Token(Shared):
    def test_the_answer_has_all_three_tokens(self):
        answer = self.issuer.redeem(self.issuer.code())
        self.assertEqual(answer.header("cache-control"), "no-store")
        self.assertEqual(
            set(answer.json),
            {"access_token", "id_token", "refresh_token", "token_type", "expires_in", "session_id"})

    def test_the_tokens_are_signed_with_a_published_key(self):
        tokens = self.issuer.sign_in()
        keys = self.issuer.request("GET", "/.well-known/jwks.json").json["keys"]
        for name, kind in (("access_token", "at+jwt"), ("id_token", "JWT")):
            header, _ = parts(tokens[name])
            self.assertEqual((header["alg"], header["typ"]), ("ES256", kind))
            self.assertTrue(verifies(tokens[name], next(key for key in keys if key["kid"] == header["kid"])))

    def test_the_access_token_has_every_claim(self):
        tokens = self.issuer.sign_in("grace")
        claims = parts(tokens["access_token"])[1]
        wanted = "iss aud sub sid jti iat exp vendor_data org verified amr act client_id".split()
        self.assertEqual(set(claims), set(wanted))
        self.assertEqual(
            (claims["iss"], claims["aud"], claims["sid"], claims["act"], claims["exp"] - claims["iat"]),
            (self.issuer.origin, self.issuer.ready["client_id"], tokens["session_id"], None, 300))

    def test_a_code_is_used_once_and_twice_ends_the_session(self):
        code = self.issuer.code()
        tokens = self.issuer.redeem(code).json
        again = self.issuer.redeem(code)
        self.assertEqual((again.status, again.json["error"]), (400, "invalid_grant"))
        self.assertEqual(self.issuer.session(tokens["access_token"]).status, 401)

    def test_what_does_not_match_is_invalid_grant(self):
        for more in ({"verifier": "w" * 43}, {"redirect_uri": "http://localhost:1/x"}, {"code": "guess"}):
            with self.subTest(more):
                more = {"code": self.issuer.code(), **more}
                self.assertEqual(self.issuer.redeem(**more).json["error"], "invalid_grant")

    def test_another_client_is_invalid_client(self):
        answer = self.issuer.redeem(self.issuer.code(), client_id="00000000-0000-4000-8000-000000000000")
        self.assertEqual((answer.status, answer.json["error"]), (401, "invalid_client"))
        self.assertEqual(self.issuer.redeem(self.issuer.code(), client_id=self.issuer.ready["client_id"]).status, 200)

    def test_fields_of_the_other_grant_are_unknown(self):
        answer = self.issuer.token({"grant_type": "refresh_token", "refresh_token": "x", "client_id": "y"})
        self.assertEqual((answer.status, answer.json), (400, {"error": "unknown_field", "field": "client_id"}))

    def test_bodies_that_are_no_request_are_refused(self):
        bad = {
            b"": "invalid_request", b"[]": "invalid_request", b"{": "invalid_request",
            b'{"grant_type":"refresh_token"}': "invalid_request", b'{"grant_type":"password"}': "unsupported_grant_type",
            b'{"grant_type":"refresh_token","refresh_token":1}': "invalid_request",
            b'{"grant_type":"refresh_token","refresh_token":"a","refresh_token":"b"}': "invalid_request",
        }
        for body, error in bad.items():
            with self.subTest(body):
                self.assertEqual(self.issuer.token(body).json["error"], error)

    def test_a_form_is_not_json(self):
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        answer = self.issuer.request("POST", "/token/", "grant_type=refresh_token&refresh_token=x", form)
        self.assertEqual(answer.status, 400)


class Rotation(Shared):
    def test_all_three_tokens_are_replaced(self):
        old = self.issuer.sign_in()
        new = self.issuer.refresh(old["refresh_token"]).json
        for name in ("access_token", "id_token", "refresh_token"):
            self.assertNotEqual(old[name], new[name])
        self.assertEqual(old["session_id"], new["session_id"])
        self.assertEqual(self.issuer.session(old["access_token"]).status, 401)
        self.assertEqual(self.issuer.session(new["access_token"]).status, 200)

    def test_reuse_revokes_the_session(self):
        old = self.issuer.sign_in()
        new = self.issuer.refresh(old["refresh_token"]).json
        self.assertEqual(self.issuer.refresh(old["refresh_token"]).json["error"], "invalid_grant")
        self.assertEqual(self.issuer.session(new["access_token"]).status, 401)
        self.assertEqual(self.issuer.refresh(new["refresh_token"]).json["error"], "invalid_grant")
        counters = self.issuer.counters
        self.assertEqual((counters["reuse"], counters["sessions_alive"]), (1, 0))

    def test_one_of_fifty_at_once_wins(self):
        token = self.issuer.sign_in()["refresh_token"]
        with concurrent.futures.ThreadPoolExecutor(50) as pool:
            answers = list(pool.map(lambda _: self.issuer.refresh(token).status, range(50)))
        self.assertEqual(answers.count(200), 1)

    def test_until_used_forgives_until_the_successor_is_used(self):
        self.issuer.control("POST", "set", {"grace": "until-used"})
        old = self.issuer.sign_in()["refresh_token"]
        first = self.issuer.refresh(old).json["refresh_token"]
        second = self.issuer.refresh(old).json["refresh_token"]
        self.assertEqual(self.issuer.refresh(second).status, 200)
        self.assertEqual(self.issuer.refresh(old).status, 400)
        self.assertEqual(self.issuer.counters["reuse"], 1)
        self.assertEqual(self.issuer.refresh(first).status, 400)

    def test_a_window_forgives_inside(self):
        self.issuer.control("POST", "set", {"grace": "60"})
        old = self.issuer.sign_in()["refresh_token"]
        self.assertEqual([self.issuer.refresh(old).status for _ in range(3)], [200, 200, 200])


class Session(Shared):
    def test_it_says_who_it_is(self):
        tokens = self.issuer.sign_in("ada")
        session = self.issuer.session(tokens["access_token"]).json
        self.assertEqual(
            set(session),
            {"sub", "sid", "application_id", "amr", "mfa_verified", "email", "email_verified", "phone", "expires_at",
             "verified", "organizations"})
        self.assertEqual((session["sid"], session["email"]), (tokens["session_id"], "ada@example.org"))

    def test_delete_ends_it(self):
        access = self.issuer.sign_in()["access_token"]
        self.assertEqual([self.issuer.session(access, "DELETE").status for _ in range(2)], [204, 401])
        self.assertEqual(self.issuer.counters["sessions_alive"], 0)

    def test_a_superseded_token_cannot_delete(self):
        old = self.issuer.sign_in()
        self.issuer.refresh(old["refresh_token"])
        self.assertEqual(self.issuer.session(old["access_token"], "DELETE").status, 401)
        self.assertEqual(self.issuer.counters["sessions_alive"], 1)

    def test_an_expired_token_is_401(self):
        self.issuer.control("POST", "set", {"access_lifetime": 1})
        access = self.issuer.sign_in()["access_token"]
        self.assertEqual(self.issuer.session(access).status, 200)
        deadline = time.monotonic() + 5
        while self.issuer.session(access).status == 200:
            self.assertLess(time.monotonic(), deadline)

    def test_no_or_a_strange_token_is_401(self):
        self.assertEqual(self.issuer.request("GET", "/session/").status, 401)
        self.assertEqual(self.issuer.session("strange").status, 401)


class Keys(Shared):
    def published(self):
        return [key["kid"] for key in self.issuer.request("GET", "/.well-known/jwks.json").json["keys"]]

    def test_discovery_names_the_issuer_and_may_be_kept_for_five_minutes(self):
        answer = self.issuer.request("GET", "/.well-known/openid-configuration")
        self.assertEqual((answer.json["issuer"], answer.header("cache-control")), (self.issuer.origin, "max-age=300"))

    def test_rotation_keeps_the_old_key_for_a_day(self):
        old = self.published()
        new = self.issuer.control("POST", "rotate-keys")["kid"]
        self.assertEqual(self.published(), [new] + old)
        self.assertEqual(parts(self.issuer.sign_in()["access_token"])[0]["kid"], new)

    def test_a_compromised_key_vanishes_at_once(self):
        new = self.issuer.control("POST", "rotate-keys", {"compromised": True})["kid"]
        self.assertEqual(self.published(), [new])


class Limits(unittest.TestCase):
    def test_session_checks_are_thirty_a_minute(self):
        with issuer() as it:
            access = it.sign_in()["access_token"]
            self.assertEqual([it.session(access).status for _ in range(31)], [200] * 30 + [429])
            self.assertGreater(int(it.session(access).header("retry-after")), 0)

    def test_discovery_is_1200_a_minute(self):
        with issuer() as it:
            path = "/.well-known/jwks.json"
            self.assertEqual({it.request("GET", path).status for _ in range(1200)}, {200})
            self.assertEqual(it.request("GET", path).status, 429)


class Auto(unittest.TestCase):
    def test_it_signs_in_without_a_page(self):
        with issuer("--auto", "Grace") as it:
            self.assertEqual(it.begin().status, 303)
            self.assertEqual(it.session(it.sign_in()["access_token"]).json["email"], "grace@example.org")


if __name__ == "__main__":
    signal.alarm(300)
    unittest.main()
