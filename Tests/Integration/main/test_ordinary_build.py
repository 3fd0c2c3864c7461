"""What test builds have and no other build may."""
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from place import program, refuse_root  # noqa: E402


class OrdinaryBuild(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        refuse_root()

    def test_no_program_heeds_a_fault(self):
        for name in ("almonerd", "almoner-courier", "almoner-callback", "almoner"):
            with self.subTest(name), open(program(name), "rb") as file:
                self.assertNotIn(b"ALMONER_FAULT", file.read())

    def test_there_are_no_crash_points(self):
        done = subprocess.run([program("almonerd"), "--crash-points"], capture_output=True)
        self.assertEqual((done.returncode, done.stdout), (2, b""))


if __name__ == "__main__":
    unittest.main(verbosity=2)
