"""People who prove who they are: an authenticator's codes and a passkey, at the sandbox issuer, in a real browser."""
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "sandbox")]
from authenticator import code  # noqa: E402
from chromium import until  # noqa: E402
from look import Look  # noqa: E402
from place import refuse_root  # noqa: E402
from scene import Scene  # noqa: E402


class SecondFactor(Scene):
    issuer_options = ("--second-factor",)

    def begin(self, person="ada", account="work"):
        """Up to the page that asks for more than a button."""
        login = self.login(account)
        self.chromium.go(login.url)
        self.press(person)
        self.chromium.wait_for_url("/second-factor")
        return login

    def end(self, login):
        self.arrive("done")
        status, _, errors = login.end()
        self.assertEqual(status, 0, errors)

    def assert_methods(self, *methods):
        """How the issuer and the account say that the person proved who they are."""
        session = self.session()
        self.assertEqual((session["amr"], session["mfa_verified"]), (list(methods), "mfa" in methods))
        self.assertIn(methods[0], str(self.place.json("identity", "work")))

    def told(self):
        return self.chromium.text("[role=alert]:not([hidden])")


class Pages(Look, SecondFactor):
    def test_the_issuers_pages_fit_and_can_be_read(self):
        login = self.login()
        self.chromium.go(login.url)
        self.chromium.find("button[value=ada]")
        self.look("en", "sign-in")
        self.press("ada")
        self.chromium.find("#secret")
        self.look("en", "second-factor")


class Codes(SecondFactor):
    def now(self):
        """The issuer's time. It is not moved: tokens from the future are refused."""
        return self.issuer.control("POST", "advance", {"seconds": 0})["now"]

    def enter(self, text):
        self.chromium.type("input[name=code]", text)
        self.chromium.click("#code button")

    def test_a_code_is_set_up_and_then_asked_for(self):
        login = self.begin()
        secret = self.chromium.text("#secret")
        spent = code(secret, self.now())
        self.enter(spent)
        self.end(login)
        self.assert_methods("otp", "mfa")
        self.place.almoner("logout", "work")
        login = self.begin()
        self.assertFalse(self.chromium.has("#secret"))
        # The code that set it up is spent; a wrong one does not do either; the next one does.
        self.enter(spent)
        until("a refusal", lambda: "did not prove" in self.told())
        self.assertTrue(login.is_waiting)
        self.enter(code(secret, self.now() + 30))
        self.end(login)
        self.assert_methods("otp", "mfa")
        self.assertEqual(self.issuer.counters["sign_ins"], 2)

    def test_who_only_guesses_is_stopped_and_cancels(self):
        login = self.begin()
        secret = self.chromium.text("#secret")
        good = {code(secret, self.now() + step) for step in range(-300, 300, 30)}
        for guess in [text for text in ("%06d" % number for number in range(99)) if text not in good][:6]:
            self.enter(guess)
            until("an answer", lambda: self.chromium.has("[role=alert]:not([hidden])")
                  and self.chromium.run("return document.querySelector('input[name=code]').value") == "")
        until("a stop", lambda: "Too many codes were wrong" in self.told())
        self.enter(code(secret, self.now()))
        until("a stop", lambda: "Too many codes were wrong" in self.told())
        self.chromium.click("button.cancel")
        self.arrive("denied")
        self.assertEqual(login.end()[0], 6)
        self.assertEqual(self.issuer.counters["sign_ins"], 0)
        self.assert_nothing_is_left()


class Passkeys(SecondFactor):
    def use(self):
        self.chromium.click("#passkey button")

    def test_a_passkey_is_set_up_and_then_used(self):
        key = self.chromium.add_authenticator()
        login = self.begin()
        self.use()
        self.end(login)
        self.assert_methods("passkey", "mfa")
        made = self.chromium.passkeys(key)
        self.assertEqual([passkey["rpId"] for passkey in made], ["localhost"])
        self.place.almoner("logout", "work")
        login = self.begin()
        self.assertFalse(self.chromium.has("#code"))
        self.use()
        self.end(login)
        self.assert_methods("passkey", "mfa")
        self.assertGreater(self.chromium.passkeys(key)[0]["signCount"], made[0]["signCount"])
        self.assertEqual(self.chromium.complaints(), [])

    def test_a_key_that_does_not_know_its_person_is_one_factor(self):
        self.chromium.add_authenticator(verifies=False)
        login = self.begin()
        self.use()
        self.end(login)
        self.assert_methods("passkey")

    def test_another_key_than_the_persons_does_not_sign_in(self):
        first = self.chromium.add_authenticator()
        login = self.begin()
        self.use()
        self.end(login)
        self.chromium.remove_authenticator(first)
        self.chromium.add_authenticator()
        login = self.begin("ada", "home")
        self.use()
        until("a word", lambda: self.told() == "No passkey was used. Try again.")
        self.assertTrue(login.is_waiting)
        self.chromium.click("button.cancel")
        self.arrive("denied")
        self.assertEqual(login.end()[0], 6)
        self.assertEqual((self.issuer.counters["sign_ins"], len(self.place.json("list")["accounts"])), (1, 1))


if __name__ == "__main__":
    refuse_root()
    unittest.main()
