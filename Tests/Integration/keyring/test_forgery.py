"""Stores and journals that were forged, replayed, set back or copied, under the real daemon: what they hold is never
sent, what is stored stays, and it is told. The issuers count.
"""
import os
import shutil
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from rings import OK, SIGN_IN, Rings, refuse_root  # noqa: E402
from wire import Wire  # noqa: E402

# Where the parts of a journal are, and how long the plain front of a part is: length, generation, flight.
INTENT, DEPARTED, PAD, END = 4096, 8192, 12288, 65536
FRONT = 20
ACCOUNTS = ("work", "home")


class Forgery(unittest.TestCase):
    def setUp(self):
        self.place = Rings()
        self.addCleanup(self.place.end)
        self.place.start_gnome()
        self.place.start_daemon()
        self.place.sign_in_both()
        self.ids = {one["name"]: one["id"] for one in self.place.json("list")["accounts"]}
        self.issuers = {"work": self.place.work_issuer, "home": self.place.home_issuer}

    # Where things lie.

    def journal(self, account):
        return os.path.join(self.place.state, "journal", self.ids[account])

    @property
    def keyrings(self):
        return os.path.join(self.place.home, ".local/share/keyrings")

    @property
    def sealed(self):
        return os.path.join(self.place.state, "sealed")

    def read_journal(self, account):
        with open(self.journal(account), "rb") as file:
            return file.read()

    def write_journal(self, account, data):
        with open(self.journal(account), "r+b") as file:
            file.write(data)

    # The daemon and its stores, stopped together so that files can be copied.

    def stop(self):
        self.place.kill_daemon(15)
        self.place.stop_service()

    def start(self):
        self.place.start_gnome()
        self.place.start_daemon()

    def copy(self, name):
        """Copies both stores and both journals as they are. The daemon and the keyring have to be stopped."""
        to = os.path.join(self.place.root, name)
        for part, directory in (("keyrings", self.keyrings), ("sealed", self.sealed),
                                ("journal", os.path.join(self.place.state, "journal"))):
            shutil.copytree(directory, os.path.join(to, part))
        return to

    def put_back(self, copy, *parts):
        places = {"keyrings": self.keyrings, "sealed": self.sealed,
                  "journal": os.path.join(self.place.state, "journal")}
        for part in parts:
            shutil.rmtree(places[part])
            shutil.copytree(os.path.join(copy, part), places[part])
            os.chmod(places[part], 0o700)

    def refresh(self):
        """A generation more of both, stored, and the journals at rest."""
        for account in ACCOUNTS:
            status, _, said = self.place.ask(account, "--force")
            self.assertEqual(status, OK, said)
            generation = self.place.account(account)["generation"]
            self.place.until(lambda: self.highest(account) == generation, "the journal is at rest")

    def highest(self, account):
        """The generation that the intent names: the one that is sent, or the one that is stored."""
        return int.from_bytes(self.read_journal(account)[INTENT + 4:INTENT + 12], "big")

    def generations(self, count):
        """Copies of both accounts at generations 1 to `count`. Everything is stopped afterwards."""
        copies = []
        for number in range(1, count + 1):
            self.stop()
            copies.append(self.copy("generation-%d" % number))
            if number < count:
                self.start()
                self.refresh()
        return copies

    # What must hold.

    def posts(self):
        return {account: issuer.counters["token_posts"] for account, issuer in self.issuers.items()}

    def is_refused(self, reason, accounts=ACCOUNTS):
        """Both are refused for this reason, and nothing is sent, even when a refresh is forced."""
        before = self.posts()
        for account in accounts:
            for words in ((), ("--force",)):
                status, token, said = self.place.ask(account, *words)
                self.assertEqual((status, token), (SIGN_IN, ""), said)
                self.assertIn(reason, said)
        self.assertEqual(self.posts(), before)

    def is_served(self, generation, posts):
        """Both are served with this generation, nothing was sent for it, and it is good."""
        for account in ACCOUNTS:
            status, token, said = self.place.ask(account)
            self.assertEqual(status, OK, said)
            self.assertEqual(self.place.account(account)["generation"], generation)
            self.assertEqual(self.issuers[account].session(token).status, 200)
        self.assertEqual(self.posts(), posts)

    def is_well(self):
        for account in ACCOUNTS:
            status, token, said = self.place.ask(account, "--force")
            self.assertEqual(status, OK, said)
            counters = self.issuers[account].counters
            self.assertEqual((counters["reuse"], counters["sessions_alive"]), (0, 1))


class SetBack(Forgery):
    def test_C8_stores_set_back_by_one_are_mended_from_the_journal(self):
        copies = self.generations(3)
        posts = self.posts()
        self.put_back(copies[1], "keyrings", "sealed")
        self.start()
        self.is_served(3, posts)
        self.is_well()

    def test_C8_stores_set_back_further_are_never_sent(self):
        copies = self.generations(3)
        self.put_back(copies[0], "keyrings", "sealed")
        self.start()
        self.is_refused("older tokens")
        self.stop()
        self.put_back(copies[2], "keyrings", "sealed")
        self.start()
        self.is_well()

    def test_C8_signing_out_of_what_was_set_back_sends_no_refresh_token(self):
        copies = self.generations(3)
        posts = self.posts()
        self.put_back(copies[0], "keyrings", "sealed")
        self.start()
        for account in ACCOUNTS:
            self.place.almoner("logout", account)
        self.assertEqual(self.posts(), posts)
        self.assertEqual([issuer.counters["reuse"] for issuer in self.issuers.values()], [0, 0])

    def test_C8_journals_set_back_are_overruled_by_the_stores(self):
        copies = self.generations(3)
        posts = self.posts()
        self.put_back(copies[0], "journal")
        self.start()
        self.is_served(3, posts)
        self.is_well()


class Forged(Forgery):
    """Each way to forge a pad is tried where it would matter: the stores were set back by one, and only the pad mends."""

    def forgeries(self, account, other, genuine, older):
        front = genuine[PAD:PAD + FRONT]
        length = FRONT + int.from_bytes(front[:4], "big")
        flipped = bytearray(genuine[PAD:END])
        flipped[length // 2] ^= 1
        return {
            "made by anybody": front + os.urandom(length - FRONT),
            "a bit flipped": bytes(flipped),
            "cut": genuine[PAD:PAD + length // 2] + bytes(END - PAD - length // 2),
            "of an earlier flight": older[PAD:END],
            "of an earlier flight under this one's number": front[:4] + genuine[PAD + 4:PAD + FRONT]
                                                            + older[PAD + FRONT:END],
            "of another account": other[PAD:END],
            "none": bytes(END - PAD),
        }

    def test_no_forged_pad_mends_a_store_or_is_sent(self):
        copies = self.generations(3)
        genuine = {account: self.read_journal(account) for account in ACCOUNTS}
        older = {}
        for account in ACCOUNTS:
            with open(os.path.join(copies[1], "journal", self.ids[account]), "rb") as file:
                older[account] = file.read()
        ways = {account: self.forgeries(account, genuine[other], genuine[account], older[account])
                for account, other in (("work", "home"), ("home", "work"))}
        self.put_back(copies[1], "keyrings", "sealed")
        for way in ways["work"]:
            with self.subTest(way):
                for account in ACCOUNTS:
                    forged = ways[account][way]
                    self.write_journal(account, genuine[account][:PAD] + forged.ljust(END - PAD, b"\0"))
                self.start()
                self.is_refused("older tokens")
                self.stop()
        posts = self.posts()
        for account in ACCOUNTS:
            self.write_journal(account, genuine[account])
        self.start()
        self.is_served(3, posts)
        self.is_well()

    def test_a_forged_pad_is_told_and_the_stored_tokens_are_served(self):
        self.refresh()
        self.stop()
        posts = self.posts()
        genuine = {account: self.read_journal(account) for account in ACCOUNTS}
        for account in ACCOUNTS:
            front = genuine[account][PAD:PAD + FRONT]
            self.write_journal(account, genuine[account][:PAD] + front + os.urandom(END - PAD - FRONT))
        self.start()
        with Wire(self.place.socket) as monitor:
            monitor.send("Monitor", more=True)
            self.assertEqual(monitor.receive()["parameters"]["event"], "watching")
            self.is_served(2, posts)
            event = monitor.receive()["parameters"]
            self.assertEqual(event["event"], "storage-trouble")
            self.assertIn("not authentic", event["detail"])
        self.is_well()

    def test_an_intent_that_is_not_ours_leaves_the_tokens_good(self):
        """Of another account, or made up: whether the present token was sent is asked of the session resource first."""
        self.refresh()
        self.stop()
        genuine = {account: self.read_journal(account) for account in ACCOUNTS}
        self.write_journal("work", genuine["work"][:INTENT] + genuine["home"][INTENT:])
        self.write_journal("home", genuine["home"][:INTENT] + os.urandom(DEPARTED - INTENT) + genuine["home"][DEPARTED:])
        self.start()
        for account in ACCOUNTS:
            checks = self.issuers[account].counters["session_checks"]
            self.assertEqual(self.place.ask(account)[0], OK)
            self.place.until(lambda: self.issuers[account].counters["session_checks"] > checks, "it is probed")
        self.is_well()

    def test_a_journal_of_another_account_or_user_is_refused_whole_left_as_it_is_and_a_sign_in_said_to_help(self):
        self.refresh()
        self.stop()
        posts = self.posts()
        genuine = {account: self.read_journal(account) for account in ACCOUNTS}
        foreign = {"work": genuine["home"], "home": genuine["home"][:16] + b"\0\0\0\1" + genuine["home"][20:]}
        for account in ACCOUNTS:
            self.write_journal(account, foreign[account])
        self.start()
        for account in ACCOUNTS:
            status, _, said = self.place.ask(account)
            self.assertEqual(status, SIGN_IN)
            self.assertIn("almoner login " + account, said)
            self.assertEqual(self.read_journal(account), foreign[account])
        self.assertIn(b"almoner login work", self.place.almoner("doctor", check=False).stdout)
        self.assertEqual(self.posts(), posts)
        for account in ACCOUNTS:
            self.write_journal(account, genuine[account])
        self.is_served(2, posts)
        self.is_well()


class Copied(Forgery):
    """The same home on another machine, and under another user: for the daemon, namespaces make both."""

    def elsewhere(self, machine, user):
        """Programs whose daemon is there."""
        with open(os.path.join(self.place.root, "machine-id"), "w") as file:
            file.write(machine + "\n")
        wrapper = ["sh", os.path.join(HERE, "elsewhere.sh"), file.name, str(user)]
        programs = os.path.join(self.place.root, "elsewhere")
        # Ours, since root is nobody there, and a courier that belongs to nobody is not trusted.
        shutil.copytree(os.environ["ALMONER_BIN"], programs)
        os.rename(os.path.join(programs, "almonerd"), os.path.join(programs, "daemon"))
        with open(os.path.join(programs, "almonerd"), "w") as file:
            file.write('#!/bin/sh\nexec %s "%s/daemon" "$@"\n' % (" ".join(wrapper), programs))
        os.chmod(file.name, 0o755)
        return programs

    def can(self):
        try:
            with open("/etc/machine-id") as file:
                self.machine = file.read().strip()
            made = os.path.join(self.place.root, "probe")
            with open(made, "w") as file:
                file.write("0" * 32 + "\n")
            return subprocess.run(["sh", os.path.join(HERE, "elsewhere.sh"), made, "4242", "true"],
                                  capture_output=True).returncode == 0
        except OSError:
            return False

    def is_foreign(self, machine, user, accounts):
        self.refresh()
        self.stop()
        before = self.copy("original")
        self.place.programs = self.elsewhere(machine, user)
        self.start()
        self.is_refused("another machine or user", accounts)
        self.stop()
        after = self.copy("after")
        self.assertEqual(subprocess.run(["diff", "-r", os.path.join(before, "sealed"), os.path.join(after, "sealed")])
                         .returncode, 0)
        self.assertEqual(subprocess.run(["diff", "-r", os.path.join(before, "journal"),
                                         os.path.join(after, "journal")]).returncode, 0)
        posts = self.posts()
        self.place.programs = None
        self.start()
        self.is_served(2, posts)
        self.is_well()

    def test_a_copy_on_another_machine_is_neither_sent_nor_written_over(self):
        if not self.can():
            return print("not done here: another machine id (no unprivileged user namespaces)")
        self.is_foreign("f" * 32, os.getuid(), ACCOUNTS)

    def test_a_copy_under_another_user_is_neither_sent_nor_written_over(self):
        if not self.can():
            return print("not done here: another user (no unprivileged user namespaces)")
        # The bus lets no other user in, so only the sealed file is there.
        self.is_foreign(self.machine, 4242, ["home"])


if __name__ == "__main__":
    refuse_root()
    unittest.main()
