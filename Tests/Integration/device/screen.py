"""A terminal of a chosen size with `almoner` in it."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

from place import program

PATIENCE = 60

BLOCKS = {"█": "00", "▀": "01", "▄": "10", " ": "11"}


def modules(text):
    """The rows of the QR code on a screen, without its quiet zone: 1 is dark."""
    rows = []
    for line in re.findall("97;40m([█▀▄ ]+)\x1b", text):
        pairs = [BLOCKS[letter] for letter in line]
        rows += ["".join(pair[half] for pair in pairs) for half in (0, 1)]
    quiet = [row for row in rows if "1" not in row]
    assert len(quiet) >= 8, "no quiet zone"
    return [row[4:-4] for row in rows[4:4 + len(rows[0]) - 8]]


class Screen:
    def __init__(self, place, columns, rows, arguments, environment):
        path = program("almoner")
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execve(path, [path, *arguments], {**place.environment, "TERM": "xterm", **environment})
        self.shown = b""

    def until(self, text):
        """All that was shown, once `text` is among it."""
        until = time.monotonic() + PATIENCE
        while text.encode() not in self.shown:
            assert time.monotonic() < until, self.shown
            if select.select([self.terminal], [], [], 1)[0]:
                try:
                    self.shown += os.read(self.terminal, 65536)
                except OSError:
                    raise AssertionError(self.shown) from None
        return self.shown.decode()

    def end(self):
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        os.close(self.terminal)
