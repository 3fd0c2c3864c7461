"""The daemon's socket, spoken by hand: one JSON object and a NUL a message."""
import json
import socket
import struct

INTERFACE = "org.almoner.Almoner."


class Wire:
    def __init__(self, path, timeout=60):
        self.socket = socket.socket(socket.AF_UNIX)
        # Waits also when many stand before the door; a socket with a timeout of Python's would be turned away.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", int(timeout), 0))
        self.socket.connect(path)
        self.socket.settimeout(timeout)
        self.unread = b""

    def send(self, method, parameters=None, **more):
        call = {"method": method if "." in method else INTERFACE + method, "parameters": parameters or {}, **more}
        self.socket.sendall(json.dumps(call).encode() + b"\0")

    def receive(self):
        while b"\0" not in self.unread:
            data = self.socket.recv(65536)
            if not data:
                raise EOFError("the daemon closed the connection")
            self.unread += data
        message, _, self.unread = self.unread.partition(b"\0")
        return json.loads(message)

    def call(self, method, parameters=None):
        self.send(method, parameters)
        return self.receive()

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
