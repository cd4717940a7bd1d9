"""KEY and CRY: whose key it is, and what a signature value may be."""

import base64
import re

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import utils
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from .. import keys, saml11
from ..documents20 import (
    RSLOT, SLOT, assertion, claims, issuer, named, part, response, signed)
from ..saml20_attacks import der_signature, modulus
from ..signing import DS, METHODS, pss, reference, sign, sign_by_hand, template
from ..world import ADMIN, ALICE, IDP, IDP_B, IDP_KEY, splice
from .signatures import by_hand
from .xsw import Parts

INVALID, MISMATCH = "signature.invalid", "algorithm.key-mismatch"
SEQUENCE = "algorithm.legacy"
INFO = "<ds:KeyInfo>{}</ds:KeyInfo></ds:Signature>"


def x509(*names):
    return "<ds:X509Data>" + "".join(
        f"<ds:X509Certificate>{keys.certificate_text(each)}</ds:X509Certificate>"
        for each in names) + "</ds:X509Data>"


def value_of(text):
    return part(text, "ds:SignatureValue")[len("<ds:SignatureValue>"):-len("</ds:SignatureValue>")]


def b64(octets):
    return base64.b64encode(octets).decode()


def add(suite):
    p = Parts(suite)
    broken(suite)
    whose(suite, p)
    policy(suite, p)
    rsa(suite, p)
    ec(suite)


def broken(suite):
    """Public keys that nobody may trust, as DER files; KEY-13 and KEY-14 read them."""
    public = keys.private("idp-rsa").public_key().public_numbers()

    def tlv(tag, octets):
        size = len(octets)
        head = bytes([size]) if size < 128 else b"\x82" + size.to_bytes(2, "big")
        return bytes([tag]) + head + octets

    def number(value):
        return tlv(2, value.to_bytes(value.bit_length() // 8 + 1, "big"))

    def rsa_info(n, e):
        name = bytes.fromhex("300d06092a864886f70d0101010500")
        return tlv(0x30, name + tlv(3, b"\0" + tlv(0x30, number(n) + number(e))))

    for name, n, e in [("exponent-1", public.n, 1), ("exponent-2", public.n, 2),
                       ("exponent-even", public.n, 65538), ("exponent-0", public.n, 0),
                       ("exponent-long", public.n, public.n - 2), ("even-modulus", public.n + 1, 65537),
                       # Two primes, the square of a third, and one with a small factor.
                       ("prime-modulus", 2**2048 - 1942289, 65537),
                       ("mersenne-modulus", 2**2203 - 1, 65537),
                       ("square-modulus", (2**1279 - 1)**2, 65537),
                       ("small-factor", 751 * (2**2203 - 1), 65537)]:
        suite.suite.put(f"attacks/keys/{name}.der", rsa_info(n, e))
    genuine = keys.certificate("idp-ec256").public_key().public_bytes(
        Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    for name, new in [("off-curve", genuine[:-1] + bytes([genuine[-1] ^ 1])),
                      ("origin", genuine[:-64] + bytes(64)),
                      ("infinity", tlv(0x30, genuine[2:23] + tlv(3, b"\0\0")))]:
        suite.suite.put(f"attacks/keys/{name}.der", new)


def whose(suite, p):
    evil = signed(response(assertion(subject=named(ADMIN))), key="evil-rsa", certificate="evil-rsa")
    suite.add(["KEY-1", "KEY-2"], "b1", evil, INVALID,
              note="the attacker's certificate has the issuer's name and serial number")
    suite.add("KEY-1", "b2", signed(response(assertion(subject=named(ADMIN))), None, "_r",
              key="evil-rsa", certificate="evil-rsa"), INVALID, base="B2")
    suite.add("KEY-1", "b3", signed(response(assertion(subject=named(ADMIN))), "_a", "_r",
              key="evil-rsa", certificate="evil-rsa"), INVALID, base="B3")
    suite.add("KEY-1", "b5", signed(saml11.response(), key="evil-rsa", certificate="evil-rsa"),
              INVALID, base="B5")
    suite.add("KEY-1", "b6", saml11.rstr(signed(saml11.assertion(), key="evil-rsa",
              certificate="evil-rsa")), INVALID, base="B6")
    suite.add("KEY-1", "control", signed(response(), key="evil-rsa", certificate="evil-rsa"),
              claims=claims(), keys=["keys/evil-rsa.crt"], note="whoever trusts that key")
    rsa_value = (f"<ds:KeyValue><ds:RSAKeyValue><ds:Modulus>{modulus('evil-rsa')}</ds:Modulus>"
                 "<ds:Exponent>AQAB</ds:Exponent></ds:RSAKeyValue></ds:KeyValue>")
    der = "<e:DEREncodedKeyValue xmlns:e='http://www.w3.org/2009/xmldsig11#'>AAAA" \
        "</e:DEREncodedKeyValue>"
    shown = part(evil, "ds:X509Data")
    serial = ("<ds:X509Data><ds:X509IssuerSerial><ds:X509IssuerName>CN=other.example"
              "</ds:X509IssuerName><ds:X509SerialNumber>1</ds:X509SerialNumber>"
              "</ds:X509IssuerSerial></ds:X509Data>")
    infos = {
        "KEY-3": {"rsa": rsa_value, "der": der},
        "KEY-4": {"path": "<ds:KeyName>../../etc/passwd</ds:KeyName>",
                  "sql": "<ds:KeyName>x' OR '1'='1</ds:KeyName>",
                  "ldap": "<ds:KeyName>*)(uid=*</ds:KeyName>", "serial": serial,
                  "ski": "<ds:X509Data><ds:X509SKI>AAAA</ds:X509SKI></ds:X509Data>"},
        "KEY-5": {"http": '<ds:RetrievalMethod URI="http://127.0.0.1:9/"/>',
                  "file": '<ds:RetrievalMethod URI="file:///etc/passwd"/>',
                  "same": '<ds:RetrievalMethod URI="#_a"/>',
                  "reference": '<e:KeyInfoReference xmlns:e="http://www.w3.org/2009/xmldsig11#" '
                               'URI="http://127.0.0.1:9/"/>'},
        "KEY-6": {"good-first": x509("idp-rsa", "evil-rsa"), "evil-first": x509(
            "evil-rsa", "idp-rsa"), "two": x509("idp-rsa") + x509("evil-rsa"),
            "pgp": "<ds:PGPData/><ds:SPKIData/><ds:MgmtData/>"},
        "KEY-7": {"empty": "<ds:X509Data><ds:X509Certificate/></ds:X509Data>",
                  "junk": "<ds:X509Data><ds:X509Certificate>****</ds:X509Certificate></ds:X509Data>",
                  "pem": "<ds:X509Data><ds:X509Certificate>-----BEGIN CERTIFICATE-----"
                         "</ds:X509Certificate></ds:X509Data>",
                  "behind": "<ds:X509Data><ds:X509Certificate>" + b64(base64.b64decode(
                      keys.certificate_text("idp-rsa")) + b"\0\0") +
                      "</ds:X509Certificate></ds:X509Data>"}}
    for entry, rows in infos.items():
        for name, info in rows.items():
            suite.add(entry, f"{name}-evil", splice(evil, shown, info), INVALID)
            suite.add(entry, f"{name}-genuine", splice(p.b1, "</ds:Signature>", INFO.format(info)),
                      kept=True, claims=claims(), note="KeyInfo decides nothing")


def policy(suite, p):
    expired = signed(response(), key="expired")
    suite.add("KEY-8", "pinned", expired, keys=["keys/expired.crt"], claims=claims(),
              note="the certificate ended in 2020; the key is pinned")
    for name, key, pinned in [
            ("other-issuer", "other-rsa", [IDP_KEY]), ("receiver", "rp-rsa", [IDP_KEY]),
            ("other-pinned", "idp-rsa", ["keys/other-rsa.crt"])]:
        suite.add("KEY-10", name, signed(response(), key=key), INVALID, keys=pinned)
    suite.add("KEY-10", "secret-only", p.b1, "key.none", keys=["hmac-file:keys/acs.key"])
    suite.add("KEY-11", "removed", signed(response(), key="other-rsa"), INVALID, keys=[IDP_KEY])
    for name, key in [("rsa-1024", "weak-rsa1024"), ("exponent-3", "weak-exponent")]:
        suite.add("KEY-13", name, signed(response(), key=key), "key.weak",
                  keys=[f"keys/{key}.crt"])
    for name, allow in [("rsa-1024", "rsa-small-modulus"), ("exponent-3", "rsa-small-exponent")]:
        key = {"rsa-1024": "weak-rsa1024", "exponent-3": "weak-exponent"}[name]
        suite.add("KEY-13", f"{name}-allowed", signed(response(), key=key), claims=claims(),
                  keys=[f"keys/{key}.crt"], allow=[allow])
    for name, key, algorithm, method, pinned in [
            ("ec-method", "idp-rsa", "rsa-sha256", "ecdsa-sha256", IDP_KEY),
            ("hmac-method", keys.SWT_KEY, "hmac-sha256", "hmac-sha256", IDP_KEY),
            ("rsa-method", "idp-rsa", "rsa-sha256", "rsa-sha256", "keys/idp-ec256.crt"),
            ("ed25519-method", "idp-rsa", "rsa-sha256",
             "http://www.w3.org/2021/04/xmldsig-more#eddsa-ed25519", IDP_KEY)]:
        suite.add("KEY-16", name, by_hand(key, algorithm, method=method), MISMATCH, keys=[pinned])
    two = [IDP_KEY, "keys/other-rsa.crt"]
    suite.add("KEY-17", "second", signed(response(), key="other-rsa"), keys=two, claims=claims())
    suite.add("KEY-17", "first", p.b1, keys=two, claims=claims())
    suite.add("KEY-17", "ec-second", signed(
        response(), key="idp-ec256", method="ecdsa-sha256", signer=sign_by_hand),
        keys=[IDP_KEY, "keys/idp-ec256.crt"], claims=claims())
    suite.add("KEY-17", "third", signed(response(), key="evil-rsa"), INVALID, keys=two)
    suite.add("KEY-18", "other-name", signed(response(assertion(issuer=issuer(IDP_B)),
              issuer=issuer(IDP_B))), "issuer.untrusted",
              note="the right key under a name that was not trusted with it")


def rsa(suite, p):
    value = value_of(p.b1)
    raw = base64.b64decode(value)
    n = keys.private("idp-rsa").public_key().public_numbers().n
    d = keys.private("idp-rsa").private_numbers().d
    s = int.from_bytes(raw, "big")
    big = lambda number, size=256: number.to_bytes(size, "big")  # noqa: E731
    for name, new in [
            ("zero-before", b"\0" + raw), ("byte-behind", raw + b"\0"), ("255", raw[1:]),
            ("zero", bytes(256)), ("one", big(1)), ("n-less-one", big(n - 1)), ("n", big(n)),
            ("n-plus-s", big(n + s, 257)), ("empty-modulus", b"\xff" * 256)]:
        suite.add("CRY-1", name, splice(p.b1, value, b64(new)), INVALID)
    text = splice(response(), SLOT, template(reference("#_a"))).replace(RSLOT, "")
    done = sign_by_hand(text)
    octets = canonical_info(done)
    digest = hashes.Hash(hashes.SHA256())
    digest.update(octets)
    hash_ = digest.finalize()
    prefix = bytes.fromhex("3031300d060960864801650304020105000420")
    prefixes = {
        "control": b"\0\1" + b"\xff" * 202 + b"\0" + prefix + hash_,
        "garbage": b"\0\1" + b"\xff" * 8 + b"\0" + prefix + hash_ + b"\xaa" * 194,
        "short": b"\0\1" + b"\xff" * 7 + b"\0" + prefix + hash_ + b"\0" * 195,
        "no-null": b"\0\1" + b"\xff" * 204 + b"\0" + bytes.fromhex(
            "302f300b0609608648016503040201") + b"\x04\x20" + hash_,
        "long-length": b"\0\1" + b"\xff" * 201 + b"\0" + bytes.fromhex(
            "308131300d060960864801650304020105000420") + hash_,
        "other-hash": b"\0\1" + b"\xff" * 202 + b"\0" + prefix.replace(b"\2\1\5", b"\2\3\5") + hash_,
        "bare": b"\0\1" + b"\xff" * 221 + b"\0" + hash_,
        "type-2": b"\0\2" + b"\xff" * 202 + b"\0" + prefix + hash_,
        "type-0": b"\0\0" + b"\0" * 202 + b"\0" + prefix + hash_,
        "zero-inside": b"\0\1" + b"\xff" * 100 + b"\0" + b"\xff" * 101 + b"\0" + prefix + hash_}
    for name, block in prefixes.items():
        if len(block) != 256:
            raise ValueError(f"{name}: {len(block)}")
        new = b64(big(pow(int.from_bytes(block, "big"), d, n)))
        code = None if name == "control" else INVALID
        suite.add("CRY-2", name, splice(done, value_of(done), new), code,
                  note="a padding that only a lenient reader takes",
                  **({} if code else {"claims": claims(), "kept": True}))
    private = keys.private("idp-rsa")
    suite.add("CRY-3", "pss-as-pkcs1", by_hand(algorithm="rsa-pss-sha256"), INVALID)
    suite.add("CRY-3", "pkcs1-as-pss", by_hand(method="rsa-pss-sha256"), INVALID)
    suite.add("CRY-3", "pss", by_hand(algorithm="rsa-pss-sha256", method="rsa-pss-sha256"),
              claims=claims())
    for name, method in [("512", "rsa-sha512"), ("384", "rsa-sha384")]:
        suite.add("CRY-4", f"signed-{name}", by_hand(algorithm=method), INVALID,
                  note=f"made with SHA-{name} and called SHA-256")
        suite.add("CRY-4", f"named-{name}", by_hand(method=method), INVALID)


def canonical_info(text):
    from lxml import etree
    from ..signing import canonical
    return canonical(next(etree.fromstring(text.encode()).iter(f"{{{DS}}}SignedInfo")))


def ec(suite):
    orders = {
        "256": 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551,
        "384": int("ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aec"
                   "ec196accc52973", 16),
        "521": (2 ** 257 - 1 << 264) + int(
            "fa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409", 16)}
    for curve, n in orders.items():
        number = {"256": "256", "384": "384", "521": "512"}[curve]
        text = signed(response(), key=f"idp-ec{curve}", method=f"ecdsa-sha{number}",
                      signer=sign_by_hand)
        value = value_of(text)
        raw = base64.b64decode(value)
        w = len(raw) // 2
        r, s = (int.from_bytes(each, "big") for each in (raw[:w], raw[w:]))
        pair = lambda a, b, w=w: a.to_bytes(w, "big") + b.to_bytes(w, "big")  # noqa: E731
        pinned = {"keys": [f"keys/idp-ec{curve}.crt"]}

        def case(entry, name, new, code=INVALID, **more):
            suite.add(entry, f"p{curve}-{name}", splice(text, value, b64(new)), code,
                      **pinned, **({} if code else {"claims": claims()}), **more)

        case("CRY-5", "genuine", raw, None)
        der = utils.encode_dss_signature
        top = 2 ** (8 * w) - 1
        for name, new in [
                ("zeros", bytes(2 * w)), ("r-zero", pair(0, s)), ("s-zero", pair(r, 0)),
                ("r-n", pair(n, s)), ("s-n", pair(r, n)), ("r-top", pair(top, s)),
                ("s-top", pair(r, top)), ("ones", pair(1, 1)), ("der-zeros", der(0, 0)),
                ("r-plus-n", pair(min(r + n, top), s))]:
            case("CRY-5", name, new, SEQUENCE if name.startswith("der") else INVALID)
        for name, new in [
                ("der", der(r, s)), ("one-less", raw[:-1]), ("one-more", raw + b"\0"),
                ("twice", raw + raw), ("swapped", pair(s, r)), ("stripped", raw.lstrip(b"\0")[1:]),
                ("padded", b"\0" + raw[:w] + b"\0" + raw[w:])]:
            case("CRY-6", name, new, SEQUENCE if name == "der" else INVALID)
        case("CRY-8", "other-s", pair(r, n - s), None, note="n - s verifies too; nothing is kept by "
             "the bytes of a signature")
    # Values with a zero in front, and with the high bit set: both are ordinary.
    found = {}
    for number in range(600):
        if len(found) == 3:
            break
        text = ec_signed(number)
        raw = base64.b64decode(value_of(text))
        for name, is_so in (("r-zero", raw[0] == 0), ("s-zero", raw[32] == 0),
                            ("high-bits", raw[0] > 127 and raw[32] > 127)):
            if is_so and name not in found:
                found[name] = (text, f"_a{number}")
    for name, (text, id) in found.items():
        suite.add("CRY-7", name, text, keys=["keys/idp-ec256.crt"], claims=claims(), tokenID=id)
    for name, key, method in [("256-by-384", "idp-ec384", "ecdsa-sha256"),
                              ("512-by-256", "idp-ec256", "ecdsa-sha512"),
                              ("384-by-521", "idp-ec521", "ecdsa-sha384")]:
        text = signed(response(), key=key, method=method, signer=sign_by_hand)
        suite.add("CRY-9", f"xml-{name}", text, keys=[f"keys/{key}.crt"], claims=claims(),
                  note="XML Signature binds no curve to a digest (RFC 6931, 2.3.6); JWS does")


def ec_signed(number):
    id = f"_a{number}"
    return signed(response(assertion(id=id)), id, key="idp-ec256", method="ecdsa-sha256",
                  signer=sign_by_hand)
