"""How long a cached token takes over one kept connection: latency.py SOCKET ACCOUNT

Says `ready`, asks without a pause until a line comes, and prints milliseconds as JSON.
"""
import gc
import json
import select
import socket
import sys
import time

CALL = json.dumps({"method": "org.almoner.Almoner.GetAccessToken", "parameters": {"account": sys.argv[2]}})
CALL = CALL.encode() + b"\0"


def once(connection):
    connection.send(CALL)
    answer = connection.recv(65536)
    while answer and not answer.endswith(b"\0"):
        answer += connection.recv(65536)
    return answer


def moment(times):
    """What 99 of 100 would have waited at most who came at any moment: a caller who waits asks nothing meanwhile, so a
    daemon that stood still for a second would hardly be seen among the calls."""
    left = sum(times) / 100
    for duration in reversed(times):
        left -= duration
        if left < 0:
            return duration
    return 0


def main():
    gc.disable()
    times, wrong = [], 0
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(60)
        connection.connect(sys.argv[1])
        assert b"accessToken" in once(connection)
        print("ready", flush=True)
        clock = time.perf_counter
        while not select.select([sys.stdin], [], [], 0)[0]:
            # Looking for the line costs more than it should be asked before every call.
            for _ in range(50):
                began = clock()
                answer = once(connection)
                times.append(clock() - began)
                if b"accessToken" not in answer:
                    wrong += 1
                    break
            if wrong and not answer:
                break
    times.sort()
    print(json.dumps({"count": len(times), "wrong": wrong, "p50": times[len(times) // 2] * 1000,
                      "p99": times[len(times) * 99 // 100] * 1000, "longest": times[-1] * 1000,
                      "moment": moment(times) * 1000}), flush=True)


main()
