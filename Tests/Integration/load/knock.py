"""Many connections of one process: knock.py SOCKET COUNT

Connects as far as it is let, prints how many it tried, waits for a line, and prints how many of them were closed on.
"""
import json
import resource
import socket
import sys


def knock(path):
    knocking = socket.socket(socket.AF_UNIX)
    knocking.setblocking(False)
    try:
        knocking.connect(path)
    except BlockingIOError:
        knocking.close()  # the line before the door is full
        return None
    return knocking


def is_closed(client):
    try:
        while True:
            if not client.recv(4096):
                return True
    except BlockingIOError:
        return False
    except OSError:
        return True


def main(path, count):
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    clients = [knock(path) for _ in range(count)]
    print(json.dumps(count), flush=True)
    sys.stdin.readline()
    print(json.dumps(sum(1 for client in clients if client is None or is_closed(client))), flush=True)


main(sys.argv[1], int(sys.argv[2]))
