"""What a callback's owner says of us, over real TLS: cases G1 to G6 of Tests/cases.txt. Runs inside run.sh.

usage: run.sh [USER]
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
sys.path.insert(0, HERE)
from place import Place, program, refuse_root  # noqa: E402
from owner import ISSUER, NAMES, Authority, Site, callback, file  # noqa: E402

DEADLINE = 60


class Associations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.keys = tempfile.TemporaryDirectory()
        cls.authority = Authority(cls.keys.name)

    @classmethod
    def tearDownClass(cls):
        cls.keys.cleanup()

    def setUp(self):
        self.site = Site(self.authority)
        self.addCleanup(self.site.stop)
        self.place = Place()
        self.addCleanup(self.place.end)
        self.issuers("untrusted", *NAMES)
        self.place.start_daemon()

    def issuers(self, *names):
        self.place.configure("\n".join(
            "[issuer %s]\nkind=openid\nissuer=%s\nclient-id=desk\nredirect-uri=%s\nca-file=%s\n"
            % (name, ISSUER, callback(name), self.authority.path("ca.pem")) for name in names))

    def check(self, name):
        return self.ask(name + ".example.test")

    def ask(self, host):
        done = self.place.almoner("association", "check", host, check=False, timeout=DEADLINE)
        done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
        return done

    def state(self, name):
        """How `check` ended, and its answer."""
        done = self.place.almoner("association", "check", name + ".example.test", "--json", check=False, timeout=DEADLINE)
        return done.returncode, json.loads(done.stdout)

    def test_G1_a_site_that_lists_us_is_told_to_and_asked_once(self):
        for _ in range(2):
            done = self.check("listed")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("listed.example.test lists listed", done.stdout)
        self.assertEqual(self.site.asked, ["listed"])

    def test_G1_a_site_that_lists_another_does_not_list_us(self):
        self.site.files["other"] = file("other", app="org.example.Other")
        done = self.check("other")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("other.example.test does NOT list other", done.stdout)

    def test_G1_what_is_listed_under_another_domain_does_not_count(self):
        self.site.files["other"] = file("listed")
        self.assertEqual(self.check("other").returncode, 1)

    def test_G2_a_site_without_a_file_lists_nobody(self):
        status, answer = self.state("gone")
        self.assertEqual((status, answer["state"], answer["clients"][0]["listed"]), (1, "absent", False))

    def test_G3_a_redirect_is_not_followed(self):
        status, answer = self.state("moved")
        self.assertEqual((status, answer["state"], self.site.asked), (5, "unreachable", ["moved"]))
        self.assertIn("redirect", answer["detail"])

    def test_G3_what_is_no_json_of_the_right_size_tells_nothing(self):
        for name, why in (("html", "application/json"), ("huge", "longer"), ("packed", "format"), ("broken", "500")):
            status, answer = self.state(name)
            self.assertEqual((status, answer["state"]), (5, "unreachable"), name)
            self.assertIn(why, answer["detail"])

    def test_G3_a_byte_in_ten_seconds_is_not_waited_for(self):
        self.assertEqual(self.state("slow")[1]["state"], "unreachable")

    def test_G3_a_certificate_of_another_authority_tells_nothing(self):
        self.assertEqual(self.state("untrusted")[1]["state"], "unreachable")
        self.assertEqual(self.site.asked, [])

    def test_G3_no_address_of_this_machine_or_of_a_private_network_is_connected_to(self):
        for name in ("private", "loopback"):
            self.assertEqual(self.state(name)[1]["state"], "unreachable")
        self.assertEqual((self.site.connections, self.site.asked), (0, []))

    def test_G5_whatever_could_be_read_as_another_host_is_refused_before_a_connection(self):
        for text in ("*.example.test", "listed.example.test.", "Listed.example.test", "xn--pple-43d.com",
                     "listed.example.test@evil.test", "listed.example.test:443", "203.0.113.10", "[::1]", "localhost"):
            done = self.ask(text)
            self.assertEqual((done.returncode, done.stdout), (2, ""), text)
        self.assertEqual(self.site.connections, 0)

    def test_G6_only_hosts_of_our_own_callbacks_are_asked_and_six_a_minute(self):
        for number in range(20):
            self.assertEqual(self.check("a%d" % number).returncode, 2)
        self.assertEqual(self.site.connections, 0)
        names = ["other", "listed", "gone", "html", "broken", "moved", "packed"]
        self.assertEqual([self.check(name).returncode for name in names][-1], 5)
        self.assertEqual(self.site.asked, names[:6])

    def test_login_says_whether_the_callbacks_owner_lists_us(self):
        issuer = self.place.start_issuer("--redirect-uri", callback("listed"))
        self.site.files["listed"] = file("listed", issuer=issuer.origin).replace(b"desk", issuer.ready["client_id"].encode())
        self.place.configure("[issuer own]\nkind=didit\npublishable-key=%s\nredirect-uri=%s\nca-file=%s\n" % (
            issuer.ready["publishable_key"], callback("listed"), self.authority.path("ca.pem")))
        login = subprocess.Popen(
            [program("almoner"), "login", "work", "--issuer", "own", "--yes", "--no-browser"],
            env=self.place.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(login.communicate)
        self.addCleanup(login.kill)
        shown = ""
        while not (found := re.search(r"^  (http\S+)\n", shown, re.MULTILINE)):
            line = login.stderr.readline()
            self.assertTrue(line, shown)
            shown += line
        page = issuer.request("GET", found.group(1)[len(issuer.origin):])
        answer = issuer.choose(page, "ada").header("location")
        self.place.almoner("callback", "almoner:callback?" + answer)
        _, rest = login.communicate(timeout=DEADLINE)
        self.assertEqual(login.returncode, 0, rest)
        self.assertIn("listed.example.test lists work", rest)


if __name__ == "__main__":
    refuse_root()
    unittest.main()
