"""Asks the daemon with PyPI's `varlink`: client.py SOCKET WHAT. Prints JSON lines."""
import json
import sys

import varlink

INTERFACE = "org.almoner.Almoner"
client = varlink.Client.new_with_address("unix:" + sys.argv[1])


def say(value):
    print(json.dumps(value), flush=True)


def info():
    with client.open("org.varlink.service") as service:
        return service.GetInfo()


def description():
    with client.open("org.varlink.service") as service:
        return service.GetInterfaceDescription(INTERFACE)["description"]


def token(**parameters):
    with client.open(INTERFACE) as almoner:
        return almoner.GetAccessToken(**parameters)


def raw(method, parameters=None, interface=INTERFACE):
    """A call that the client itself would not let through, because it is not in the description."""
    with client.open(INTERFACE) as almoner:
        almoner._send_message(json.dumps({"method": interface + "." + method, "parameters": parameters or {}}).encode())
        reply = json.loads(next(almoner._next_message()))
        return {name: reply[name] for name in ("error", "parameters") if name in reply}


def monitor():
    with client.open(INTERFACE) as almoner:
        for event in almoner.Monitor(_more=True):
            say(event)


ASKED = {
    "info": info,
    "description": description,
    "token": lambda: token(account="work", minValid=60),
    "unknown-account": lambda: token(account="nobody"),
    "unknown-method": lambda: raw("Nothing"),
    "unknown-interface": lambda: raw("Nothing", interface="org.example.none"),
    "wrong-type": lambda: raw("GetAccessToken", {"minValid": "long"}),
    "unknown-parameter": lambda: raw("GetAccessToken", {"colour": 1}),
    "no-more": lambda: raw("Monitor"),
    "monitor": monitor,
}

try:
    say(ASKED[sys.argv[2]]())
except varlink.VarlinkError as error:
    say({"error": error.error(), "parameters": error.parameters()})
