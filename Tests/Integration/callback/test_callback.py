"""The loopback listener of one sign-in, driven from both sides. Needs an unprivileged user.

usage: ALMONER_BIN=DIRECTORY-WITH-PROGRAMS python3 test_callback.py
"""
import base64
import hashlib
import os
import re
import socket
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from child import ACCEPTED, BUSY, DENIED, LOST, QUERY, REJECTED, Child, finish, free_port, value  # noqa: E402

PROGRAM = os.path.join(os.environ.get("ALMONER_BIN", ""), "almoner-callback")
HIT = "/callback?code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj"


def child(**named):
    return Child(PROGRAM, **named)


def answer(running, verdict, headers=()):
    """One hit, the verdict, and the page that the redirect leads to."""
    hit = running.start(HIT, headers=headers)
    kind, query = running.receive()
    assert kind == QUERY
    running.verdict(verdict)
    redirect = finish(hit)
    return query, redirect, running.get(value(redirect[1], "location"), headers=headers)


class SignIn(unittest.TestCase):
    def test_hands_over_the_raw_query_and_shows_a_bare_page(self):
        with child() as running:
            query, redirect, page = answer(running.ready(), ACCEPTED)
            self.assertEqual(query.decode(), HIT.partition("?")[2])
            self.assertEqual((redirect[0], value(redirect[1], "location")), (303, "/callback/done"))
            self.assertEqual(page[0], 200)
            self.assertNotIn("SplxlOBeZQQYbYS6WxSbIA", str(redirect) + str(page))
            self.assertEqual(running.wait(), 0)

    def test_escapes_and_odd_bytes_arrive_untouched(self):
        with child() as running:
            running.ready()
            hit = running.start("/callback?code=%41+b&state=%00%2F&x")
            self.assertEqual(running.receive(), (QUERY, b"code=%41+b&state=%00%2F&x"))
            running.verdict(ACCEPTED)
            finish(hit)

    def test_a_wrong_state_changes_nothing(self):
        with child() as running:
            running.ready()
            self.assertEqual(value(answer(running, REJECTED)[1][1], "location"), "/callback/refused")
            self.assertIsNone(running.process.poll())
            self.assertEqual(value(answer(running, ACCEPTED)[1][1], "location"), "/callback/done")

    def test_a_lost_attempt_says_start_again(self):
        with child() as running:
            _, redirect, page = answer(running.ready(), LOST)
            self.assertEqual(value(redirect[1], "location"), "/callback/again")
            self.assertIn("start again", page[2])
            self.assertEqual(running.wait(), 0)

    def test_a_refusal_at_the_issuer_has_its_own_page(self):
        with child() as running:
            self.assertIn("not signed in", answer(running.ready(), DENIED)[2][2])

    def test_both_families_are_listened_to(self):
        with child() as running:
            running.ready()
            hit = running.start(HIT, family=socket.AF_INET6)
            self.assertEqual(running.receive()[0], QUERY)
            running.verdict(ACCEPTED)
            self.assertEqual(finish(hit)[0], 303)

    def test_any_port_is_the_kernels_choice(self):
        with child(authority="127.0.0.1", any_port=True) as running:
            self.assertEqual(answer(running.ready(), ACCEPTED)[1][0], 303)


class Doubles(unittest.TestCase):
    def test_A2_the_same_callback_twice_is_redeemed_once(self):
        with child() as running:
            running.ready()
            first, second = running.start(HIT), running.start(HIT)
            self.assertEqual(running.receive()[0], QUERY)
            time.sleep(0.05)
            running.verdict(ACCEPTED)
            places = {value(finish(hit)[1], "location") for hit in (first, second)}
            self.assertEqual(places, {"/callback/done", "/callback/closed"})
            self.assertTrue(running.silent())

    def test_a_wrong_one_first_does_not_cost_the_right_one(self):
        with child() as running:
            running.ready()
            wrong = running.start("/callback?code=x&state=wrong")
            self.assertEqual(running.receive(), (QUERY, b"code=x&state=wrong"))
            right = running.start(HIT)
            running.verdict(REJECTED)
            self.assertEqual(running.receive()[1].decode(), HIT.partition("?")[2])
            running.verdict(ACCEPTED)
            self.assertEqual(value(finish(wrong)[1], "location"), "/callback/refused")
            self.assertEqual(value(finish(right)[1], "location"), "/callback/done")

    def test_a_later_hit_gets_the_neutral_page(self):
        with child() as running:
            running.ready()
            hit = running.start(HIT)
            running.receive()
            running.verdict(ACCEPTED)
            finish(hit)
            self.assertEqual(value(running.get(HIT)[1], "location"), "/callback/closed")

    def test_the_good_page_is_not_shown_before_it_is_true(self):
        with child() as running:
            running.ready()
            self.assertIn("Nothing to do here", running.get("/callback/done")[2])


class Refusals(unittest.TestCase):
    def check(self, status, *arguments, **named):
        with child() as running:
            running.ready()
            self.assertEqual(running.get(*arguments, **named)[0], status)
            self.assertTrue(running.silent())
            self.assertEqual(answer(running, ACCEPTED)[1][0], 303)

    def test_A9_another_host(self):
        self.check(421, HIT, host=["evil.example:80"])

    def test_A9_another_host_with_our_port_as_rebinding_sends_it(self):
        with child() as running:
            running.ready()
            self.assertEqual(running.get(HIT, host=["evil.example:%d" % running.port])[0], 421)
            self.assertTrue(running.silent())
            self.assertEqual(answer(running, ACCEPTED)[1][0], 303)

    def test_A9_another_loopback_name(self):
        with child(authority="localhost:%d" % free_port()) as running:
            running.ready()
            self.assertEqual(running.get(HIT, host=["127.0.0.1:%d" % running.port])[0], 421)
            self.assertTrue(running.silent())

    def test_A9_no_host(self):
        self.check(400, HIT, host=[])

    def test_A9_host_twice(self):
        with child() as running:
            running.ready()
            self.assertEqual(running.get(HIT, host=[running.authority] * 2)[0], 400)
            self.assertTrue(running.silent())

    def test_A10_head(self):
        self.check(405, HIT, method="HEAD")

    def test_A10_options(self):
        self.check(405, HIT, method="OPTIONS", headers=["Origin: https://evil.example"])

    def test_A10_preflight(self):
        self.check(405, HIT, method="OPTIONS", headers=["Origin: https://evil.example",
                                                        "Access-Control-Request-Method: GET",
                                                        "Access-Control-Request-Private-Network: true"])

    def test_A10_post(self):
        self.check(405, HIT, method="POST", headers=["Content-Length: 0"])

    def test_A10_prefetch(self):
        self.check(403, HIT, headers=["Sec-Purpose: prefetch"])

    def test_A10_prerender(self):
        self.check(403, HIT, headers=["Sec-Purpose: prefetch;prerender"])

    def test_another_pages_picture(self):
        self.check(403, HIT, headers=["Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"])

    def test_a_frame(self):
        self.check(403, HIT, headers=["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"])

    def test_another_path(self):
        self.check(404, "/callback/?code=a&state=b")

    def test_an_escaped_path(self):
        self.check(404, "/%63allback?code=a&state=b")

    def test_a_query_that_is_too_long(self):
        self.check(414, "/callback?" + "a" * 8193)

    def test_a_body(self):
        self.check(413, HIT, headers=["Content-Length: 4"])

    def test_no_query(self):
        self.check(200, "/callback")

    def test_another_user(self):
        with child(uid=os.getuid() + 1) as running:
            running.ready()
            self.assertEqual(running.get(HIT)[0], 0)
            self.assertTrue(running.silent())

    def test_bytes_that_are_no_http(self):
        with child() as running:
            running.ready()
            for junk in (b"\0" * 100, b"GET\r\n\r\n", b"\x16\x03\x01\x02\0", b"GET / HTTP/9.9\r\n\r\n", b"A" * 70000, b"\r\n" * 9):
                with self.subTest(junk[:8]), socket.create_connection(("127.0.0.1", running.port)) as connection:
                    try:
                        connection.sendall(junk)
                    except (BrokenPipeError, ConnectionResetError):
                        pass
            self.assertTrue(running.silent())
            self.assertEqual(answer(running, ACCEPTED)[1][0], 303)

    def test_the_longest_query_passes(self):
        with child() as running:
            running.ready()
            hit = running.start("/callback?" + "a" * 8192)
            self.assertEqual(running.receive(), (QUERY, b"a" * 8192))
            running.verdict(ACCEPTED)
            self.assertEqual(finish(hit)[0], 303)


class Ends(unittest.TestCase):
    def busy(self, family, address):
        with socket.socket(family) as other:
            other.bind((address, 0))
            other.listen()
            with child(authority="localhost:%d" % other.getsockname()[1]) as running:
                self.assertEqual(running.receive(), (BUSY, b""))
                self.assertEqual(running.wait(), 1)

    def test_A7_port_busy(self):
        self.busy(socket.AF_INET, "127.0.0.1")

    def test_A7_port_busy_on_the_other_family(self):
        self.busy(socket.AF_INET6, "::1")

    def test_A6_the_deadline_ends_it(self):
        with child(deadline=1) as running:
            running.ready()
            self.assertEqual(running.wait(5), 0)
            self.assertIsNone(running.receive())

    def test_A6_a_second_after_the_deadline_nobody_listens_and_the_port_is_free(self):
        with child(deadline=1) as running:
            running.ready()
            self.assertEqual(running.wait(30), 0)
            with socket.socket() as late:
                self.assertRaises(ConnectionRefusedError, late.connect, ("127.0.0.1", running.port))
            with child(authority=running.authority) as next_one:
                next_one.ready()

    def test_the_daemon_going_ends_it(self):
        with child() as running:
            running.ready().channel.close()
            self.assertEqual(running.wait(5), 0)

    def test_the_daemon_going_while_a_browser_waits_says_start_again(self):
        with child() as running:
            hit = running.ready().start(HIT)
            running.receive()
            running.channel.shutdown(socket.SHUT_RDWR)
            self.assertEqual(value(finish(hit)[1], "location"), "/callback/again")

    def test_a_page_that_nobody_fetches_does_not_keep_the_port(self):
        with child() as running:
            hit = running.ready().start(HIT)
            running.receive()
            running.verdict(ACCEPTED)
            finish(hit)
            self.assertEqual(running.wait(5), 0)

    def test_a_frame_that_is_none_ends_it(self):
        with child() as running:
            running.ready().send(9)
            self.assertEqual(running.wait(5), 0)

    def test_it_is_confined_before_it_says_that_it_listens(self):
        with child() as running:
            running.ready()
            with open("/proc/%d/status" % running.process.pid) as file:
                status = {name: value.strip() for name, _, value in (line.partition(":") for line in file)}
            self.assertEqual((status["NoNewPrivs"], status["Seccomp"]), ("1", "2"))

    def test_started_by_hand_it_explains_itself(self):
        result = subprocess.run([PROGRAM], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"almonerd", result.stderr)

    def test_nothing_of_it_can_be_read_by_the_same_user(self):
        with child() as running:
            running.ready()
            with self.assertRaises(PermissionError):
                open("/proc/%d/mem" % running.process.pid, "rb")


class Pages(unittest.TestCase):
    def page(self, languages):
        with child() as running:
            return answer(running.ready(), ACCEPTED, ["Accept-Language: " + languages] if languages else [])[2]

    def language(self, languages):
        found = re.search(r'<html lang="(\w+)" dir="(\w+)">', self.page(languages)[2])
        return found.groups()

    def test_the_browsers_language_is_spoken(self):
        wanted = {
            "": ("en", "ltr"), "de-CH,de;q=0.9,en;q=0.8": ("de", "ltr"), "fr": ("fr", "ltr"), "ru": ("ru", "ltr"),
            "ar-EG": ("ar", "rtl"), "en;q=0.2, fr;q=0.7, de;q=0.3": ("fr", "ltr"), "tlh, *;q=0.1": ("en", "ltr"),
            "de;q=0, ru;q=0.1": ("ru", "ltr"), ";;,q=,de;q=x": ("en", "ltr"),
        }
        for languages, expected in wanted.items():
            with self.subTest(languages):
                self.assertEqual(self.language(languages), expected)

    def test_the_page_is_locked(self):
        _, headers, body = self.page("")
        policy = value(headers, "content-security-policy")
        sheet = re.search(r"<style>(.*?)</style>", body, re.S).group(1)
        digest = base64.b64encode(hashlib.sha256(sheet.encode()).digest()).decode()
        self.assertIn("default-src 'none'; style-src 'sha256-%s'; frame-ancestors 'none'" % digest, policy)
        self.assertEqual(value(headers, "cache-control"), "no-store")
        self.assertEqual(value(headers, "referrer-policy"), "no-referrer")
        self.assertNotRegex(body, r"<script|https?://|javascript:| on\w+=")


if __name__ == "__main__":
    if os.getuid() == 0:
        sys.exit("run this as an unprivileged user: root owns every connection and reads every process")
    unittest.main()
