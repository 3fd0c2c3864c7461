"""A sign-in that is left open: the daemon's ten minutes, with a clock that runs fast. Needs the programs with faults."""
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "lib")]
from chromium import Refused, until  # noqa: E402
from place import refuse_root  # noqa: E402
from scene import Scene  # noqa: E402

# Ten minutes pass in twelve seconds.
HASTE = 50


class LeftOpen(Scene):
    def start(self):
        self.place.programs = os.environ["ALMONER_FAULTS_BIN"]
        self.issuer = self.place.start_issuer()
        self.place.start_daemon(ALMONER_FAULT_HASTE=str(HASTE))

    def test_after_ten_minutes_the_command_says_so_and_a_late_press_signs_nobody_in(self):
        login = self.login()
        self.chromium.go(login.url)
        self.chromium.find("button[value=ada]")
        status, output, errors = login.end()
        self.assertEqual((status, output), (5, ""), errors)
        self.assertIn("10 minutes", errors)
        # The page is still there the next morning, and so is the button; the issuer knows nothing of our ten minutes.
        try:
            self.press("ada")
        except Refused as refused:
            self.assertIn("ERR_CONNECTION_REFUSED", str(refused))
        until("a code that was given out", lambda: self.issuer.counters["sign_ins"] == 1)
        self.assertEqual(self.issuer.counters["token_posts"], 0)
        self.assert_nothing_is_left()


if __name__ == "__main__":
    refuse_root()
    unittest.main()
