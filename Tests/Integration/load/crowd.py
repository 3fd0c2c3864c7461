"""Many callers in one process: crowd.py SOCKET COUNT

Connects, says how many it is, then obeys lines: `ask ACCOUNT` asks on every connection before it reads an answer,
`leave ACCOUNT` asks on connections of its own and closes them without reading. Answers with JSON, a line each.
"""
import collections
import hashlib
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from wire import Wire  # noqa: E402

TIMEOUT = 120


def answer(reply):
    if "error" in reply:
        return reply["error"]
    return hashlib.sha256(reply["parameters"]["accessToken"].encode()).hexdigest()


def send(caller, account, more):
    caller.send("GetAccessToken", {"account": account, "timeout": TIMEOUT, **more})


def ask(callers, account, more):
    for caller in callers:
        send(caller, account, more)
    replies = [caller.receive() for caller in callers]
    joined = sum(1 for reply in replies if reply.get("parameters", {}).get("refreshed"))
    return {"answers": collections.Counter(map(answer, replies)), "joined": joined}


def leave(path, count, account, more):
    leaving = [Wire(path) for _ in range(count)]
    for caller in leaving:
        send(caller, account, more)
    for caller in leaving:
        caller.close()
    return {"left": count}


def main(path, count):
    callers = [Wire(path, timeout=2 * TIMEOUT) for _ in range(count)]
    print(json.dumps(count), flush=True)
    for line in sys.stdin:
        order, account, more = (line.split(None, 2) + ["{}"])[:3]
        more = json.loads(more)
        done = ask(callers, account, more) if order == "ask" else leave(path, count, account, more)
        print(json.dumps(done), flush=True)


main(sys.argv[1], int(sys.argv[2]))
