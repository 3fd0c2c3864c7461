"""Looks for secrets in bytes, however they are written. Standard library only."""
import base64
import urllib.parse

# Bytes of a piece: a secret that was cut or wrapped is found by one of its pieces.
PIECE = 24


def pieces(secret):
    """The whole and overlapping parts of it. Of a signed token the signature: the rest of it is no secret by itself."""
    rare = secret.rpartition(".")[2] if secret.count(".") == 2 else secret
    cuts = [rare[at:at + PIECE] for at in range(0, len(rare) - PIECE + 1, PIECE // 2)]
    return [secret, *cuts, rare[-PIECE:]]


def base64_forms(raw):
    """Base64 depends on what stands before: three ways, each without the letters that its neighbours share."""
    for lead in range(3):
        text = base64.b64encode(b"\0" * lead + raw)
        inner = text[(0, 2, 3)[lead]:].rstrip(b"=")[:-2]
        yield "base64", inner
        yield "base64url", inner.replace(b"+", b"-").replace(b"/", b"_")


def forms(text):
    """How a text may be written: (name, bytes)."""
    raw = text.encode()
    yield "raw", raw
    yield "percent", urllib.parse.quote(text, safe="").encode()
    yield "percent, every byte", b"".join(b"%%%02X" % byte for byte in raw)
    yield "hex", raw.hex().encode()
    yield "HEX", raw.hex().upper().encode()
    yield "UTF-16LE", text.encode("utf-16-le")
    yield "UTF-16BE", text.encode("utf-16-be")
    yield from base64_forms(raw)


def find(secrets, data):
    """What of `secrets` (kind -> set) is in `data`: a set of (kind, form). Never the secret itself."""
    found = set()
    for kind, values in secrets.items():
        for value in values:
            for piece in pieces(value):
                found |= {(kind, name) for name, needle in forms(piece) if needle in data}
    return found
