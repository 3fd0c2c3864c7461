"""A person at their browser: the real programs in a place of their own, and one Chromium that `almoner login` reaches."""
import os
import subprocess
import sys
import time
import unittest
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
from chromium import PATIENCE, Chromium, until  # noqa: E402
from place import Place, program  # noqa: E402

# Started by `almoner login` as any browser is; hands the address to the test, whole or not at all.
BROWSER = """#!/bin/sh
printf %s "$2" >"$1.new" && mv "$1.new" "$1"
"""


class Login:
    """A running `almoner login`, and the address that it opened."""

    def __init__(self, process, opened):
        self.process, self.opened = process, opened

    @property
    def url(self):
        until("an address for the browser", lambda: os.path.exists(self.opened) or self.process.poll() is not None)
        if not os.path.exists(self.opened):
            raise AssertionError("no browser was started: %s" % (self.end(),))
        with open(self.opened) as file:
            return file.read()

    @property
    def is_waiting(self):
        return self.process.poll() is None

    def end(self):
        """Exit status, output and errors, once it has ended."""
        output, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, output.decode(), errors.decode()


class Scene(unittest.TestCase):
    issuer_options = ()
    chromium_options = {}

    @classmethod
    def setUpClass(cls):
        cls.chromium = Chromium(**cls.chromium_options)
        cls.addClassCleanup(cls.chromium.end)

    def make_place(self):
        self.place = Place()
        self.addCleanup(self.place.end)
        self.place.configure("[refresh]\nforce-interval=0s\n")
        with open(self.place.browser, "w") as script:
            script.write(BROWSER)
        self.logins = 0

    def setUp(self):
        self.make_place()
        # Each test in a tab of its own: what one leaves behind is no other's history.
        first = self.chromium.tab
        self.tab = self.chromium.open_tab()
        self.addCleanup(self.close_tabs, first)
        self.chromium.complaints()
        self.start()

    def start(self):
        self.issuer = self.place.start_issuer(*self.issuer_options)
        self.place.start_daemon()

    def close_tabs(self, first):
        for tab in self.chromium.tabs:
            if tab != first:
                self.chromium.look_at(tab)
                self.chromium.close_tab()
        self.chromium.look_at(first)

    def registration(self, redirect=None):
        return ["--publishable-key", self.issuer.ready["publishable_key"],
                "--redirect-uri", redirect or self.issuer.redirect, "--yes"]

    def login(self, account="work", *words, redirect=None):
        self.logins += 1
        opened = os.path.join(self.place.root, "opened-%d" % self.logins)
        process = subprocess.Popen(
            [program("almoner"), "login", account, *(words or self.registration(redirect))],
            env={**self.place.environment, "BROWSER": "%s %s" % (self.place.browser, opened)},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return Login(process, opened)

    def press(self, person):
        self.chromium.click("button[value=%s]" % person)

    def sign_in(self, person="ada", account="work"):
        """From the command to the last page."""
        login = self.login(account)
        self.chromium.go(login.url)
        self.press(person)
        self.arrive("done")
        return login.end()

    def arrive(self, page):
        """The last page of a sign-in: done, denied, refused, again or closed."""
        address = self.chromium.wait_for_url("/callback/")
        self.assertEqual(urllib.parse.urlsplit(address).path, "/callback/" + page)
        return address

    def history(self):
        """The addresses of this tab's history."""
        return [entry["url"] for entry in self.chromium.devtools("Page.getNavigationHistory")["entries"]]

    def claims(self, account="work"):
        return {claim["name"]: claim["value"] for claim in self.place.json("identity", account)["claims"]}

    def session(self, account="work"):
        """What the issuer says of the account's token."""
        answer = self.issuer.session(self.place.token(account))
        self.assertEqual(answer.status, 200)
        return answer.json

    def assert_nothing_is_left(self):
        """What an attempt left is tidied up after its command has ended."""
        def left():
            return self.place.keyring_items(), self.place.state_files(), self.place.json("list")["accounts"]
        end = time.monotonic() + PATIENCE
        while left() != (0, [], []) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(left(), (0, [], []))
