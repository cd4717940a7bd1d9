"""jwt/: JSON Web Tokens, signed by PyJWT where it can, by hmac and cryptography where it refuses."""

import base64
import hashlib
import hmac
import json

import jwt
from cryptography.hazmat.primitives import serialization
from jwcrypto import jwk, jws

from . import keys
from .world import AT, IDP, ROOT, RP, SKEW, splice

NOON = 1893499200
CLAIMS = {"iss": IDP, "aud": RP, "sub": "alice", "iat": NOON - 60, "nbf": NOON - 60,
          "exp": NOON + 300, "jti": "t1", "role": "user"}
SECRET = "hmac-file:keys/hmac-64.key"
ALGORITHMS = {
    "HS256": "hmac-64", "HS384": "hmac-64", "HS512": "hmac-64", "RS256": "idp-rsa",
    "RS384": "idp-rsa", "RS512": "idp-rsa", "PS256": "idp-rsa", "PS384": "idp-rsa",
    "PS512": "idp-rsa", "ES256": "idp-ec256", "ES384": "idp-ec384", "ES512": "idp-ec521",
    "EdDSA": "idp-ed25519",
}


def b64(data):
    data = data if isinstance(data, bytes) else data.encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def pad(token):
    """The same with the padding that RFC 7515 leaves out."""
    return ".".join(part + "=" * (-len(part) % 4) for part in token.split("."))


def hs(header, payload, secret=None, digest=hashlib.sha256, padding=False):
    """A token by hand: header and payload are JSON text or objects."""
    text = [part if isinstance(part, (str, bytes)) else json.dumps(part)
            for part in (header, payload)]
    signed = ".".join(map(b64, text))
    if padding:
        signed = pad(signed)
    mac = hmac.new(secret or keys.secret("hmac-64"), signed.encode(), digest).digest()
    return pad(f"{signed}.{b64(mac)}") if padding else f"{signed}.{b64(mac)}"


def by_jwcrypto(key, claims):
    made = jws.JWS(json.dumps(claims))
    made.allowed_algs = [key["alg"]]
    made.add_signature(key, alg=key["alg"], protected=json.dumps({"alg": key["alg"], "typ": "JWT"}))
    return made.serialize(compact=True)


def build(suite):
    def add(name, token, code=None, *, trust=(SECRET,), claims=None, attack=(), note="",
            by="Python hmac", facts=None, audiences=(RP,), issuers=(IDP,), at=AT, skew=SKEW,
            allow=(), decrypt=()):
        path = f"jwt/{name}.txt"
        suite.put(path, token)
        line = {
            "id": f"jwt/{name}", "file": path, "format": "jwt", "pin": "jwt", "keys": list(trust),
            "issuers": list(issuers), "audiences": list(audiences), "at": at, "skew": skew,
            "recipient": None, "inResponseTo": None, "allow": list(allow),
            "verdict": "reject" if code else "accept", "madeBy": by, "note": note}
        if decrypt:
            line["decryptKeys"] = list(decrypt)
        if code:
            line["code"] = code
        else:
            facts = {"issuer": IDP, "subject": "alice", "tokenID": "t1"} | (facts or {})
            line |= facts | {"claims": claims or {
                "sub": ["alice"], "iat": [str(NOON - 60)], "role": ["user"]}}
        if attack:
            line["attack"] = [attack] if isinstance(attack, str) else list(attack)
        suite.add(line)

    def kept(name, make):
        """PSS and ECDSA signatures by PyJWT are random: one is made once and kept."""
        path = ROOT / "jwt" / f"{name}.txt"
        return path.read_text() if path.exists() else make()

    def key(name):
        if name == "hmac-64":
            return keys.secret(name)
        return keys.private(name)

    def trusted(name):
        return SECRET if name == "hmac-64" else f"keys/{name}.crt" if name != "idp-ed25519" \
            else "keys/idp-ed25519.pub"

    for algorithm, name in ALGORITHMS.items():
        make = lambda: jwt.encode(CLAIMS, key(name), algorithm=algorithm)  # noqa: E731
        add(f"pyjwt-{algorithm.lower()}", kept(f"pyjwt-{algorithm.lower()}", make),
            trust=[trusted(name)], by="PyJWT", attack="OK-45")
    lattice = [jwk.JWK(**json.loads((keys.FOLDER / f"idp-mldsa-{number}.jwk").read_text()))
               for number in (44, 65, 87)]
    suite.put("keys/jwks-mldsa.json", json.dumps({"keys": [
        each.export_public(as_dict=True) for each in lattice]}))
    for each in lattice:
        name, mldsa = each["alg"].lower(), "jwks:keys/jwks-mldsa.json"
        made = kept(f"jwcrypto-{name}", lambda: by_jwcrypto(each, CLAIMS))
        # swift-crypto has the larger two.
        add(f"jwcrypto-{name}", made, "algorithm.key-mismatch" if name.endswith("44") else None,
            trust=[mldsa], by="jwcrypto", attack="OK-45")
        head, payload, signature = made.split(".")
        if name.endswith("44"):
            continue
        other = "B" if signature[40] == "A" else "A"
        add(f"bad-{name}-signature", f"{head}.{payload}.{signature[:40]}{other}{signature[41:]}",
            "signature.invalid", trust=[mldsa], by="make.py (jwcrypto)", attack="JWT-8")
        short = base64.urlsafe_b64encode(base64.urlsafe_b64decode(signature + "==")[:-3]).decode().rstrip("=")
        add(f"bad-{name}-short", f"{head}.{payload}.{short}", "signature.invalid", trust=[mldsa],
            by="make.py (jwcrypto)", attack="CRY-7")
        confused = b64(json.dumps(json.loads(base64.urlsafe_b64decode(head + "==")) | {
            "alg": "ML-DSA-87" if name.endswith("65") else "ML-DSA-65"}))
        add(f"bad-{name}-other", f"{confused}.{payload}.{signature}", "signature.invalid", trust=[mldsa],
            by="make.py (jwcrypto)", attack="JWT-5")
    with_id = jwt.encode(CLAIMS, key("idp-rsa"), algorithm="RS256", headers={"kid": "rsa-1"})
    good = jwt.encode(CLAIMS, key("hmac-64"), algorithm="HS256")
    header = {"alg": "HS256", "typ": "JWT"}
    rsa = "keys/idp-rsa.crt"

    # Key sets.
    def numbers(name):
        public = keys.private(name).public_key().public_numbers()
        width = lambda number: (number.bit_length() + 7) // 8  # noqa: E731
        return {n: b64(getattr(public, n).to_bytes(width(getattr(public, n)), "big"))
                for n in ("n", "e")}
    one = {"kty": "RSA", "kid": "rsa-1", "use": "sig", "alg": "RS256"} | numbers("idp-rsa")
    other = {"kty": "RSA", "kid": "rsa-2"} | numbers("other-rsa")
    suite.put("keys/jwks.json", json.dumps({"keys": [other, one, {"kty": "XYZ", "kid": "x"}]}))
    suite.put("keys/jwks-ps256.json", json.dumps({"keys": [one | {"alg": "PS256"}]}))
    jwks = "jwks:keys/jwks.json"
    add("jwks", with_id, trust=[jwks], by="PyJWT", attack="OK-46")
    add("kid-absent-jwks", jwt.encode(CLAIMS, key("idp-rsa"), algorithm="RS256"), trust=[jwks],
        by="PyJWT", attack="OK-46", note="no kid: every key of the issuer is tried")
    add("jwt-7-kid-unknown", jwt.encode(
        CLAIMS, key("idp-rsa"), algorithm="RS256", headers={"kid": "../../../dev/null"}),
        "key.unknown-id", trust=[jwks], by="PyJWT", attack="JWT-7")
    add("jwt-7-kid-number", hs(header | {"kid": 1}, CLAIMS), "input.json-member", attack="JWT-7")
    add("jwt-7-kid-of-other-key", jwt.encode(
        CLAIMS, key("idp-rsa"), algorithm="RS256", headers={"kid": "rsa-2"}),
        "signature.invalid", trust=[jwks], by="PyJWT", attack="JWT-7")
    add("jwt-5-jwk-algorithm", with_id, "algorithm.not-allowed", trust=["jwks:keys/jwks-ps256.json"],
        by="PyJWT", attack="JWT-5")

    # Look-alikes.
    add("aud-array", hs(header, CLAIMS | {"aud": ["urn:x", RP]}), attack="OK-44")
    add("unknown-members", hs(header | {"x": {"y": 1}}, CLAIMS | {"x.y": [1, {"a": None}]}),
        claims={"sub": ["alice"], "iat": [str(NOON - 60)], "role": ["user"],
                "x.y": ["1", '{"a": null}']}, attack="OK-44")
    add("typ-absent", hs({"alg": "HS256"}, CLAIMS), attack="OK-44")
    add("header-spaces", hs('{ "typ" : "jwt",\n "alg" : "HS256" }', CLAIMS), attack="OK-44")
    add("unicode-escapes", hs(header, json.dumps(CLAIMS | {"role": "\u5f90\U0001f642"})),
        claims={"sub": ["alice"], "iat": [str(NOON - 60)], "role": ["\u5f90\U0001f642"]},
        attack="OK-45")
    add("numeric-date-fraction", hs(header, CLAIMS | {"exp": NOON + 300.75, "iat": NOON}),
        claims={"sub": ["alice"], "iat": [str(NOON)], "role": ["user"]}, attack="OK-47")
    add("roles-array", hs(header, CLAIMS | {"role": ["a", "b"]}),
        claims={"sub": ["alice"], "iat": [str(NOON - 60)], "role": ["a", "b"]},
        note="an array is several values")
    add("array-mixed", hs(header, CLAIMS | {"role": [
        "a", 1, 2.50, True, None, {"b": [None]}, ["c", ["d"]], "", "a"], "none": [], "null": None}),
        claims={"sub": ["alice"], "iat": [str(NOON - 60)], "role": [
            "a", "1", "2.5", "true", '{"b": [null]}', '["c", ["d"]]', "", "a"]},
        note="anything but a string is its JSON text; null and an empty array are no value")

    # Algorithms.
    parts = good.split(".")
    for name, spelling in [("none", "none"), ("none-title", "None"), ("none-upper", "NONE"),
                           ("none-mixed", "nOnE"), ("none-space", "none ")]:
        add(f"jwt-1-{name}", f'{b64(json.dumps({"alg": spelling}))}.{parts[1]}.{parts[2]}',
            "algorithm.signature", attack="JWT-1")
    add("jwt-1-none-empty", f'{b64(json.dumps({"alg": "none"}))}.{parts[1]}.', "signature.missing",
        attack="JWT-1")
    add("jwt-2-empty-signature", f"{parts[0]}.{parts[1]}.", "signature.missing", attack="JWT-2")
    add("jwt-2-two-parts", f"{parts[0]}.{parts[1]}", "input.jws-parts", attack="JWT-2")
    certificate = keys.certificate("idp-rsa")
    spki = certificate.public_key().public_bytes
    pem, der = serialization.Encoding.PEM, serialization.Encoding.DER
    info = serialization.PublicFormat.SubjectPublicKeyInfo
    pkcs1 = serialization.PublicFormat.PKCS1
    for name, secret in [
            ("spki-pem", spki(pem, info)), ("spki-pem-trimmed", spki(pem, info).strip()),
            ("spki-der", spki(der, info)), ("pkcs1-pem", spki(pem, pkcs1)),
            ("certificate-pem", certificate.public_bytes(pem)),
            ("certificate-der", certificate.public_bytes(der)),
            ("jwk-text", json.dumps(one).encode()),
            ("modulus", base64.urlsafe_b64decode(one["n"] + "=="))]:
        add(f"jwt-3-confusion-{name}", hs(header, CLAIMS, secret), "algorithm.key-mismatch",
            trust=[rsa], attack="JWT-3")
    for name, value, code in [
            ("lower-case", "hs256", "algorithm.signature"),
            ("nul", "HS256\0", "algorithm.signature"), ("space", " HS256", "algorithm.signature"),
            ("array", ["HS256"], "input.json-member"), ("number", 5, "input.json-member"),
            ("null", None, "input.json-member"), ("object", {}, "input.json-member"),
            ("missing", ..., "input.json-member")]:
        made = {"typ": "JWT"} | ({} if value is ... else {"alg": value})
        add(f"jwt-4-alg-{name}", hs(made, CLAIMS), code, attack="JWT-4")
    add("jwt-5-es256-p384", hs(header | {"alg": "ES256"}, CLAIMS), "algorithm.key-mismatch",
        trust=["keys/idp-ec384.crt"], attack=["JWT-5", "CRY-9"])
    for name in ("jwk", "jku", "x5u", "x5c"):
        value = {"jwk": {"kty": "oct", "k": b64(b"evil" * 16)}, "jku": "http://127.0.0.1:9/",
                 "x5u": "http://127.0.0.1:9/", "x5c": ["AAAA"]}[name]
        add(f"jwt-6-{name}", hs(header | {name: value}, CLAIMS, b"evil" * 16), "signature.invalid",
            attack="JWT-6", note="signed with the key that the header brings along")
    for name, extra in [
            ("unknown", {"crit": ["x"], "x": 1}), ("empty", {"crit": []}), ("string", {"crit": "x"}),
            ("registered", {"crit": ["alg"]})]:
        add(f"jwt-8-crit-{name}", hs(header | extra, CLAIMS), "policy.critical-header",
            attack="JWT-8")
    add("jwt-9-b64-crit", hs(header | {"b64": False, "crit": ["b64"]}, CLAIMS),
        "policy.critical-header", attack="JWT-9")
    add("jwt-9-b64", hs(header | {"b64": False}, CLAIMS), "policy.critical-header", attack="JWT-9")
    add("jwt-10-flattened", json.dumps({"protected": parts[0], "payload": parts[1],
                                        "signature": parts[2]}), "input.jws-parts", attack="JWT-10")
    for name, token, code in [
            ("one", parts[0], "input.jws-parts"), ("four", good + ".x", "input.jws-parts"),
            ("five", good + ".x.y", "encryption.algorithm"),
            ("six", good + ".x.y.z", "input.jws-parts"),
            ("trailing-dot", good + ".", "input.jws-parts"), ("space", " " + good, "input.base64"),
            ("bearer", "Bearer " + good, "input.header-field"), ("quotes", f'"{good}"', "input.base64"),
            ("empty-header", f".{parts[1]}.{parts[2]}", "input.jws-parts"),
            ("dots", "....", "input.jws-parts")]:
        add(f"jwt-11-{name}", token, code, attack="JWT-11")
    add("jwt-30-detached", f"{parts[0]}..{parts[2]}", "input.jws-parts", attack="JWT-30")
    for name, token in [
            ("padding", f"{parts[0]}=.{parts[1]}.{parts[2]}"),
            ("standard", good.replace("_", "/").replace("-", "+") if "_" in good or "-" in good
             else good + "+"),
            ("white-space", f"{parts[0]}\n.{parts[1]}.{parts[2]}"),
            ("length", f"{parts[0]}.{parts[1]}.{parts[2]}AA"),
            ("bits", f"{parts[0]}.{parts[1]}.{parts[2][:-1]}" + (
                "B" if parts[2][-1] in "AQgw" else chr(ord(parts[2][-1]) + 1)))]:
        add(f"jwt-12-{name}", token, "input.base64", attack="JWT-12")
    for name, text, where in [
            ("header-alg", '{"alg":"HS256","alg":"none"}', 0),
            ("payload-sub", json.dumps(CLAIMS)[:-1] + ',"sub":"admin"}', 1),
            ("payload-escaped", json.dumps(CLAIMS)[:-1] + ',"\\u0073ub":"admin"}', 1),
            ("nested", json.dumps(CLAIMS)[:-1] + ',"x":{"a":1,"a":2}}', 1)]:
        pieces = [header, CLAIMS]
        pieces[where] = text
        add(f"jwt-17-{name}", hs(*pieces), "input.json-duplicate-name", attack="JWT-17")
    base = json.dumps(CLAIMS)
    for name, text, code in [
            ("trailing-comma", base[:-1] + ",}", "input.json-syntax"),
            ("mark", "\ufeff" + base, "input.json-syntax"), ("comment", "//\n" + base, "input.json-syntax"),
            ("single-quotes", base.replace('"', "'"), "input.json-syntax"),
            ("nan", base[:-1] + ',"x":NaN}', "input.json-syntax"),
            ("leading-zero", base[:-1] + ',"x":01}', "input.json-syntax"),
            ("surrogate", base[:-1] + ',"x":"\\ud800"}', "input.json-syntax"),
            ("trailing-data", base + "x", "input.json-syntax"),
            ("array", f"[{base}]", "input.json-member"), ("string", '"x"', "input.json-member"),
            ("utf-16", base.encode("utf-16-le"), "input.json-syntax"),
            ("not-utf-8", base.encode()[:-1] + b',"x":"\xff"}', "input.not-utf8"),
            ("deep", base[:-1] + ',"x":' + "[" * 40 + "]" * 40 + "}", "input.json-too-deep")]:
        add(f"jwt-18-{name}", hs(header, text), code, attack="JWT-18")
    for name, change, code in [
            ("iss-array", {"iss": [IDP]}, "input.json-member"),
            ("sub-number", {"sub": 1}, "input.json-member"),
            ("sub-null", {"sub": None}, "input.json-member"),
            ("sub-empty", {"sub": ""}, "input.json-member"),
            ("aud-numbers", {"aud": [1]}, "input.json-member"),
            ("aud-object", {"aud": {}}, "input.json-member"),
            ("jti-object", {"jti": {}}, "input.json-member"),
            ("exp-string", {"exp": str(NOON + 300)}, "time.malformed"),
            ("exp-true", {"exp": True}, "time.malformed")]:
        add(f"jwt-19-{name}", hs(header, CLAIMS | change), code, attack=["JWT-19", "TIME-13"])
    add("jwt-19-aud-empty", hs(header, CLAIMS | {"aud": []}), "audience.missing", attack="JWT-19")
    for name, value in [
            ("other", "urn:other"), ("longer", RP + ".evil.example"), ("case", RP.upper()),
            ("slash", RP + "/"), ("list", f"urn:x,{RP}")]:
        add(f"jwt-20-aud-{name}", hs(header, CLAIMS | {"aud": value}), "audience.mismatch",
            attack="JWT-20")
    for name, value, code in [
            ("other", "https://evil.example/", "issuer.untrusted"),
            ("slash", IDP + "/", "issuer.untrusted"), ("prefix", IDP[:-1], "issuer.untrusted"),
            ("missing", None, "issuer.missing")]:
        made = {k: v for k, v in (CLAIMS | {"iss": value}).items() if v is not None}
        add(f"jwt-21-iss-{name}", hs(header, made), code, attack="JWT-21")
    for name, change, code in [
            ("expired", {"nbf": NOON - 120, "exp": NOON - 60}, "time.expired"),
            ("not-yet", {"nbf": NOON + 61}, "time.not-yet-valid"),
            ("issued-in-future", {"iat": NOON + 61}, "time.issued-in-future"),
            ("milliseconds", {"exp": (NOON + 300) * 1000}, "time.malformed"),
            ("negative", {"exp": -1}, "time.empty-window"),
            ("empty-window", {"nbf": NOON - 10, "exp": NOON - 10}, "time.empty-window")]:
        add(f"jwt-24-{name}", hs(header, CLAIMS | change), code, attack=["JWT-24", "TIME-13"])
    for name, text, code in [
            ("huge", "1e300", "time.malformed"), ("long", "9" * 40, "time.malformed"),
            ("exponent", "1.8934995e+09", None), ("past-exponent", "1.8e9", "time.empty-window"),
            ("small-exponent", "18934995000000e-4", None)]:
        add(f"jwt-24-{name}", hs(header, json.dumps(CLAIMS | {"exp": 0}).replace(
            '"exp": 0', f'"exp": {text}')), code, attack=["JWT-24", "TIME-13"])
    padded = hs(header, CLAIMS, padding=True)
    add("padded", padded, allow=["jws-padding"], note="as AWS's load balancer pads")
    add("jwt-12-padded", padded, "input.jws-padding", attack="JWT-12")
    add("jwt-12-padding-added", pad(good), "signature.invalid", allow=["jws-padding"],
        attack="JWT-12")
    add("jwt-24-no-expiry", hs(header, {k: v for k, v in CLAIMS.items() if k != "exp"}),
        "time.no-expiry", attack="JWT-24")
    add("jwt-24-last-second", hs(header, CLAIMS | {"exp": NOON - 59}), attack=["JWT-24", "TIME-1"])
    short = base64.b64encode(bytes(range(31))).decode()
    add("jwt-27-short-key", hs(header, CLAIMS, bytes(range(31))), "key.hmac-length",
        trust=[f"hmac:{short}"], attack="JWT-27")
    add("tampered", splice(good, parts[1], b64(json.dumps(CLAIMS | {"role": "admin"}))),
        "signature.invalid")
    add("wrong-key", hs(header, CLAIMS, b"x" * 64), "signature.invalid")

    from . import jwt_shapes  # It imports this module.
    jwt_shapes.build(add, kept)

    # Vectors with their own issuers.
    acs = "https://talksns.accesscontrol.windows.net/"
    key_acs = "hmac-file:keys/acs.key"
    payload = {"aud": "uri:talks.example.org", "iss": acs, "nbf": 1893455400, "exp": 1893456000,
               "nameid": "100004711", "identityprovider": "Facebook-1234567890"}
    compact = lambda value: json.dumps(value, separators=(",", ":"))  # noqa: E731
    token = hs(compact({"typ": "JWT", "alg": "HS256"}), compact(payload), keys.SWT_KEY)
    add("tv-8", token, trust=[key_acs], issuers=[acs], audiences=["uri:talks.example.org"],
        at="2029-12-31T23:55:00Z", facts={"issuer": acs, "subject": None, "tokenID": None},
        claims={"nameid": ["100004711"], "identityprovider": ["Facebook-1234567890"]},
        note="as Access Control Service issued them")
    zumo = "urn:microsoft:windows-azure:zumo"
    derived = hashlib.sha256(b"masterKeyForDocs0123456789JWTSig").digest()
    token = hs(compact({"alg": "HS256", "typ": "JWT", "kid": "0"}), compact(
        {"exp": 1893456000, "iss": zumo, "ver": 2, "aud": "Custom", "uid": "Custom:42"}), derived)
    add("tv-10", token, trust=["hmac:" + base64.b64encode(derived).decode()], issuers=[zumo],
        audiences=["Custom"], at="2029-12-31T23:55:00Z",
        facts={"issuer": zumo, "subject": None, "tokenID": None},
        claims={"ver": ["2"], "uid": ["Custom:42"]}, note="Azure Mobile Services, version 2")
