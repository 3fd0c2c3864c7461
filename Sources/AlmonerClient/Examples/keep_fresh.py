#!/usr/bin/env python3
"""Keeps an access token fresh through Almoner, with nothing but PyPI's `varlink`.

    pip install varlink
    keep_fresh.py [ACCOUNT]

The token itself is never printed.
"""
import os
import queue
import sys
import threading

import varlink

MARGIN = 30  # A token is replaced when it has less than this many seconds to live.
INTERFACE = "org.almoner.Almoner"


def socket_path():
    runtime = os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}"
    return os.environ.get("ALMONER_SOCKET") or f"{runtime}/almoner/almoner.sock"


def say(line):
    print(line, flush=True)


def watch(client, account, events):
    """Puts each event into `events`, and None when the daemon ends."""
    try:
        with client.open(INTERFACE) as almoner:
            for event in almoner.Monitor(account=account, _more=True):
                events.put(event)
    except (OSError, varlink.VarlinkError) as error:
        say(f"no more events: {error}")
    finally:
        events.put(None)


def fetch(client, account):
    """Gets a token and uses it. Returns how many seconds it can be kept if nothing happens."""
    try:
        with client.open(INTERFACE) as almoner:
            reply = almoner.GetAccessToken(account=account, minValid=MARGIN)
    except varlink.VarlinkError as error:
        parameters = error.parameters() or {}
        say(f"{error.error()}: {parameters.get('message', '')} {parameters.get('help', '')}".rstrip())
        return max(1, parameters.get("retryAfter", 3600))
    say(f"{reply['account']}: {reply['tokenType']} token of generation {reply['generation']}, "
        f"good for {reply['expiresIn']} s")
    return max(1, reply["expiresIn"] - MARGIN)


def main():
    account = sys.argv[1] if len(sys.argv) > 1 else None
    client = varlink.Client.new_with_address("unix:" + socket_path())
    events = queue.Queue()
    threading.Thread(target=watch, args=(client, account, events), daemon=True).start()
    event = events.get()  # "watching": from here on nothing is missed
    while event is not None:
        say(f"event: {event['event']}")
        patience = fetch(client, account)
        try:
            event = events.get(timeout=patience)
        except queue.Empty:
            event = {"event": "the token ages"}
    sys.exit(1)


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit(f"Almoner cannot be reached: {error}")
