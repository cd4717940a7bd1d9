"""DSIG and C14N: the inside of a Signature, and what canonicalization makes of a document."""

import base64
import re

from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from .. import keys
from ..documents20 import (
    RSLOT, SLOT, XS, XSI, assertion, attribute, attributes, authn, claims, extensions, named, part,
    response, signed)
from ..signing import (
    DIGESTS, DS, ENC, ENVELOPED, EXC, INC, INC11, METHODS, MORE, XPATH, XSLT, raw_signature,
    reference, sign, sign_by_hand, template, transform)
from ..world import ACS, ADMIN, ALICE, IDP_KEY, splice
from .core import signature_of
from .xsw import Parts, STRUCTURE, detail, digest, flip, forged

MISMATCH, INVALID = "signature.digest-mismatch", "signature.invalid"
VALUE, DIGEST = "signature.value", "signature.digest-value"
TRANSFORM = "signature.transform"
EMPTY = {  # digests of nothing
    "sha256": "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "sha512": "z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6"
              "+SfaPg==",
}


def by_hand(key="idp-rsa", algorithm="rsa-sha256", ref=None, digests=None, mutate=(), **more):
    """An assertion whose Signature says anything at all, with a value that fits."""
    reference_options = {name: more.pop(name) for name in (
        "digest", "transforms", "prefixes", "type") if name in more}
    ref = reference("#_a", **reference_options) if ref is None else ref
    text = splice(response(), SLOT, template(ref, **more)).replace(RSLOT, "")
    for old, new in mutate:
        text = splice(text, old, new)
    return sign_by_hand(text, key, algorithm, digests)


def add(suite):
    p = Parts(suite)
    stripped(suite, p)
    parts_of_it(suite, p)
    algorithms(suite)
    values(suite, p)
    transforms(suite, p)
    canonicalization(suite, p)


def stripped(suite, p):
    for base in ("B1", "B2", "B3", "B5", "B5r", "B6", "B6c", "B6e"):
        text = re.sub(r"<ds:Signature .*?</ds:Signature>", "", suite.text(base), flags=re.S)
        suite.add(["DSIG-1", "DSIG-28"], base.lower(), text, "signature.missing", base=base)
    b3 = suite.text("B3")
    outer = signature_of(b3)
    suite.add("DSIG-1", "b3-outer", splice(b3, outer, ""), base="B3", claims=claims(), kept=True,
              note="what is left still covers the whole assertion")
    rest = splice(b3, outer, "")
    suite.add("DSIG-1", "b3-inner", splice(b3, signature_of(rest), ""), MISMATCH, base="B3",
              note="the Response's digest covers the assertion's signature")
    unsigned = suite.text("B4u").replace("@SLOT@", "")
    suite.add("DSIG-1", "b4", re.sub(r"<ds:Signature .*?</ds:Signature>", "", suite.text("B4"),
              count=1, flags=re.S), base="B4", claims=claims(),
              note="the assertion inside has a signature of its own")


def parts_of_it(suite, p):
    s, info = p.s, part(p.s, "ds:SignedInfo")
    value = part(s, "ds:SignatureValue")
    dvalue = part(s, "ds:DigestValue")

    def changed(entry, name, new_s, code, text=None, kept=False, **more):
        suite.add(entry, name, splice(text or p.b1, s, new_s), code, kept=kept, **more)

    for name, new, code in [
            ("hollow", f'<ds:Signature xmlns:ds="{DS}"/>', STRUCTURE),
            ("no-signed-info", splice(s, info, ""), STRUCTURE),
            ("no-value", splice(s, value, ""), STRUCTURE),
            ("value-empty", splice(s, value, "<ds:SignatureValue/>"), VALUE),
            ("value-blank", splice(s, value, "<ds:SignatureValue> \n\t</ds:SignatureValue>"), VALUE),
            ("digest-empty", splice(s, dvalue, "<ds:DigestValue/>"), DIGEST),
            ("digest-blank", splice(s, dvalue, "<ds:DigestValue> \n</ds:DigestValue>"), DIGEST),
            ("method-no-name", splice(s, f' Algorithm="{METHODS["rsa-sha256"]}"', ""), STRUCTURE),
            ("digest-no-name", splice(s, f' Algorithm="{DIGESTS["sha256"]}"', ""), STRUCTURE),
            ("transforms-empty", splice(s, transform(ENVELOPED) + transform(EXC), ""), STRUCTURE),
            ("text", splice(s, "<ds:SignedInfo>", "text<ds:SignedInfo>"), "xml.unexpected-text")]:
        changed("DSIG-2", name, new, code)
    for name, namespace in [("no-hash", DS[:-1]), ("slash", DS + "/"),
                            ("xmldsig11", "http://www.w3.org/2009/xmldsig11#"),
                            ("more", MORE)]:
        changed("DSIG-3", name, splice(s, f'xmlns:ds="{DS}"', f'xmlns:ds="{namespace}"'),
                "signature.missing")
    changed("DSIG-3", "none", s.replace("ds:", "").replace("xmlns:ds=", "xmlns:q="),
            "signature.missing")
    for name in ("SignedInfo", "SignatureValue", "DigestValue", "Reference", "SignatureMethod"):
        element = part(s, f"ds:{name}") if name != "SignatureMethod" else part(s, "ds:SignatureMethod")
        new = element.replace(f"<ds:{name}", f'<q:{name} xmlns:q="urn:q"', 1).replace(
            f"</ds:{name}>", f"</q:{name}>")
        changed("DSIG-3", f"mixed-{name.lower()}", splice(s, element, new), STRUCTURE)
    # Two SignedInfo in the Signature of a forged assertion.
    evil = forged("_a", SLOT)
    forged_info = splice(info, dvalue, f"<ds:DigestValue>{digest(forged('_a'))}</ds:DigestValue>")
    for name, new in [("forged-first", forged_info + info), ("forged-last", info + forged_info),
                      ("apart", None)]:
        new_s = splice(s, info, new) if new else splice(s, value, value + forged_info)
        suite.add("DSIG-4", name, p.head + evil.replace(SLOT, new_s) + p.tail, STRUCTURE)
    changed("DSIG-4", "twice", splice(s, info, info + info), STRUCTURE)
    for name, inner, code in [
            ("object", f"<ds:Object>{forged_info}</ds:Object>", STRUCTURE),
            ("unknown", f"<ds:Unknown>{forged_info}</ds:Unknown>", STRUCTURE),
            ("key-info", f"<ds:KeyInfo>{forged_info}</ds:KeyInfo>", MISMATCH)]:
        suite.add("DSIG-5", name, p.head + evil.replace(SLOT, splice(
            s, "</ds:Signature>", inner + "</ds:Signature>")) + p.tail, code,
            note="KeyInfo is never looked into" if name == "key-info" else "")
    # What else stands in an element of base64.
    genuine, other = dvalue[len("<ds:DigestValue>"):-len("</ds:DigestValue>")], digest(forged("_a"))
    signature_value = value[len("<ds:SignatureValue>"):-len("</ds:SignatureValue>")]
    evil_b1 = p.head + forged("_a", s) + p.tail
    for name, new, code, control in [
            ("comment", f"<!--{other}-->{genuine}", DIGEST, False),
            ("comment-behind", f"{genuine}<!--{other}-->", DIGEST, False),
            ("comment-inside", f"{genuine[:9]}<!--{other}-->{genuine[9:]}", DIGEST, False),
            ("cdata", f"<![CDATA[{genuine[:9]}]]>{genuine[9:]}", MISMATCH, True),
            ("instruction", f"<?x {other}?>{genuine}", DIGEST, False),
            ("element", f"<x>{other}</x>{genuine}", DIGEST, False),
            ("both", f"{other}{genuine}", DIGEST, False)]:
        new = f"<ds:DigestValue>{new}</ds:DigestValue>"
        suite.add("DSIG-6", f"digest-{name}", splice(evil_b1, dvalue, new), code,
                  note="the digest of the forged content where a careless reader finds it")
        if control:
            suite.add("DSIG-6", f"digest-{name}-control", splice(p.b1, dvalue, new), kept=True,
                      claims=claims(), note="over genuine content it changes nothing")
    for name, new, code in [
            ("comment", f"<!--AAAA-->{signature_value}", VALUE),
            ("cdata", f"<![CDATA[{signature_value[:9]}]]>{signature_value[9:]}", None),
            ("instruction", f"<?x AAAA?>{signature_value}", VALUE),
            ("element", f"<x>AAAA</x>{signature_value}", VALUE)]:
        suite.add("DSIG-6", f"value-{name}", splice(
            p.b1, value, f"<ds:SignatureValue>{new}</ds:SignatureValue>"), code, kept=not code,
            **({} if code else {"claims": claims()}))
    certificate = "<ds:KeyInfo><ds:X509Data><ds:X509Certificate>{}</ds:X509Certificate>" \
        "</ds:X509Data></ds:KeyInfo></ds:Signature>"
    text = keys.certificate_text("evil-rsa")
    for name, new in [("comment", f"<!--x-->{text}"), ("element", f"<x/>{text}"),
                      ("instruction", f"<?x?>{text}")]:
        suite.add("DSIG-6", f"certificate-{name}", splice(
            p.b1, "</ds:Signature>", certificate.format(new)), kept=True, claims=claims(),
            note="no key comes from there")
    once(suite, p)


def once(suite, p):
    """DSIG-7: what is there once, twice; and signed like this by the issuer."""
    method = f'<ds:CanonicalizationMethod Algorithm="{EXC}"></ds:CanonicalizationMethod>'
    algorithm = f'<ds:SignatureMethod Algorithm="{METHODS["rsa-sha256"]}"></ds:SignatureMethod>'
    dmethod = f'<ds:DigestMethod Algorithm="{DIGESTS["sha256"]}"/>'
    steps = f"<ds:Transforms>{transform(ENVELOPED)}{transform(EXC)}</ds:Transforms>"
    for name, old, new in [
            ("two-methods", method, method + method), ("two-algorithms", algorithm, algorithm * 2),
            ("two-digest-methods", dmethod, dmethod * 2), ("two-transforms", steps, steps * 2),
            ("order-methods", method + algorithm, algorithm + method),
            ("order-digest", dmethod + "<ds:DigestValue>@D@</ds:DigestValue>",
             "<ds:DigestValue>@D@</ds:DigestValue>" + dmethod),
            ("order-transforms", steps + dmethod, dmethod + steps),
            ("child-info", "</ds:SignedInfo>", "<x/></ds:SignedInfo>"),
            ("child-reference", "</ds:Reference>", "<x/></ds:Reference>"),
            ("child-transforms", "</ds:Transforms>", "<x/></ds:Transforms>"),
            ("child-digest-method", dmethod, dmethod[:-2] + "><x/></ds:DigestMethod>"),
            ("child-algorithm", "</ds:SignatureMethod>", "<x/></ds:SignatureMethod>"),
            ("attribute-method", "<ds:CanonicalizationMethod ",
             '<ds:CanonicalizationMethod Id="x" '),
            ("attribute-foreign", "<ds:SignatureMethod ", '<ds:SignatureMethod xmlns:e="urn:e" '
             f'e:Algorithm="{METHODS["rsa-sha512"]}" '),
            ("attribute-foreign-digest", "<ds:DigestMethod ", '<ds:DigestMethod xmlns:e="urn:e" '
             f'e:Algorithm="{DIGESTS["sha512"]}" '),
            ("attribute-foreign-transform", f'<ds:Transform Algorithm="{EXC}"',
             f'<ds:Transform xmlns:e="urn:e" e:Algorithm="{INC}" Algorithm="{EXC}"'),
            ("attribute-foreign-uri", '<ds:Reference URI="#_a"',
             '<ds:Reference xmlns:e="urn:e" e:URI="#_r" URI="#_a"'),
            ("attribute-foreign-alone", f'<ds:SignatureMethod Algorithm="{METHODS["rsa-sha256"]}"',
             f'<ds:SignatureMethod xmlns:e="urn:e" e:Algorithm="{METHODS["rsa-sha256"]}"')]:
        suite.add("DSIG-7", name, by_hand(mutate=[(old, new)]), STRUCTURE,
                  note="signed like this by the issuer")
    two_digests = by_hand(digests=["A" * 43 + "=", "A" * 43 + "="], mutate=[(
        "<ds:DigestValue>@D@</ds:DigestValue>", "<ds:DigestValue>@D@</ds:DigestValue>" * 2)])
    suite.add("DSIG-7", "two-digests", two_digests, STRUCTURE)
    value = part(p.s, "ds:SignatureValue")
    info = part(p.s, "ds:SignedInfo")
    key_info = "<ds:KeyInfo><ds:KeyName>k</ds:KeyName></ds:KeyInfo>"
    for name, new in [
            ("two-values", splice(p.s, value, value * 2)),
            ("value-first", splice(splice(p.s, value, ""), info, value + info)),
            ("two-key-infos", splice(p.s, "</ds:Signature>", key_info * 2 + "</ds:Signature>")),
            ("key-info-first", splice(p.s, "<ds:SignedInfo>", key_info + "<ds:SignedInfo>")),
            ("key-info-between", splice(p.s, value, key_info + value)),
            ("foreign-child", splice(p.s, "</ds:Signature>", "<x/></ds:Signature>"))]:
        suite.add("DSIG-7", name, splice(p.b1, p.s, new), STRUCTURE, kept=name != "two-values")


def algorithms(suite):
    legacy, unknown, digest_ = "algorithm.legacy", "algorithm.signature", "algorithm.digest"
    for name, method, code in [
            ("dsa-sha1", DS + "dsa-sha1", unknown), ("rsa-md5", MORE + "rsa-md5", unknown),
            ("rsa-ripemd160", MORE + "rsa-ripemd160", unknown)]:
        suite.add("DSIG-8", name, by_hand(method=method), code)
    for name, method, hash_ in [("both", "rsa-sha1", "sha1"), ("value", "rsa-sha1", "sha256"),
                                ("digest", "rsa-sha256", "sha1")]:
        text = signed(response(), method=method, digest=hash_)
        allow = (["rsa-sha1"] if method == "rsa-sha1" else []) + (["sha1"] if hash_ == "sha1"
                                                                  else [])
        suite.add("DSIG-8", f"sha1-{name}", text, legacy)
        suite.add("DSIG-8", f"sha1-{name}-allowed", text, claims=claims(), allow=allow,
                  note="allowed by name")
        if len(allow) == 2:
            suite.add("DSIG-8", f"sha1-{name}-half-sha1", text, legacy, allow=["sha1"])
            suite.add("DSIG-8", f"sha1-{name}-half-rsa-sha1", text, claims=claims(),
                      allow=["rsa-sha1"], note="the algorithm brings its digest")
    for name in ("md5", "ripemd160"):
        suite.add("DSIG-8", f"digest-{name}", by_hand(digest=MORE + name), digest_)
    rsa = METHODS["rsa-sha256"]
    for name, uri in [
            ("space", rsa + " "), ("slash", rsa + "/"), ("upper", rsa.upper()),
            ("case", rsa.replace("rsa-", "RSA-")), ("evil", "http://evil/#rsa-sha256"),
            ("urn", "urn:rsa-sha256"), ("empty", ""), ("https", rsa.replace("http", "https")),
            ("long", rsa + "a" * 100_000), ("substring", "urn:x:sha512"),
            ("fragment", "#rsa-sha256"), ("escaped", rsa.replace("-sha", "%2Dsha"))]:
        suite.add("DSIG-9", f"method-{name}", by_hand(method=uri), unknown, runs=["a"])
    for name, uri in [
            ("xmldsig-sha256", DS + "sha256"), ("more-sha256", MORE + "sha256"),
            ("more-sha512", MORE + "sha512"), ("space", DIGESTS["sha256"] + " "),
            ("slash", DIGESTS["sha256"] + "/"), ("upper", DIGESTS["sha256"].upper()),
            ("evil", "http://evil/#sha256"), ("urn", "urn:sha256"), ("empty", ""),
            ("substring", "urn:x:sha512"), ("rsa", rsa)]:
        suite.add("DSIG-9", f"digest-{name}", by_hand(digest=uri), digest_)
    pss = "http://www.w3.org/2007/05/xmldsig-more#"
    for name, uri, code in [
            ("none", "none", unknown), ("c14n", EXC, unknown), ("digest", DIGESTS["sha256"], unknown),
            ("rsa-pss-parameters", pss + "rsa-pss", unknown),
            ("md5-mgf1", pss + "md5-rsa-MGF1", unknown),
            ("sha1-mgf1", pss + "sha1-rsa-MGF1", legacy),
            ("ecdsa", METHODS["ecdsa-sha256"], "algorithm.key-mismatch")]:
        suite.add("DSIG-10", name, by_hand(method=uri), code)
    certificate = keys.certificate("idp-rsa")
    public = certificate.public_key()
    pem = certificate.public_bytes(Encoding.PEM)
    number = public.public_numbers().n
    info = PublicFormat.SubjectPublicKeyInfo
    for name, secret in [
            ("der", certificate.public_bytes(Encoding.DER)),
            ("base64", keys.certificate_text("idp-rsa").encode()), ("pem", pem),
            ("pem-trimmed", pem.strip()), ("spki", public.public_bytes(Encoding.DER, info)),
            ("spki-pem", public.public_bytes(Encoding.PEM, info)),
            ("pkcs1", public.public_bytes(Encoding.DER, PublicFormat.PKCS1)),
            ("modulus", number.to_bytes(256, "big"))]:
        suite.add("DSIG-11", f"sha256-{name}", by_hand(secret, method="hmac-sha256"),
                  "algorithm.key-mismatch", note="the public key as the secret of a MAC")
        suite.add("DSIG-11", f"sha1-{name}", by_hand(secret, method=DS + "hmac-sha1"),
                  "algorithm.key-mismatch")
    for number in ("0", "1", "8", "80", "127", "-8", "1000000000", "256", "255", "x"):
        suite.add("DSIG-12", f"length-{number}", by_hand(
            keys.SWT_KEY, method="hmac-sha256",
            parameters=f"<ds:HMACOutputLength>{number}</ds:HMACOutputLength>"),
            "signature.hmac-output-length")
    suite.add("DSIG-12", "two", by_hand(
        keys.SWT_KEY, method="hmac-sha256", parameters="<ds:HMACOutputLength>8"
        "</ds:HMACOutputLength><ds:HMACOutputLength>256</ds:HMACOutputLength>"),
        "signature.hmac-output-length")


def values(suite, p):
    value = part(p.s, "ds:SignatureValue")
    text = value[len("<ds:SignatureValue>"):-len("</ds:SignatureValue>")]
    raw = base64.b64decode(text)
    dvalue = part(p.s, "ds:DigestValue")
    dtext = dvalue[len("<ds:DigestValue>"):-len("</ds:DigestValue>")]
    draw = base64.b64decode(dtext)
    b64 = lambda octets: base64.b64encode(octets).decode()  # noqa: E731
    # Digests are covered by SignedInfo: these are signed by the issuer.
    for name, new in [("half", draw[:16]), ("byte", draw[:1]), ("zeros", draw + bytes(32)),
                      ("zero", draw + b"\0"), ("short", draw[:31])]:
        suite.add("DSIG-13", f"digest-{name}", by_hand(digests=[b64(new)]), DIGEST)
    for name, new in [("other", bytes(32)), ("first-byte", bytes([draw[0] ^ 1]) + draw[1:]),
                      ("last-byte", draw[:31] + bytes([draw[31] ^ 1])),
                      ("empty-input", base64.b64decode(EMPTY["sha256"]))]:
        suite.add("DSIG-13", f"digest-{name}", by_hand(digests=[b64(new)]), MISMATCH)
    suite.add("DSIG-13", "digest-sha1", by_hand(digests=[b64(draw[:20])]), DIGEST,
              note="20 bytes under the name of SHA-256")
    for name, new in [("first-16", raw[:16]), ("byte", raw[:1]), ("cut", raw[:-1]),
                      ("zero-behind", raw + b"\0"), ("zero-before", b"\0" + raw),
                      ("twice", raw + raw), ("zeros", bytes(256)), ("digest", draw)]:
        suite.add("DSIG-13", f"value-{name}", splice(p.b1, text, b64(new)), INVALID)
    standard = text
    trailing = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    bits = lambda old: old.rstrip("=")[:-1] + trailing[  # noqa: E731
        trailing.index(old.rstrip("=")[-1]) + 1] + "=" * (len(old) - len(old.rstrip("=")))
    assert set("+/") & set(standard)
    for name, new in [
            ("no-break-space", standard[:9] + "\u00a0" + standard[9:]),
            ("url", standard.replace("+", "-").replace("/", "_")),
            ("no-padding", standard.rstrip("=")), ("padding", standard + "===="),
            ("one-more", standard + "="), ("bits", bits(standard)),
            ("hyphen", standard[:100] + "-" + standard[101:]), ("text", standard + "AAAA"),
            ("two", standard + standard), ("vertical-tab", standard[:9] + "\u2003" + standard[9:]),
            ("escape", standard.replace("+", "%2B").replace("/", "%2F")),
            ("zero-width", standard[:9] + "\u200b" + standard[9:])]:
        suite.add("DSIG-14", f"value-{name}", splice(p.b1, text, new), VALUE)
    for name, new in [
            ("no-break-space", dtext[:9] + "\u00a0" + dtext[9:]), ("no-padding", dtext.rstrip("=")),
            ("padding", dtext + "===="), ("bits", bits(dtext)), ("text", dtext + "AAAA"),
            ("two", dtext + dtext), ("hyphen", dtext[:10] + "-" + dtext[11:])]:
        suite.add("DSIG-14", f"digest-{name}", by_hand(digests=[new]), DIGEST)
    folded = "\n".join(text[at:at + 64] for at in range(0, len(text), 64))
    for name, new in [("folded", folded), ("tabs", folded.replace("\n", "\n\t  ")),
                      ("references", folded.replace("\n", "&#13;\n"))]:
        suite.add(["DSIG-14", "OK-24"], f"value-{name}", splice(p.b1, text, new), kept=True,
                  claims=claims(), note="white space of XML is skipped")
    ec = signed(response(), key="idp-ec256", method="ecdsa-sha256", signer=sign_by_hand)
    value = part(ec, "ds:SignatureValue")[len("<ds:SignatureValue>"):-len("</ds:SignatureValue>")]
    raw = base64.b64decode(value)
    from ..saml20_attacks import der_signature
    for name, new in [("der-behind", der_signature(raw) + b"\0"), ("long", raw + raw),
                      ("empty-half", raw[:32]), ("rsa-length", bytes(256))]:
        suite.add("DSIG-15", name, splice(ec, value, b64(new)), INVALID,
                  keys=["keys/idp-ec256.crt"])
    for name, old, new, code in [
            ("key-info", "</ds:Signature>", "<ds:KeyInfo><ds:KeyName>x</ds:KeyName></ds:KeyInfo>"
             "</ds:Signature>", None),
            ("id", "<ds:Signature ", '<ds:Signature Id="_s" ', None),
            ("value-id", "<ds:SignatureValue>", '<ds:SignatureValue Id="_v">', None),
            ("space-before", "<ds:SignedInfo>", " \n\t<ds:SignedInfo>", None),
            ("space-between", "</ds:SignedInfo>", "</ds:SignedInfo>\n   ", None),
            ("space-end", "</ds:Signature>", "\n</ds:Signature>", None),
            ("comment", "</ds:SignedInfo>", "</ds:SignedInfo><!-- x -->", None),
            ("object", "</ds:Signature>", "<ds:Object/></ds:Signature>", STRUCTURE)]:
        suite.add("DSIG-25", name, splice(p.b1, old, new), code, kept=True,
                  **({} if code else {"claims": claims()}))
    prefixed = p.s.replace("ds:", "dsig:").replace("xmlns:ds=", "xmlns:dsig=")
    suite.add("DSIG-25", "prefix", splice(p.b1, p.s, prefixed), INVALID,
              note="the prefix is part of SignedInfo")
    suite.add("DSIG-25", "space-inside", splice(p.b1, "<ds:SignedInfo>", "<ds:SignedInfo> "),
              INVALID)
    escaped = p.genuine.replace("&", "&amp;").replace("<", "&lt;")
    for name, new in [("text", escaped), ("cdata", f"<![CDATA[{p.genuine}]]>")]:
        suite.add("DSIG-30", name, p.head + new + p.tail, "xml.unexpected-text")
        suite.add("DSIG-30", f"{name}-extensions", splice(
            p.head, "<samlp:Status>", extensions(new) + "<samlp:Status>") + p.tail,
            "response.no-assertion")


def transforms(suite, p):
    env, exc = transform(ENVELOPED), transform(EXC)
    sheet = ('<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">'
             '<xsl:template match="/">{}</xsl:template></xsl:stylesheet>')
    xslt = lambda body: f'<ds:Transform Algorithm="{XSLT}">{sheet.format(body)}</ds:Transform>'  # noqa: E731
    fetch = '<xsl:copy-of select="document(&apos;http://127.0.0.1:9/&apos;)"/>'
    loop = '<xsl:call-template name="x"/>'
    for name, steps in [("last", env + exc + xslt("x")), ("middle", env + xslt("x") + exc),
                        ("fetch", env + xslt(fetch)), ("loop", env + xslt(loop)),
                        ("alone", xslt("x"))]:
        suite.add("DSIG-17", name, by_hand(transforms=steps), TRANSFORM)
    suite.add("DSIG-17", "method", by_hand(c14n=XSLT), "algorithm.canonicalization")
    suite.add("DSIG-17", "key-info", splice(p.b1, "</ds:Signature>", (
        f'<ds:KeyInfo><ds:RetrievalMethod URI="http://127.0.0.1:9/"><ds:Transforms>'
        f"{xslt(fetch)}</ds:Transforms></ds:RetrievalMethod></ds:KeyInfo></ds:Signature>")),
        kept=True, claims=claims(), note="KeyInfo is never looked into")
    xpath = (f'<ds:Transform Algorithm="{XPATH}"><ds:XPath>not(ancestor-or-self::saml:Subject)'
             "</ds:XPath></ds:Transform>")
    wss = ("http://docs.oasis-open.org/wss/2004/01/"
           "oasis-200401-wss-soap-message-security-1.0#STR-Transform")
    for name, step in [
            ("xpath", xpath), ("filter2", transform("http://www.w3.org/2002/06/xmldsig-filter2")),
            ("base64", transform(DS + "base64")),
            ("decrypt", transform("http://www.w3.org/2002/07/decrypt#XML")),
            ("str", transform(wss)), ("xpointer", transform("urn:ietf:params:xml:xpointer")),
            ("unknown", transform("urn:example:transform"))]:
        suite.add("DSIG-18", f"{name}-middle", by_hand(transforms=env + step + exc), TRANSFORM)
        suite.add("DSIG-18", f"{name}-first", by_hand(transforms=step + env + exc), TRANSFORM)
    for name, steps in [
            ("three", env + exc + exc), ("five", env + exc * 4), ("hundred", env + exc * 99),
            ("thousands", env + exc * 5000), ("enveloped-twice", env + env + exc),
            ("c14n-twice", env + exc + transform(INC)), ("c14n-first", exc + env),
            ("enveloped-last", exc + env)][:7]:
        suite.add("DSIG-19", name, by_hand(transforms=steps), TRANSFORM, runs=[exc])
    for name, steps in [("c14n-alone", exc), ("inclusive-alone", transform(INC)), ("none", "")]:
        suite.add("DSIG-20", name, by_hand(transforms=steps), TRANSFORM)
    ec = f'<ec:InclusiveNamespaces xmlns:ec="{EXC}" PrefixList="xs"/>'
    wrong = '<ec:InclusiveNamespaces xmlns:ec="urn:ec" PrefixList="xs"/>'
    step = lambda uri, inner, more="": f'<ds:Transform Algorithm="{uri}"{more}>{inner}</ds:Transform>'  # noqa: E731
    for name, steps, code in [
            ("enveloped-child", step(ENVELOPED, "<x/>") + exc, TRANSFORM),
            ("enveloped-xpath", step(ENVELOPED, "<ds:XPath>x</ds:XPath>") + exc, TRANSFORM),
            ("two-lists", env + step(EXC, ec + ec), TRANSFORM),
            ("xpath-child", env + step(EXC, "<ds:XPath>x</ds:XPath>"), TRANSFORM),
            ("list-namespace", env + step(EXC, wrong), TRANSFORM),
            ("list-child", env + step(EXC, ec[:-2] + "><x/></ec:InclusiveNamespaces>"), TRANSFORM),
            ("list-inclusive", env + step(INC, ec), TRANSFORM),
            ("attribute", env + step(EXC, "", ' Other="x"'), STRUCTURE),
            ("list-attribute", env + step(EXC, ec[:-2] + ' Other="x"/>'), TRANSFORM)]:
        suite.add("DSIG-21", name, by_hand(transforms=steps), code)
    b3 = suite.text("B3")
    inner = part(b3.split("</ds:Signature>")[1], "ds:SignatureValue")
    suite.add("DSIG-22", "inner-value", splice(b3, inner, flip(inner)), MISMATCH, base="B3",
              note="the assertion's signature is part of what the Response's digest covers")
    nested = assertion(statements=authn() + attributes(attribute(
        "role", "user", f'<saml:AttributeValue>{template(reference("#_z")).replace("@D@", "AAAA").replace("@S@", "AAAA")}</saml:AttributeValue>')))
    unknown = "algorithm.canonicalization"
    for name, uri, code in [
            ("unknown", "urn:example:c14n", unknown), ("base64", DS + "base64", unknown),
            ("enveloped", ENVELOPED, unknown), ("upper", EXC.upper(), unknown),
            ("empty", "", unknown), ("space", EXC + " ", unknown), ("slash", EXC + "/", unknown),
            ("xpath", XPATH, unknown)]:
        suite.add("DSIG-23", name, by_hand(c14n=uri), code)
    suite.add("DSIG-23", "child", by_hand(mutate=[(
        "</ds:CanonicalizationMethod>", "<x/></ds:CanonicalizationMethod>")]), STRUCTURE)
    for name, uri in [("exclusive", EXC + "WithComments"), ("inclusive", INC + "#WithComments"),
                      ("inclusive11", INC11 + "#WithComments")]:
        commented = response(assertion(subject=named(ALICE.replace("@", "<!--x-->@"))))
        suite.add("DSIG-24", f"transform-{name}", signed(
            commented, transforms=env + transform(uri)), claims=claims(),
            note="no comment of what is referred to is digested")
        suite.add("DSIG-24", f"method-{name}", signed(response(), method_c14n=uri),
                  claims=claims())


def canonicalization(suite, p):
    uri = "xml.namespace-uri"
    evil = p.head + forged("_a", p.s) + p.tail
    dvalue = part(p.s, "ds:DigestValue")
    root = "<samlp:Response "
    for name, declaration in [("digit", 'xmlns:q="1"'), ("path", 'xmlns:q="foo/bar"'),
                              ("dot", 'xmlns:q="."'), ("fragment", 'xmlns:q="#x"'),
                              ("query", 'xmlns:q="?x"'), ("slashes", 'xmlns:q="//x/y"')]:
        suite.add("C14N-1", name, splice(p.b1, root, f"{root}{declaration} "), uri)
        for hash_, empty in EMPTY.items():
            text = splice(evil, "<samlp:Status>", extensions(
                f'<ds:DigestValue xmlns:ds="{DS}">{empty}</ds:DigestValue>') + "<samlp:Status>")
            text = splice(text, dvalue, dvalue.replace("<ds:DigestValue>", (
                f"<ds:DigestValue><!--{empty}-->")))
            suite.add("C14N-1", f"{name}-{hash_}", splice(text, root, f"{root}{declaration} "), uri,
                      note="the digest of nothing, for readers that go on after a failure")
    suite.add("C14N-1", "default", splice(p.b1, "<samlp:Status>", extensions(
        '<y xmlns="foo/bar"/>') + "<samlp:Status>"), uri)
    for name, value in [("control", "http://example.com&#x80;"), ("space", "http://exa mple.com"),
                        ("quote", "http://example.com/&quot;"), ("brace", "http://example.com/{x}"),
                        ("non-ascii", "http://ex\u00e4mple.com"), ("tab", "http://x&#9;y"),
                        ("no-scheme", "1http://x"), ("less", "http://x/&lt;")]:
        suite.add("C14N-2", name, splice(p.b1, root, f'{root}xmlns:example="{value}" '), uri)
    for name, mark in [("signature", "<ds:Signature "), ("signed-info", "<ds:SignedInfo"),
                       ("method", "<ds:CanonicalizationMethod ")]:
        suite.add("C14N-3", name, splice(p.b1, mark, f'{mark.rstrip()} xmlns:q="1" '.rstrip()
                                         if mark.endswith("o") else f'{mark}xmlns:q="1" '), uri)
    for name, mark in [("conditions", "<saml:Conditions "), ("attribute", "<saml:Attribute "),
                       ("value", "<saml:AttributeValue")]:
        new = f'{mark} xmlns:q="1"' if not mark.endswith(" ") else f'{mark}xmlns:q="1" '
        suite.add("C14N-4", name, splice(p.b1, mark, new), uri)
        suite.add("C14N-4", f"{name}-forged", splice(evil, mark, new), uri)
    suite.add("C14N-5", "text", f'<!DOCTYPE r [<!ENTITY e "{ALICE}">]>\n'
              + splice(p.b1, ALICE, "&e;"), "xml.doctype")
    suite.add("C14N-5", "no-doctype", splice(p.b1, ALICE, "&e;"), "xml.entity")
    typed = signed(response(assertion(statements=authn() + attributes(attribute(
        "role", f'<saml:AttributeValue xmlns:xsi="{XSI}" xsi:type="xs:string">user'
                "</saml:AttributeValue>"))), namespaces=f'xmlns:samlp="urn:oasis:names:tc:SAML:2.0'
        f':protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" xmlns:xs="{XS}"'))
    suite.add(["C14N-7", "OK-13"], "genuine", typed, kept=True, claims=claims())
    for name, new in [("rebound", 'xmlns:xs="urn:evil"'), ("removed", ""),
                      ("integer", f'xmlns:xs="{XS}-datatypes"'),
                      ("like-saml", 'xmlns:xs="urn:oasis:names:tc:SAML:2.0:assertion"')]:
        suite.add("C14N-7", name, splice(typed, f' xmlns:xs="{XS}"', f" {new}".rstrip()), kept=True,
                  claims=claims(), note="a prefix that only content uses is bound outside")
    prefixes(suite)
    inclusive = signed(response(), c14n=INC)
    both = f"{root.strip()} "
    for name, new, code in [
            ("lang", 'xml:lang="en" ', INVALID), ("base", 'xml:base="http://x/" ', INVALID),
            ("space", 'xml:space="preserve" ', INVALID), ("id", 'xml:id="_x" ', INVALID),
            ("namespace", 'xmlns:q="urn:q" ', INVALID)]:
        suite.add("C14N-9", name, splice(inclusive, both, both + new), code,
                  note="what stands outside is inherited, by SignedInfo first")
        suite.add("C14N-9", f"{name}-exclusive", splice(p.b1, both, both + new), kept=True,
                  claims=claims(), note="exclusive canonicalization inherits nothing")
    suite.add("C14N-9", "control", inclusive, claims=claims())
    for name, old, new in [
            ("recipient", f'Recipient="{ACS}"', 'Recipient="https://evil.example/"'),
            ("recipient-removed", f' Recipient="{ACS}"', ""),
            ("end", 'NotOnOrAfter="2030-01-01T12:05:00Z" InResponseTo',
             'NotOnOrAfter="2031-01-01T12:05:00Z" InResponseTo'),
            ("added", f'Recipient="{ACS}"', f'Recipient="{ACS}" Address="1.2.3.4"'),
            ("index", 'SessionIndex="_s1"', 'SessionIndex="_s2"')]:
        suite.add("C14N-10", name, splice(p.b1, old, new), MISMATCH,
                  note="an attribute of an element without content")
    suite.add("C14N-10", "spelling", splice(p.b1, f'Recipient="{ACS}"', f"Recipient = '{ACS}' "),
              kept=True, claims=claims(), note="other quotes and spaces are the same attribute")
    suite.add("C14N-11", "instruction", splice(p.b1, ALICE, f"<?p not-?>{ALICE}"), MISMATCH)
    suite.add("C14N-11", "instruction-between", splice(p.b1, "</saml:Subject>", (
        "</saml:Subject><?p x?>")), MISMATCH)
    suite.add("C14N-12", "assertion", splice(p.b1, '<saml:Assertion ID="_a"', (
        '<saml:Assertion xmlns:a="urn:q" xmlns:b="urn:q" a:ID="1" b:ID="2" ID="_a"')),
        "xml.namespace")
    suite.add(["C14N-13", "OK-23"], "crlf", p.b1.replace("\n", "\r\n"), claims=claims())
    suite.add(["C14N-13", "OK-23"], "cr", p.b1.replace("\n", "\r"), claims=claims())
    suite.add("C14N-13", "reference", splice(p.b1, ALICE, ALICE + "&#xD;"), MISMATCH)
    suite.add("C14N-13", "attribute", splice(p.b1, f'Recipient="{ACS}"', f'Recipient="{ACS}\n"'),
              MISMATCH)
    suite.add("C14N-13", "attribute-unsigned", splice(
        p.b1, f'Destination="{ACS}"', f'Destination="\t{ACS}\r\n"'), kept=True, claims=claims(),
        note="outside of what is signed, white space around an anyURI collapses")
    suite.add("C14N-14", "fixed", '<!DOCTYPE r [<!ATTLIST saml:Assertion x CDATA #FIXED "y">]>\n'
              + p.b1, "xml.doctype")
    suite.add("C14N-14", "namespace", '<!DOCTYPE r [<!ATTLIST Signature xmlns CDATA #FIXED '
              f'"{DS}">]>\n' + p.b1, "xml.doctype")


def prefixes(suite):
    spaced = response(namespaces='xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" '
                      f'xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" xmlns:xs="{XS}"')
    for name, list_ in [
            ("one", "xs"), ("blank", "  "), ("twice", "xs xs"), ("default", "#default"),
            ("undeclared", "nope xs"), ("spaces", " \t xs\n saml "), ("colon", "a:b xs"),
            ("sixty-four", " ".join(f"p{each}" for each in range(64)))]:
        suite.add("C14N-8", name, signed(spaced, prefixes=list_, signer=sign_by_hand), kept=False,
                  claims=claims(), note="a small list, whatever is in it")
    for name, count in [("sixty-five", 65), ("ten-thousand", 10_000)]:
        suite.add("C14N-8", name, by_hand(prefixes="p " * count), "xml.prefix-list", runs=["p "])
    long = " ".join("p" * 63 for each in range(64)) + " " * 10
    suite.add("C14N-8", "long", by_hand(prefixes=long), "xml.prefix-list")
    for name, attribute_ in [("missing", ""), ("foreign", ' xmlns:e="urn:e" e:PrefixList="xs"')]:
        step = (f'<ds:Transform Algorithm="{EXC}"><ec:InclusiveNamespaces xmlns:ec="{EXC}"'
                f"{attribute_}/></ds:Transform>")
        text = splice(response(), SLOT, template(reference(
            "#_a", transforms=transform(ENVELOPED) + transform(EXC)))).replace(RSLOT, "")
        text = sign_by_hand(text)
        suite.add("C14N-8", name, splice(text, transform(EXC), step), TRANSFORM)
