"""What is left of DOS, BIND and OK: JSON that costs, JWE, forms of DEFLATE, a second sign-in."""

import base64
import json
import zlib

from .. import keys
from ..documents20 import assertion, claims, named, response, signed
from ..jwt import CLAIMS as JWT_CLAIMS, b64, hs
from ..world import ADMIN, splice

HEADER = {"alg": "HS256", "typ": "JWT"}


def add(suite):
    json_(suite)
    deflate(suite)
    for name, text, more in [
            ("again", signed(response(assertion(id="_a2")), "_a2"), {"tokenID": "_a2"}),
            ("other-user", signed(response(assertion(id="_a3", subject=named(ADMIN))), "_a3"),
             {"tokenID": "_a3", "subject": ADMIN, "claims": claims(ADMIN)})]:
        suite.add("OK-49", name, text, **{"claims": claims()} | more)


def json_(suite):
    def token(entry, name, payload, code=None, header=HEADER, **more):
        text = payload if isinstance(payload, str) else json.dumps(payload)
        suite.add(entry, name, hs(header, text), code, base="B8h", **more)

    text = json.dumps(JWT_CLAIMS)
    more = lambda value: text[:-1] + f',"x":{value}}}'  # noqa: E731
    run = lambda unit: b64(unit * 3)  # noqa: E731
    token("DOS-17", "deep", more("[" * 90_000 + "]" * 90_000), "input.json-too-deep",
          runs=[run("["), run("]"), "V1td", "W1tb"])
    token("DOS-17", "deep-objects", more('{"a":' * 9_000 + "1" + "}" * 9_000),
          "input.json-too-deep", runs=[b64('{"a":{"a":{"a":'), run("}")])
    token("DOS-17", "number", text.replace(str(JWT_CLAIMS["exp"]), "9" * 90_000), "time.malformed",
          runs=["5OTk", "OTk5", "k5OT"])
    token("DOS-17", "white-space", text + " " * 700_000, runs=["ICAg"], claims={
        "sub": ["alice"], "iat": [str(JWT_CLAIMS["iat"])], "role": ["user"]})
    for header, entry, name in [
            ({"alg": "RSA-OAEP", "enc": "A256GCM", "zip": "DEF"}, "DOS-11", "zip"),
            ({"alg": "dir", "enc": "A256GCM", "zip": "DEF"}, "DOS-11", "direct"),
            ({"alg": "PBES2-HS256+A128KW", "enc": "A128CBC-HS256", "p2c": 2147483647, "p2s": "AA"},
             "DOS-12", "most"),
            ({"alg": "PBES2-HS256+A128KW", "enc": "A128CBC-HS256", "p2c": 0, "p2s": "AA"},
             "DOS-12", "zero")]:
        five = ".".join([b64(json.dumps(header)), "AAAA", "AAAA", "AAAA", "AAAA"])
        suite.add(
            entry, name, five,
            "encryption.compressed" if entry == "DOS-11" else "encryption.algorithm", base="B8",
            note="refused by its header, before anything is decrypted")
    for name, header in [("pbes2", {"alg": "PBES2-HS256+A128KW", "p2c": 2147483647, "p2s": "AA"})]:
        token("DOS-12", f"{name}-signed", JWT_CLAIMS, "algorithm.signature", header)


def deflate(suite):
    b1 = suite.text("B1").encode()

    def raw(data, level=9, strategy=zlib.Z_DEFAULT_STRATEGY, dictionary=None):
        if dictionary:
            made = zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy, dictionary)
        else:
            made = zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy)
        return made.compress(data) + made.flush()

    def form(name, octets, code=None):
        suite.add("BIND-9", name, base64.b64encode(octets), code,
                  **({} if code else {"claims": claims()}))

    bad = "input.deflate"
    form("genuine", raw(b1))
    form("stored", raw(b1, 0))
    form("zlib", zlib.compress(b1), bad)
    form("behind", raw(b1) + b"\0", bad)
    form("two", raw(b1) + raw(b1), bad)
    form("cut", raw(b1)[:-2], bad)
    form("dictionary", raw(b1, dictionary=b1[:400]), bad)
    form("junk", b"\xff" * 64, bad)
    suite.add("BIND-1", "twice", base64.b64encode(base64.b64encode(b1)), "input.deflate")
    text = base64.b64encode(b1).decode()
    for name, new, code in [
            ("junk", text[:9] + "*" + text[9:], "input.base64"),
            ("no-padding", text.rstrip("="), "input.base64"),
            ("padding", text.rstrip("=") + "====", "input.base64"),
            ("nul", text[:8] + "\0" + text[8:], "input.base64"),
            ("data", "data:text/xml;base64," + text, "input.unrecognized")]:
        if text.endswith("=") or "padding" not in name:
            suite.add("BIND-1", name, new, code)
