"""The way back through a relay page: the page that is printed, and the handler that the desktop starts for it."""
import base64
import hashlib
import html.parser
import os
import re
import signal
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
from place import free_port, program, refuse_root  # noqa: E402
from test_ways_back import WayBack  # noqa: E402

REDIRECT = "https://app.example.test/signed-in"
DEADLINE = 60


class Elements(html.parser.HTMLParser):
    """Tags with their attributes, and the text inside script and style."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.inside = [], {}
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, text):
        if self.cdata_elem:
            self.inside[self.tags[-1][0]] = self.inside.get(self.tags[-1][0], "") + text

    def meta(self, name):
        return [at["content"] for tag, at in self.tags if tag == "meta" and name in (at.get("name"), at.get("http-equiv"))]


def digest(text):
    return "'sha256-%s'" % base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


class Page(unittest.TestCase):
    def relay(self, *arguments):
        return subprocess.run([program("almoner"), "relay", *arguments], capture_output=True, text=True, timeout=DEADLINE)

    def setUp(self):
        done = self.relay("--redirect-uri", REDIRECT)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.page, self.elements = done.stdout, Elements(done.stdout)

    def test_only_this_script_and_this_sheet_may_run(self):
        inside = self.elements.inside
        self.assertEqual(self.elements.meta("Content-Security-Policy"), [
            "default-src 'none'; script-src %s; style-src %s; base-uri 'none'; form-action 'none'"
            % (digest(inside["script"]), digest(inside["style"]))])
        names = [tag for tag, _ in self.elements.tags]
        self.assertEqual((names.count("script"), names.count("style")), (1, 1))
        self.assertLess(self.page.index("Content-Security-Policy"), self.page.index("<script>"))

    def test_nothing_comes_from_elsewhere_and_nothing_goes_there(self):
        self.assertEqual(self.elements.meta("referrer"), ["no-referrer"])
        self.assertEqual(self.elements.meta("robots"), ["noindex, nofollow"])
        for tag, attributes in self.elements.tags:
            self.assertNotIn(tag, ("link", "img", "iframe", "form", "a", "base", "object"))
            self.assertFalse([name for name in attributes if name in ("src", "href", "style") or name.startswith("on")])
        self.assertEqual(re.findall(r"https?://[^\"]*", self.page), [REDIRECT])
        self.assertNotRegex(self.elements.inside["script"], r"fetch|XMLHttpRequest|sendBeacon|cookie|Storage|innerHTML|eval")

    def test_the_address_bar_is_cleared_before_anything_that_could_fail(self):
        program = self.elements.inside["script"].split(";\n", 1)[1]
        self.assertRegex(program, r"\Aconst query = location.search, here = location.origin \+ location.pathname;\n"
                                  r"history.replaceState\(null, \"\", location.pathname\);")
        self.assertLess(self.page.index("<script>"), self.page.index("<title>"))

    def test_it_speaks_the_languages_of_the_final_page(self):
        script = self.elements.inside["script"]
        for language in ("en", "de", "fr", "ru", "ar"):
            self.assertIn('"%s":{"direction":"%s"' % (language, "rtl" if language == "ar" else "ltr"), script)
        self.assertEqual(script.count("almoner login"), 5)
        self.assertEqual(script.count('"promise":'), 5)

    def test_what_a_browser_would_write_otherwise_is_refused(self):
        for wrong in ("http://app.example.test/cb", "https://app.example.test", "https://App.example.test/cb",
                      "https://app.example.test/cb?x=1", "https://app.example.test/cb#x", "https://a@app.example.test/cb",
                      "https://app.example.test:443/cb", 'https://app.example.test/"><script>', "https:///cb",
                      "https://*.example.test/cb'", "https://app.example.test/" + "a" * 2048, "app.example.test/cb",
                      "javascript:alert(1)"):
            done = self.relay("--redirect-uri", wrong)
            self.assertEqual((done.returncode, done.stdout), (2, ""), wrong)
        self.assertEqual(self.relay().returncode, 2)


class Handler(WayBack):
    issuer_options = ("--redirect-uri", REDIRECT, "--redirect-uri", "http://localhost:%d/other" % free_port())

    def setUp(self):
        super().setUp()
        self.issuer.redirect = REDIRECT

    def callback(self, *words):
        return subprocess.run([program("almoner"), "callback", *words], env=self.place.environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=DEADLINE)

    def posts(self):
        return self.issuer.counters["token_posts"]

    def assert_refused(self, url):
        done = self.callback(url)
        self.assertEqual((done.returncode, done.stdout), (2, ""), url[:200])
        for secret in re.findall(r"(?:code|state)=([^&#]{8,})", url):
            self.assertNotIn(secret, done.stderr)

    def test_the_handler_hands_the_answer_to_the_sign_in_that_waits(self):
        login, address = self.begin()
        done = self.callback("almoner:callback?" + self.redirected(address))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertEqual(self.end(login)[0], 0)
        self.assertEqual(self.issuer.session(self.place.token("work")).status, 200)

    def test_of_two_sign_ins_each_gets_its_own_answer(self):
        first, one = self.begin(account="first")
        second, two = self.begin(account="second")
        for address, person in ((two, "grace"), (one, "ada")):
            self.assertEqual(self.callback("almoner:callback?" + self.redirected(address, person)).returncode, 0)
        self.assertEqual((self.end(first)[0], self.end(second)[0]), (0, 0))
        self.assertNotEqual(self.person("first"), self.person("second"))

    def test_what_no_page_of_ours_sends_is_refused_and_the_right_answer_still_works(self):
        login, address = self.begin()
        right = self.redirected(address)
        state = re.search(r"state=([^&]+)", right).group(1)
        for wrong in ("", right, "almoner:callback", "almoner:callback?", "almoner:other?" + right,
                      "almoner://callback?" + right, "ALMONER:callback?" + right, "http:callback?" + right,
                      "almoner:callback?" + right.replace("&state=" + state, ""),
                      "almoner:callback?" + right.replace(state, "A" * 43),
                      "almoner:callback?" + right + "&code=another-code", "almoner:callback?" + right + "&error=x",
                      "almoner:callback?" + right + "&state=" + state, "almoner:callback?" + right + "\x01",
                      "almoner:callback?" + right + "\n", "almoner:callback?" + right + " ",
                      "almoner:callback?" + right + "\u202e", "almoner:callback?" + right.replace("code=", "code=%00"),
                      "almoner:callback?" + right.replace("code=", "code=%zz"), "almoner:callback?" + right + "&iss=%",
                      "almoner:callback?" + right.replace("app.example", "evil.example"),
                      "almoner:callback?" + right.replace("https:", "http:"),
                      "almoner:callback?" + right.replace("/signed-in", "/other"),
                      "almoner:callback?" + right.replace("app.example.test", "app.example.test@evil.test"),
                      "almoner:callback?" + right + "&x=" + "A" * 9000, "almoner:callback?" + right + "&x=" + "A" * 17000,
                      "almoner:callback?" + "?" * 100, "almoner:callback?" + right + "&iss=https://other.example"):
            self.assert_refused(wrong)
        self.assertEqual(self.callback(right, right).returncode, 2)
        self.assertEqual(self.posts(), 0)
        self.assertEqual(self.callback("almoner:callback?" + right).returncode, 0)
        self.assertEqual(self.end(login)[0], 0)

    def test_a_second_or_late_answer_changes_nothing(self):
        login, address = self.begin()
        url = "almoner:callback?" + self.redirected(address)
        self.assertEqual(self.callback(url).returncode, 0)
        self.assertEqual(self.end(login)[0], 0)
        posts = self.posts()
        self.assert_refused(url)
        self.assertEqual(self.posts(), posts)
        self.assertEqual(self.person(), self.person())

    def test_a_cancelled_sign_in_comes_back_too(self):
        login, address = self.begin()
        self.assertEqual(self.callback("almoner:callback?" + self.redirected(address, "cancel")).returncode, 0)
        self.assertEqual(self.end(login)[0], 6)
        self.assert_nothing_is_left()

    def test_without_a_daemon_none_is_started(self):
        self.place.kill_daemon(signal.SIGTERM)
        done = self.callback("almoner:callback?%s?code=c&state=s" % REDIRECT)
        self.assertEqual(done.returncode, 7)
        self.assertFalse(os.path.exists(self.place.socket))

    def test_the_command_line_of_the_handler_does_not_show_the_code(self):
        """Stopped at the daemon, which is stopped itself, the handler is looked at for as long as it lives."""
        login, address = self.begin()
        url = "almoner:callback?" + self.redirected(address)
        code = re.search(r"code=([^&]+)", url).group(1).encode()
        os.kill(self.place.daemon.pid, signal.SIGSTOP)
        handler = subprocess.Popen([program("almoner"), "callback", url], env=self.place.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(handler.communicate)
        try:
            until = time.monotonic() + DEADLINE
            while not self.has_socket(handler.pid):
                self.assertIsNone(handler.poll())
                self.assertLess(time.monotonic(), until)
                time.sleep(0.02)
            with open("/proc/%d/cmdline" % handler.pid, "rb") as file:
                shown = file.read()
        finally:
            os.kill(self.place.daemon.pid, signal.SIGCONT)
        self.assertTrue(shown.split(b"\0")[0].endswith(b"almoner") and b"callback" in shown, shown)
        self.assertNotIn(code, shown)
        self.assertEqual(set(shown.split(b"\0")[2]), {ord("*")})
        self.assertEqual(handler.wait(timeout=DEADLINE), 0)
        self.assertEqual(self.end(login)[0], 0)

    @staticmethod
    def has_socket(process):
        try:
            return any(os.readlink("/proc/%d/fd/%s" % (process, name)).startswith("socket:")
                       for name in os.listdir("/proc/%d/fd" % process))
        except OSError:
            return False


if __name__ == "__main__":
    refuse_root()
    unittest.main()
