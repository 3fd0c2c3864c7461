"""People at django-oauth-toolkit's own login form, in a real browser: passwords, cookies that stay, another person."""
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "openid")]
from chromium import until  # noqa: E402
from place import refuse_root  # noqa: E402
from provider import Provider  # noqa: E402
from scene import Scene  # noqa: E402


class LoginForm(Scene):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.provider = Provider(60)
        cls.addClassCleanup(cls.provider.stop)

    def start(self):
        self.provider.forget()
        self.forget_cookies()
        self.place.start_daemon()

    def forget_cookies(self):
        """As if the person signed out at the issuer's own site."""
        self.chromium.devtools("Network.clearBrowserCookies")

    def begin(self, account="work"):
        login = self.login(
            account, "--kind", "openid", "--issuer", self.provider.issuer, "--client-id", "native", "--redirect-uri",
            "http://127.0.0.1/callback", "--scope", "openid", "--scope", "email", "--yes")
        self.chromium.go(login.url)
        return login

    def fill(self, person, password=None):
        self.chromium.type("input[name=username]", person)
        self.chromium.type("input[name=password]", password or person + "-pw")
        self.chromium.click("button")

    def end(self, login):
        self.arrive("done")
        return login.end()

    def test_a_wrong_password_is_asked_again_and_the_right_one_signs_in(self):
        login = self.begin()
        self.fill("alice", "a guess")
        until("a complaint", lambda: "correct username and password" in self.chromium.text("form"))
        self.assertTrue(login.is_waiting)
        self.fill("alice")
        self.assertEqual(self.end(login)[0], 0)
        self.assertEqual(self.provider.person(self.place.token("work")), "alice")
        self.assertEqual([url for url in self.history() if "code=" in url], [])

    def test_a_browser_that_is_signed_in_there_is_not_asked_again(self):
        login = self.begin()
        self.fill("alice")
        self.assertEqual(self.end(login)[0], 0)
        self.place.almoner("logout", "work")
        self.assertEqual(self.end(self.begin())[0], 0)
        self.assertEqual(self.provider.person(self.place.token("work")), "alice")

    def test_somebody_else_at_the_form_is_never_stored_over_the_first(self):
        login = self.begin()
        self.fill("alice")
        self.assertEqual(self.end(login)[0], 0)
        self.forget_cookies()
        login = self.begin()
        self.fill("bob")
        self.assertEqual(self.end(login)[0], 6)
        self.assertEqual(self.provider.person(self.place.token("work", "--force")), "alice")

    def test_two_people_have_two_accounts(self):
        for person, account in (("alice", "work"), ("bob", "home")):
            self.forget_cookies()
            login = self.begin(account)
            self.fill(person)
            self.assertEqual(self.end(login)[0], 0)
        self.assertEqual([self.provider.person(self.place.token(name)) for name in ("work", "home")], ["alice", "bob"])


if __name__ == "__main__":
    refuse_root()
    unittest.main()
