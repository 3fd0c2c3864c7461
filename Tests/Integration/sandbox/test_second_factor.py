"""The issuer's second factors, held against RFC 6238 and WebAuthn by an authenticator that may lie.

usage: ALMONER_BIN=DIRECTORY-WITH-PROGRAMS python3 test_second_factor.py
"""
import os
import re
import signal
import sys
import unittest
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from authenticator import SecurityKey, code  # noqa: E402
from issuer import Issuer, base64url  # noqa: E402
from test_contract import parts, query  # noqa: E402

PROGRAM = os.path.join(os.environ.get("ALMONER_BIN", ""), "almoner-sandbox")
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Asked:
    """A visit of a person who pressed their button and is asked for more."""

    def __init__(self, issuer, person):
        self.issuer = issuer
        self.first = issuer.choose(issuer.begin(), person)
        self.target = self.first.header("location")
        self.name = urllib.parse.parse_qs(urllib.parse.urlsplit(self.target).query)["transaction"][0]

    @property
    def page(self):
        return self.issuer.request("GET", self.target)

    def found(self, pattern):
        found = re.search(pattern, self.page.body.decode())
        return found and found.group(1)

    @property
    def secret(self):
        return self.found(r'id="secret">(\w+)<')

    @property
    def challenge(self):
        return self.found(r'data-challenge="([\w-]+)"')

    def post(self, by, **fields):
        form = urllib.parse.urlencode({"transaction": self.name, "by": by, **fields})
        return self.issuer.request("POST", "/second-factor", form, FORM)


class SecondFactor(unittest.TestCase):
    def setUp(self):
        self.issuer = Issuer(PROGRAM, "--no-rate-limits", "--second-factor")
        self.addCleanup(self.issuer.stop)

    def ask(self, person="ada"):
        return Asked(self.issuer, person)

    def now(self, later=0):
        """The issuer's time, so much later and at the beginning of a step: whatever is asked next is still in it."""
        now = self.issuer.control("POST", "advance", {"seconds": later})["now"]
        return self.issuer.control("POST", "advance", {"seconds": -now % 30})["now"]

    def methods(self, answer):
        """How the person of this redirect proved who they are, in every place that says so."""
        self.assertEqual(answer.status, 303)
        tokens = self.issuer.redeem(query(answer)[1]["code"]).json
        session = self.issuer.session(tokens["access_token"]).json
        for name in ("access_token", "id_token"):
            self.assertEqual(parts(tokens[name])[1]["amr"], session["amr"])
        self.assertEqual(session["mfa_verified"], "mfa" in session["amr"])
        return session["amr"]

    def assert_refused(self, answer, status=403):
        self.assertEqual((answer.status, answer.header("location")), (status, None))
        self.assertEqual(self.issuer.counters["sign_ins"], self.signed_in)

    @property
    def signed_in(self):
        return 0


class Visit(SecondFactor):
    def test_the_button_alone_signs_nobody_in(self):
        visit = self.ask()
        self.assertEqual((visit.first.status, urllib.parse.urlsplit(visit.target).path), (303, "/second-factor"))
        self.assertEqual((visit.page.status, self.issuer.counters["sign_ins"]), (200, 0))

    def test_cancel_goes_back_with_access_denied_and_ends_the_visit(self):
        visit = self.ask()
        self.assertEqual(query(visit.post("cancel"))[1], {"error": "access_denied", "state": "state-1"})
        self.assertEqual(visit.post("cancel").status, 400)

    def test_a_visit_that_was_left_open_is_over(self):
        visit = self.ask()
        right = code(visit.secret, self.now(600))
        for answer in (visit.page, visit.post("code", code=right), visit.post("cancel")):
            self.assert_refused(answer, 400)

    def test_a_visit_without_a_person_proves_nothing(self):
        page = self.issuer.begin()
        name = page.body.decode().partition('name="transaction" value="')[2].partition('"')[0]
        form = urllib.parse.urlencode({"transaction": name, "by": "code", "code": "000000"})
        self.assert_refused(self.issuer.request("POST", "/second-factor", form, FORM), 400)

    def test_the_page_runs_its_own_script_only(self):
        page = self.ask().page
        policy = page.header("content-security-policy")
        self.assertRegex(policy, r"default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; form-action")
        self.assertEqual(page.body.count(b"<script>"), 1)

    def test_the_issuer_has_a_name_as_passkeys_need_it(self):
        self.assertRegex(self.issuer.origin, r"^http://localhost:\d+$")


class Codes(SecondFactor):
    def enrol(self, person="ada"):
        visit = self.ask(person)
        secret = visit.secret
        self.spent = code(secret, self.now())
        self.assertEqual(self.methods(visit.post("code", code=self.spent)), ["otp", "mfa"])
        return secret

    @property
    def signed_in(self):
        return 1

    def test_a_code_signs_in(self):
        secret = self.enrol()
        visit = self.ask()
        self.assertIsNone(visit.secret)
        self.assertEqual(self.methods(visit.post("code", code=code(secret, self.now(30)))), ["otp", "mfa"])

    def test_a_code_may_be_a_step_early_or_late_and_typed_with_a_blank(self):
        secret = self.enrol()
        early = code(secret, self.now(60) - 30)
        self.assertEqual(self.ask().post("code", code=early[:3] + " " + early[3:]).status, 303)
        self.assertEqual(self.ask().post("code", code=code(secret, self.now(60) + 30)).status, 303)

    def test_a_code_of_two_steps_ago_is_refused(self):
        secret = self.enrol()
        self.assert_refused(self.ask().post("code", code=code(secret, self.now(120) - 60)))

    def test_a_code_is_taken_once(self):
        self.enrol()
        self.assert_refused(self.ask().post("code", code=self.spent))

    def test_an_older_code_than_the_last_is_refused(self):
        secret = self.enrol()
        now = self.now(90)
        self.assertEqual(self.ask().post("code", code=code(secret, now)).status, 303)
        answer = self.ask().post("code", code=code(secret, now - 30))
        self.assertEqual((answer.status, answer.header("location")), (403, None))

    def test_wrong_codes_are_refused_and_after_five_of_them_right_ones_too(self):
        secret = self.enrol()
        now = self.now(30)
        good = {code(secret, now + step) for step in (-30, 0, 30)}
        bad = [guess for guess in ("%06d" % number for number in range(99)) if guess not in good][:4] + ["", "1234567"]
        for guess in bad[:5]:
            self.assert_refused(self.ask().post("code", code=guess))
        visit = self.ask()
        answer = visit.post("code", code=code(secret, now))
        self.assert_refused(answer, 429)
        wait = int(answer.header("retry-after"))
        self.assertEqual(visit.post("code", code=code(secret, self.now(wait))).status, 303)

    def test_setting_up_ends_with_a_right_code_and_not_before(self):
        visit = self.ask("grace")
        secret = visit.secret
        now = self.now()
        good = {code(secret, now + step) for step in (-30, 0, 30)}
        guess = next(text for text in ("000000", "000001", "000002", "000003") if text not in good)
        self.assertEqual(visit.post("code", code=guess).status, 403)
        self.assertEqual(visit.secret, secret)
        self.assertNotEqual(self.ask("grace").secret, secret)
        self.assertEqual(self.ask("grace").post("code", code=code(secret, self.now())).status, 403)

    def test_one_persons_code_is_not_anothers(self):
        secret = self.enrol("ada")
        self.enrol("grace")
        answer = self.ask("grace").post("code", code=code(secret, self.now(60)))
        self.assertEqual((answer.status, answer.header("location")), (403, None))

    def test_who_has_a_code_cannot_set_up_a_passkey_instead(self):
        self.enrol()
        key = SecurityKey(self.issuer.origin)
        self.addCleanup(key.end)
        visit = self.ask()
        self.assertIsNone(visit.challenge)
        self.assert_refused(visit.post("passkey", **key.make("x")))


class PasskeyCase(SecondFactor):
    def setUp(self):
        super().setUp()
        self.key = SecurityKey(self.issuer.origin)
        self.addCleanup(self.key.end)

    def register(self, **more):
        visit = self.ask()
        return visit.post("passkey", **self.key.make(visit.challenge, **more))

    def use(self, **more):
        visit = self.ask()
        return visit.post("passkey", **self.key.use(visit.challenge, **more))


class Registrations(PasskeyCase):
    def test_a_passkey_registers_and_signs_in(self):
        self.assertEqual(self.methods(self.register()), ["passkey", "mfa"])
        self.assertEqual([self.methods(self.use()) for _ in range(2)], [["passkey", "mfa"]] * 2)

    def test_a_key_that_does_not_know_its_person_is_one_factor(self):
        self.register()
        self.key.flags = 0x01
        self.assertEqual(self.methods(self.use()), ["passkey"])

    def test_a_registration_that_is_not_for_us_is_refused(self):
        other = SecurityKey("http://evil.example")
        self.addCleanup(other.end)
        for change in ({"origin": "http://evil.example"}, {"origin": self.issuer.origin + "0"},
                       {"challenge": base64url(b"c" * 32)}, {"type": "webauthn.get"}, {"crossOrigin": True}):
            with self.subTest(change):
                self.assert_refused(self.register(**change))
        for name, value in (("party", "evil.example"), ("flags", 0x04), ("flags", 0x85)):
            with self.subTest(name):
                right = getattr(self.key, name)
                setattr(self.key, name, value)
                self.assert_refused(self.register())
                setattr(self.key, name, right)

    def test_a_key_that_is_no_point_of_the_curve_is_refused(self):
        self.key.y = bytes(32)
        self.assert_refused(self.register())

    def test_data_that_is_cut_or_longer_is_refused(self):
        visit = self.ask()
        whole = self.key.make(visit.challenge)["authenticator_data"]
        for data in (whole[:-4], whole + "AAAA", whole[:40], "", "AAAA"):
            with self.subTest(len(data)):
                fields = {**self.key.make(visit.challenge), "authenticator_data": data}
                self.assert_refused(visit.post("passkey", **fields))

    def test_a_registration_without_a_key_is_refused(self):
        visit = self.ask()
        fields = {**self.key.make(visit.challenge), "authenticator_data": base64url(self.key.data())}
        self.assert_refused(visit.post("passkey", **fields))


class SignIns(PasskeyCase):
    def setUp(self):
        super().setUp()
        self.assertEqual(self.register().status, 303)

    @property
    def signed_in(self):
        return 1

    def test_a_signature_that_is_not_for_us_is_refused(self):
        for change in ({"origin": "http://evil.example"}, {"challenge": base64url(b"c" * 32)},
                       {"type": "webauthn.create"}, {"crossOrigin": True}):
            with self.subTest(change):
                self.assert_refused(self.use(**change))
        for name, value in (("party", "evil.example"), ("flags", 0x04), ("flags", 0x85)):
            with self.subTest(name):
                right = getattr(self.key, name)
                setattr(self.key, name, value)
                self.assert_refused(self.use())
                setattr(self.key, name, right)

    def test_the_key_must_be_the_registered_one(self):
        other = SecurityKey(self.issuer.origin)
        self.addCleanup(other.end)
        visit = self.ask()
        self.assert_refused(visit.post("passkey", **other.use(visit.challenge)))
        other.credential = self.key.credential
        self.assert_refused(visit.post("passkey", **other.use(visit.challenge)))

    def test_any_changed_byte_breaks_it(self):
        for name in ("credential", "authenticator_data", "client_data", "signature"):
            with self.subTest(name):
                visit = self.ask()
                fields = self.key.use(visit.challenge)
                middle = len(fields[name]) // 2
                other = "A" if fields[name][middle] != "A" else "B"
                fields[name] = fields[name][:middle] + other + fields[name][middle + 1:]
                self.assert_refused(visit.post("passkey", **fields))

    def test_a_challenge_serves_once(self):
        visit = self.ask()
        first = visit.challenge
        self.assert_refused(visit.post("passkey", **self.key.use("x" * 43)))
        self.assertNotEqual(visit.challenge, first)
        self.assert_refused(visit.post("passkey", **self.key.use(first)))
        self.assertEqual(visit.post("passkey", **self.key.use(visit.challenge)).status, 303)

    def test_a_signature_of_another_visit_is_refused(self):
        visit, other = self.ask(), self.ask()
        self.assert_refused(visit.post("passkey", **self.key.use(other.challenge)))

    def test_a_counter_that_does_not_go_up_is_a_copy(self):
        self.key.counter = 7
        self.assertEqual(self.use().status, 303)
        for counter in (7, 3, 0):
            self.key.counter = counter
            answer = self.use()
            self.assertEqual((answer.status, answer.header("location")), (403, None))

    def test_who_has_a_passkey_cannot_set_up_a_code_or_another_passkey_instead(self):
        visit = self.ask()
        self.assertIsNone(visit.secret)
        self.assert_refused(visit.post("code", code="000000"))
        other = SecurityKey(self.issuer.origin)
        self.addCleanup(other.end)
        self.assert_refused(visit.post("passkey", **other.make(visit.challenge)))


if __name__ == "__main__":
    signal.alarm(300)
    unittest.main()
