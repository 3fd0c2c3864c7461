"""Many callers in one process: callers.py SOCKET COUNT

Connects, prints `ready`, waits for a line, then asks for a token on every connection before it reads an answer. Prints
one JSON list of answers: the token's hash, or the error.
"""
import hashlib
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from wire import Wire  # noqa: E402


def answer(reply):
    if "error" in reply:
        return reply["error"]
    parameters = reply["parameters"]
    return [hashlib.sha256(parameters["accessToken"].encode()).hexdigest(), parameters["refreshed"]]


callers = [Wire(sys.argv[1], timeout=120) for _ in range(int(sys.argv[2]))]
print("ready", flush=True)
sys.stdin.readline()
for caller in callers:
    caller.send("GetAccessToken", {"account": "work", "timeout": 120})
print(json.dumps([answer(caller.receive()) for caller in callers]), flush=True)
