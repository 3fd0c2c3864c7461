"""The main job and its failures, with everything written down that anybody but us could see."""
import http.client
import os
import re
import resource
import signal
import subprocess
import sys
import time
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
from place import Place, free_port, program  # noqa: E402
from recorder import BusRecorder  # noqa: E402
from traced import TracedIssuer  # noqa: E402

PLACES = ["log", "stderr", "stdout", "bus", "argv", "environ", "files", "pages", "cores"]

# Chooses PERSON, or Ada, on the issuer's page and goes where that leads, as a browser does; keeps what it is shown at the end.
BROWSER = """#!/usr/bin/python3
import os, sys, urllib.parse, urllib.request
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
page = opener.open(sys.argv[1], timeout=20).read().decode()
form = {"transaction": page.partition('name="transaction" value="')[2].partition('"')[0], "as": os.environ.get("PERSON", "ada")}
address = urllib.parse.urljoin(sys.argv[1], "/sign-in")
answer = opener.open(address, urllib.parse.urlencode(form).encode(), timeout=20)
with open(os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "pages"), "ab") as pages:
    pages.write(str(answer.headers).encode() + answer.read())
"""


def until(met, what, seconds=30):
    end = time.monotonic() + seconds
    while True:
        value = met()
        if value:
            return value
        assert time.monotonic() < end, what
        time.sleep(0.005)


def children(parent, name):
    """The processes called `name` that `parent` started."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % pid) as file:
                mother = int(file.read().rpartition(")")[2].split()[1])
            with open("/proc/%s/cmdline" % pid, "rb") as file:
                called = file.read().partition(b"\0")[0].decode()
        except OSError:
            continue
        if mother == parent and called == name:
            found.append(int(pid))
    return found


class Scenario(Place):
    def __init__(self):
        # A core that can be written is written into a directory that is searched.
        hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
        resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
        super().__init__()
        self.cores = self.directory("cores")
        os.chdir(self.cores)
        with open(self.browser, "w") as file:
            file.write(BROWSER)
        self.heard = {"stderr": b"", "stdout": b""}
        self.files = set()
        self.watch()
        self.record = BusRecorder(self.environment, os.path.join(self.root, "bus.pcap"))
        self.children.append(self.record.process)
        self.configure("[refresh]\nforce-interval=0s\n")
        self.issuer = TracedIssuer(
            os.path.join(self.root, "wire"), program("almoner-sandbox"), "--no-rate-limits",
            "--redirect-uri", "http://localhost:%d/callback" % free_port(), "--access-lifetime", "120")
        self.start_daemon()

    def directory(self, name):
        """The home may have to be on a disk that root can look at."""
        if name != "home" or "ALMONER_TEST_DISK" not in os.environ:
            return super().directory(name)
        path = os.path.join(os.environ["ALMONER_TEST_DISK"], name)
        os.mkdir(path, 0o700)
        return path

    def end(self):
        os.chdir("/")
        self.issuer.stop()
        self.record.stop()
        super().end()

    def watch(self):
        self.watched = self.directory("watched")
        self.children.append(subprocess.Popen(
            [sys.executable, os.path.join(HERE, "watch.py"), self.watched], env=self.environment))
        until(lambda: self.seen("watching"), "the watch does not begin")

    def seen(self, line):
        try:
            return line.encode() in self.read("watched", "seen")
        except FileNotFoundError:
            return False

    def read(self, *names):
        with open(os.path.join(self.root, *names), "rb") as file:
            return file.read()

    def almoner(self, *arguments, **more):
        done = super().almoner(*arguments, check=False, **more)
        self.heard["stderr"] += done.stderr
        # The one place that an access token belongs in.
        if arguments[0] != "token":
            self.heard["stdout"] += done.stdout
        self.keep_files()
        return done

    def keep_files(self):
        """What lies in the home directory now, names included; the keyring's own files are the keyring's matter."""
        keyrings = os.path.join(self.home, ".local/share/keyrings")
        for path, directories, names in os.walk(self.home):
            directories[:] = [name for name in directories if os.path.join(path, name) != keyrings]
            for name in names:
                self.files.add(os.path.join(path, name).encode() + b"\n")
                # The configuration is the user's own text: a test that puts a secret in it must not find that.
                if name == "almoner.conf":
                    continue
                try:
                    with open(os.path.join(path, name), "rb") as file:
                        self.files.add(file.read())
                except FileNotFoundError:
                    continue

    def evidence(self):
        """Place -> everything that was written there up to now."""
        self.record.catch_up()
        self.keep_files()
        cores = b"".join(self.read("cores", name) for name in os.listdir(self.cores))
        return {**self.heard, "files": b"".join(self.files), "log": self.read("daemon.log"), "bus": self.record.bytes, "cores": cores,
                "pages": self.read("pages"), "argv": self.read("watched", "argv"),
                "environ": self.read("watched", "environ")}

    # What a person does.

    def begin(self, name, *more):
        """Starts a sign-in that waits; returns the process and the address for the browser."""
        login = subprocess.Popen(
            [program("almoner"), "login", name, "--publishable-key", self.issuer.ready["publishable_key"],
             "--redirect-uri", self.issuer.redirect, "--yes", "--no-browser", *more],
            env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while True:
            line = login.stderr.readline()
            assert line, "login ended without an address"
            self.heard["stderr"] += line
            if found := re.search(rb"http://\S+/sign-in\S+", line):
                return login, found.group().decode()

    def redirected(self, address, person="ada"):
        """Where the issuer sends the browser: an address with a code in it."""
        split = urllib.parse.urlsplit(address)
        page = self.issuer.request("GET", split.path + "?" + split.query)
        return self.issuer.choose(page, person).header("location")

    def finish(self, login, text=b""):
        out, err = login.communicate(text, timeout=60)
        self.heard["stdout"] += out
        self.heard["stderr"] += err
        self.keep_files()
        return login.returncode

    def call_back(self, address):
        """A browser at the callback, which follows to the page at the end and is shown it."""
        while address:
            split = urllib.parse.urlsplit(address)
            connection = http.client.HTTPConnection(split.netloc, timeout=20)
            connection.request("GET", split.path + ("?" + split.query if split.query else ""))
            answer = connection.getresponse()
            with open(os.path.join(self.root, "pages"), "ab") as pages:
                pages.write(str(answer.headers).encode() + answer.read())
            connection.close()
            there = answer.headers["location"]
            address = there and urllib.parse.urljoin(address, there)

    def run_main_job(self):
        self.sign_in_by_callback()
        self.sign_in_by_paste()
        self.use()
        self.fly_slowly()
        self.return_with_a_wrong_state()
        self.paste_nonsense()
        self.break_the_configuration()
        self.be_answered_badly()
        self.be_answered_with_secrets()
        self.sign_out()

    def sign_in_by_callback(self):
        assert self.sign_in("work").returncode == 0

    def sign_in_by_paste(self):
        login, address = self.begin("second", "--paste")
        assert self.finish(login, self.redirected(address, "grace").encode() + b"\n") == 0

    def use(self):
        for arguments in (
                ["token", "work"], ["token", "work", "--force"], ["token", "second", "--json"],
                ["token", "work", "--header"], ["refresh", "second"], ["status"], ["status", "--json"], ["list"],
                ["list", "--json"], ["session", "work"], ["session", "work", "--json"], ["identity", "work"],
                ["identity", "work", "--json"], ["config", "check"], ["doctor"]):
            done = self.almoner(*arguments)
            assert done.returncode == 0 or arguments[0] == "doctor", (arguments, done.stderr)
        self.almoner("token", "nobody")
        self.almoner("token", "work", "--min-valid", "200s")

    def fly_slowly(self):
        """The files while an answer is awaited, and a client that goes away meanwhile."""
        before = self.issuer.counters["refresh_grants"]
        self.issuer.fates({"fate": "answer", "delay_before_answer": 300})
        caller = subprocess.Popen([program("almoner"), "token", "work", "--force"], env=self.environment,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(lambda: self.issuer.counters["refresh_grants"] > before, "no refresh came to the issuer")
        self.keep_files()
        caller.kill()
        caller.wait()
        assert self.almoner("token", "work").returncode == 0

    def return_with_a_wrong_state(self):
        login, address = self.begin("third")
        there = self.redirected(address)
        self.call_back(there.partition("&state=")[0] + "&state=" + "A" * 43)
        self.call_back(there + "&code=again")
        self.call_back(there.replace("code=", "error=access_denied&code="))
        login.send_signal(signal.SIGINT)
        self.finish(login)

    def paste_nonsense(self):
        for mangle in (
                lambda text: text.partition("&state=")[0] + "&state=" + "A" * 43,
                lambda text: text.partition("&state=")[0],
                lambda text: text.replace("?", "#"),
                lambda text: text.partition("code=")[2],
                lambda text: text.replace("localhost", "localhost.example"),
                lambda text: text + "%zz",
                lambda text: text + "&code=again"):
            login, address = self.begin("fourth", "--paste")
            assert self.finish(login, mangle(self.redirected(address)).encode() + b"\n") != 0

    def break_the_configuration(self):
        secret = max(self.issuer.learned()["refresh token"])
        for text in ("[refresh]\nforce-interval=%s\n", "[refresh]\n%s\n", "[issuer x]\nurl=%s\n",
                     "[issuer x]\nkind=%s\n", "[issuer x]\nurl=https://a.example/?%s\n", "[store]\nkey-file=%s\n",
                     "[issuer x]\nclient-secret=%s\n"):
            self.configure(text % secret)
            self.almoner("config", "check")
            self.daemon.send_signal(signal.SIGHUP)
            self.almoner("status")
            self.almoner("doctor")
        self.configure("[refresh]\nforce-interval=0s\n")
        self.daemon.send_signal(signal.SIGHUP)
        self.almoner("config", "check")

    def be_answered_badly(self):
        self.issuer.fates("html")
        self.almoner("token", "second", "--force", "--timeout", "3s")
        self.issuer.control("POST", "revoke")
        assert self.almoner("token", "work", "--force").returncode == 3
        assert self.almoner("token", "work").returncode == 3
        self.almoner("status")

    def be_answered_with_secrets(self):
        """I5: errors that repeat what was sent, wherever an error can say something."""
        before = len(self.heard["stderr"])
        for answer in (
                lambda token: {"status": 400, "body": '{"error":"invalid_request","error_description":"%s"}' % token},
                lambda token: {"status": 401, "body": '{"error":"%s","error_uri":"https://a.example/%s"}' % (token, token)},
                lambda token: {"status": 200, "body": '{"access_token":5,"refresh_token":"%s","scope":{' % token},
                lambda token: {"status": 500, "body": "<h1>%s</h1>" % token, "headers": {
                    "WWW-Authenticate": token, "Content-Type": token, "Retry-After": token, "Date": token}},
                lambda token: {"fate": "redirect", "location": "https://%s.example/?%s" % (token[:60], token)}):
            self.sign_in("work")
            self.issuer.fates({"fate": "status", **answer(self.issuer.newest("refresh token"))})
            self.almoner("token", "work", "--force", "--json")
            self.almoner("status")
            self.issuer.fates({"fate": "status", "on": "session", **answer(self.issuer.newest("access token"))})
            self.almoner("session", "work")
            self.issuer.fates()
        # At a sign-in it is another's token: the code is not known before.
        self.issuer.fates({"fate": "status", **answer(self.issuer.newest("refresh token"))})
        self.sign_in("work")
        self.issuer.fates()
        self.errors = self.heard["stderr"][before:]

    def sign_out(self):
        self.sign_in("work")
        assert self.almoner("logout", "work").returncode == 0
        self.almoner("logout", "--all")
        # So that a core, if one can be had, is that of a daemon with tokens in it.
        self.sign_in("work")
        assert self.almoner("token", "work", "--force").returncode == 0
