"""Starts the issuer of site.py, and a browser that fills its login form. ALMONER_VENV names the virtual environment."""
import html
import http.cookiejar
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
VENV = os.environ.get("ALMONER_VENV", "")

# Signs in as whoever the file PERSON names: opens the page, fills the form as a browser does, follows to the callback.
BROWSER = r"""#!/usr/bin/python3
import http.cookiejar, re, sys, urllib.parse, urllib.request
person = open("PERSON").read().strip()
opener = urllib.request.build_opener(
    urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
page = opener.open(sys.argv[1], timeout=20)
text = page.read().decode()
fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', text))
fields = {name: value.replace("&amp;", "&") for name, value in fields.items()}
fields.update(username=person, password=person + "-pw")
last = opener.open(page.url, urllib.parse.urlencode(fields).encode(), timeout=20)
last.read()
open("PERSON.port", "w").write(str(urllib.parse.urlsplit(last.url).port))
"""


def python():
    path = os.path.join(VENV, "bin/python")
    if not VENV or not os.access(path, os.X_OK):
        sys.exit("ALMONER_VENV does not lead to a virtual environment; openid/install.sh makes one")
    return path


HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')


class AtHome(urllib.request.HTTPRedirectHandler):
    """Follows an issuer within its own site, and not to the callback."""

    def redirect_request(self, request, file, code, message, headers, url):
        if urllib.parse.urlsplit(url).netloc == request.host:
            return super().redirect_request(request, file, code, message, headers, url)
        return None


class Provider:
    running = {}

    def __init__(self, lifetime):
        self.directory = tempfile.mkdtemp(prefix="almoner-openid-")
        self.person_file = os.path.join(self.directory, "person")
        log_path = os.path.join(self.directory, "log")
        with open(log_path, "wb") as log:
            self.process = subprocess.Popen(
                [python(), os.path.join(HERE, "site.py"), self.directory, str(lifetime)], stdout=subprocess.PIPE,
                stderr=log, env={"PATH": os.environ["PATH"], "HOME": self.directory})
        line = self.process.stdout.readline()
        with open(log_path, errors="replace") as log:
            assert line, "the issuer did not start: " + log.read()[-2000:]
        ready = json.loads(line)
        self.origin, self.issuer = ready["origin"], ready["issuer"]

    @classmethod
    def shared(cls, lifetime):
        """One for all the classes of a module that want this lifetime. It ends with the module."""
        if lifetime not in cls.running:
            cls.running[lifetime] = cls(lifetime)
            unittest.addModuleCleanup(lambda: cls.running.pop(lifetime).stop())
        return cls.running[lifetime]

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    def serve(self, place):
        """Becomes the issuer of a place: nothing is on record, and the place's browser signs in here."""
        self.forget()
        with open(place.browser, "w") as file:
            file.write(BROWSER.replace("PERSON", self.person_file))

    def signs_in_as(self, person):
        with open(self.person_file, "w") as file:
            file.write(person)

    def visit(self, url, person):
        """Where the issuer sends the browser of a person who signs in at its form."""
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()), AtHome())
        with opener.open(url, timeout=60) as page:
            fields = {name: html.unescape(value) for name, value in HIDDEN.findall(page.read().decode())}
        fields.update(username=person, password=person + "-pw")
        try:
            opener.open(page.url, urllib.parse.urlencode(fields).encode(), timeout=60)
        except urllib.error.HTTPError as error:
            with error:
                return error.headers["Location"]

    def get(self, path, token=None):
        """Status and, of a success, what the JSON says."""
        request = urllib.request.Request(self.origin + path)
        if token:
            request.add_header("Authorization", "Bearer " + token)
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=20) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, {}

    def person(self, token):
        """Whose token it is; None when the issuer does not take it."""
        return self.get("/resource/", token)[1].get("person")

    def forget(self):
        self.get("/forget/")

    @property
    def last_redirect_port(self):
        with open(self.person_file + ".port") as file:
            return int(file.read())

    @property
    def books(self):
        return self.get("/books/")[1]
