"""Root's eyes: eyes.py UID SOCKET

Tells whoever asks on the socket how many descriptors a process of that user has open, which the daemon shows to nobody
else. A line with a process id is answered by a line with a number, or `?`.
"""
import os
import socket
import sys


def count(pid, user):
    directory = "/proc/%d" % pid
    with open(directory + "/status") as file:
        owner = [line.split()[1] for line in file if line.startswith("Uid:")]
    return str(len(os.listdir(directory + "/fd"))) if owner == [str(user)] else "?"


def main(user, path):
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        os.chown(path, user, -1)
        os.chmod(path, 0o600)
        listening.listen(16)
        listening.settimeout(1)
        # Who is left alone goes.
        parent = os.getppid()
        while os.getppid() == parent:
            try:
                asking, _ = listening.accept()
            except TimeoutError:
                continue
            with asking:
                asking.settimeout(5)
                try:
                    answer = count(int(asking.makefile().readline()), user)
                    asking.sendall(answer.encode() + b"\n")
                except (OSError, ValueError):
                    continue


main(int(sys.argv[1]), sys.argv[2])
