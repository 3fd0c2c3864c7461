"""What the daemon of a test answers, and a home in which it does."""
import os

from home import Home

PROGRAM = os.path.join(os.environ.get("ALMONER_BIN", ""), "almoner")
NAME = "org.almoner.Almoner."
URL = "https://a.example/sign-in?state=x&code_challenge=y"
ATTEMPT = {"parameters": {"stage": "attempt", "attempt": "1", "url": URL}, "continues": True}
ADA = {"parameters": {"stage": "signed-in", "account": "work", "issuer": "https://a.example", "subject": "s1",
                      "isNew": True, "claims": [{"name": "name", "value": "Ada"}]}}
SIGNED_OUT = {"parameters": {"accounts": [
    {"account": "work", "issuer": "https://a.example", "revoked": True, "wiped": True}]}}


def error(name, **parameters):
    return {"error": NAME + name, "parameters": {"message": "it is so", "help": "", **parameters}}


def home(replies=None, daemon=True, **script):
    return Home(PROGRAM, {"replies": replies or {}, **script}, daemon)
