#!/usr/bin/python3
"""A daemon for tests of the command line: starts like almonerd, answers from a script, and writes down what it saw.

It reads `script.json` and writes `seen.jsonl` in $XDG_STATE_HOME. The script's members, all optional:
  replies   method name -> list of lists of frames; each call takes the next list, the last one stays
  exit      end with this status instead of listening
"""
import fcntl
import json
import os
import signal
import socket
import sys
import threading
import time

STATE = os.environ["XDG_STATE_HOME"]
RUNTIME = os.environ["XDG_RUNTIME_DIR"] + "/almoner"
TOKEN = {"accessToken": "token-1", "tokenType": "Bearer", "account": "work", "issuer": "https://a.example",
         "expiresIn": 300, "generation": 1, "shorter": False, "refreshed": False}
guard = threading.Lock()


def see(**what):
    with guard, open(STATE + "/seen.jsonl", "a") as seen:
        seen.write(json.dumps(what) + "\n")


def start_facts():
    links = {number: os.readlink(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")
             if os.path.exists(f"/proc/self/fd/{number}")}
    umask = os.umask(0)
    os.umask(umask)
    blocked = [line for line in open("/proc/self/status") if line.startswith(("SigBlk", "SigIgn"))]
    return {"event": "start", "pid": os.getpid(), "session": os.getsid(0), "cwd": os.getcwd(), "umask": umask,
            "descriptors": links, "environment": dict(os.environ), "signals": blocked}


def replies(script, method):
    lists = script.get("replies", {}).get(method)
    if lists is None:
        return [{"parameters": TOKEN if method == "GetAccessToken" else {}}]
    return lists.pop(0) if len(lists) > 1 else lists[0]


def serve(connection, script):
    pending = b""
    while True:
        data = connection.recv(65536)
        if not data:
            return see(event="closed")
        pending += data
        while b"\0" in pending:
            frame, pending = pending.split(b"\0", 1)
            call = json.loads(frame)
            method = call["method"].rpartition(".")[2]
            see(event="call", method=method, parameters=call.get("parameters"), more=call.get("more", False))
            with guard:
                answers = list(replies(script, method))
            for reply in answers:
                if reply == "wait":
                    continue
                connection.sendall(json.dumps(reply).encode() + b"\0")


def listen(script):
    lock = os.open(STATE + "/lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        sys.exit(7)
    time.sleep(script.get("slow", 0))
    os.makedirs(RUNTIME, 0o700, exist_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    temporary = f"{RUNTIME}/.{os.getpid()}"
    listener.bind(temporary)
    listener.listen(128)
    os.rename(temporary, RUNTIME + "/almoner.sock")
    return listener


def main():
    script = json.load(open(STATE + "/script.json")) if os.path.exists(STATE + "/script.json") else {}
    if sys.argv[1:] == ["--check-config"]:
        print("\n".join(script.get("check", ["The configuration is sound."])))
        sys.exit(1 if "check" in script else 0)
    see(**start_facts())
    if "exit" in script:
        sys.exit(script["exit"])
    listener = listen(script)
    if sys.argv[1:] == ["--ready-fd", "3"]:
        os.write(3, b"\n")
        os.close(3)
    signal.alarm(120)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection, script), daemon=True).start()


main()
