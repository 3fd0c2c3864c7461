"""People who sign in, or do not, in a real browser: the command, the issuer's page, the way back."""
import os
import signal
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "lib")]
from chromium import until  # noqa: E402
from place import free_port, refuse_root  # noqa: E402
from scene import Scene  # noqa: E402


class SigningIn(Scene):
    def test_from_the_command_to_a_token(self):
        login = self.login()
        self.chromium.go(login.url)
        self.assertEqual(self.chromium.text("h1"), "Who is signing in?")
        self.press("ada")
        self.arrive("done")
        status, output, errors = login.end()
        self.assertEqual(status, 0, errors)
        self.assertIn("Ada Lovelace", output + errors)
        self.assertEqual(self.session()["email"], "ada@example.org")
        self.assertEqual(self.chromium.complaints(), [])

    def test_neither_address_nor_history_keeps_code_or_state(self):
        login = self.login()
        self.chromium.go(login.url)
        self.press("ada")
        self.arrive("done")
        self.assertEqual([url for url in self.history() if "code=" in url or "/callback?" in url], [])
        self.assertEqual(login.end()[0], 0)

    def test_cancel_at_the_issuer_is_told_and_leaves_nothing(self):
        login = self.login()
        self.chromium.go(login.url)
        self.press("cancel")
        self.arrive("denied")
        status, output, errors = login.end()
        self.assertEqual((status, output), (6, ""))
        self.assertIn("cancel", errors)
        self.assert_nothing_is_left()

    def test_closing_the_tab_is_no_sign_in(self):
        login = self.login()
        self.chromium.go(login.url)
        self.chromium.find("button[value=ada]")
        self.chromium.close_tab()
        self.chromium.look_at(self.chromium.tabs[0])
        self.assertTrue(login.is_waiting)
        login.process.send_signal(signal.SIGINT)
        self.assertNotEqual(login.end()[0], 0)
        self.assertEqual(self.issuer.counters["token_posts"], 0)
        self.assert_nothing_is_left()

    def test_who_closed_the_tab_opens_the_address_again(self):
        login = self.login()
        self.chromium.go(login.url)
        self.chromium.close_tab()
        self.chromium.look_at(self.chromium.tabs[0])
        self.chromium.open_tab()
        self.chromium.go(login.url)
        self.press("ada")
        self.arrive("done")
        self.assertEqual(login.end()[0], 0)

    def test_a_page_left_open_overnight_signs_nobody_in(self):
        login = self.login()
        self.chromium.go(login.url)
        self.chromium.find("button[value=ada]")
        self.issuer.control("POST", "advance", {"seconds": 12 * 3600})
        self.press("ada")
        until("a page", lambda: self.chromium.text("h1") == "This sign-in is over")
        self.assertTrue(login.is_waiting)
        login.process.send_signal(signal.SIGINT)
        self.assertNotEqual(login.end()[0], 0)
        self.assertEqual((self.issuer.counters["sign_ins"], self.issuer.counters["token_posts"]), (0, 0))
        self.assert_nothing_is_left()


class TheWayBackAgain(Scene):
    """The back button, reloading, and coming twice."""

    def assert_one_code_was_used_once(self, signed_in=1):
        counters = self.issuer.counters
        found = [counters[name] for name in ("token_posts", "code_grants", "code_reuse", "sessions_alive")]
        self.assertEqual(found, [1, 1, 0, signed_in])
        self.assertEqual(self.session()["email"], "ada@example.org")

    def go_or_fail(self, step):
        """What leads to a listener that has gone meanwhile is an error of the browser, not of this test."""
        try:
            step()
        except Exception as error:  # noqa: BLE001
            self.assertIn("ERR_CONNECTION_REFUSED", str(error))

    def test_reloading_the_last_page_uses_nothing_twice(self):
        self.assertEqual(self.sign_in()[0], 0)
        for _ in range(3):
            self.go_or_fail(self.chromium.reload)
        self.assert_one_code_was_used_once()

    def test_going_back_and_pressing_again_changes_nothing(self):
        self.assertEqual(self.sign_in()[0], 0)
        self.chromium.back()
        self.chromium.wait_for_url("/sign-in")
        self.go_or_fail(lambda: self.press("grace"))
        until("an end", lambda: "/sign-in" not in self.chromium.url or self.chromium.text("h1") == "This sign-in is over")
        self.assert_one_code_was_used_once()

    def test_going_back_while_the_command_waits_signs_in_once(self):
        login = self.login()
        self.chromium.go(login.url)
        self.chromium.go("about:blank")
        self.chromium.back()
        self.chromium.wait_for_url("/sign-in")
        self.press("ada")
        self.arrive("done")
        self.assertEqual(login.end()[0], 0)
        self.assert_one_code_was_used_once()


class People(Scene):
    def setUp(self):
        super().setUp()
        self.assertEqual(self.sign_in("ada")[0], 0)
        self.ada = self.claims()["sub"]

    def test_another_person_is_never_stored_over_the_first(self):
        status, output, errors = self.sign_in("grace")
        self.assertEqual((status, output), (6, ""), errors)
        self.assertEqual(self.claims()["sub"], self.ada)
        self.assertEqual(self.session()["email"], "ada@example.org")
        self.assertEqual(self.issuer.counters["sessions_alive"], 1)

    def test_signed_out_and_in_as_somebody_else(self):
        first = self.place.token("work")
        self.place.almoner("logout", "work")
        self.assert_nothing_is_left()
        self.assertEqual(self.sign_in("grace")[0], 0)
        self.assertNotEqual(self.claims()["sub"], self.ada)
        self.assertEqual((self.session()["email"], self.issuer.session(first).status), ("grace@example.org", 401))

    def test_two_accounts_at_one_issuer_in_one_browser(self):
        self.assertEqual(self.sign_in("grace", "home")[0], 0)
        self.assertEqual([self.session(name)["email"] for name in ("work", "home")],
                         ["ada@example.org", "grace@example.org"])
        self.place.almoner("logout", "work")
        self.assertEqual(self.issuer.session(self.place.token("home", "--force")).status, 200)


class AtOnce(Scene):
    def start(self):
        self.redirects = ["http://localhost:%d/callback" % free_port() for _ in range(2)]
        self.issuer = self.place.start_issuer("--redirect-uri", self.redirects[0], "--redirect-uri", self.redirects[1])
        self.place.start_daemon()

    def test_two_sign_ins_at_once_in_two_tabs_of_one_browser(self):
        logins, tabs = [], [self.tab, self.chromium.open_tab()]
        for name, redirect, tab in zip(("work", "home"), self.redirects, tabs):
            logins.append(self.login(name, redirect=redirect))
            self.chromium.look_at(tab)
            self.chromium.go(logins[-1].url)
        # The one that began last ends first.
        for login, tab, person in reversed(list(zip(logins, tabs, ("ada", "grace")))):
            self.chromium.look_at(tab)
            self.press(person)
            self.arrive("done")
            self.assertEqual(login.end()[0], 0)
        self.assertEqual([self.session(name)["email"] for name in ("work", "home")],
                         ["ada@example.org", "grace@example.org"])
        self.assertEqual(self.issuer.counters["token_posts"], 2)


if __name__ == "__main__":
    refuse_root()
    unittest.main()
