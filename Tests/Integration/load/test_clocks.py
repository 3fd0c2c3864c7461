"""H1: a machine that slept for two days, by way of a namespace whose boot clock is ahead."""
import os
import shutil
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scene import PATIENCE, Scene, measured, not_done, program, refuse_root  # noqa: E402
from wire import Wire  # noqa: E402

# Seconds of sleep, and callers who wait when the machine wakes.
SLEEP, CALLERS = 48 * 3600, 5
AHEAD = "--user --map-current-user --fork --kill-child --time --boottime %d"


def can_sleep():
    unshare = shutil.which("unshare")
    return unshare and subprocess.run([unshare, *(AHEAD % SLEEP).split(), "true"], capture_output=True).returncode == 0


class Sleep(unittest.TestCase):
    def setUp(self):
        self.scene = Scene()
        self.addCleanup(self.scene.end)
        self.issuer = self.scene.start_issuer()
        self.scene.start_daemon()
        self.scene.sign_in_guest("work", 1)

    def test_H1_after_two_days_of_sleep_there_is_one_refresh_and_no_dead_token_is_served(self):
        if not can_sleep():
            return not_done("this machine gives no time namespaces: only the unit tests let a machine sleep for two days")
        first = self.scene.ask("work")
        before = self.issuer.counters["token_posts"]
        # Still good by everybody's clock but the one that went on while the machine slept.
        self.assertGreater(first["expiresIn"], 60)
        self.scene.kill_daemon(signal.SIGTERM)
        # Programs of our own: the owner of others is unknown in there, and they would not be trusted.
        own = self.scene.directory("own")
        for name in ("almonerd", "almoner-courier", "almoner-callback"):
            shutil.copy(program(name), own)
        self.assertTrue(self.scene.start_wrapped("exec %s %s" % (shutil.which("unshare"), AHEAD % SLEEP), own))
        callers = [Wire(self.scene.socket, timeout=PATIENCE) for _ in range(CALLERS)]
        for caller in callers:
            self.addCleanup(caller.close)
            caller.send("GetAccessToken", {"account": "work", "timeout": PATIENCE})
        answers = [caller.receive()["parameters"] for caller in callers]
        measured("awake after %d h: %d callers, %d request", SLEEP // 3600, CALLERS,
                 self.issuer.counters["token_posts"] - before)
        self.assertEqual(self.issuer.counters["token_posts"], before + 1)
        self.assertEqual({answer["generation"] for answer in answers}, {first["generation"] + 1})
        self.assertEqual(len({answer["accessToken"] for answer in answers}), 1)
        self.assertNotEqual(answers[0]["accessToken"], first["accessToken"])
        self.assertEqual(self.issuer.session(answers[0]["accessToken"]).status, 200)
        # Awake, the clock goes on as usual: nothing more is due.
        self.assertEqual(self.scene.ask("work")["generation"], first["generation"] + 1)
        self.assertEqual(self.issuer.counters["reuse"], 0)
        self.scene.stop_wrapped()

    def test_the_same_without_the_sleep_refreshes_nothing(self):
        first = self.scene.ask("work")
        before = self.issuer.counters["token_posts"]
        self.scene.kill_daemon(signal.SIGTERM)
        self.scene.start_daemon()
        self.assertEqual(self.scene.ask("work")["accessToken"], first["accessToken"])
        self.assertEqual(self.issuer.counters["token_posts"], before)


if __name__ == "__main__":
    refuse_root()
    unittest.main()
