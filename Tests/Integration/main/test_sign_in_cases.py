"""Sign-ins that go wrong on purpose, with the real programs and issuers that count: cases A1 to A14 of Tests/cases.txt."""
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import time
import unittest
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
from place import Place, free_port, program, refuse_root  # noqa: E402

DEADLINE = 60


class SignInCase(unittest.TestCase):
    def setUp(self):
        self.place = Place()
        self.addCleanup(self.place.end)
        self.place.configure("[refresh]\nforce-interval=0s\n")
        self.issuer = self.place.start_issuer()
        self.place.start_daemon()

    def begin(self, account="work", issuer=None, redirect=None, words=("--no-browser",), **more):
        """A `login` that waits for a browser that this test plays, and the address to open."""
        issuer = issuer or self.issuer
        login = subprocess.Popen(
            [program("almoner"), "login", account, "--publishable-key", issuer.ready["publishable_key"],
             "--redirect-uri", redirect or issuer.redirect, "--yes", *words],
            env={**self.place.environment, **more}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        self.addCleanup(login.communicate)
        self.addCleanup(login.kill)
        shown = b""
        while not (found := re.search(rb"^  (http\S+)\n", shown, re.MULTILINE)):
            line = login.stderr.readline()
            self.assertTrue(line, shown)
            shown += line
        return login, found.group(1).decode()

    def redirected(self, url, issuer=None):
        """Where the issuer's page sends the browser of a person who agreed."""
        issuer = issuer or self.issuer
        return issuer.choose(issuer.request("GET", url[len(issuer.origin):]), "ada").header("location")

    def visit(self, url):
        """The address and text of the page that the browser gets in the end."""
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=DEADLINE) as answer:
            return answer.url, answer.read()

    def end(self, login):
        output, errors = login.communicate(timeout=DEADLINE)
        return login.returncode, output.decode(), errors.decode()

    def monitor(self):
        """The events from now on, one after the other."""
        monitor = subprocess.Popen([program("almoner"), "monitor", "--json"], env=self.place.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(monitor.communicate)
        self.addCleanup(monitor.kill)
        self.assertEqual(json.loads(monitor.stdout.readline())["event"], "watching")
        return monitor.stdout


def changed(url, **fields):
    parts = urllib.parse.urlsplit(url)
    query = dict(urllib.parse.parse_qsl(parts.query), **fields)
    return parts._replace(query=urllib.parse.urlencode(query)).geturl()


def path(url):
    return urllib.parse.urlsplit(url).path


def field(url, name):
    return urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)[name][0]


class Listener(SignInCase):
    def test_a_browser_that_never_fetches_the_last_page_leaves_no_dead_child(self):
        self.sign_in_without_last_page()
        # Its listener waits for the rest of the browser's visit, and ends by itself.
        until = time.monotonic() + DEADLINE
        while children := self.children():
            self.assertLess(time.monotonic(), until, children)
            time.sleep(0.2)

    def test_the_next_sign_in_at_the_same_port_does_not_wait_for_the_last_page(self):
        for _ in range(3):
            self.sign_in_without_last_page()

    def sign_in_without_last_page(self):
        login, url = self.begin()
        back = urllib.parse.urlsplit(self.redirected(url))
        browser = http.client.HTTPConnection(back.hostname, back.port, timeout=DEADLINE)
        self.addCleanup(browser.close)
        browser.request("GET", "%s?%s" % (back.path, back.query))
        self.assertEqual(browser.getresponse().status, 303)
        self.assertEqual(self.end(login)[0], 0)

    def children(self):
        listed = subprocess.run(["ps", "--ppid", str(self.place.daemon.pid), "-o", "stat=,comm="], capture_output=True)
        return listed.stdout.decode().split("\n")[:-1]


class Callbacks(SignInCase):
    def test_A1_the_state_of_a_sign_in_at_another_port_is_refused_and_both_go_on(self):
        redirects = ["http://localhost:%d/callback" % free_port() for _ in range(2)]
        issuer = self.place.start_issuer("--redirect-uri", redirects[0], "--redirect-uri", redirects[1])
        logins = [self.begin(name, issuer, redirect) for name, redirect in zip(("one", "two"), redirects)]
        right = [self.redirected(url, issuer) for _, url in logins]
        page, _ = self.visit(changed(right[0], state=field(right[1], "state")))
        self.assertEqual((path(page), issuer.counters["token_posts"]), ("/callback/refused", 0))
        self.assertEqual([login.poll() for login, _ in logins], [None, None])
        for (login, _), url in zip(logins, right):
            self.assertEqual(path(self.visit(url)[0]), "/callback/done")
            self.assertEqual(self.end(login)[0], 0)
        self.assertEqual((issuer.counters["token_posts"], issuer.counters["code_grants"]), (2, 2))

    def test_A2_the_same_callback_on_two_connections_makes_one_request(self):
        login, url = self.begin()
        parts = urllib.parse.urlsplit(self.redirected(url))
        browsers = [http.client.HTTPConnection(parts.netloc, timeout=DEADLINE) for _ in range(2)]
        for browser in browsers:
            self.addCleanup(browser.close)
            browser.connect()
        for browser in browsers:
            browser.request("GET", "%s?%s" % (parts.path, parts.query))
        # Which of the two was first, nobody can tell from here.
        pages = [browser.getresponse().getheader("Location") for browser in browsers]
        self.assertEqual(sorted(pages), ["/callback/closed", "/callback/done"])
        self.assertEqual(self.end(login)[0], 0)
        counters = self.issuer.counters
        self.assertEqual((counters["token_posts"], counters["code_grants"], counters["code_reuse"]), (1, 1, 0))

    def test_A4_a_mix_up_of_two_issuers_is_told_with_both_names_and_asks_neither(self):
        other = self.place.start_issuer()
        self.begin("other", other)
        events = self.monitor()
        login, url = self.begin()
        right = self.redirected(url)
        page, _ = self.visit(changed(right, iss=other.origin))
        self.assertEqual(path(page), "/callback/refused")
        told = json.loads(events.readline())
        self.assertEqual((told["event"], told["account"]), ("callback-rejected", "work"))
        self.assertIn(other.origin, told["detail"])
        self.assertIn(self.issuer.origin, told["detail"])
        self.assertEqual((self.issuer.counters["token_posts"], other.counters["token_posts"]), (0, 0))
        self.visit(right)
        self.assertEqual(self.end(login)[0], 0)


class TokenEndpoint(SignInCase):
    def test_A11_a_redirect_of_the_token_endpoint_is_not_followed_and_the_code_is_spent(self):
        with socket.socket() as elsewhere:
            elsewhere.bind(("127.0.0.1", 0))
            elsewhere.listen()
            self.issuer.fates({"fate": "redirect", "status": 307,
                               "location": "http://127.0.0.1:%d/token/" % elsewhere.getsockname()[1]})
            login, url = self.begin()
            right = self.redirected(url)
            self.visit(right)
            status, output, errors = self.end(login)
            self.assertEqual((status, output), (1, ""), errors)
            self.assertIn("redirects", errors)
            elsewhere.setblocking(False)
            self.assertRaises(BlockingIOError, elsewhere.accept)
        self.leads_nowhere(right)
        self.assertEqual((self.issuer.counters["token_posts"], self.issuer.counters["code_grants"]), (1, 0))
        self.assertEqual(self.place.json("list")["accounts"], [])

    def leads_nowhere(self, url):
        """The listener goes with its sign-in. Who finds it still there, for a moment, gets no further."""
        until = time.monotonic() + DEADLINE
        while True:
            try:
                page, _ = self.visit(url)
            except OSError:
                return
            self.assertNotEqual(path(page), "/callback/done")
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)

    def test_A13_an_account_without_a_refresh_token_says_so_and_never_asks(self):
        granted = self.issuer.sign_in()
        granted.pop("refresh_token")
        # Tokens that the issuer made a moment ago, in an answer that this test writes.
        body = json.dumps({**granted, "expires_in": 3})
        self.issuer.fates({"fate": "status", "status": 200, "body": body,
                           "headers": {"Content-Type": "application/json"}})
        login, url = self.begin()
        self.visit(self.redirected(url))
        self.assertEqual(self.end(login)[0], 0)
        posts = self.issuer.counters["token_posts"]
        self.assertEqual(self.place.token("work"), granted["access_token"])
        self.assertFalse(self.place.json("list")["accounts"][0]["renews"])
        self.assertIn(b"will not be renewed", self.place.almoner("status").stdout)
        self.place.almoner("token", "work", "--force", check=False)
        until = time.monotonic() + DEADLINE
        while (done := self.place.almoner("token", "work", check=False)).returncode == 0:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.1)
        self.assertEqual((done.returncode, done.stdout), (3, b""))
        for words in (["token", "work", "--force"], ["refresh", "work"]):
            self.place.almoner(*words, check=False)
        self.assertEqual(self.issuer.counters["token_posts"], posts)


class Browsers(SignInCase):
    def test_A14_where_no_browser_starts_the_address_is_shown_and_works(self):
        tools = self.place.directory("tools")
        with open(os.path.join(tools, "xdg-open"), "w") as script:
            script.write("#!/bin/sh\necho tried >>%s/tried\nexit 3\n" % tools)
        os.chmod(script.name, 0o755)
        self.place.environment.pop("BROWSER")
        login, url = self.begin(words=(), DISPLAY=":0", PATH=tools + ":" + self.place.environment["PATH"])
        shown = b""
        while b"Open this address in your browser" not in shown:
            shown = login.stderr.readline()
            self.assertTrue(shown)
        self.assertTrue(os.path.exists(os.path.join(tools, "tried")))
        self.visit(self.redirected(url))
        self.assertEqual(self.end(login)[0], 0)
        self.assertEqual(self.issuer.session(self.place.token("work")).status, 200)


if __name__ == "__main__":
    refuse_root()
    unittest.main()
