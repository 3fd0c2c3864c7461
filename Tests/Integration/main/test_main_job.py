"""The main job with the real programs, a real keyring and the sandbox issuer: sign in, serve, refresh, sign out."""
import os
import signal
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from place import Place, refuse_root  # noqa: E402


class MainJob(unittest.TestCase):
    def setUp(self):
        self.place = Place()
        self.addCleanup(self.place.end)
        self.place.configure("[refresh]\nforce-interval=0s\n")
        self.issuer = self.place.start_issuer("--auto", "ada", "--access-lifetime", "60")
        self.place.start_daemon()

    def test_sign_in_serves_a_token(self):
        self.place.sign_in()
        token = self.place.token("work")
        self.assertEqual(self.issuer.session(token).status, 200)

    def test_only_one_item_is_in_the_keyring(self):
        self.place.sign_in()
        self.assertEqual(self.place.keyring_items(), 1)

    def test_a_forced_refresh_replaces_all_tokens_and_supersedes_the_old(self):
        self.place.sign_in()
        old = self.place.token("work")
        new = self.place.token("work", "--force")
        self.assertNotEqual(old, new)
        self.assertEqual(self.issuer.session(old).status, 401)
        self.assertEqual(self.issuer.session(new).status, 200)

    def test_a_restarted_daemon_serves_without_a_sign_in(self):
        self.place.sign_in()
        self.place.token("work", "--force")
        self.place.kill_daemon()
        self.place.start_daemon()
        self.assertEqual(self.issuer.session(self.place.token("work")).status, 200)
        self.assertEqual(self.issuer.session(self.place.token("work", "--force")).status, 200)

    def test_sign_out_leaves_nothing(self):
        self.place.sign_in()
        token = self.place.token("work")
        self.place.almoner("logout", "work")
        self.assertEqual(self.place.keyring_items(), 0)
        self.assertEqual(self.place.state_files(), [])
        self.assertEqual(self.issuer.session(token).status, 401)
        self.assertEqual(self.place.almoner("token", "work", check=False).returncode, 3)

    def test_a_stopped_daemon_ends_cleanly(self):
        self.place.sign_in()
        self.assertEqual(self.place.kill_daemon(signal.SIGTERM), 0)


if __name__ == "__main__":
    refuse_root()
    unittest.main()
