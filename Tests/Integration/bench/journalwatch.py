"""Sees, from outside, when the answer of a refresh reaches the journal: inotify(7) on the journal's directory.

What a flight does to its file, in order: the daemon writes the intent and closes, the courier writes its mark of
departure and, when the answer has come, the pad.
"""
import ctypes
import os
import struct
import threading
import time

IN_MODIFY, IN_CLOSE_WRITE = 0x2, 0x8
LIBRARY = ctypes.CDLL(None, use_errno=True)


class JournalWatch:
    def __init__(self, directory):
        self.descriptor = LIBRARY.inotify_init1(os.O_CLOEXEC)
        if self.descriptor < 0 or LIBRARY.inotify_add_watch(
                self.descriptor, directory.encode(), IN_MODIFY | IN_CLOSE_WRITE) < 0:
            raise OSError(ctypes.get_errno(), "inotify")
        self.events = []
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            data = os.read(self.descriptor, 65536)
            at = time.monotonic()
            while data:
                _, mask, _, length = struct.unpack_from("iIII", data)
                data = data[16 + length:]
                self.events.append((at, mask))

    def clear(self):
        self.events.clear()

    def landed(self):
        """When the pad was written, or None when the events do not show it."""
        events = list(self.events)
        masks = [mask for _, mask in events]
        try:
            # The intent, closed; then the mark, and the pad.
            closed = masks.index(IN_CLOSE_WRITE, masks.index(IN_MODIFY))
            mark = masks.index(IN_MODIFY, closed)
        except ValueError:
            return None
        if len(masks) > mark + 1 and masks[mark + 1] == IN_MODIFY:
            return events[mark + 1][0]
        return None
