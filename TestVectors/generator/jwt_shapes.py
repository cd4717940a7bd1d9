"""jwt/, continued: tokens of another shape or purpose than a signed claims set."""

import json
import os

import jwt
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from . import keys
from .jwt import CLAIMS, NOON, b64, hs

WEIERSTRASS_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
EVIL = "keys/evil-rsa"


def encrypted(plaintext, header):
    """A JWE in compact form (RFC 7516, 7.1) to the relying party's public key, with AES-256-GCM."""
    content, iv = os.urandom(32), os.urandom(12)
    protected = b64(json.dumps({"enc": "A256GCM"} | header))
    public = keys.private("rp-rsa").public_key()
    transport = padding.PKCS1v15() if header["alg"] == "RSA1_5" else padding.OAEP(
        padding.MGF1(hashes.SHA1()), hashes.SHA1(), None)
    wrapped = b"" if header["alg"] in ("dir", "ECDH-ES") else public.encrypt(content, transport)
    sealed = AESGCM(content).encrypt(iv, plaintext.encode(), protected.encode())
    return ".".join([protected, *map(b64, (wrapped, iv, sealed[:-16], sealed[-16:]))])


def build(add, kept):
    header = {"alg": "HS256", "typ": "JWT"}
    unsigned = f'{b64(json.dumps({"alg": "none"}))}.{b64(json.dumps(CLAIMS))}.'
    evil = jwt.encode(CLAIMS, keys.private("evil-rsa"), algorithm="RS256")
    oaep = {"alg": "RSA-OAEP", "cty": "JWT"}

    def jwe(name, plaintext, head, attack, code, decrypt=("keys/rp-rsa.key",)):
        add(name, kept(name, lambda: encrypted(plaintext, head)), code,
            trust=["keys/idp-rsa.crt"], attack=attack, by="Python cryptography", decrypt=decrypt)
    jwe("jwt-13-unsigned", unsigned, oaep, "JWT-13", "signature.missing")
    jwe("jwt-13-claims", json.dumps(CLAIMS), {"alg": "RSA-OAEP"}, "JWT-13", "signature.missing")
    jwe("jwt-13-evil", evil, oaep, "JWT-13", "signature.invalid")
    jwe("jwt-14-public-key", json.dumps(CLAIMS), {"alg": "RSA-OAEP", "typ": "JWT"}, "JWT-14",
        "encryption.no-key", ())
    for algorithm, more, code in [
            ("RSA1_5", {}, "algorithm.legacy"), ("dir", {}, "encryption.key-mismatch"),
            ("PBES2-HS256+A128KW", {"p2s": "", "p2c": 2**31}, "encryption.algorithm"),
            ("A128GCMKW", {"iv": "AA", "tag": "AA"}, "encryption.parts"),
            ("ECDH-ES", {"epk": {"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"}},
             "encryption.algorithm"),
            ("RSA-OAEP", {"zip": "DEF"}, "encryption.compressed"),
            ("RSA-OAEP", {"apu": "A" * 5000}, "encryption.parts")]:
        name = "-".join(["jwt-15", algorithm.lower().replace("+", "-"), *more][:3])
        jwe(name, json.dumps(CLAIMS), {"alg": algorithm} | more, "JWT-15", code)

    # Tokens in tokens.
    nested = hs(header, CLAIMS)
    for depth in (1, 50):
        inner = nested
        for _ in range(depth):
            # Fifty levels of base64 would be two million bytes; what counts is that none is opened.
            inner = hs(header | {"cty": "JWT"}, inner if len(inner) < 20000 else nested)
        add(f"jwt-16-nested-{depth}", inner, "input.json-syntax", attack="JWT-16")
    add("jwt-16-claim", hs(header | {"cty": "JWT"}, CLAIMS | {"jwt": nested}), attack="JWT-16",
        claims={"sub": ["alice"], "iat": [str(NOON - 60)], "role": ["user"], "jwt": [nested]},
        note="a token in a claim is text, whatever cty says")

    # What a token says that it is for (RFC 8725, 3.11).
    for kind in ("logout+jwt", "secevent+jwt", "dpop+jwt", "application/LOGOUT+JWT",
                 "entity-statement+jwt", "JWT ", "", "JWE"):
        name = kind.lower().replace("+", "-").replace("/", "-").replace(" ", "-space") or "empty"
        add(f"jwt-22-{name}", hs(header | {"typ": kind}, CLAIMS), "policy.token-purpose",
            attack="JWT-22")
    for kind in ("jwt", "JOSE", "at+jwt", "application/at+JWT"):
        name = kind.lower().replace("+", "-").replace("/", "-")
        add(f"jwt-22-good-{name}", hs(header | {"typ": kind}, CLAIMS), attack="JWT-22")
    session = {"nonce": "n-1", "at_hash": "aaaa", "c_hash": "bbbb", "auth_time": NOON - 90,
               "acr": "urn:x"}
    add("jwt-23-session", hs(header, CLAIMS | session), attack="JWT-23",
        claims={"sub": ["alice"], "iat": [str(NOON - 60)], "role": ["user"], "nonce": ["n-1"],
                "at_hash": ["aaaa"], "c_hash": ["bbbb"], "auth_time": [str(NOON - 90)],
                "acr": ["urn:x"]},
        note="what binds a token to a session is handed to whoever knows the session")

    # ECDSA in other encodings and out of range.
    good = kept("jwt-26-good", lambda: jwt.encode(
        CLAIMS, keys.private("idp-ec256"), algorithm="ES256"))
    trust = ["keys/idp-ec256.crt"]
    add("jwt-26-good", good, trust=trust, by="PyJWT", attack="JWT-26")
    signed, _, signature = good.rpartition(".")
    raw = jwt.utils.base64url_decode(signature)
    r, s = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
    pair = lambda r, s: r.to_bytes(32, "big") + s.to_bytes(32, "big")  # noqa: E731
    n = WEIERSTRASS_ORDER
    for name, octets in [
            ("zero", bytes(64)), ("r-zero", pair(0, s)), ("s-zero", pair(r, 0)),
            ("r-order", pair(n, s)), ("s-order", pair(r, n)), ("swapped", pair(s, r)),
            ("der", utils.encode_dss_signature(r, s)), ("short", raw[:63]), ("long", raw + b"\0"),
            ("wide", bytes(16) + raw[:32] + bytes(16) + raw[32:])]:
        add(f"jwt-26-{name}", f"{signed}.{b64(octets)}", "signature.invalid", trust=trust,
            by="PyJWT", attack="JWT-26")

    # Headers that judge, and texts of two formats.
    copies = {"iss": CLAIMS["iss"], "aud": CLAIMS["aud"], "exp": NOON + 300, "verified": True}
    add("jwt-32-header-expiry", hs(header | copies, CLAIMS | {
        "iat": NOON - 7200, "nbf": NOON - 7200, "exp": NOON - 3600}), "time.expired",
        attack="JWT-32")
    add("jwt-32-header-audience", hs(header | copies, CLAIMS | {"aud": "urn:other"}),
        "audience.mismatch", attack="JWT-32")
    add("jwt-32-header-issuer", hs(header | copies, CLAIMS | {"iss": "urn:evil"}),
        "issuer.untrusted", attack="JWT-32")
    swt = "Issuer=x&Audience=y&ExpiresOn=1&HMACSHA256=AAAA"
    flat = json.dumps({"protected": good.split(".")[0], "payload": good.split(".")[1],
                       "signature": signature})
    for name, text, code in [
            ("then-pairs", f"{good}&{swt}", "input.base64"), ("pairs", swt, "input.jws-parts"),
            ("flattened", flat, "input.jws-parts"),
            ("then-xml", f"{good}<Assertion/>", "input.base64"),
            ("then-token", f"{good} {good}", "encryption.algorithm")]:
        add(f"jwt-34-{name}", text, code, trust=trust, by="PyJWT", attack="JWT-34")
