"""The way back through a relay page: an https redirect over TLS, a page that hands over, a handler that the desktop starts.

Started by relay.sh, which is root's part. Headless browsers start no handlers, so this one has a display: Xvfb's.
"""
import glob
import os
import signal
import subprocess
import sys
import unittest
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "lib")]
from chromium import Chromium, until  # noqa: E402
from look import ASKED, Look  # noqa: E402
from place import program, refuse_root  # noqa: E402
from scene import Scene  # noqa: E402
from tls_site import HOST, Site  # noqa: E402

REDIRECT = "https://%s/signed-in" % HOST
DESKTOP = os.path.join(HERE, "..", "..", "..", "Sources/Commands/Callback/org.almoner.Almoner.desktop")


def field(url, name):
    return urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)[name][0]


class Display:
    def __init__(self):
        ready, told = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(told), "-screen", "0", "1200x900x24", "-nolisten", "tcp"], pass_fds=[told],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(told)
        with os.fdopen(ready) as line:
            number = line.readline().strip()
        assert number, "Xvfb did not start"
        self.name = ":" + number

    def end(self):
        self.process.kill()
        self.process.wait()


class Relay(Scene):
    """A place whose browser may start its handler, and the site of an application's owner."""

    @classmethod
    def setUpClass(cls):
        cls.display = Display()
        cls.addClassCleanup(cls.display.end)

    def setUp(self):
        # In the order of what needs what: the handler that the browser starts speaks to this place's daemon.
        self.make_place()
        page = self.place.almoner("relay", "--redirect-uri", REDIRECT).stdout.decode()
        self.site = Site({"/signed-in": page})
        self.addCleanup(self.site.end)
        self.install_handler()
        self.chromium = Chromium(
            "--host-resolver-rules=MAP %s 127.0.0.1:%d" % (HOST, self.site.port), headless=False, environment={
                **self.place.environment, "DISPLAY": self.display.name,
                "PATH": os.environ["ALMONER_BIN"] + ":" + os.environ["PATH"]})
        self.addCleanup(self.chromium.end)
        self.start()

    def start(self):
        self.issuer = self.place.start_issuer("--redirect-uri", REDIRECT)
        self.place.start_daemon()

    def install_handler(self):
        """As a package does it, for this person alone."""
        applications = os.path.join(self.place.home, ".local/share/applications")
        os.makedirs(applications)
        with open(DESKTOP) as source, open(os.path.join(applications, os.path.basename(DESKTOP)), "w") as copy:
            copy.write(source.read())
        with open(os.path.join(applications, "mimeapps.list"), "w") as defaults:
            defaults.write("[Default Applications]\nx-scheme-handler/almoner=%s\n" % os.path.basename(DESKTOP))

    def handlers(self):
        """The command lines of the `almoner callback` that run for this person."""
        found = []
        for path in glob.glob("/proc/[0-9]*/cmdline"):
            try:
                with open(path, "rb") as file:
                    words = file.read()
                if os.readlink(os.path.dirname(path) + "/exe") == program("almoner"):
                    found.append(words)
            except OSError:
                continue
        return [words for words in found if b"callback" in words]

    def assert_the_code_left_the_browser(self):
        self.assertEqual(self.chromium.url, REDIRECT)
        left = self.history()
        self.assertEqual([url for url in left if url.startswith("https://")], [REDIRECT])
        self.assertEqual([url for url in left if "code=" in url], [])
        self.assertEqual(self.chromium.complaints(), [])
        # The page asks for nothing, and takes the code nowhere.
        self.assertEqual([visit.partition("?")[0] for visit in self.site.visits
                          if not visit.startswith("/favicon")], ["/signed-in"])


class HandedOver(Relay):
    def test_from_the_command_over_the_relay_page_to_a_token(self):
        login = self.login()
        self.chromium.go(login.url)
        self.press("ada")
        self.chromium.wait_for_url(REDIRECT)
        status, output, errors = login.end()
        self.assertEqual(status, 0, errors)
        self.assertEqual(self.session()["email"], "ada@example.org")
        self.assert_the_code_left_the_browser()
        self.assertEqual(self.issuer.counters["token_posts"], 1)

    def test_the_handlers_command_line_shows_no_code(self):
        login = self.login()
        self.chromium.go(login.url)
        # The handler has to wait for a daemon that stands still, and can be looked at.
        os.kill(self.place.daemon.pid, signal.SIGSTOP)
        try:
            self.press("ada")
            self.chromium.wait_for_url(REDIRECT)
            answer = until("a visit", lambda: [visit for visit in self.site.visits if "code=" in visit])[0]
            until("a handler that hides its URL", lambda: self.handlers() and not any(
                field(answer, "code").encode() in words for words in self.handlers()))
            for words in self.handlers():
                self.assertNotIn(field(answer, "state").encode(), words)
        finally:
            os.kill(self.place.daemon.pid, signal.SIGCONT)
        self.assertEqual(login.end()[0], 0)
        self.assertEqual(self.issuer.counters["token_posts"], 1)


class Pasted(Look, Relay):
    def install_handler(self):
        """None: nothing answers to `almoner:` here."""

    def test_the_page_speaks_the_persons_language_and_fits(self):
        headings = set()
        for language, asked in ASKED.items():
            self.chromium.speak(asked)
            self.chromium.go(REDIRECT + "?code=made-up&state=made-up")
            self.chromium.click("#trouble")
            headings.add(self.chromium.text("h1"))
            self.look(language, "relay")
            self.assertEqual(self.chromium.url, REDIRECT)
        self.assertEqual((len(headings), self.chromium.complaints()), (len(ASKED), []))

    def test_the_pages_policy_lets_nothing_out(self):
        self.chromium.go(REDIRECT + "?code=made-up&state=made-up")
        for attempt in ("new Image().src = url", "fetch(url, { mode: 'no-cors' }).catch(() => {})",
                        "navigator.sendBeacon(url)",
                        "document.head.append(Object.assign(document.createElement('script'), { src: url }))",
                        "document.body.append(Object.assign(document.createElement('iframe'), { src: url }))"):
            with self.subTest(attempt):
                self.chromium.run("const url = location.origin + '/spy'; " + attempt)
                until("a complaint", lambda: any("Content Security Policy" in word
                                                 for word in self.chromium.complaints()))
        self.assertEqual([visit for visit in self.site.visits if "spy" in visit], [])

    def test_the_fallback_behind_the_click_is_what_paste_takes(self):
        opened = os.path.join(self.place.root, "opened")
        login = subprocess.Popen(
            [program("almoner"), "login", "work", *self.registration(REDIRECT), "--paste"],
            env={**self.place.environment, "BROWSER": "%s %s" % (self.place.browser, opened)},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(login.communicate)
        self.addCleanup(login.kill)
        until("an address for the browser", lambda: os.path.exists(opened))
        with open(opened) as file:
            self.chromium.go(file.read())
        self.press("ada")
        self.chromium.wait_for_url(REDIRECT)
        self.assertEqual(self.chromium.run("return document.getElementById('text').value"), "")
        self.chromium.click("#trouble")
        text = until("a text", lambda: self.chromium.run("return document.getElementById('text').value"))
        self.assertTrue(text.startswith(REDIRECT + "?"), text)
        _, errors = login.communicate(text.encode() + b"\n", timeout=60)
        self.assertEqual(login.returncode, 0, errors)
        self.assertEqual(self.session()["email"], "ada@example.org")
        self.assert_the_code_left_the_browser()


if __name__ == "__main__":
    refuse_root()
    unittest.main()
