"""Cached tokens of one account while another account is in trouble: nothing on the loop waits for it."""
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from scene import BLOCKED, PATIENCE, QUICK, Latency, Scene, eventually, measured, not_done, refuse_root  # noqa: E402
from wire import Wire  # noqa: E402

# Seconds that a trouble lasts at least; a daemon that waited for it would stand still for a good part of them.
TROUBLE = 3 if QUICK else 10
# Microseconds that every fsync and fdatasync takes longer.
SLOW_DISK = 2_000_000
TRACER = shutil.which("strace") or "strace"


class Trouble(unittest.TestCase):
    """`work` is served from memory; `other` is the one in trouble, and an issuer of its own."""

    def begin(self, keyring=False, other="sealed-file"):
        self.scene = Scene(keyring=keyring)
        self.addCleanup(self.scene.end)
        self.other_issuer = self.scene.start_issuer()
        self.scene.start_issuer()
        self.scene.start_daemon()
        self.scene.sign_in_guest("work", 1)
        self.scene.sign_in_guest("other", 2, self.other_issuer, store=other)

    def refresh(self, timeout=30):
        """Begins a refresh of `other` and does not wait for it."""
        caller = Wire(self.scene.socket, timeout=timeout + PATIENCE)
        self.addCleanup(caller.close)
        caller.send("GetAccessToken", {"account": "other", "force": True, "timeout": timeout})
        return caller

    def test_without_trouble(self):
        self.begin()
        with Latency(self.scene) as latency:
            time.sleep(TROUBLE)
        latency.report(self, "no trouble")

    def test_the_measure_sees_a_daemon_that_stands_still(self):
        self.begin()
        with Latency(self.scene) as latency:
            time.sleep(0.5)
            self.scene.daemon.send_signal(signal.SIGSTOP)
            time.sleep(3)
            self.scene.daemon.send_signal(signal.SIGCONT)
            time.sleep(0.5)
        self.assertGreater(latency.result["moment"], BLOCKED)

    def test_while_an_issuer_hangs(self):
        self.begin()
        self.other_issuer.control("POST", "set", {"delay_before_answer": 30_000})
        stuck = self.refresh()
        with Latency(self.scene) as latency:
            time.sleep(TROUBLE)
        latency.report(self, "another account's issuer hangs")
        stuck.socket.setblocking(False)
        self.assertRaises(BlockingIOError, stuck.socket.recv, 1)

    def test_while_the_keyring_hangs(self):
        self.begin(keyring=True, other="secret-service")
        self.assertGreater(self.scene.keyring_items(), 0)
        self.scene.keyring.send_signal(signal.SIGSTOP)
        self.addCleanup(self.scene.keyring.send_signal, signal.SIGCONT)
        stuck = [self.refresh() for _ in range(5)]
        with Latency(self.scene) as latency:
            time.sleep(TROUBLE)
        latency.report(self, "the keyring of another account hangs")
        self.scene.keyring.send_signal(signal.SIGCONT)
        for caller in stuck:
            # A token that still lives, or that it is temporary; but an answer.
            self.assertIn(caller.receive().get("error"), (None, "org.almoner.Almoner.Temporary"))
        self.scene.force("other")
        self.assertEqual(self.other_issuer.counters["reuse"], 0)

    def test_while_a_prompt_to_unlock_is_open(self):
        self.begin(keyring=True, other="secret-service")
        self.swap_keyring("prompt")
        waiting = Wire(self.scene.socket, timeout=PATIENCE)
        self.addCleanup(waiting.close)
        waiting.send("Unlock", {"account": "other"})
        eventually("the prompt is shown", lambda: "Prompt" in self.calls())
        with Latency(self.scene) as latency:
            time.sleep(TROUBLE)
            before = self.scene.ask("work")["generation"]
            self.assertEqual(self.scene.force("work")["generation"], before + 1)
        latency.report(self, "a prompt to unlock is open")
        self.assertNotIn("Dismiss", self.calls())

    def calls(self):
        with open(self.log) as file:
            return file.read().split()

    def swap_keyring(self, mode):
        """Another service takes over the name on the bus, one that shows prompts and never answers them."""
        self.scene.keyring.kill()
        self.scene.keyring.wait()
        self.log = os.path.join(self.scene.root, "keyring.log")
        open(self.log, "w").close()
        # The system's own Python: the bindings belong to it.
        fake = subprocess.Popen(
            ["/usr/bin/python3", os.path.join(HERE, "..", "keyring", "fake_service.py"), mode, self.log],
            env=self.scene.environment)
        self.scene.children.append(fake)
        self.scene.wait_for_name("org.freedesktop.secrets")

    def test_while_the_disk_is_slow(self):
        self.begin()
        self.scene.kill_daemon(signal.SIGTERM)
        if not self.scene.start_wrapped("exec %s -f --seccomp-bpf -qq -o /dev/null -e trace=fsync,fdatasync -e signal=none "
                                        "-e inject=fsync,fdatasync:delay_enter=%d" % (TRACER, SLOW_DISK)):
            return not_done("strace cannot trace here: a slow disk was not tried")
        self.assertTrue(self.scene.served("work"))
        with Latency(self.scene) as latency:
            began = time.monotonic()
            self.scene.force("other")
            slow = time.monotonic() - began
            time.sleep(max(0, TROUBLE - slow))
        latency.report(self, "every fdatasync takes 2 s longer")
        measured("a refresh of another account meanwhile: %.1f s", slow)
        self.assertGreater(slow, SLOW_DISK / 1e6)
        self.scene.stop_wrapped()


if __name__ == "__main__":
    refuse_root()
    unittest.main()
