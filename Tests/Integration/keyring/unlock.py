"""Unlocks the default collection of a running gnome-keyring with the tests' password: unlock.py PASSWORD

There is no other way without a prompter; `gnome-keyring-daemon --unlock` starts a second daemon instead.
"""

import sys

import dbus

bus = dbus.SessionBus()
service = bus.get_object("org.freedesktop.secrets", "/org/freedesktop/secrets")
_, session = service.OpenSession(
    "plain", dbus.String("", variant_level=1), dbus_interface="org.freedesktop.Secret.Service"
)
collection = service.ReadAlias("default", dbus_interface="org.freedesktop.Secret.Service")
secret = dbus.Struct(
    (session, dbus.ByteArray(b""), dbus.ByteArray(sys.argv[1].encode()), "text/plain"), signature="oayays"
)
service.UnlockWithMasterPassword(
    collection, secret, dbus_interface="org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface"
)
