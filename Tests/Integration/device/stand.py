"""What the tests of the device authorization grant share: a person at django-oauth-toolkit's pages, an issuer behind a
proxy that can be late or say something else, and a `login` that runs beside the test. Standard library only.
"""
import http.client
import http.cookiejar
import http.server
import json
import re
import subprocess
import threading
import time
import urllib.parse
import urllib.request

from place import program

# Seconds: a slow machine must not fail a test.
PATIENCE = 60


class Person:
    """Signs in at django-oauth-toolkit's own pages and answers for a device."""

    def __init__(self, provider, name):
        self.provider, self.name = provider, name
        self.opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def fill(self, page, **fields):
        """Sends the form of a page, its hidden fields included; the next page."""
        hidden = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.text)
        body = urllib.parse.urlencode({**dict(hidden), **fields}).encode()
        return self.load(urllib.request.Request(page.url, body))

    def load(self, request):
        answer = self.opener.open(request, timeout=PATIENCE)
        answer.text = answer.read().decode()
        return answer

    def answer(self, user_code, action):
        """`accept` or `deny`."""
        page = self.load(self.provider.origin + "/o/device/")
        if "/login/" in page.url:
            page = self.fill(page, username=self.name, password=self.name + "-pw", next="/o/device/")
        page = self.fill(page, user_code=user_code)
        page = self.fill(page, action=action)
        assert "device-grant-status" in page.url, page.url


class Login:
    """`almoner login` that runs beside the test; `prompt` is the line with the code."""

    def __init__(self, place, *arguments, flow=("--flow", "device")):
        self.process = subprocess.Popen(
            [program("almoner"), "login", *arguments, *flow, "--yes", "--json"], env=place.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        place.children.append(self.process)
        line = self.process.stdout.readline()
        self.prompt = json.loads(line) if line else None

    def end(self):
        """Status, the answer, and the error on standard error, as far as there are such."""
        answer, error = self.process.communicate(timeout=PATIENCE)
        return (self.process.returncode, json.loads(answer) if answer else None, json.loads(error) if error else None)

    @property
    def has_ended(self):
        return self.process.poll() is not None


class Proxy(http.server.ThreadingHTTPServer):
    """Stands before an issuer on this machine. It counts polls, and a test can have it say or do something else."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.upstream = None
        # Seconds that are put in place of the issuer's own.
        self.changes = {}
        # When each poll came, and what it was answered, in order.
        self.polls = []
        self.device_codes = []
        # Set when an answer with tokens is here; it goes on when `released` is set.
        self.granted, self.released = threading.Event(), threading.Event()
        self.released.set()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def port(self):
        return self.server_address[1]

    def wait_for_polls(self, count):
        until = time.monotonic() + PATIENCE
        while len(self.polls) < count:
            assert time.monotonic() < until, "there were %d polls" % len(self.polls)
            time.sleep(0.05)

    def end(self):
        self.released.set()
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        is_poll = b"device_code=" in body
        came = time.monotonic()
        upstream = http.client.HTTPConnection("127.0.0.1", self.server.upstream, timeout=PATIENCE)
        try:
            upstream.request(self.command, self.path, body or None, dict(self.headers))
            answer = upstream.getresponse()
            data = answer.read()
        except OSError:
            # Not up yet: nobody is there, as far as a client can tell.
            self.close_connection = True
            return
        finally:
            upstream.close()
        if self.path.endswith("/device_authorization") and answer.status == 200:
            codes = {**json.loads(data), **self.server.changes}
            self.server.device_codes.append(codes["device_code"])
            data = json.dumps(codes).encode()
        if is_poll:
            self.server.polls.append((came, "granted" if answer.status == 200 else json.loads(data)["error"]))
            if answer.status == 200:
                self.server.granted.set()
                self.server.released.wait(PATIENCE)
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("content-length", "transfer-encoding", "connection", "server", "date"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_POST = do_PUT = do_DELETE = do_GET
