"""Items of ours that belong to no account: `doctor` names them without reading a secret, and a sign-out that finds nothing
in the keyring says that it may lie in another one.
"""
import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from rings import LOCKED, Rings, refuse_root  # noqa: E402

# Nobody's account.
NOBODY = "0f" * 16


class Strays(unittest.TestCase):
    def setUp(self):
        self.place = Rings()
        self.addCleanup(self.place.end)
        self.place.start_gnome()
        self.place.start_daemon()
        self.place.sign_in_both()

    def strays(self):
        """The ids that doctor names, by the command that it offers, and all that it printed of the keyring."""
        said = self.place.almoner("doctor", check=False).stdout.decode()
        lines = [line for line in said.splitlines() if "belongs to no account" in line]
        return [re.search(r"secret-tool clear application org\.almoner account (\S+)$", line)[1] for line in lines], lines

    def plant(self):
        words = self.place.attributes()
        words[words.index("account") + 1] = NOBODY
        self.place.write_item(b"planted", *words)

    def test_doctor_names_an_item_of_no_account_and_the_command_it_shows_removes_it(self):
        self.assertEqual(self.strays()[0], [])
        self.plant()
        ids, lines = self.strays()
        self.assertEqual(ids, [NOBODY])
        self.assertIn("FIX  keyring: 'planted'", lines[0])
        subprocess.run(lines[0][lines[0].index("secret-tool"):].split(), env=self.place.environment, check=True)
        self.assertEqual((self.strays()[0], self.place.keyring_items()), ([], 1))

    def test_doctor_reads_no_secret_and_looks_into_nothing_that_is_locked(self):
        self.plant()
        # A daemon that has read nothing yet.
        self.place.restart_daemon()
        seen = os.path.join(self.place.root, "seen")
        with open(seen, "wb") as file:
            monitor = self.place.launch(["dbus-monitor", "--session"], stdout=file, stderr=subprocess.DEVNULL)
        # Until the monitor sees what is asked.
        self.place.until(lambda: self.place.has_service() and b"NameHasOwner" in contents(seen), "the monitor sees")
        self.assertEqual(self.strays()[0], [NOBODY])
        self.place.until(lambda: b"member=SearchItems" in contents(seen), "the search is seen")
        self.assertNotIn(b"GetSecret", contents(seen))
        self.assertEqual(self.place.ask("work")[0], 0)
        self.place.until(lambda: b"GetSecret" in contents(seen), "a secret that is read is seen")
        monitor.kill()
        self.place.lock_keyring()
        self.assertEqual(self.strays()[0], [])

    def test_D6_a_sign_out_that_finds_another_keyring_says_so_and_doctor_names_the_item_when_it_is_back(self):
        left = self.place.account("work")["id"]
        self.place.stop_service()
        self.place.start_keepassxc()
        self.place.restart_daemon()
        said = self.place.almoner("logout", "work").stderr
        self.assertIn(b"if it was kept in another keyring, it is still there", said)
        self.assertNotIn(b"unlock", said)
        self.place.stop_service()
        self.place.start_gnome()
        self.place.restart_daemon()
        self.assertEqual(self.strays()[0], [left])

    def test_D6_a_sign_out_that_waited_for_an_unlock_and_finds_another_keyring_is_told_by_status(self):
        self.place.lock_keyring()
        self.place.restart_daemon()
        done = self.place.almoner("logout", "work", check=False)
        self.assertEqual(done.returncode, LOCKED, done.stderr)
        self.assertIn(b"wiped at the next unlock", done.stderr)
        left = self.place.keyring_items()
        self.place.stop_service()
        self.place.start_keepassxc()
        self.place.restart_daemon()
        self.place.until(lambda: "another keyring" in " ".join(self.place.json("status")["notes"]), "it is told")
        self.assertEqual((left, self.place.keyring_items()), (1, 0))


def contents(path):
    with open(path, "rb") as file:
        return file.read()


if __name__ == "__main__":
    refuse_root()
    unittest.main()
