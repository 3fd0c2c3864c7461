"""KeePassXC as the keyring of the real daemon: a change is on its disk only when it saves, and a locked database hides."""
import base64
import os
import shutil
import signal
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from rings import LOCKED, OK, Rings, refuse_root  # noqa: E402

# Bytes that no database without them has: more than a record with all its tokens.
BALLAST = 6000


class WithKeePassXC(unittest.TestCase):
    settings = {}

    def setUp(self):
        self.place = Rings()
        self.addCleanup(self.place.end)
        self.keepassxc = self.place.start_keepassxc(**self.settings)
        self.place.start_daemon()
        self.issuer = self.place.start_issuer("--auto", "ada")
        self.empty = self.database()
        self.place.sign_in("work")

    def database(self):
        with open(self.keepassxc.database, "rb") as file:
            return file.read()

    def refreshed(self):
        status, token, said = self.place.ask("work", "--force")
        self.assertEqual(status, OK, said)
        self.assertEqual(self.issuer.session(token).status, 200)
        return token

    def until_all_is_saved(self):
        """It saves when it likes, and may leave the last change for later. A database so long holds an item that was put
        beside ours, and so ours as it was by then."""
        for number in range(60):
            if len(self.database()) > len(self.empty) + BALLAST:
                return
            self.place.write_item(base64.b64encode(os.urandom(BALLAST)), "ballast", str(number))
            time.sleep(1)
        self.fail("KeePassXC saves nothing")


class Ordinary(WithKeePassXC):
    def test_a_session_lives_and_is_gone_after_sign_out(self):
        self.refreshed()
        self.assertEqual(self.place.keyring_items(), 1)
        self.place.restart_daemon(signal.SIGKILL)
        self.refreshed()
        self.place.almoner("logout", "work")
        self.assertEqual((self.place.keyring_items(), self.place.state_files()), (0, []))
        self.assertEqual((self.issuer.counters["reuse"], self.issuer.counters["sessions_alive"]), (0, 0))

    def test_forty_refreshes_one_after_the_other_lose_nothing(self):
        for _ in range(40):
            if self.place.service.poll() is not None:
                print("KeePassXC ended by itself and is started again")
                self.keepassxc = self.place.start_keepassxc()
            self.refreshed()
        self.assertEqual((self.issuer.counters["reuse"], self.issuer.counters["sessions_alive"]), (0, 1))


class NotSaved(WithKeePassXC):
    def test_C5_a_rotation_that_KeePassXC_did_not_save_comes_back_from_the_journal(self):
        self.until_all_is_saved()
        old = self.keepassxc.database + ".old"
        shutil.copyfile(self.keepassxc.database, old)
        token = self.refreshed()
        self.place.service.kill()
        self.place.kill_daemon(signal.SIGKILL)
        self.place.service.wait()
        # Whatever it managed to save since: what is on the disk is the database from before.
        shutil.copyfile(old, self.keepassxc.database)
        before = self.issuer.counters
        self.place.start_keepassxc()
        self.place.start_daemon()
        self.assertEqual(self.place.ask("work")[:2], (OK, token))
        self.assertEqual(self.place.account("work")["generation"], 2)
        self.assertEqual(self.issuer.counters["token_posts"], before["token_posts"])
        self.refreshed()
        self.assertEqual((self.issuer.counters["reuse"], self.issuer.counters["sessions_alive"]), (0, 1))


class Guarded(WithKeePassXC):
    """As KeePassXC is when nobody changed its settings: each item is guarded, and a window asks before it is shown."""
    settings = {"confirms": True}

    def test_an_item_that_the_daemon_was_not_let_in_to_is_locked_and_not_missing(self):
        self.until_all_is_saved()
        self.refreshed()
        before = self.issuer.counters["token_posts"]
        self.place.kill_daemon(signal.SIGTERM)
        state = self.place.state_snapshot()
        self.place.start_daemon()
        self.assertEqual(self.place.ask("work")[0], LOCKED)
        self.assertEqual(self.issuer.counters["token_posts"], before)
        self.assertEqual(self.place.state_snapshot(), state)
        self.place.stop_service()
        self.place.start_keepassxc(confirms=False)
        self.refreshed()
        self.assertEqual(self.issuer.counters["reuse"], 0)


if __name__ == "__main__":
    refuse_root()
    unittest.main()
