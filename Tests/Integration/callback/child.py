"""Drives almoner-callback as the daemon does: frames over descriptor 0, requests over loopback."""
import os
import re
import socket
import struct
import subprocess
import time

LISTEN, VERDICT, LISTENING, BUSY, QUERY, FAILED = 1, 2, 3, 4, 5, 6
ACCEPTED, REJECTED, LOST, DENIED = 0, 1, 2, 3


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def text(value):
    data = value.encode()
    return struct.pack(">H", len(data)) + data


class Child:
    """One almoner-callback. `authority` without a port means any port."""

    def __init__(self, program, authority=None, path="/callback", any_port=False, deadline=60, uid=None):
        self.path = path
        if authority is None:
            authority = "localhost:%d" % free_port()
        self.authority = authority
        ours, theirs = socket.socketpair()
        self.channel = ours
        self.channel.settimeout(10)
        self.process = subprocess.Popen(
            [program], close_fds=False, preexec_fn=lambda: (os.dup2(theirs.fileno(), 0), os.set_inheritable(0, True)))
        theirs.close()
        uid = os.getuid() if uid is None else uid
        self.send(LISTEN, struct.pack(">BII", any_port, deadline, uid) + text(authority) + text(path))

    def send(self, kind, payload=b""):
        self.channel.sendall(struct.pack(">IB", len(payload) + 1, kind) + payload)

    def verdict(self, verdict):
        self.send(VERDICT, bytes([verdict]))

    def receive(self):
        head = self.exactly(4)
        if not head:
            return None
        frame = self.exactly(struct.unpack(">I", head)[0])
        return frame[0], frame[1:]

    def exactly(self, count):
        data = b""
        while len(data) < count:
            piece = self.channel.recv(count - len(data))
            if not piece:
                return b""
            data += piece
        return data

    def ready(self):
        kind, payload = self.receive()
        assert kind == LISTENING, (kind, payload)
        self.port = struct.unpack(">H", payload)[0]
        if not re.search(r":\d+$", self.authority):
            self.authority += ":%d" % self.port
        return self

    def start(self, target=None, method="GET", host=None, headers=(), family=socket.AF_INET):
        """Sends a request and returns the open connection."""
        connection = socket.socket(family)
        connection.settimeout(20)
        connection.connect(("127.0.0.1" if family == socket.AF_INET else "::1", self.port))
        hosts = [self.authority] if host is None else host
        lines = ["%s %s HTTP/1.1" % (method, target or self.path)]
        lines += ["Host: " + name for name in hosts] + list(headers) + ["Connection: close", "", ""]
        connection.sendall("\r\n".join(lines).encode())
        return connection

    def get(self, *arguments, **named):
        return finish(self.start(*arguments, **named))

    def silent(self, seconds=0.2):
        """Whether the child sends nothing for a while (the absence of a frame can only be waited for)."""
        self.channel.settimeout(seconds)
        try:
            return self.channel.recv(1, socket.MSG_PEEK) == b""
        except socket.timeout:
            return True
        finally:
            self.channel.settimeout(10)

    def wait(self, seconds=10):
        return self.process.wait(timeout=seconds)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.channel.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


def finish(connection):
    """Reads a whole answer: status (0: closed without one), headers (lower case, a list), body."""
    data = b""
    with connection:
        try:
            while piece := connection.recv(65536):
                data += piece
        except ConnectionResetError:
            pass
    if not data:
        return 0, [], ""
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    headers = [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines[1:])]
    return int(lines[0].split()[1]), headers, body.decode()


def value(headers, name):
    found = [content for key, content in headers if key == name]
    return found[0] if len(found) == 1 else found
