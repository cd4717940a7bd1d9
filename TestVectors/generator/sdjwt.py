"""sdjwt/: JSON Web Tokens with selective disclosure (RFC 9901) by sd-jwt-python, and refused twins of them.

Salts are random: each is made once and kept.
"""

import base64
import hashlib
import json
import time

import jwt
from jwcrypto import jwk
from sd_jwt import holder as sd_jwt_holder
from sd_jwt.common import SDObj
from sd_jwt.holder import SDJWTHolder
from sd_jwt.issuer import SDJWTIssuer

from . import keys
from .jwt import NOON, b64
from .world import AT, IDP, ROOT, RP, SKEW

NONCE = "n-0S6_WzA2Mj"
TRUST = "keys/idp-ec256.crt"
VISIBLE = {"iss": IDP, "aud": RP, "sub": "alice", "iat": NOON - 60, "exp": NOON + 300,
           "vct": "https://idp.example/credential"}
ALWAYS = {"sub": ["alice"], "iat": [str(NOON - 60)], "vct": ["https://idp.example/credential"]}


def issuer_key():
    return jwk.JWK.from_pem((keys.FOLDER / "idp-ec256.key").read_bytes())


def holder_key():
    return jwk.JWK.from_pem((keys.FOLDER / "rp-ec256.key").read_bytes())


def issue(claims, *, typ="dc+sd-jwt", bound=False, decoys=False):
    """The issuance of sd-jwt-python."""
    return SDJWTIssuer(
        claims, issuer_key(), holder_key() if bound else None, sign_alg="ES256", add_decoy_claims=decoys,
        extra_header_parameters={"typ": typ} if typ else None).sd_jwt_issuance


def present(issuance, claims, *, nonce=None, audience=RP, at=NOON, key=None):
    """The presentation of sd-jwt-python, whose clock is the wall clock."""
    sd_jwt_holder.time = lambda: at
    holder = SDJWTHolder(issuance)
    holder.create_presentation(
        claims, nonce, audience if nonce else None, (key or holder_key()) if nonce else None, "ES256")
    sd_jwt_holder.time = time.time
    return holder.sd_jwt_presentation


def sign(payload, header=None, key="idp-ec256", algorithm="ES256"):
    """A token whose payload is written here, signed by PyJWT."""
    return jwt.encode(payload, keys.private(key), algorithm=algorithm, headers={"typ": "dc+sd-jwt"} | (header or {}))


def disclosure(*parts):
    return b64(json.dumps(list(parts)))


def digest(text, algorithm=hashlib.sha256):
    return b64(algorithm(text.encode()).digest())


def build(suite):
    def add(name, token, code=None, *, by="sd-jwt-python", claims=None, binding=None, nonce=None, allow=(),
            attack=("JWT-22",), note="", trust=TRUST):
        path = f"sdjwt/{name}.txt"
        suite.put(path, token)
        line = {
            "id": f"sdjwt/{name}", "file": path, "format": "sdjwt", "pin": "sdjwt", "keys": [trust],
            "issuers": [IDP], "audiences": [RP], "at": AT, "skew": SKEW, "recipient": None,
            "inResponseTo": None, "allow": list(allow), "verdict": "reject" if code else "accept",
            "madeBy": by, "note": note}
        if binding:
            line["keyBinding"] = binding
            line["nonce"] = nonce
        if code:
            line["code"] = code
        else:
            line |= {"issuer": IDP, "subject": "alice", "tokenID": None, "claims": ALWAYS | (claims or {})}
        if attack:
            line["attack"] = list(attack)
        suite.add(line)

    def kept(name, make):
        path = ROOT / "sdjwt" / f"{name}.txt"
        return path.read_text() if path.exists() else make()

    def good(name, claims, disclosed, read, *, bound=False, decoys=False, nonce=None, **more):
        token = kept(name, lambda: present(
            issue(claims, bound=bound, decoys=decoys), disclosed, nonce=nonce))
        add(name, token, claims=read, **more)
        return token

    hidden = lambda names: {SDObj(name): value for name, value in names.items()}  # noqa: E731
    person = {"given_name": "Ada", "family_name": "Lovelace", "birthdate": "1815-12-10"}
    flat = VISIBLE | hidden(person)
    good("all", flat, {name: True for name in person}, {k: [v] for k, v in person.items()})
    good("one", flat, {"given_name": True}, {"given_name": ["Ada"]})
    good("none", flat, {}, {})
    good("decoys", flat, {"given_name": True}, {"given_name": ["Ada"]}, decoys=True)
    good("nothing-to-disclose", VISIBLE, {}, {})
    good("array", VISIBLE | {"nationalities": [SDObj("DE"), SDObj("FR"), "GB"]},
         {"nationalities": [False, True, True]}, {"nationalities": ["FR", "GB"]})
    good("array-withheld", VISIBLE | {"nationalities": [SDObj("DE"), SDObj("FR")]}, {}, {})
    good("nested", VISIBLE | {"address": {SDObj("street_address"): "1 Road", "country": "GB"}},
         {"address": {"street_address": True}},
         {"address": ['{"country":"GB","street_address":"1 Road"}']})
    good("recursive", VISIBLE | {SDObj("address"): {SDObj("street_address"): "1 Road", SDObj("country"): "GB"}},
         {"address": {"country": True}}, {"address": ['{"country":"GB"}']})
    good("audience-disclosed", {k: v for k, v in VISIBLE.items() if k != "aud"} | hidden({"aud": RP}),
         {"aud": True}, {}, note="audience and times are judged after disclosure")
    add("bad-audience-withheld", kept("bad-audience-withheld", lambda: present(
        issue({k: v for k, v in VISIBLE.items() if k != "aud"} | hidden({"aud": RP})), {})),
        "audience.missing")
    add("bad-expiry-disclosed", kept("bad-expiry-disclosed", lambda: present(
        issue({k: v for k, v in VISIBLE.items() if k != "exp"} | hidden({"exp": NOON - 3600})), {"exp": True})),
        "time.expired")
    for typ, code, allow in [("vc+sd-jwt", "policy.token-purpose", ()), ("vc+sd-jwt", None, ("vc+sd-jwt",)),
                             ("JWT", "policy.token-purpose", ()), ("at+jwt", "policy.token-purpose", ()),
                             ("application/dc+sd-jwt", None, ()), ("DC+SD-JWT", None, ())]:
        name = ("typ-" if code is None else "bad-typ-") + typ.lower().replace("+", "-").replace("/", "-") + (
            "-upper" if typ.isupper() and typ != "JWT" else "")
        token = kept(name, lambda: present(issue(flat, typ=typ), {"given_name": True}))
        add(name, token, code, claims={"given_name": ["Ada"]}, allow=allow)
    for algorithm, name in [(hashlib.sha384, "sha-384"), (hashlib.sha512, "sha-512")]:
        text = disclosure("c2FsdA", "role", "user")
        payload = VISIBLE | {"_sd": [digest(text, algorithm)], "_sd_alg": name}
        add(name, kept(name, lambda: sign(payload) + f"~{text}~"), claims={"role": ["user"]},
            by="make.py (PyJWT)")

    # Key binding.
    bound = lambda **more: present(issue(flat, bound=True), {"given_name": True}, nonce=NONCE, **more)  # noqa: E731

    def binding(name, code=None, make=bound, *, expected=RP, nonce=NONCE, demanded=True, **more):
        token = kept(name, make)
        if code is None:
            payload = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
            more["claims"] = {"given_name": ["Ada"], "cnf": [json.dumps(payload["cnf"], separators=(",", ":"))]}
        add(name, token, code, binding=expected if demanded else None, nonce=nonce, **more)
        return token
    whole = binding("bound")
    binding("bound-any-nonce", nonce=None, note="without an expected nonce there is a warning of replay")
    binding("bound-not-demanded", demanded=False, note="it is unread, with a warning")
    binding("unbound-not-demanded", make=lambda: present(issue(flat, bound=True), {"given_name": True}),
            demanded=False)
    binding("bad-binding-missing", "binding.missing", lambda: present(
        issue(flat, bound=True), {"given_name": True}))
    binding("bad-binding-audience", "binding.audience", lambda: bound(audience="https://evil.example/"))
    binding("bad-binding-nonce", "binding.nonce", nonce="another")
    binding("bad-binding-old", "binding.time", lambda: bound(at=NOON - 361))
    binding("bad-binding-future", "binding.time", lambda: bound(at=NOON + 61))
    binding("bound-aged", make=lambda: bound(at=NOON - 300))
    binding("bad-binding-key", "binding.signature", lambda: bound(key=issuer_key()))
    binding("bad-binding-unbound", "binding.key", lambda: present(
        issue(flat), {"given_name": True}, nonce=NONCE))
    head, _, tail = whole.rpartition("~")
    pieces = head.split("~")
    changes = [
        ("fewer-disclosures", "binding.hash", "~".join([pieces[0], "", tail]).replace("~~", "~")),
        ("text", "binding.malformed", f"{head}~hello"), ("cut", "binding.malformed", f"{head}~{tail[:-90]}"),
    ]
    for name, code, token in changes:
        add(f"bad-binding-{name}", token, code, binding=RP, nonce=NONCE, by="make.py (sd-jwt-python)")
    body = json.loads(base64.urlsafe_b64decode(tail.split(".")[1] + "=="))
    for name, code, header, change in [
            ("typ", "binding.malformed", {"typ": "JWT"}, {}),
            ("audiences", "binding.audience", {}, {"aud": [RP]}), ("no-iat", "binding.time", {}, {"iat": None}),
            ("text-iat", "binding.time", {}, {"iat": str(NOON)}), ("no-hash", "binding.hash", {}, {"sd_hash": None}),
            ("hash", "binding.hash", {}, {"sd_hash": digest("x")}), ("no-nonce", "binding.nonce", {}, {"nonce": None}),
            ("expired", "binding.time", {}, {"exp": NOON - 120})]:
        payload = {k: v for k, v in (body | change).items() if v is not None}
        token = kept(f"bad-binding-{name}", lambda: f"{head}~" + jwt.encode(
            payload, keys.private("rp-ec256"), algorithm="ES256", headers={"typ": "kb+jwt"} | header))
        add(f"bad-binding-{name}", token, code, binding=RP, nonce=NONCE, by="make.py (PyJWT)")
    secret = kept("bad-binding-secret", lambda: f"{head}~" + jwt.encode(
        body, keys.secret("hmac-64"), algorithm="HS256", headers={"typ": "kb+jwt"}))
    add("bad-binding-secret", secret, "binding.signature", binding=RP, nonce=NONCE, by="make.py (PyJWT)")

    # Digests and disclosures, written by hand.
    role = disclosure("c2FsdA", "role", "user")
    other = disclosure("c2FsdB", "mail", "ada@idp.example")
    element = disclosure("c2FsdA", "DE")

    def hand(name, code, payload, *disclosures, read=None, **more):
        token = kept(name, lambda: "~".join([sign(VISIBLE | payload), *disclosures, ""]))
        add(name, token, code, claims=read, by="make.py (PyJWT)", **more)
    hand("hand", None, {"_sd": [digest(role)]}, role, read={"role": ["user"]})
    hand("hand-element", None, {"x": [{"...": digest(element)}, "b"]}, element, read={"x": ["DE", "b"]})
    hand("hand-white-space", None, {"_sd": [digest(b64('[ "s" ,"role","user" ]'))]}, b64('[ "s" ,"role","user" ]'),
         read={"role": ["user"]}, note="the digest is of the text as received")
    hand("hand-decoys", None, {"_sd": [digest("decoy"), digest(role), "no digest"]}, role, read={"role": ["user"]})
    hand("bad-unreferenced", "disclosure.unreferenced", {"_sd": [digest(role)]}, role, other)
    hand("bad-forged", "disclosure.unreferenced", {"_sd": [digest(role)]}, disclosure("c2FsdA", "role", "admin"))
    hand("bad-parent-withheld", "disclosure.unreferenced", {
        "_sd": [digest(disclosure("s", "a", {"_sd": [digest(role)]}))]}, role)
    hand("bad-repeated-disclosure", "disclosure.repeated", {"_sd": [digest(role)]}, role, role)
    hand("bad-repeated-digest", "disclosure.repeated", {"_sd": [digest(role), digest(role)]}, role)
    hand("bad-repeated-digest-deep", "disclosure.repeated", {
        "_sd": [digest(role)], "a": {"b": {"_sd": [digest(role)]}}}, role)
    hand("bad-repeated-decoy", "disclosure.repeated", {"_sd": [digest("decoy")] * 2})
    hand("bad-name-sd", "disclosure.name", {"_sd": [digest(disclosure("s", "_sd", []))]}, disclosure("s", "_sd", []))
    hand("bad-name-dots", "disclosure.name", {"_sd": [digest(disclosure("s", "...", 1))]}, disclosure("s", "...", 1))
    hand("bad-name-there", "disclosure.name", {"_sd": [digest(disclosure("s", "sub", "admin"))]},
         disclosure("s", "sub", "admin"))
    hand("bad-name-issuer", "disclosure.name", {"_sd": [digest(disclosure("s", "iss", "https://evil.example/"))]},
         disclosure("s", "iss", "https://evil.example/"))
    hand("bad-name-twice", "disclosure.name", {
        "_sd": [digest(role), digest(disclosure("t", "role", "admin"))]}, role, disclosure("t", "role", "admin"))
    hand("bad-kind-member", "disclosure.kind", {"_sd": [digest(element)]}, element)
    hand("bad-kind-element", "disclosure.kind", {"x": [{"...": digest(role)}]}, role)
    hand("bad-dots-beside", "disclosure.digests", {"x": [{"...": digest(element), "a": 1}]}, element)
    hand("bad-dots-number", "disclosure.digests", {"x": [{"...": 1}]})
    hand("bad-dots-object", "disclosure.digests", {"x": {"...": digest(element)}}, element)
    hand("bad-sd-text", "disclosure.digests", {"_sd": digest(role)}, role)
    hand("bad-sd-numbers", "disclosure.digests", {"_sd": [1]})
    hand("bad-algorithm", "disclosure.algorithm", {"_sd": [digest(role, hashlib.md5)], "_sd_alg": "md5"}, role)
    hand("bad-algorithm-case", "disclosure.algorithm", {"_sd": [digest(role)], "_sd_alg": "SHA-256"}, role)
    hand("bad-algorithm-number", "disclosure.algorithm", {"_sd": [digest(role)], "_sd_alg": 256}, role)
    for name, text in [
            ("one", disclosure("s")), ("four", disclosure("s", "a", 1, 2)), ("object", b64('{"a":1}')),
            ("salt", disclosure(1, "role", "user")), ("name", disclosure("s", 1, "user")),
            ("json", b64('["s","role",')), ("twice", b64('["s","role",{"a":1,"a":2}]')), ("padding", role + "="),
            ("empty", ""), ("utf-8", b64(b'["s","role","\xff"]'))]:
        hand(f"bad-malformed-{name}", "disclosure.malformed", {"_sd": [digest(text)]}, text)
    # The signed token itself.
    plain = sign(VISIBLE | {"_sd": [digest(role)]})
    token = kept("bad-signer", lambda: sign(VISIBLE | {"_sd": [digest(role)]}, key="idp-ec384", algorithm="ES384")
                 + f"~{role}~")
    add("bad-signer", token, "algorithm.key-mismatch", by="make.py (PyJWT)", attack=["JWT-5"])
    changed = kept("hand", lambda: plain).split("~")
    head, payload, signature = changed[0].split(".")
    forged = b64(json.dumps(json.loads(base64.urlsafe_b64decode(payload + "==")) | {"sub": "admin"}))
    add("bad-payload", "~".join([f"{head}.{forged}.{signature}", *changed[1:]]), "signature.invalid",
        by="make.py (PyJWT)", attack=["JWT-8"])
    mac = jwt.encode(VISIBLE | {"_sd": [digest(role)]}, keys.secret("hmac-64"), algorithm="HS256",
                     headers={"typ": "dc+sd-jwt"}) + f"~{role}~"
    add("bad-secret", mac, "algorithm.not-allowed", by="make.py (PyJWT)", attack=["JWT-3"])
    add("bad-no-separator", changed[0], "policy.token-purpose", by="make.py (PyJWT)",
        note="without ~ it is a JSON Web Token, of another purpose")
    x5c = kept("bad-x5c", lambda: sign(
        VISIBLE, {"x5c": ["".join(line for line in (keys.FOLDER / "evil-rsa.crt").read_text().split("\n")
                                  if not line.startswith("---"))]}, "evil-rsa", "RS256") + "~")
    add("bad-x5c", x5c, "algorithm.key-mismatch", by="make.py (PyJWT)", attack=["JWT-6"],
        note="a certificate that the token brings along vouches for nothing")
