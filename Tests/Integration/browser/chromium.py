"""Debian's Chromium, driven as a person would, over the WebDriver protocol (W3C) that chromedriver speaks.

Standard library only. A wait has a deadline and never a pause that has to be long enough.
"""
import base64
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

# Seconds. A machine with two busy cores takes long for what takes a blink elsewhere.
PATIENCE = 60
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Refused(Exception):
    """The driver's error, by its name in the standard."""

    def __init__(self, answer):
        super().__init__("%s: %s" % (answer.get("error"), answer.get("message", "")[:500]))
        self.error = answer.get("error")


def until(what, holds, patience=PATIENCE):
    """The first true value of `holds`; what a page that is just going away refuses to say is asked again."""
    end = time.monotonic() + patience
    while True:
        try:
            found = holds()
        except Refused as refused:
            found = None
            if refused.error not in ("no such element", "stale element reference", "javascript error",
                                     "unknown error", "no such window"):
                raise
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError("not within %d s: %s" % (patience, what))
        time.sleep(0.05)


class Chromium:
    """One browser with a profile of its own. `arguments` are Chromium's, `environment` is what it adds to its own."""

    def __init__(self, *arguments, headless=True, environment=()):
        self.profile = tempfile.mkdtemp(prefix="almoner-chromium-")
        self.browser = None
        self.environment = {
            "HOME": self.profile, "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": self.profile,
            "TMPDIR": self.profile, **dict(environment)}
        self.log = os.path.join(self.profile, "chromedriver.log")
        self.driver = self.start_driver()
        arguments = [
            "--user-data-dir=" + os.path.join(self.profile, "profile"), "--no-first-run", "--disable-sync",
            "--no-default-browser-check", "--disable-background-networking", "--disable-component-update",
            "--password-store=basic", "--disable-dev-shm-usage", "--window-size=1000,800", *arguments]
        if headless:
            arguments.append("--headless=new")
        try:
            self.open_session(arguments)
        except BaseException:
            self.end()
            raise

    def start_driver(self):
        # A port that it finds free for one family may be taken for the other; then it gives up, and another one is tried.
        for _ in range(10):
            if driver := self.try_driver():
                return driver
        with open(self.log, errors="replace") as log:
            raise AssertionError("chromedriver did not start: " + log.read())

    def try_driver(self):
        # Its own group, so that what it started can be ended with it.
        with open(self.log, "wb") as log:
            driver = subprocess.Popen(
                ["chromedriver", "--port=0"], env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, start_new_session=True)
        end = time.monotonic() + PATIENCE
        while driver.poll() is None and time.monotonic() < end:
            with open(self.log, errors="replace") as log:
                found = re.search(r"started successfully on port (\d+)", log.read())
            if found:
                self.address = "http://127.0.0.1:" + found.group(1)
                return driver
            time.sleep(0.02)
        driver.kill()
        driver.wait()
        return None

    def open_session(self, arguments):
        """With Chromium's own sandbox wherever the machine lets an unprivileged user have one."""
        for more in ([], ["--no-sandbox"]):
            wanted = {"browserName": "chrome", "goog:chromeOptions": {"args": arguments + more},
                      "goog:loggingPrefs": {"browser": "ALL"}, "timeouts": {"pageLoad": PATIENCE * 1000}}
            try:
                session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
                break
            except Refused:
                if more:
                    raise
        self.session = "/session/" + session["sessionId"]
        self.browser = session["capabilities"]["goog:processID"]

    def call(self, method, path, body=None):
        data = json.dumps(body if body is not None else {}).encode() if method == "POST" else None
        request = urllib.request.Request(
            self.address + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with OPENER.open(request, timeout=2 * PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            with error:
                raise Refused(json.load(error)["value"]) from None

    def get(self, path):
        return self.call("GET", self.session + path)

    def post(self, path, **body):
        return self.call("POST", self.session + path, body)

    def end(self):
        if self.driver.poll() is None and self.browser:
            try:
                self.call("DELETE", self.session)
            except (Refused, OSError):
                pass
        for group in (self.browser, self.driver.pid):
            try:
                if group:
                    os.killpg(group, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass
        self.driver.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    # What a person does.

    def go(self, url):
        self.post("/url", url=url)

    def back(self):
        self.post("/back")

    def reload(self):
        self.post("/refresh")

    def click(self, selector):
        self.post("/element/%s/click" % self.find(selector))

    def type(self, selector, text):
        """Over whatever is in the field: control and A come first."""
        self.post("/element/%s/value" % self.find(selector), text="\ue009a\ue000" + text)

    def open_tab(self):
        """A new tab, which the words that follow go to."""
        tab = self.post("/window/new", type="tab")["handle"]
        self.look_at(tab)
        return tab

    def look_at(self, tab):
        self.post("/window", handle=tab)

    def close_tab(self):
        self.call("DELETE", self.session + "/window")

    @property
    def tab(self):
        return self.get("/window")

    @property
    def tabs(self):
        return self.get("/window/handles")

    # What a person sees.

    @property
    def url(self):
        return self.get("/url")

    def find(self, selector):
        """The only element that it selects, once it is there."""
        def one():
            found = self.post("/elements", using="css selector", value=selector)
            return found[0][ELEMENT] if len(found) == 1 else None
        return until("one element %s at %s" % (selector, self.url), one)

    def text(self, selector):
        return self.get("/element/%s/text" % self.find(selector))

    def has(self, selector):
        return bool(self.post("/elements", using="css selector", value=selector))

    def run(self, script, *arguments):
        return self.post("/execute/sync", script=script, args=list(arguments))

    def wait_for_url(self, part):
        return until("an address with %s" % part, lambda: part in self.url and self.url)

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.get("/screenshot")))

    def complaints(self):
        """What went wrong in pages since this was last asked: scripts, policies, what could not be loaded."""
        return [entry["message"] for entry in self.post("/se/log", type="browser") if entry["level"] == "SEVERE"]

    # What only a test does.

    def devtools(self, command, **parameters):
        return self.post("/goog/cdp/execute", cmd=command, params=parameters)

    def speak(self, languages):
        """Which languages the browser asks for from now on, in this tab."""
        agent = self.run("return navigator.userAgent")
        self.devtools("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=languages)

    def add_authenticator(self, verifies=True):
        """A security key of this tab (WebAuthn §11.2), whose person agrees; with `verifies` it knows who that is."""
        return self.post(
            "/webauthn/authenticator", protocol="ctap2", transport="internal", hasResidentKey=True,
            hasUserVerification=verifies, isUserConsenting=True, isUserVerified=verifies)

    def remove_authenticator(self, authenticator):
        self.call("DELETE", "%s/webauthn/authenticator/%s" % (self.session, authenticator))

    def passkeys(self, authenticator):
        return self.get("/webauthn/authenticator/%s/credentials" % authenticator)
