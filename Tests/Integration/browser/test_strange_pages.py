"""Pages that are none of ours: what they load from the callback's address, and what a browser fetches ahead, is no visit."""
import http.server
import json
import os
import sys
import threading
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "lib")]
from chromium import until  # noqa: E402
from place import refuse_root  # noqa: E402
from scene import Scene  # noqa: E402

# Each is done when the browser says how it went, well or badly.
ATTEMPTS = {
    "image": "const it = new Image(); it.onload = it.onerror = done; it.src = url;",
    "frame": "const it = document.createElement('iframe'); it.onload = done; it.src = url; document.body.append(it);",
    "script": "const it = document.createElement('script'); it.onload = it.onerror = done; it.src = url;"
              "document.body.append(it);",
    "sheet": "const it = document.createElement('link'); it.rel = 'stylesheet'; it.onload = it.onerror = done;"
             "it.href = url; document.head.append(it);",
    "prefetch": "const it = document.createElement('link'); it.rel = 'prefetch'; it.onload = it.onerror = done;"
                "it.href = url; document.head.append(it);",
    "get": "fetch(url, { mode: 'no-cors' }).then(done, done);",
    "head": "fetch(url, { mode: 'no-cors', method: 'HEAD' }).then(done, done);",
    "post": "fetch(url, { mode: 'no-cors', method: 'POST', body: 'x' }).then(done, done);",
    "preflight": "fetch(url, { method: 'PUT' }).then(done, done);",
    "beacon": "navigator.sendBeacon(url); done();",
}


class Elsewhere:
    """A page without a policy, at an origin of its own; counts nothing and keeps nothing."""

    def __init__(self):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = b"<!DOCTYPE html><title>Elsewhere</title><body>"
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = "http://127.0.0.1:%d/" % self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()


class StrangePages(Scene):
    def setUp(self):
        super().setUp()
        self.elsewhere = Elsewhere()
        self.addCleanup(self.elsewhere.end)

    def redirected(self, login):
        """Where the issuer sends the browser of a person who agreed; nobody has been there yet."""
        url = login.url
        return self.issuer.choose(self.issuer.request("GET", url[len(self.issuer.origin):]), "ada").header("location")

    def test_A10_what_a_page_loads_and_a_browser_fetches_ahead_is_no_visit(self):
        login = self.login()
        right = self.redirected(login)
        self.chromium.go(self.elsewhere.url)
        for name, attempt in ATTEMPTS.items():
            self.chromium.run("window.settled = false; const url = %s; const done = () => { window.settled = true; }; %s"
                              % (json.dumps(right), attempt))
            until("an end of " + name, lambda: self.chromium.run("return window.settled"))
            self.assertTrue(login.is_waiting, name)
            self.assertEqual(self.issuer.counters["token_posts"], 0, name)
        self.chromium.go(right)
        self.arrive("done")
        status, _, errors = login.end()
        self.assertEqual(status, 0, errors)
        self.assertEqual(self.issuer.counters["token_posts"], 1)

    def test_a_link_with_another_sign_ins_state_is_turned_away_and_the_right_one_passes(self):
        login = self.login()
        right = self.redirected(login)
        self.chromium.go(self.elsewhere.url)
        wrong = self.issuer.redirect + "?code=stolen&state=" + "A" * 43
        self.chromium.run("location.href = arguments[0]", wrong)
        self.arrive("refused")
        self.assertTrue(login.is_waiting)
        self.chromium.go(right)
        self.arrive("done")
        self.assertEqual(login.end()[0], 0)
        self.assertEqual((self.issuer.counters["token_posts"], self.session()["email"]), (1, "ada@example.org"))


if __name__ == "__main__":
    refuse_root()
    unittest.main()
