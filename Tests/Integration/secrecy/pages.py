"""Sends a process's memory to swap, as memory pressure would. By root, on Linux 5.10 and later."""
import ctypes
import os
import re

PROCESS_MADVISE = 440
MADV_PAGEOUT = 21


class Span(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def page_out(pid):
    """Asks for every writable mapping; what is locked is refused, and stays. Returns KiB that are in swap after it."""
    call = ctypes.CDLL(None, use_errno=True).syscall
    handle = os.pidfd_open(pid)
    try:
        with open("/proc/%d/maps" % pid) as maps:
            for line in maps:
                addresses, rights = line.split()[:2]
                if "w" not in rights:
                    continue
                start, end = (int(text, 16) for text in addresses.split("-"))
                span = Span(start, end - start)
                call(PROCESS_MADVISE, handle, ctypes.byref(span), ctypes.c_size_t(1), MADV_PAGEOUT, 0)
    finally:
        os.close(handle)
    with open("/proc/%d/status" % pid) as status:
        return int(re.search(r"VmSwap:\s+(\d+)", status.read()).group(1))
