"""Clients with no manners, in one process: rude.py SOCKET KIND COUNT

Connects COUNT clients of a kind (see `KINDS`), prints a line, and lets them be rude; whoever is closed on comes back. For
each line that comes it prints as JSON how often that was; `stop` ends it.
"""
import json
import os
import select
import socket
import sys
import time

CALL = b'{"method":"org.almoner.Almoner.GetAccessToken","parameters":{"account":"work"}}\0'
# Past the greatest frame, without an end.
TOO_LARGE = b'{"method":"' + b"x" * 65526
JUNK = [b"\0", b"}\0", b"\xff\xfe\0", TOO_LARGE, b'{"method":"a.b"}\0' * 50, b"[" * 60000 + b"\0"]
# Seconds between two bytes of who sends one at a time.
DRIP = 0.2


class Client:
    """One connection after another. `turn` does what its kind does, and never waits."""

    def __init__(self, path, number):
        self.path, self.number, self.closed, self.socket = path, number, -1, None
        self.comeback()

    def comeback(self):
        if self.socket:
            self.socket.close()
        self.closed += 1
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.setblocking(False)
        self.unsent = b""
        try:
            self.socket.connect(self.path)
        except OSError:
            return  # too many wait at the door; the next turn finds out
        self.begin()

    def begin(self):
        pass

    def send(self, data):
        """Sends what there is room for; False when the connection is gone."""
        try:
            self.unsent = data[self.socket.send(data):]
        except BlockingIOError:
            self.unsent = data
        except OSError:
            self.comeback()
            return False
        return True

    def drain(self):
        """Reads what is there; False when the connection is gone."""
        try:
            while True:
                if not self.socket.recv(1 << 16):
                    self.comeback()
                    return False
        except BlockingIOError:
            return True
        except OSError:
            self.comeback()
            return False


class Stalled(Client):
    """Sends half a call, and waits for ever."""

    def begin(self):
        self.send(CALL[:40])

    def turn(self):
        self.drain()


class SlowLoris(Client):
    """Sends a byte now and then."""

    def begin(self):
        self.next = time.monotonic()

    def turn(self):
        if time.monotonic() < self.next or not self.drain():
            return
        self.next = time.monotonic() + DRIP
        self.send(b" ")


class HalfClosed(Client):
    """Asks, closes its sending side, and reads to the end."""

    def begin(self):
        if self.send(CALL):
            self.socket.shutdown(socket.SHUT_WR)

    def turn(self):
        self.drain()


class Flooding(Client):
    """Sends calls without waiting for answers, which it reads."""

    def turn(self):
        self.drain() and self.send(self.unsent or CALL * 100)


class NeverReading(Client):
    """The same, and reads nothing."""

    def turn(self):
        self.send(self.unsent or CALL * 200)


class Resetting(Client):
    """Asks for much and goes with the answers unread."""

    def turn(self):
        self.send(CALL * 20)
        self.comeback()


class Babbling(Client):
    """Sends what no call is."""

    def begin(self):
        self.number += 1

    def turn(self):
        self.drain() and self.send(self.unsent or JUNK[self.number % len(JUNK)])


class Gifting(Client):
    """Sends as many descriptors along as the kernel lets it."""

    def turn(self):
        if not self.drain():
            return
        try:
            socket.send_fds(self.socket, [CALL], [0] * 253)
        except BlockingIOError:
            pass
        except OSError:
            self.comeback()


KINDS = {"stalled": Stalled, "slow-loris": SlowLoris, "half-closed": HalfClosed, "flooding": Flooding,
         "never-reading": NeverReading, "resetting": Resetting, "babbling": Babbling, "gifting": Gifting}


def main(path, kind, count):
    kinds = [KINDS[kind]] if kind != "all" else list(KINDS.values())
    clients = [kinds[number % len(kinds)](path, number) for number in range(count)]
    print("1", flush=True)
    line = None
    while line not in ("stop\n", ""):
        for client in clients:
            client.turn()
        if select.select([sys.stdin], [], [], 0.001)[0]:
            line = sys.stdin.readline()
            print(json.dumps(sum(client.closed for client in clients)), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
