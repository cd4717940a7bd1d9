"""jwe/: signed JSON Web Tokens that joserfc, jwcrypto and Debian's jose encrypted, and refused twins of them.

What they make is random: each is made once and kept.
"""

import base64
import json
import subprocess
import tempfile
from pathlib import Path

import jwt
from joserfc import jwe as joserfc_jwe
from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey
from jwcrypto import jwe as jwcrypto_jwe
from jwcrypto import jwk as jwcrypto_jwk

from . import keys
from .jwt import CLAIMS, NOON, b64
from .world import AT, IDP, ROOT, RP, SKEW

RSA = ("RSA-OAEP", "RSA-OAEP-256")
AGREEMENTS = ("ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A192KW", "ECDH-ES+A256KW")
WRAPS = {"A128KW": 16, "A192KW": 24, "A256KW": 32, "A128GCMKW": 16, "A192GCMKW": 24, "A256GCMKW": 32}
CONTENTS = {"A128CBC-HS256": 32, "A192CBC-HS384": 48, "A256CBC-HS512": 64, "A128GCM": 16, "A192GCM": 24,
            "A256GCM": 32}
READ = {"sub": ["alice"], "iat": [str(NOON - 60)], "role": ["user"]}


def jwk_of(name):
    """The receiver's key as a JWK: a key in PEM, or a secret of so many bytes."""
    if isinstance(name, int):
        known = json.loads((keys.FOLDER / "rp-secrets.jwk").read_text())["keys"]
        found = next(each for each in known if each["kid"] == f"secret-{name}")
        return {"kty": "oct", "k": found["k"]}
    made = jwcrypto_jwk.JWK.from_pem((keys.FOLDER / f"{name}.key").read_bytes())
    return {k: v for k, v in made.export_private(as_dict=True).items() if k != "kid"}


def jwcrypto(header, plaintext, name):
    made = jwcrypto_jwe.JWE(plaintext.encode(), json.dumps(header), algs=[header["alg"], header["enc"]])
    made.add_recipient(jwcrypto_jwk.JWK(**jwk_of(name)))
    return made.serialize(compact=True)


def joserfc(header, plaintext, name):
    kinds = {"RSA": RSAKey, "EC": ECKey, "OKP": OKPKey, "oct": OctKey}
    key = jwk_of(name)
    return joserfc_jwe.encrypt_compact(
        dict(header), plaintext.encode(), kinds[key["kty"]].import_key(key),
        algorithms=[header["alg"], header["enc"]])


def jose(header, plaintext, name):
    """Debian's jose, which takes keys from files and has no RSA-OAEP."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "key.jwk"
        path.write_text(json.dumps(jwk_of(name)))
        return subprocess.run(
            ["jose", "jwe", "enc", "-I-", "-i", json.dumps({"protected": header}), "-k", str(path), "-c"],
            input=plaintext.encode(), check=True, capture_output=True).stdout.decode().strip()


PROGRAMS = {"jwcrypto": jwcrypto, "joserfc": joserfc, "jose": jose}


def build(suite):
    signed = jwt.encode(CLAIMS, keys.private("idp-rsa"), algorithm="RS256")
    evil = jwt.encode(CLAIMS, keys.private("evil-rsa"), algorithm="RS256")
    expired = jwt.encode(CLAIMS | {"nbf": NOON - 7200, "exp": NOON - 3600}, keys.private("idp-rsa"),
                         algorithm="RS256")
    typed = jwt.encode(CLAIMS, keys.private("idp-rsa"), algorithm="RS256",
                       headers={"typ": "logout+jwt"})

    def add(name, token, code=None, *, decrypt, by, allow=(), attack=(), note="", trust="keys/idp-rsa.crt"):
        path = f"jwe/{name}.txt"
        suite.put(path, token)
        line = {
            "id": f"jwe/{name}", "file": path, "format": "jwt", "pin": "jwt", "keys": [trust],
            "decryptKeys": list(decrypt), "issuers": [IDP], "audiences": [RP], "at": AT, "skew": SKEW,
            "recipient": None, "inResponseTo": None, "allow": list(allow),
            "verdict": "reject" if code else "accept", "madeBy": by, "note": note}
        if code:
            line["code"] = code
        else:
            line |= {"issuer": IDP, "subject": "alice", "tokenID": "t1", "claims": READ}
        if attack:
            line["attack"] = [attack] if isinstance(attack, str) else list(attack)
        suite.add(line)

    def made(name, program, header, plaintext, recipient, code=None, **more):
        path = ROOT / "jwe" / f"{name}.txt"
        token = path.read_text() if path.exists() else PROGRAMS[program](header, plaintext, recipient)
        decrypt = more.pop("decrypt", None) or (
            ["jwk:keys/rp-secrets.jwk"] if isinstance(recipient, int) else [f"keys/{recipient}.key"])
        add(name, token, code, decrypt=decrypt, by=program, **more)
        return token

    def each(program, algorithm, encryption, recipient, **more):
        name = "-".join([program, algorithm, encryption, *([] if recipient == "rp-rsa" or isinstance(
            recipient, int) else [recipient.removeprefix("rp-")])]).lower().replace("+", "-")
        header = {"alg": algorithm, "enc": encryption} | more
        return made(name, program, header, signed, recipient, attack="OK-45")

    for encryption, count in CONTENTS.items():
        for program in PROGRAMS:
            each(program, "dir", encryption, count)
        each("jwcrypto", "RSA-OAEP-256", encryption, "rp-rsa", cty="JWT")
        each("joserfc", "ECDH-ES", encryption, "rp-ec256")
    for program in ("jwcrypto", "joserfc"):
        for algorithm in AGREEMENTS:
            for recipient in ("rp-ec384", "rp-ec521", "rp-x25519"):
                each(program, algorithm, "A128GCM", recipient)
        for algorithm, count in WRAPS.items():
            each(program, algorithm, "A128CBC-HS256", count)
    for algorithm in RSA:
        each("joserfc", algorithm, "A192GCM", "rp-rsa")
    each("jwcrypto", "RSA-OAEP", "A128CBC-HS256", "rp-rsa")
    for algorithm in AGREEMENTS:
        each("jose", algorithm, "A256GCM", "rp-ec256")
    for algorithm, count in WRAPS.items():
        each("jose", algorithm, "A256GCM", count)

    # What issuers write in the header.
    oaep = {"alg": "RSA-OAEP-256", "enc": "A256GCM"}
    es = {"alg": "ECDH-ES", "enc": "A256GCM"}
    made("kid", "jwcrypto", oaep | {"kid": "rsa-1", "cty": "JWT", "typ": "JWT"}, signed, "rp-rsa",
         decrypt=["jwk:keys/rp-rsa.jwk"], attack="OK-46")
    made("kid-unnamed-key", "jwcrypto", oaep | {"kid": "anything"}, signed, "rp-rsa", attack="OK-46",
         note="a key in PEM has no identifier and may be any")
    made("kid-among-others", "jwcrypto", es | {"kid": "x-1"}, signed, "rp-x25519",
         decrypt=["jwk:keys/rp-rsa.jwk", "jwk:keys/rp-ec256.jwk", "jwk:keys/rp-x25519.jwk"], attack="OK-48")
    made("rollover", "joserfc", oaep, signed, "rp-rsa", decrypt=["keys/other-rsa.key", "keys/rp-rsa.key"],
         attack="OK-48", note="the second of two keys opens it")
    made("parties", "jwcrypto", es | {"apu": b64("alice"), "apv": b64("bob")}, signed, "rp-ec256",
         attack="OK-45")
    made("cty-media-type", "jwcrypto", oaep | {"cty": "application/jwt"}, signed, "rp-rsa", attack="OK-44")
    made("typ-of-outside", "jwcrypto", oaep | {"typ": "at+jwt", "cty": "JWT"}, signed, "rp-rsa",
         attack="OK-44", note="the type that counts is that of the signed token")
    made("unknown-header", "jwcrypto", oaep | {"iss": "https://evil.example/", "x": 1}, signed, "rp-rsa",
         attack=["OK-44", "JWT-32"], note="claims that are replicated in the header prove nothing")
    made("rsa1-5", "jwcrypto", {"alg": "RSA1_5", "enc": "A256GCM"}, signed, "rp-rsa", allow=["rsa-1_5"],
         attack="ENC-7")
    made("rsa1-5-cbc", "joserfc", {"alg": "RSA1_5", "enc": "A128CBC-HS256"}, signed, "rp-rsa",
         allow=["rsa-1_5"], attack="ENC-7")
    # Twins that are refused.
    made("bad-rsa1-5", "jwcrypto", {"alg": "RSA1_5", "enc": "A256GCM"}, signed, "rp-rsa",
         "algorithm.legacy", attack=["ENC-7", "JWT-15"])
    made("bad-kid", "jwcrypto", oaep | {"kid": "other"}, signed, "rp-rsa", "encryption.key-mismatch",
         decrypt=["jwk:keys/rp-rsa.jwk"], attack="JWT-7")
    made("bad-key", "joserfc", oaep, signed, "rp-rsa", "encryption.failed", decrypt=["keys/other-rsa.key"],
         attack="ENC-16")
    made("bad-key-type", "joserfc", oaep, signed, "rp-rsa", "encryption.key-mismatch",
         decrypt=["keys/rp-ec256.key"], attack="JWT-15")
    made("bad-curve", "joserfc", es, signed, "rp-ec384", "encryption.key-mismatch",
         decrypt=["keys/rp-ec256.key"], attack="JWT-15")
    made("bad-zip", "jwcrypto", oaep | {"zip": "DEF"}, signed, "rp-rsa", "encryption.compressed",
         attack=["DOS-11", "JWT-15"])
    made("bad-pbes2", "jwcrypto", {"alg": "PBES2-HS256+A128KW", "enc": "A256GCM"}, signed, 32,
         "encryption.algorithm", attack=["DOS-12", "JWT-15"])
    made("bad-content-type", "jwcrypto", oaep | {"cty": "json"}, signed, "rp-rsa",
         "encryption.content-type", attack="JWT-13")
    made("bad-claims", "joserfc", oaep | {"cty": "JWT"}, json.dumps(CLAIMS), "rp-rsa",
         "signature.missing", attack="JWT-13")
    made("bad-none", "joserfc", oaep | {"cty": "JWT"},
         f'{b64(json.dumps({"alg": "none"}))}.{b64(json.dumps(CLAIMS))}.', "rp-rsa", "signature.missing",
         attack=["JWT-1", "JWT-13"])
    made("bad-signer", "joserfc", oaep | {"cty": "JWT"}, evil, "rp-rsa", "signature.invalid",
         attack="JWT-13")
    made("bad-expired", "joserfc", oaep | {"cty": "JWT"}, expired, "rp-rsa", "time.expired",
         attack=["JWT-13", "TIME-1"])
    made("bad-purpose", "joserfc", oaep | {"cty": "JWT", "typ": "JWT"}, typed, "rp-rsa",
         "policy.token-purpose", attack="JWT-22", note="the type inside counts, whatever the outer one says")
    made("bad-twice", "jwcrypto", oaep | {"cty": "JWT"}, jwcrypto(oaep, signed, "rp-rsa"), "rp-rsa",
         "encryption.nested", attack="JWT-16")
    made("bad-text", "jwcrypto", oaep, "hello", "rp-rsa", "input.jws-parts", attack="JWT-13")
    made("bad-empty", "jwcrypto", oaep, "", "rp-rsa", "input.jws-parts", attack="JWT-13")

    # One character or part changed.
    token = made("good", "jwcrypto", es, signed, "rp-ec256", attack="JWT-15")
    parts = token.split(".")
    octets = [base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in parts]
    header = json.loads(octets[0])

    def changed(name, code, place, value, attack="JWT-15"):
        text = value if isinstance(value, str) else b64(bytes(value))
        twin = ".".join([*parts[:place], text, *parts[place + 1:]])
        add(f"bad-{name}", twin, code, decrypt=["keys/rp-ec256.key"], by="make.py (jwcrypto)", attack=attack)

    flip = lambda octets: [octets[0] ^ 1, *octets[1:]]  # noqa: E731
    changed("iv-flipped", "encryption.failed", 2, flip(octets[2]))
    changed("ciphertext-flipped", "encryption.failed", 3, flip(octets[3]))
    changed("tag-flipped", "encryption.failed", 4, flip(octets[4]))
    changed("tag-cut", "encryption.parts", 4, octets[4][:12])
    changed("tag-byte", "encryption.parts", 4, octets[4][:1])
    changed("iv-short", "encryption.parts", 2, octets[2][:8])
    changed("key-added", "encryption.parts", 1, octets[2])
    changed("padding", "input.base64", 4, parts[4] + "=", "JWT-12")
    changed("header-space", "encryption.failed", 0, b64(octets[0] + b" "))
    for name, code, change in [
            ("crit", "policy.critical-header", {"crit": ["exp"], "exp": 1}),
            ("alg-none", "encryption.algorithm", {"alg": "none"}),
            ("alg-signature", "encryption.algorithm", {"alg": "RS256"}),
            ("enc-none", "encryption.algorithm", {"enc": "none"}),
            ("enc-other", "encryption.failed", {"enc": "A128GCM"}),
            ("epk-off-curve", "encryption.algorithm", {"epk": header["epk"] | {"x": b64(bytes([1] * 32))}}),
            ("epk-infinity", "encryption.algorithm", {
                "epk": header["epk"] | {"x": b64(bytes(32)), "y": b64(bytes(32))}}),
            ("epk-other-curve", "encryption.key-mismatch", {
                "epk": {k: v for k, v in jwk_of("rp-ec384").items() if k != "d"}}),
            ("epk-private", "encryption.algorithm", {"epk": jwk_of("rp-ec256")}),
            ("epk-missing", "encryption.algorithm", {"epk": None})]:
        changed(name, code, 0, b64(json.dumps({k: v for k, v in (header | change).items() if v is not None})))
    changed("header-twice", "input.json-duplicate-name", 0, b64(octets[0][:-1] + b',"alg":"dir"}'), "JWT-17")
    # X25519 with a point of small order: the secret would be known to everybody.
    zero = {"alg": "ECDH-ES", "enc": "A256GCM",
            "epk": {"kty": "OKP", "crv": "X25519", "x": b64(bytes(32))}}
    add("bad-x25519-zero", ".".join([b64(json.dumps(zero)), *parts[1:]]), "encryption.failed",
        decrypt=["keys/rp-x25519.key"], by="make.py (jwcrypto)", attack="JWT-15")
