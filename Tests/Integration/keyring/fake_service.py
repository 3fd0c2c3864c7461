"""A Secret Service that misbehaves in one chosen way: fake_service.py MODE LOG

It logs the calls that the tests count, one a line. It never holds a secret: what is stored is dropped.
"""

import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

ROOT = "/org/freedesktop/secrets"
COLLECTION = ROOT + "/collection/only"
# A second one, locked: some modes have it.
VAULT = ROOT + "/collection/vault"
ITEM = COLLECTION + "/i0"
PROMPT = ROOT + "/prompt/p1"
SERVICE = "org.freedesktop.Secret.Service"
PROPERTIES = "org.freedesktop.DBus.Properties"
# Any element of the group will do as our half of the key agreement, since nothing is ever decrypted.
PUBLIC_KEY = [0] * 127 + [4]

mode, log_path = sys.argv[1:3]


def log(line):
    with open(log_path, "a", encoding="utf-8") as out:
        out.write(line + "\n")


class Service(dbus.service.Object):
    locked = mode.startswith("prompt")
    item_locked = mode == "item-locked"

    @dbus.service.method(SERVICE, in_signature="sv", out_signature="vo")
    def OpenSession(self, algorithm, _argument):
        log("OpenSession " + algorithm)
        if algorithm == "plain":
            return dbus.String("", variant_level=1), dbus.ObjectPath(ROOT + "/session/plain")
        if mode == "plain":
            raise dbus.DBusException("no", name="org.freedesktop.DBus.Error.NotSupported")
        return dbus.Array(PUBLIC_KEY, signature="y", variant_level=1), dbus.ObjectPath(ROOT + "/session/s1")

    @dbus.service.method(SERVICE, in_signature="s", out_signature="o")
    def ReadAlias(self, name):
        if mode == "session-collection":
            return dbus.ObjectPath(ROOT + "/collection/session")
        return dbus.ObjectPath("/" if mode == "no-collection" else COLLECTION)

    @dbus.service.method(SERVICE, in_signature="a{ss}", out_signature="aoao")
    def SearchItems(self, _attributes):
        items = [COLLECTION + "/i%d" % i for i in range({"many": 1000, "delete-prompt": 1}.get(mode, 0))]
        locked = [ITEM] if self.item_locked else []
        return dbus.Array(items, signature="o"), dbus.Array(locked, signature="o")

    @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
    def Get(self, _interface, _name):
        both = mode in ("hidden", "listed")
        return dbus.Array([COLLECTION, VAULT] if both else [COLLECTION], signature="o", variant_level=1)

    @dbus.service.method(SERVICE, in_signature="ao", out_signature="aoo")
    def Unlock(self, objects):
        log("Unlock " + " ".join(objects))
        return dbus.Array([], signature="o"), dbus.ObjectPath(PROMPT)


class Vault(dbus.service.Object):
    """A locked collection, which says what it holds or does not."""

    @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
    def Get(self, _interface, name):
        if name == "Locked":
            return dbus.Boolean(True, variant_level=1)
        return dbus.Array([VAULT + "/other"] if mode == "listed" else [], signature="o", variant_level=1)


class Collection(dbus.service.Object):
    @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
    def Get(self, _interface, name):
        if mode == "odd-locked":
            return dbus.String("perhaps", variant_level=1)
        return dbus.Boolean(service.locked, variant_level=1)

    @dbus.service.method("org.freedesktop.Secret.Collection", in_signature="a{sv}(oayays)b", out_signature="oo")
    def CreateItem(self, _properties, _secret, _replace):
        log("CreateItem")
        # As when somebody locks the keyring just then.
        service.locked = service.locked or mode == "create-prompt-locked"
        return dbus.ObjectPath("/"), dbus.ObjectPath(PROMPT)


class Item(dbus.service.Object):
    @dbus.service.method("org.freedesktop.Secret.Item", in_signature="", out_signature="o")
    def Delete(self):
        log("Delete")
        return dbus.ObjectPath(PROMPT)


class Prompt(dbus.service.Object):
    @dbus.service.method("org.freedesktop.Secret.Prompt", in_signature="s", out_signature="")
    def Prompt(self, _window):
        log("Prompt")
        if mode in ("prompt-complete", "item-locked"):
            # Late enough for every caller of the test to have joined.
            GLib.timeout_add(500, self.answer, False)
        elif mode == "prompt-dismiss":
            GLib.idle_add(self.answer, True)

    @dbus.service.method("org.freedesktop.Secret.Prompt", in_signature="", out_signature="")
    def Dismiss(self):
        log("Dismiss")
        if mode != "prompt-dead":
            GLib.idle_add(self.answer, True)

    def answer(self, dismissed):
        service.locked = service.locked and dismissed
        service.item_locked = service.item_locked and dismissed
        result = dbus.Array([] if dismissed else [dbus.ObjectPath(COLLECTION)], signature="o", variant_level=1)
        self.Completed(dismissed, result)

    @dbus.service.signal("org.freedesktop.Secret.Prompt", signature="bv")
    def Completed(self, dismissed, result):
        pass


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
service = Service(bus, ROOT)
objects = [Collection(bus, COLLECTION), Vault(bus, VAULT), Item(bus, ITEM), Prompt(bus, PROMPT)]
# Last, since the tests begin when the name is there.
name = dbus.service.BusName("org.freedesktop.secrets", bus)
GLib.MainLoop().run()
