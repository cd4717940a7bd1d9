"""encryption/: encrypted assertions, identifiers and attributes; the catalogue's ENC entries."""

import subprocess
import tempfile

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from . import keys, saml11
from .documents20 import (
    BY_HAND, NAMESPACES, REQUESTER, SAML, SLOT, Writer, assertion, attribute, attributes, authn,
    claims, conditions, issuer, part, response, restriction, signed, status, subject)
from .saml11 import TRUST, collection, rstr
from .sealing import (
    CIPHERS, ELEMENT, ENC, agreed, agreement, cipher_data, content_key, data, encrypted_key,
    ephemeral, key_info, method, oaep, oaep_key, pkcs1, seal, sealed, text, wrapped_key)
from .signing import DS, DIGESTS, reference, sign, template
from .world import ALICE, ROOT, splice

RP_KEY = ["keys/rp-rsa.key"]
DECLARED = f'<saml:Assertion xmlns:saml="{SAML}" '
MD5 = "http://www.w3.org/2001/04/xmldsig-more#md5"


def whole(text):
    """An assertion that declares its own prefix, as a document."""
    return text.replace("<saml:Assertion ", DECLARED, 1)


def genuine(**parts):
    return signed(whole(assertion(**parts)))


def encrypted(*inner):
    return f"<saml:EncryptedAssertion>{''.join(inner)}</saml:EncryptedAssertion>"


def around(*inner, sign=False, **parts):
    """A Response around an encrypted assertion, signed or not."""
    return signed(response(encrypted(*inner), **parts), None, "_r" if sign else None)


def build(suite):
    writer = Writer(suite, "encryption", "saml20")

    def good(name, text, attack, note="", **more):
        writer.add(name, text, note=note, attack=attack, by=more.pop("by", BY_HAND),
                   **{"claims": claims(), "decryptKeys": RP_KEY} | more)

    def bad(name, text, code, attack, note="", **more):
        writer.add(name, text, code, note=note, attack=attack, by=BY_HAND,
                   **{"decryptKeys": RP_KEY} | more)

    a = genuine()
    bare = whole(assertion()).replace(SLOT, "")
    positives(good, a, bare)
    keys_and_places(good, bad, a)
    agreements(good, bad, a)
    by_themselves(good, bad)
    envelopes(good, bad, a)
    others(good, a)
    attacks(bad, good, a, bare)
    shapes(bad, a)


def positives(good, a, bare):
    for cipher in CIPHERS:
        allow = ["3des"] if cipher == "tripledes-cbc" else []
        good(f"assertion-{cipher}", around(sealed(a, cipher, cipher)), ["OK-4", "OK-35", "ENC-9"],
             "a signed assertion in an unsigned response", allow=allow)
        good(f"response-signed-{cipher}", around(sealed(bare, cipher, cipher), sign=True),
             ["OK-4", "ENC-1", "ENC-2"], "the response is signed, the assertion inside is not",
             allow=allow)
    good("both-signed", around(sealed(a, "both"), sign=True), ["OK-4", "ENC-1"])
    good("both-signed-cbc", around(sealed(a, "both", "aes256-cbc"), sign=True), ["OK-4", "ENC-6"])
    good("alone", f'<saml:EncryptedAssertion xmlns:saml="{SAML}">' + sealed(a, "alone")
         + "</saml:EncryptedAssertion>\n", "OK-4", "an EncryptedAssertion as the root")
    good("oaep-sha256", around(sealed(a, "oaep", digest="sha256")), ["OK-35", "ENC-19"],
         "the digest is SHA-256, MGF1 stays with SHA-1")
    good("oaep-1-1", around(sealed(a, "oaep", new=True)), "OK-35", "all parameters implied")
    for digest, mgf in (("sha256", "sha256"), ("sha512", "sha1"), ("sha384", "sha512")):
        good(f"oaep-1-1-{digest}-{mgf}", around(sealed(a, "oaep", digest=digest, mgf=mgf, new=True)),
             ["OK-35", "ENC-19"])
    good("oaep-label", around(sealed(a, "label", parameters=b"label")), "ENC-19")
    good("type-absent", around(sealed(a, "type", type=None)), "ENC-15")
    good("key-size", around(sealed(a, "size", inner="<xenc:KeySize>128</xenc:KeySize>")), "ENC-11")
    good("cbc-one-byte-of-padding", around(sealed(
        a + " " * (-len(a.encode()) % 16 + 15), "one", "aes128-cbc")), ["ENC-10", "OK-36"],
        "random padding", )
    cek = content_key("aes128-cbc", "pkcs1")
    octets = seal(a.encode(), "aes128-cbc", cek, "pkcs1")
    good("rsa-1-5-allowed", around(data(octets, "aes128-cbc", info=key_info(encrypted_key(
        pkcs1(cek, "rp-rsa", "pkcs1"), ENC + "rsa-1_5")))), "ENC-7", allow=["rsa-1_5"])
    outside = part(response(), "saml:Assertion")
    good("namespaces-outside", around(sealed(
        part(signed(response()), "saml:Assertion"), "outside")), "OK-37",
        "the prefix of the plaintext is declared by the Response")
    if DECLARED in outside:
        raise ValueError("the prefix is not outside")


def keys_and_places(good, bad, a):
    cipher = "aes256-gcm"
    cek = content_key(cipher, "places")
    octets = seal(a.encode(), cipher, cek, "places")
    ours = oaep_key(cek, "places", id="_ek")
    theirs = oaep_key(cek, "places", key="other-rsa", recipient="https://other.example/")
    retrieve = (f'<ds:RetrievalMethod Type="{ENC}EncryptedKey" URI="@URI@">@IN@'
                "</ds:RetrievalMethod>")

    def retrieval(uri="#_ek", inner=""):
        return data(octets, cipher, info=key_info(
            retrieve.replace("@URI@", uri).replace("@IN@", inner)))

    good("key-beside-retrieval", around(retrieval(), ours), ["OK-37", "ENC-13"])
    good("key-beside", around(data(octets, cipher), theirs, ours), ["OK-37", "ENC-13"],
         "no KeyInfo; two recipients")
    good("key-two-inside", around(data(octets, cipher, info=key_info(
        theirs, "<ds:KeyName>k</ds:KeyName>", ours))), ["OK-37", "ENC-13"])
    good("key-unknown-beside-known", around(data(octets, cipher, info=key_info(
        encrypted_key(b"x" * 256, "urn:x"), ours))), "ENC-13")
    good("key-eight", around(data(octets, cipher, info=key_info(*[theirs] * 7, ours))), "ENC-13",
         "eight is allowed")
    hinted = oaep_key(cek, "places", hint=True)
    good("key-certificate-shown", around(data(octets, cipher, info=key_info(
        *[theirs] * 7, hinted))), ["ENC-13", "ENC-21"],
        "the certificate says which key to try first",
        decryptKeys=["keys/other-rsa.key", "keys/rp-rsa.key"])
    good("rollover-second-key", around(data(octets, cipher, info=key_info(ours))), "ENC-20",
         decryptKeys=["keys/other-rsa.key", "keys/rp-rsa.key"])

    bad("key-nine", around(data(octets, cipher, info=key_info(*[theirs] * 8, ours))),
        "encryption.too-many-keys", "ENC-13")
    bad("retrieval-external", around(retrieval("http://127.0.0.1:1/key.xml#_ek"), ours),
        "encryption.reference", "ENC-13")
    bad("retrieval-unknown", around(retrieval("#_no"), ours), "encryption.reference", "ENC-13")
    bad("retrieval-cyclic", around(retrieval("#_ed"), ours), "encryption.reference", "ENC-13",
        "it leads to the data itself")
    bad("retrieval-transforms", around(retrieval(inner=(
        '<ds:Transforms><ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/>'
        "</ds:Transforms>")), ours), "encryption.reference", "ENC-13")
    bad("retrieval-duplicate", around(retrieval(), ours, ours), "xml.duplicate-id", "ENC-13")
    bad("retrieval-elsewhere", response(
        encrypted(retrieval()), extensions=f"<samlp:Extensions>{ours}</samlp:Extensions>").replace(
            "@RSLOT@", ""), "encryption.reference", "ENC-13")
    bad("key-none", around(data(octets, cipher)), "encryption.algorithm", "ENC-13")
    bad("key-wrong", around(data(octets, cipher, info=key_info(ours))), "encryption.failed",
        "ENC-20", decryptKeys=["keys/other-rsa.key"])
    bad("key-not-configured", around(data(octets, cipher, info=key_info(ours))),
        "encryption.no-key", "ENC-20", decryptKeys=[])
    bad("key-of-other-type", around(data(octets, cipher, info=key_info(ours))),
        "encryption.algorithm", "ENC-8", decryptKeys=["keys/rp-ec256.key"])
    for count in (0, 16, 64):
        short = data(octets, cipher, info=key_info(oaep_key(
            (cek * 2)[:count], f"length {count}")))
        bad(f"content-key-{count}", around(short), "encryption.failed", "ENC-12")


def agreements(good, bad, a):
    ec = {"decryptKeys": ["keys/rp-ec256.key"]}
    for curve, size in (("256", 16), ("256", 32), ("384", 32), ("521", 24)):
        cek = content_key("aes128-gcm", "agreement")
        octets = seal(a.encode(), "aes128-gcm", cek, "agreement")
        good(f"ecdh-p{curve}-kw{size * 8}", around(data(octets, "aes128-gcm", info=key_info(
            wrapped_key(cek, "agreement", curve=curve, key=f"rp-ec{curve}", size=size,
                        info=b"other info")))), ["ENC-17", "ENC-18"],
            decryptKeys=[f"keys/rp-ec{curve}.key"])
    curve25519 = {"curve": "x25519", "key": "rp-x25519"}
    good("x25519-kw128", around(data(octets, "aes128-gcm", info=key_info(
        wrapped_key(content_key("aes128-gcm", "agreement"), "agreement", info=b"other info", **curve25519)))),
        "ENC-17", "RFC 9231 names the agreement, its key is a SubjectPublicKeyInfo",
        decryptKeys=["keys/rp-x25519.key"])
    derived = agreed(32, "rp-ec256", "256", "direct", b"")
    direct = seal(a.encode(), "aes256-gcm", derived, "direct")
    good("ecdh-direct", around(data(direct, "aes256-gcm", info=key_info(
        agreement("256", "direct")))), "ENC-18", "the derived key is the content key", **ec)

    def trick(name, code="encryption.algorithm", swap=None, attack="ENC-18", **options):
        made = wrapped_key(cek, "agreement", **options)
        if swap:
            made = splice(made, *swap)
        bad(name, around(data(octets, "aes128-gcm", info=key_info(made))), code, attack, **ec)

    point = ephemeral("256", "agreement").public_key().public_bytes(
        Encoding.X962, PublicFormat.UncompressedPoint)
    trick("ecdh-point-off-curve", point=point[:-1] + bytes([point[-1] ^ 1]))
    trick("ecdh-point-infinity", point=b"\x00")
    trick("ecdh-point-compressed", point=bytes([2 + point[-1] % 2]) + point[1:33])
    trick("ecdh-parameters-explicit", named="")
    trick("ecdh-curve-unknown", named="urn:oid:1.3.132.0.10")
    trick("ecdh-kdf-bits", swap=('AlgorithmID="00', 'AlgorithmID="03'))
    trick("ecdh-kdf-not-hex", swap=('PartyVInfo="00"', 'PartyVInfo="0g"'))
    trick("ecdh-kdf-unknown", swap=("xmlenc11#ConcatKDF\"", "xmlenc11#pbkdf2\""))
    trick("ecdh-kdf-other-info", "encryption.failed", ('PartyUInfo=""', 'PartyUInfo="0041"'))
    other = ephemeral("384", "agreement").public_key().public_bytes(
        Encoding.X962, PublicFormat.UncompressedPoint)
    trick("ecdh-other-curve", named="urn:oid:1.3.132.0.34", point=other)
    trick("kw-tripledes", swap=("#kw-aes128", "#kw-tripledes"), attack="ENC-17")
    trick("kw-relabelled", "encryption.failed", ("#kw-aes128", "#kw-aes256"), attack="ENC-17")
    value = wrapped_key(cek, "agreement").rsplit("<xenc:CipherValue>")[-1].split("<")[0]
    for name, changed in (("flipped", ("A" if value[0] != "A" else "B") + value[1:]),
                          ("short", value[:20]), ("empty", "")):
        trick(f"kw-{name}", "encryption.failed", (value, changed), attack="ENC-17")


def by_themselves(good, bad):
    """EncryptedID and EncryptedAttribute."""
    name = sealed(f'<saml:NameID xmlns:saml="{SAML}">{ALICE}</saml:NameID>', "name", id="_ei")
    role = sealed(f'<saml:Attribute xmlns:saml="{SAML}" Name="role"><saml:AttributeValue>user'
                  "</saml:AttributeValue></saml:Attribute>", "role", "aes256-cbc", id="_er")
    parts = {
        "subject": subject(f"<saml:EncryptedID>{name}</saml:EncryptedID>"),
        "statements": authn() + attributes(
            f"<saml:EncryptedAttribute>{role}</saml:EncryptedAttribute>")}
    good("id-and-attribute", signed(response(assertion(**parts))), "ENC-15",
         claims=claims_in_order())
    good("id-and-attribute-response-signed", signed(response(assertion(**parts)), None, "_r"),
         "ENC-15", claims=claims_in_order())
    good("id-and-attribute-inside-assertion", around(sealed(genuine(**parts), "nested")), "ENC-15",
         claims=claims_in_order())
    bad("id-unsigned", signed(response(assertion(**parts)), None), "signature.missing", "ENC-15")
    bad("id-without-key", signed(response(assertion(**parts))), "encryption.no-key", "ENC-20",
        decryptKeys=[])
    bad("id-is-attribute", signed(response(assertion(subject=subject(
        f"<saml:EncryptedID>{role}</saml:EncryptedID>")))), "encryption.failed", "ENC-15",
        "AES-CBC: nothing is told of the plaintext")


def claims_in_order():
    return claims()


def envelopes(good, bad, a):
    rp = {"recipient": None, "request": None, "format": "rstr"}
    old = signed(saml11.assertion())
    for cipher in ("aes256-cbc", "aes128-gcm"):
        good(f"rstr-saml11-{cipher}", rstr(sealed(old, "rstr", cipher, hint=True)), ["WSF-2", "WSF-14"],
             "EncryptedData where the token stands", claims=saml11.claims(), **rp)
    good("rstr-saml20", collection(rstr(
        f'<saml:EncryptedAssertion xmlns:saml="{SAML}">{sealed(a, "rstr")}'
        "</saml:EncryptedAssertion>", trust=saml11.TRUST13, type=SAML, declare=False)), ["WSF-2", "WSF-14"],
        **rp)
    good("rstr-saml20-data", rstr(sealed(a, "rstr"), type=SAML), ["WSF-2", "WSF-14"],
         "TokenType says that the EncryptedData is SAML 2.0", **rp)
    bad("rstr-unsigned", rstr(sealed(saml11.assertion(slot=""), "rstr")), "signature.missing",
        ["ENC-1", "WSF-14"], **rp)
    bad("rstr-unsigned-cbc", rstr(sealed(saml11.assertion(slot=""), "rstr", "aes256-cbc")),
        "encryption.failed", "ENC-6", **rp)
    bad("rstr-other-version", rstr(sealed(a, "rstr")), "encryption.failed", "ENC-5", **rp)


def others(good, a):
    """Made by xmlsec1, with random keys: once."""
    for name, cipher, kind, size in (("xmlsec1-cbc", ENC + "aes256-cbc", "rsa-oaep-mgf1p", 256),
                                     ("xmlsec1-gcm", CIPHERS["aes128-gcm"][0], "rsa-oaep-mgf1p",
                                      128)):
        path = ROOT / "encryption" / f"{name}.xml"
        if path.exists():
            made = path.read_text()
        else:
            made = around(by_command(a, cipher, kind, size))
        good(name, made, ["OK-4", "OK-35"], by="xmlsec1")


def by_command(plaintext, cipher, transport, size):
    template = (
        f'<xenc:EncryptedData xmlns:xenc="{ENC}" Type="{ELEMENT}">{method(cipher)}'
        f'<ds:KeyInfo xmlns:ds="{DS}"><xenc:EncryptedKey>{method(ENC + transport)}'
        "<xenc:CipherData><xenc:CipherValue/></xenc:CipherData></xenc:EncryptedKey></ds:KeyInfo>"
        "<xenc:CipherData><xenc:CipherValue/></xenc:CipherData></xenc:EncryptedData>")
    with tempfile.TemporaryDirectory() as folder:
        for name, content in (("t.xml", template), ("p.xml", plaintext)):
            with open(f"{folder}/{name}", "w") as file:
                file.write(content)
        done = subprocess.run(
            ["xmlsec1", "--encrypt", "--pubkey-cert-pem", str(keys.FOLDER / "rp-rsa.crt"),
             "--session-key", f"aes-{size}", "--xml-data", f"{folder}/p.xml", f"{folder}/t.xml"],
            capture_output=True, check=True)
    return done.stdout.decode().split("?>\n", 1)[-1].strip()


def attacks(bad, good, a, bare):
    evil = signed(whole(assertion()), key="evil-rsa", certificate="evil-rsa")
    bad("unsigned", around(sealed(bare, "forged")), "signature.missing", "ENC-1",
        "anybody can encrypt to our certificate")
    bad("unsigned-cbc", around(sealed(bare, "forged", "aes128-cbc")), "encryption.failed",
        ["ENC-1", "ENC-6"])
    bad("signed-by-evil", around(sealed(evil, "forged")), "signature.invalid", "ENC-1")
    bad("tampered", around(sealed(splice(a, ">user<", ">admin<"), "forged")),
        "signature.digest-mismatch", "ENC-1")
    for name, text in (("evil", evil), ("tampered", splice(a, ">user<", ">admin<"))):
        bad(f"{name}-cbc", around(sealed(text, "forged", "aes128-cbc")), "encryption.failed",
            "ENC-6", "the inner signature is part of the one opaque error")
    bad("whole-inside", around(sealed(sign(splice(
        whole(assertion()), SLOT, template(reference("")))), "whole")), "signature.reference-uri",
        ["ENC-1", "REF-1"], "the document that was signed is gone")
    divided = around(sealed(a, "divided"))
    for number, place in enumerate(("key", "content")):
        at = divided.split("<xenc:CipherValue>")[number + 1].split("<")[0]
        for name, piece in (("comment", "<!-- x -->"), ("instruction", "<?x y?>"),
                            ("element", "<x/>")):
            bad(f"divided-{place}-{name}", splice(divided, at, at[:16] + piece + at[16:]),
                "encryption.structure", ["ENC-17"])
    genuine_message = around(sealed(bare, "swap"), sign=True)
    bad("swapped", splice(genuine_message, part(genuine_message, "xenc:EncryptedData"), part(
        around(sealed(bare, "swapped"), sign=True), "xenc:EncryptedData")),
        "signature.digest-mismatch", "ENC-2")
    bad("signed-then-key-wrong", splice(genuine_message, "</samlp:Status>", "</samlp:Status> "),
        "signature.digest-mismatch", "ENC-2", "no key is needed to see it",
        decryptKeys=["keys/other-rsa.key"])

    visible = part(signed(response()), "saml:Assertion")
    forged = encrypted(sealed(bare.replace('"_a"', '"_x"'), "forged"))
    bad("wrapped-visible", signed(response(visible + forged), None),
        "response.several-assertions", "ENC-3")
    wrapped = whole(assertion(id="_evil", slot="", advice=f"<saml:Advice>{a}</saml:Advice>"))
    bad("wrapped-inside", around(sealed(wrapped, "forged")), "signature.misplaced", "ENC-3")
    moved = whole(assertion(id="_evil")).replace(SLOT, part(a, "ds:Signature"))
    bad("wrapped-signature-moved", around(sealed(moved, "forged")), "signature.reference-uri",
        "ENC-3")
    good("id-also-outside", around(sealed(a, "scope"), extensions=(
        '<samlp:Extensions><x xmlns="urn:x" ID="_a"/></samlp:Extensions>')), "ENC-4",
        "an outer element has the inner assertion's ID: it is out of reach")
    bad("id-twice-inside", around(sealed(whole(assertion(slot="", advice=(
        '<saml:Advice><x xmlns="urn:x" ID="_a"/></saml:Advice>'))), "scope")),
        "encryption.failed", "ENC-4")

    nested = f'<saml:EncryptedAssertion xmlns:saml="{SAML}">{sealed(a, "n")}' \
        "</saml:EncryptedAssertion>"
    odd = {
        "two": a + a, "response": signed(response()), "text": "hello", "empty": "",
        "dtd": "<!DOCTYPE x>" + a, "utf16": a.encode("utf-16"), "nul": a.encode() + b"\0",
        "nested": nested, "other-element": '<x xmlns="urn:x"/>',
        "wrapper-closed": f"</Plaintext>{visible}<Plaintext>"}
    for name, plaintext in odd.items():
        bad(f"odd-{name}", around(sealed(plaintext, "odd")), "encryption.failed", "ENC-5")
    for name, code in (("dtd", "xml.doctype"), ("nested", "encryption.structure"),
                       ("text", "xml.malformed")):
        bad(f"odd-signed-{name}", around(sealed(odd[name], "odd"), sign=True), code, "ENC-5",
            "the message was signed, so the error may be told")

    cek = content_key("aes128-cbc", "flip")
    octets = bytearray(seal(a.encode(), "aes128-cbc", cek, "flip"))
    info = key_info(oaep_key(cek, "flip"))
    for name, place in (("iv", 0), ("first", 16), ("middle", len(octets) // 2),
                        ("padding", len(octets) - 17), ("last", len(octets) - 1)):
        changed = bytes(octets[:place]) + bytes([octets[place] ^ 0x40]) + bytes(octets[place + 1:])
        bad(f"cbc-flip-{name}", around(data(changed, "aes128-cbc", info=info)),
            "encryption.failed", "ENC-6")
    for last in (0, 17, 255):
        bad(f"cbc-padding-{last}", around(sealed(a, "pad", "aes128-cbc", last=last)),
            "encryption.failed", "ENC-10")
    for count in (0, 16, 31, 33):
        bad(f"cbc-{count}-bytes", around(data(bytes(octets[:count]), "aes128-cbc", info=info)),
            "encryption.failed", "ENC-10")

    old = data(bytes(octets), "aes128-cbc", info=key_info(encrypted_key(
        pkcs1(cek, "rp-rsa", "old"), ENC + "rsa-1_5")))
    bad("rsa-1-5", around(old), "algorithm.legacy", "ENC-7")
    bad("rsa-1-5-padding", around(data(bytes(octets), "aes128-cbc", info=key_info(encrypted_key(
        b"\x01" * 256, ENC + "rsa-1_5")))), "encryption.failed", "ENC-7", allow=["rsa-1_5"])
    bad("rsa-1-5-relabelled", around(splice(sealed(a, "label"), "#rsa-oaep-mgf1p", "#rsa-1_5")),
        "algorithm.legacy", "ENC-8")
    bad("rsa-1-5-relabelled-allowed", around(splice(
        sealed(a, "label"), "#rsa-oaep-mgf1p", "#rsa-1_5")), "encryption.failed", "ENC-8",
        allow=["rsa-1_5"])
    bad("oaep-relabelled", around(splice(
        sealed(a, "label", digest="sha256", mgf="sha256", new=True), "2009/xmlenc11#rsa-oaep",
        "2001/04/xmlenc#rsa-oaep-mgf1p")), "encryption.algorithm", "ENC-8",
        "the older name means MGF1 with SHA-1")
    bad("gcm-relabelled", around(splice(sealed(a, "label"), "2009/xmlenc11#aes128-gcm",
                                        "2001/04/xmlenc#aes128-cbc")), "encryption.failed",
        "ENC-8")


def shapes(bad, a):
    cek = content_key("aes128-gcm", "shape")
    octets = seal(a.encode(), "aes128-gcm", cek, "shape")
    info = key_info(oaep_key(cek, "shape"))

    def gcm(name, changed):
        bad(f"gcm-{name}", around(data(changed, "aes128-gcm", info=info)), "encryption.failed",
            "ENC-9")

    for count in (0, 12, 27, 28):
        gcm(f"{count}-bytes", octets[:count])
    for kept in (1, 4, 8, 12, 15):
        gcm(f"tag-{kept}", octets[:len(octets) - 16 + kept])
    gcm("tag-flipped", octets[:-1] + bytes([octets[-1] ^ 1]))
    gcm("text-flipped", octets[:20] + bytes([octets[20] ^ 1]) + octets[21:])
    for count in (1, 8, 16):
        gcm(f"iv-{count}", seal(a.encode(), "aes128-gcm", cek, "shape", iv=b"i" * max(count, 8)))

    plain = data(octets, "aes128-gcm", info=info)
    head = method(CIPHERS["aes128-gcm"][0])
    bad("cipher-3des", around(sealed(a, "old", "tripledes-cbc")), "algorithm.legacy", "ENC-11")
    bad("cipher-arcfour", around(splice(plain, CIPHERS["aes128-gcm"][0], (
        "http://www.w3.org/2001/04/xmldsig-more#arcfour"))), "encryption.algorithm", "ENC-11")
    bad("method-missing", around(splice(plain, head, "")), "encryption.algorithm", "ENC-11")
    bad("key-method-missing", around(splice(plain, method(ENC + "rsa-oaep-mgf1p"), "")),
        "encryption.algorithm", "ENC-11")
    bad("key-size-other", around(sealed(a, "size", inner="<xenc:KeySize>256</xenc:KeySize>")),
        "encryption.algorithm", "ENC-11")
    sha = sealed(a, "oaep", digest="sha256", mgf="sha256", new=True)
    bad("oaep-md5", around(splice(sha, DIGESTS["sha256"], MD5)), "encryption.algorithm",
        ["ENC-11", "ENC-19"])
    bad("oaep-mgf-md5", around(splice(sha, "#mgf1sha256", "#mgf1md5")), "encryption.algorithm",
        ["ENC-11", "ENC-19"])
    bad("oaep-mgf-other", around(splice(sha, "#mgf1sha256", "#mgf1sha1")), "encryption.failed",
        "ENC-19")
    label = sealed(a, "label", parameters=b"label")
    bad("oaep-label-other", around(splice(label, text(b"label"), text(b"other"))),
        "encryption.failed", "ENC-19")
    bad("oaep-label-long", around(splice(label, text(b"label"), text(b"x" * 5000))),
        "encryption.algorithm", "ENC-19")

    value = cipher_data(octets)
    bad("cipher-reference", around(splice(plain, value, (
        '<xenc:CipherData><xenc:CipherReference URI="http://127.0.0.1:1/x"><xenc:Transforms>'
        f'<ds:Transform xmlns:ds="{DS}" Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/>'
        "</xenc:Transforms></xenc:CipherReference></xenc:CipherData>"))), "encryption.reference",
        "ENC-14")
    bad("type-content", around(splice(plain, "#Element", "#Content")), "encryption.structure",
        "ENC-15")
    bad("data-directly", signed(response(plain), None), "xml.unexpected-element", "ENC-15")
    bad("two-data", around(plain, plain.replace('Id="_ed"', 'Id="_e2"')), "encryption.structure",
        "ENC-15")
    bad("two-encrypted-assertions", signed(response(encrypted(plain) + encrypted(plain.replace(
        'Id="_ed"', 'Id="_e2"'))), None), "response.several-assertions", "ENC-15")
    bad("empty-encrypted-assertion", around(), "encryption.structure", "ENC-15")

    other = genuine(conditions=conditions(restriction("https://other-rp.example/")))
    bad("forwarded", around(sealed(other, "forwarded")), "audience.mismatch", "ENC-16",
        "another relying party encrypted what it received to us")
    bad("issuer-other", around(sealed(genuine(issuer=issuer("https://other.example/idp")),
                                      "issuer")), "issuer.untrusted", "ENC-16")

    unopened = data(octets, "aes128-gcm", info=key_info(oaep_key(cek, "shape", key="other-rsa")))
    bad("destination-first", around(unopened, destination="https://other-rp.example/acs"),
        "response.destination-mismatch", "ENC-21", "judged before any private key is used")
    bad("status-first", around(unopened, status=status(REQUESTER)), "response.status", "ENC-21")
    bad("algorithm-first", around(splice(unopened, "#aes128-gcm", "#aes128-ccm")),
        "encryption.algorithm", "ENC-21")
