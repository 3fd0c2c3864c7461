"""The device authorization grant (RFC 8628) against two issuers that nobody of this project wrote."""
import glob
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", name) for name in ("lib", "openid", "bench")] + [HERE]
from glewlwyd import Glewlwyd  # noqa: E402
from stand import PATIENCE, Login, Person, Proxy  # noqa: E402
from place import Place, free_port, program, refuse_root  # noqa: E402
from provider import Provider  # noqa: E402
from screen import Screen, modules  # noqa: E402


class Device(unittest.TestCase):
    def setUp(self):
        self.place = Place()
        self.addCleanup(self.place.end)
        # No display and no browser: nothing may be opened.
        del self.place.environment["BROWSER"]
        self.place.configure("[refresh]\nforce-interval=0s\n[issuer club]\nkind=openid\n" + self.issuer())
        self.place.start_daemon()

    def assertNothingIsLeft(self):
        until = time.monotonic() + PATIENCE
        while (self.place.keyring_items(), self.place.state_files()) != (0, []):
            self.assertLess(time.monotonic(), until, self.place.state_files())
            time.sleep(0.1)


class DjangoOAuthToolkit(Device):
    """Its metadata lists no device endpoint, and it sends no ID token with this grant."""

    @classmethod
    def setUpClass(cls):
        cls.provider = Provider(60)
        cls.addClassCleanup(cls.provider.stop)

    def setUp(self):
        super().setUp()
        self.provider.forget()
        self.alice = Person(self.provider, "alice")

    def issuer(self):
        return ("issuer=%(issuer)s\nclient-id=device\nscopes=openid email\n"
                "device-authorization-endpoint=%(issuer)s/device-authorization/\n") % vars(self.provider)

    def test_a_person_agrees_and_the_token_is_theirs(self):
        login = Login(self.place, "work", "--issuer", "club")
        self.assertEqual(login.prompt["verificationUri"], self.provider.origin + "/o/device/")
        self.alice.answer(login.prompt["userCode"], "accept")
        status, answer, error = login.end()
        self.assertEqual((status, error), (0, None))
        self.assertEqual((answer["stage"], answer["account"], answer["isNew"]), ("signed-in", "work", True))
        self.assertEqual(self.provider.person(self.place.token("work")), "alice")
        claims = {claim["name"]: claim["value"] for claim in self.place.json("identity", "work")["claims"]}
        self.assertEqual(claims.get("email"), "alice@example.org")

    def test_it_is_chosen_where_there_is_no_display_and_renews_what_is_there(self):
        for _ in range(2):
            login = Login(self.place, "work", "--issuer", "club", flow=())
            self.alice.answer(login.prompt["userCode"], "accept")
            self.assertEqual(login.end()[0], 0)
        self.assertEqual(self.place.keyring_items(), 1)
        self.assertEqual(self.provider.person(self.place.token("work", "--force")), "alice")

    def test_a_person_who_declines_leaves_nothing(self):
        login = Login(self.place, "work", "--issuer", "club")
        self.alice.answer(login.prompt["userCode"], "deny")
        status, answer, error = login.end()
        self.assertEqual((status, answer, error["error"]), (6, None, "sign-in-cancelled"))
        self.assertNothingIsLeft()

    def test_a_second_terminal_sees_the_same_code_and_the_first_may_be_closed(self):
        first = Login(self.place, "work", "--issuer", "club")
        second = Login(self.place, "work", "--issuer", "club")
        self.assertEqual(second.prompt["userCode"], first.prompt["userCode"])
        self.assertEqual(second.prompt["verificationUri"], first.prompt["verificationUri"])
        first.process.send_signal(signal.SIGINT)
        self.assertNotEqual(first.process.wait(PATIENCE), 0)
        self.assertFalse(second.has_ended)
        self.alice.answer(second.prompt["userCode"], "accept")
        self.assertEqual(second.end()[0], 0)
        self.assertEqual(self.provider.person(self.place.token("work")), "alice")

    def test_somebody_else_is_not_stored_over_the_account(self):
        for person, status in (("alice", 0), ("bob", 6)):
            login = Login(self.place, "work", "--issuer", "club")
            Person(self.provider, person).answer(login.prompt["userCode"], "accept")
            self.assertEqual(login.end()[0], status)
        self.assertEqual(self.provider.person(self.place.token("work", "--force")), "alice")

    def test_a_server_without_openid_has_the_grant_too(self):
        self.place.configure(("[issuer plain]\nkind=oauth\nissuer=%(origin)s\nclient-id=device\nscopes=email\n"
                              "authorization-endpoint=%(issuer)s/authorize/\ntoken-endpoint=%(issuer)s/token/\n"
                              "device-authorization-endpoint=%(issuer)s/device-authorization/\n"
                              "userinfo-endpoint=%(origin)s/resource/\nsubject-claim=person\n") % vars(self.provider))
        login = Login(self.place, "work", "--issuer", "plain")
        self.alice.answer(login.prompt["userCode"], "accept")
        status, answer, _ = login.end()
        self.assertEqual((status, answer["subject"]), (0, "alice"))
        self.assertEqual(self.provider.person(self.place.token("work")), "alice")

    def test_an_issuer_without_the_grant_is_told_when_it_was_asked_for(self):
        self.place.configure("[issuer club]\nkind=openid\nissuer=%s\nclient-id=native\n" % self.provider.issuer)
        refused = self.place.almoner("login", "work", "--issuer", "club", "--flow", "device", check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn(b"device authorization endpoint", refused.stderr)


class Glewlwyds(Device):
    """Its metadata lists the endpoint; it demands two seconds between polls, and sends an ID token."""

    @classmethod
    def setUpClass(cls):
        cls.proxy = Proxy()
        cls.addClassCleanup(cls.proxy.end)
        directory = tempfile.TemporaryDirectory(prefix="almoner-device-")
        cls.addClassCleanup(directory.cleanup)
        cls.proxy.upstream = free_port()
        cls.glewlwyd = Glewlwyd(
            os.path.join(directory.name, "glewlwyd"), cls.proxy.upstream, "http://127.0.0.1/callback",
            public=cls.proxy.port, device=True)
        cls.addClassCleanup(cls.glewlwyd.stop)

    def setUp(self):
        self.proxy.changes, self.proxy.polls, self.proxy.device_codes = {}, [], []
        self.proxy.granted.clear()
        self.proxy.released.set()
        super().setUp()

    def issuer(self):
        return "issuer=%s\nclient-id=native\nscopes=openid\n" % self.glewlwyd.issuer


class ByGlewlwyd(Glewlwyds):
    def test_a_person_agrees_with_the_code_in_the_address(self):
        login = Login(self.place, "work", "--issuer", "club")
        self.assertIn(login.prompt["userCode"], login.prompt["url"])
        self.proxy.wait_for_polls(1)
        self.glewlwyd.agree(login.prompt["userCode"])
        self.assertEqual(login.end()[0], 0)
        token = self.place.token("work")
        self.assertNotEqual(self.place.token("work", "--force"), token)
        self.assertEqual([said for _, said in self.proxy.polls[:-1]].count("slow_down"), 0)

    def test_slow_down_is_obeyed_from_then_on(self):
        self.proxy.changes = {"interval": 1}
        login = Login(self.place, "work", "--issuer", "club")
        until = time.monotonic() + PATIENCE
        while "slow_down" not in [said for _, said in self.proxy.polls]:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)
        told = [said for _, said in self.proxy.polls].index("slow_down")
        self.glewlwyd.agree(login.prompt["userCode"])
        self.assertEqual(login.end()[0], 0)
        slow, after = self.proxy.polls[told], self.proxy.polls[told + 1]
        self.assertGreater(after[0] - slow[0], 5.5)
        self.assertEqual(after[1], "granted")

    def test_a_code_that_runs_out_is_told_apart_and_says_how_to_start_anew(self):
        self.proxy.changes = {"expires_in": 3}
        login = Login(self.place, "work", "--issuer", "club")
        status, answer, error = login.end()
        self.assertEqual((status, answer, error["error"]), (5, None, "sign-in-expired"))
        self.assertEqual(error["help"], "almoner login work --flow device")
        self.assertNothingIsLeft()

    def test_nobody_waits_and_nothing_is_polled(self):
        login = Login(self.place, "work", "--issuer", "club")
        self.proxy.wait_for_polls(1)
        login.process.send_signal(signal.SIGINT)
        login.process.wait(PATIENCE)
        self.assertNothingIsLeft()
        polls = len(self.proxy.polls)
        # Longer than two polls would take to come.
        time.sleep(5)
        self.assertEqual(len(self.proxy.polls), polls)

    def test_a_daemon_that_is_killed_while_it_polls_leaves_no_trace_and_a_new_code_works(self):
        login = Login(self.place, "work", "--issuer", "club")
        self.proxy.wait_for_polls(1)
        self.place.kill_daemon()
        self.assertEqual(login.end()[0], 5)
        self.place.start_daemon()
        self.assertNothingIsLeft()
        again = Login(self.place, "work", "--issuer", "club")
        self.assertNotEqual(again.prompt["userCode"], login.prompt["userCode"])
        self.glewlwyd.agree(again.prompt["userCode"])
        self.assertEqual(again.end()[0], 0)

    def test_a_daemon_that_is_killed_while_the_tokens_come_has_signed_in_when_it_is_back(self):
        self.proxy.released.clear()
        login = Login(self.place, "work", "--issuer", "club")
        self.glewlwyd.agree(login.prompt["userCode"])
        self.assertTrue(self.proxy.granted.wait(PATIENCE))
        self.place.kill_daemon()
        self.proxy.released.set()
        self.assertEqual(login.end()[0], 5)
        self.place.start_daemon()
        until = time.monotonic() + PATIENCE
        while not self.place.json("list")["accounts"]:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.1)
        first = self.place.token("work")
        self.assertNotEqual(self.place.token("work", "--force"), first)

    def test_the_device_code_is_seen_nowhere(self):
        login = Login(self.place, "work", "--issuer", "club")
        self.proxy.wait_for_polls(2)
        secret = self.proxy.device_codes[0].encode()
        seen = dict(self.place.state_snapshot())
        for path in [self.place.log] + glob.glob("/proc/[0-9]*/cmdline") + glob.glob("/proc/[0-9]*/environ"):
            try:
                with open(path, "rb") as file:
                    seen[path] = file.read()
            except OSError:
                continue
        self.assertEqual([name for name, data in seen.items() if secret in data], [])
        self.assertNotIn(secret.decode(), repr(login.prompt))
        login.process.send_signal(signal.SIGINT)
        login.process.wait(PATIENCE)


class OnAScreen(Glewlwyds):
    def screen(self, columns, rows, **environment):
        screen = Screen(self.place, columns, rows, ["login", "work", "--issuer", "club", "--yes"], environment)
        self.addCleanup(screen.end)
        return screen.until("Waiting; Ctrl-C gives up.")

    def test_a_terminal_that_is_large_enough_shows_a_qr_code(self):
        text = self.screen(100, 60)
        self.assertIn("and enter the code:", text)
        url = re.search(r"This address has the code in it:\s+(\S+)", text)[1]
        made = subprocess.run([program("almoner-qr")], input=url.encode(), capture_output=True, check=True)
        self.assertEqual(modules(text), made.stdout.decode().split())

    def test_one_that_is_narrow_or_low_or_has_no_such_letters_shows_text_only(self):
        for size, environment in (((40, 60), {}), ((100, 20), {}), ((100, 60), {"LANG": "C"})):
            with self.subTest(size=size, environment=environment):
                text = self.screen(*size, **environment)
                self.assertIn("and enter the code:", text)
                self.assertFalse(set("▀█▄") & set(text))


if __name__ == "__main__":
    refuse_root()
    unittest.main()
