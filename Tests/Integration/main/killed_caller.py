"""Asks for a token and is killed 1 ms later: killed_caller.py SOCKET"""
import os
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from wire import Wire  # noqa: E402

caller = Wire(sys.argv[1])
caller.send("GetAccessToken", {"account": "work"})
time.sleep(0.001)
os.kill(os.getpid(), signal.SIGKILL)
