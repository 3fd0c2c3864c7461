"""People at glewlwyd's own pages, in a real browser: password, consent, and a passkey for a scope that wants more."""
import os
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "lib")]
from chromium import until  # noqa: E402
from glewlwyd_pages import Pages  # noqa: E402
from place import free_port, refuse_root  # noqa: E402
from scene import Scene  # noqa: E402


class GlewlwydPages(Scene):
    def start(self):
        """Each test has a server of its own: whom it knows with which key is part of what is tried."""
        directory = tempfile.TemporaryDirectory(prefix="almoner-glewlwyd-")
        self.addCleanup(directory.cleanup)
        self.redirect = "http://127.0.0.1:%d/callback" % free_port()
        self.glewlwyd = Pages(os.path.join(directory.name, "server"), free_port(), self.redirect)
        self.addCleanup(self.glewlwyd.stop)
        self.chromium.devtools("Network.clearBrowserCookies")
        self.place.start_daemon()

    def begin(self, *scopes):
        words = [word for scope in ("openid", *scopes) for word in ("--scope", scope)]
        login = self.login(
            "work", "--kind", "openid", "--issuer", self.glewlwyd.issuer, "--client-id", "native", "--redirect-uri",
            self.redirect, *words, "--yes")
        self.chromium.go(login.url)
        return login

    def enter(self, person, password=None):
        self.chromium.type("#username", person)
        self.chromium.type("#password", password or person + "-pw")
        self.chromium.click("#loginbut")

    def press(self, text, inside="#root"):
        """The button with these words, once there is one."""
        until("a button " + text, lambda: self.chromium.run(
            "const it = [...document.querySelectorAll(arguments[0] + ' button, nav a')].find(it => it.offsetParent"
            " && it.textContent.trim() === arguments[1]); if (it) it.click(); return Boolean(it);", inside, text))

    def prove(self):
        """Uses the key. The page may draw its button anew while it is pressed, and then nobody pressed it."""
        pressed = 0
        def goes_on():
            nonlocal pressed
            if not self.chromium.has("#loginBut"):
                return pressed
            if time.monotonic() - pressed > 5:
                self.chromium.click("#loginBut")
                pressed = time.monotonic()
            return None
        until("a key that was used", goes_on)

    def end(self, login):
        self.arrive("done")
        return login.end()

    def test_password_and_consent_on_the_page(self):
        login = self.begin("g_profile")
        self.enter("bob", "a guess")
        until("a complaint", lambda: "rror" in self.chromium.text("body"))
        self.assertTrue(login.is_waiting)
        self.enter("bob")
        self.chromium.click("#grant-g_profile")
        self.press("Grant access")
        self.press("Continue")
        status, _, errors = self.end(login)
        self.assertEqual(status, 0, errors)
        self.assertEqual(self.claims()["name"], "Bob Example")
        self.assertTrue(self.place.token("work", "--force"))
        self.assertEqual([url for url in self.history() if url.startswith(self.redirect) and "code=" in url], [])

    def test_a_scope_that_wants_more_gets_a_passkey(self):
        key = self.chromium.add_authenticator()
        login = self.begin("stepup")
        self.enter("carol")
        self.chromium.find("#grant-stepup")
        # Away to the issuer's page of the person, who sets up a key, and back to the sign-in that waits.
        self.chromium.go(self.glewlwyd.origin + "/profile.html")
        self.press("webauthn")
        self.press("New component")
        until("a key", lambda: self.chromium.passkeys(key))
        used = self.chromium.passkeys(key)[0]["signCount"]
        self.chromium.go(login.url)
        self.chromium.click("#grant-stepup")
        self.press("Grant access")
        self.prove()
        self.press("Continue")
        status, _, errors = self.end(login)
        self.assertEqual(status, 0, errors)
        self.assertGreater(self.chromium.passkeys(key)[0]["signCount"], used)
        self.assertIn("amr", self.claims())
        self.assertTrue(self.place.token("work", "--force"))


if __name__ == "__main__":
    refuse_root()
    unittest.main()
