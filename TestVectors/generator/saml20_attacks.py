"""saml20/: tampering, wrapping, odd references and algorithms, XML that is none."""

import base64
import re

from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from . import keys
from .documents20 import (
    BY_HAND, NAMESPACES, REQUESTER, RSLOT, SAML, SLOT, assertion, attribute, attributes, authn,
    claims, conditions, extensions, issuer, named, part, response, signature_of, signed, status,
    subject)
from .signing import (
    DS, ENVELOPED, EXC, INC, MORE, XPATH, XSLT, reference, sign, sign_by_hand, template,
    transform)
from .world import ACS, ADMIN, ALICE, AT, IDP, IDP_B, IDP_KEY, splice


def stripped_and_tampered(writer, bases):
    plain = bases["plain"]
    mismatch, invalid = "signature.digest-mismatch", "signature.invalid"

    def bad(name, text, code, attack=(), note="", **more):
        writer.add(name, text, code, attack=attack, note=note, **more)

    for base in ("B1", "B2"):
        text = bases[base]
        bad(f"unsigned-{base.lower()}", splice(text, signature_of(text), ""), "signature.missing",
            "DSIG-1", "the signature taken out")
    bad("unsigned-b3", re.sub(r"\s*<ds:Signature .*?</ds:Signature>", "", bases["B3"], flags=re.S),
        "signature.missing", "DSIG-1")
    moved = part(bases["B2"], "saml:Assertion")
    bad("assertion-lifted-out", response(moved, slot=""), "signature.missing", "XSW-34",
        "the unsigned assertion of a signed Response in a fresh one")
    evil = signed(response(assertion(subject=named(ADMIN))), key="evil-rsa",
                  certificate="evil-rsa")
    bad("key-evil", evil, invalid, ["KEY-1", "KEY-2"],
        "signed by the attacker, whose certificate looks alike")
    bad("key-value", splice(
        evil, part(evil, "ds:X509Data"), "<ds:KeyValue><ds:RSAKeyValue><ds:Modulus>"
        + modulus("evil-rsa") + "</ds:Modulus><ds:Exponent>AQAB</ds:Exponent></ds:RSAKeyValue>"
        "</ds:KeyValue>"), invalid, "KEY-3")
    bad("key-other-issuer", signed(response(), key="other-rsa"), invalid, ["KEY-10", "XSW-35"],
        "signed by another identity provider")
    bad("key-trusted-other", plain, invalid, "KEY-10", "another key is trusted",
        keys=["keys/other-rsa.crt"], signed=True)
    bad("key-hmac-only", plain, "key.none", "KEY-10", "only a secret is trusted",
        keys=["hmac-file:keys/acs.key"], signed=True)
    bad("tampered-name", splice(plain, ALICE, ADMIN), mismatch, note="NameID replaced")
    bad("tampered-role", splice(plain, ">user<", ">admin<"), mismatch)
    bad("tampered-recipient", splice(
        plain, f'Recipient="{ACS}"', 'Recipient="https://evil.example/"'), mismatch, "C14N-10",
        "an attribute of an empty element")
    bad("tampered-space", splice(plain, "</saml:Subject>\n", "</saml:Subject>\n "), mismatch,
        note="white space between elements is signed")
    bad("tampered-response", splice(bases["B2"], ALICE, ADMIN), mismatch, note="B2, NameID")
    bad("tampered-destination", splice(bases["B2"], f'Destination="{ACS}"',
                                       'Destination="https://rp.example/acs2"'), mismatch)
    bad("tampered-carriage-return", splice(plain, ALICE, ALICE + "&#xD;"), mismatch, "C14N-13")
    bad("tampered-instruction", splice(plain, ALICE, f"<?p not-?>{ALICE}"), mismatch, "CMT-5")
    bad("tampered-advice", splice(plain, "</saml:Conditions>", "</saml:Conditions><saml:Advice>"
        + assertion(id="_adv", subject=named(ADMIN), slot="") + "</saml:Advice>"), mismatch,
        "XSW-24")
    bad("tampered-inclusive", splice(signed(response(), c14n=INC), "<samlp:Response ",
                                     '<samlp:Response xml:lang="en" '), invalid, "C14N-9",
        "inclusive canonicalization inherits xml:lang, in SignedInfo first of all")
    bad("tampered-inclusive-namespace", splice(
        signed(response(), c14n=INC), "<samlp:Response ", '<samlp:Response xmlns:q="urn:q" '),
        invalid, "C14N-9")
    bad("tampered-namespaced-id", splice(
        plain, '<saml:Assertion ID="_a"', '<saml:Assertion xmlns:e="urn:e" e:ID="_x" ID="_a"'),
        mismatch, "REF-12")
    bad("tampered-inner-signature", change_value(bases["B3"], 1), mismatch, "DSIG-22",
        "B3: one bit of the assertion's signature value, which the Response's digest covers")
    bad("tampered-b3-response", change_value(bases["B3"], 0), invalid, "XSW-30",
        "B3: the Response's signature value")
    inner = splice(response(), SLOT, template(reference("#_a")))
    inner = change_value(sign(inner.replace(RSLOT, "")), 0)
    at = inner.index("</saml:Issuer>") + len("</saml:Issuer>")
    outer = sign(inner[:at] + template(reference("#_r")) + inner[at:])
    bad("assertion-signature-broken", outer, invalid, "XSW-30",
        "the Response is signed over a broken assertion signature")
    bad("tampered-value", change_value(plain, 0), invalid, note="one byte of the signature value")
    bad("tampered-method", splice(plain, MORE + "rsa-sha256", MORE + "rsa-sha512"), invalid,
        note="SignedInfo changed")
    digest = re.search("<ds:DigestValue>([^<]+)<", plain).group(1)
    other = base64.b64encode(bytes(32)).decode()
    bad("tampered-digest", splice(plain, digest, other), invalid,
        note="SignedInfo changed: the digest")
    bad("digest-comment", splice(splice(plain, ALICE, ADMIN), digest, f"<!--{other}-->{digest}"),
        "signature.digest-value", "DSIG-6", "a comment in DigestValue, forged content")
    bad("digest-element", splice(plain, digest, f"<x/>{digest}"), "signature.digest-value", "DSIG-6")
    bad("digest-empty", splice(plain, digest, ""), "signature.digest-value", "DSIG-2")
    bad("digest-short", splice(plain, digest, base64.b64encode(
        base64.b64decode(digest)[:16]).decode()), "signature.digest-value", "DSIG-13")
    bad("digest-no-base64", splice(plain, digest, digest[:-1] + "*"), "signature.digest-value",
        "DSIG-14")
    value = re.search("<ds:SignatureValue>([^<]+)<", plain).group(1)
    for name, new, ids in [
            ("empty", "", "DSIG-2"), ("blank", " \n ", "DSIG-2"),
            ("no-padding", value.rstrip("="), "DSIG-14"), ("padding", value + "====", "DSIG-14"),
            ("no-break-space", value[:9] + "\u00a0" + value[9:], "DSIG-14"),
            ("hyphen", value[:8] + "-" + value[9:], "DSIG-14"), ("text", value + "AAAA", "DSIG-14"),
            ("mixed", f"{value[:9]}<x/>{value[9:]}", "XSW-15")]:
        bad(f"value-{name}", splice(plain, value, new), "signature.value", ids)
    raw = base64.b64decode(value)
    for name, new in [
            ("cut", raw[:-1]), ("zero-before", b"\0" + raw), ("zero-behind", raw + b"\0")]:
        bad(f"value-{name}", splice(plain, value, base64.b64encode(new).decode()),
            invalid, ["DSIG-13", "CRY-1"], "the length does not fit the key")


def modulus(name):
    number = keys.private(name).public_key().public_numbers().n
    return base64.b64encode(number.to_bytes((number.bit_length() + 7) // 8, "big")).decode()


def change_value(text, number):
    """Turns one bit in the signature value with this number."""
    found = list(re.finditer("<ds:SignatureValue>([^<]+)<", text))[number]
    raw = bytearray(base64.b64decode(found.group(1)))
    raw[len(raw) // 2] ^= 1
    return text[:found.start(1)] + base64.b64encode(raw).decode() + text[found.end(1):]


def wrapping(writer, bases):
    """XSW: genuine parts, moved. The names of the shapes are those of "On Breaking SAML" (2012) and its followers."""
    b1, b2, b11 = bases["plain"], bases["B2"], bases["B11"]
    genuine = part(b1, "saml:Assertion")
    s = signature_of(b1)
    cut = splice(genuine, s, "")
    whole = part(b2, "samlp:Response").rstrip()
    rs = signature_of(b2)
    rcut = splice(whole, rs, "")
    head = b1[:b1.index(genuine)]
    tail = b1[b1.index(genuine) + len(genuine):]
    assert head + genuine + tail == b1

    def forged(id="_evil", slot="", advice="", end=""):
        text = assertion(id=id, subject=named(ADMIN), statements=authn() + attributes(
            attribute("role", "admin")), slot=slot, advice=advice)
        return text.removesuffix("\n  </saml:Assertion>") + end + "\n  </saml:Assertion>"

    def outer(inner, id="_evil"):
        """A forged Response with parts of B2 behind its Issuer."""
        return response(forged("_evil_a"), id=id, slot=inner)

    def bad(name, text, code, attack, note="", in_place=False):
        # Control: SignedInfo and value of one genuine signature are there, byte for byte, and
        # (but where the content is forged in place) so is what it signed.
        kept = [each for each in (s, rs, signature_of(b11)) if part(each, "ds:SignedInfo") in text
                and part(each, "ds:SignatureValue") in text]
        if not kept or not (in_place or any(each in text for each in (genuine, cut, whole, rcut))):
            raise ValueError(f"{name}: nothing genuine is left")
        writer.add(f"xsw-{name}", text, code, attack=attack, note=note)

    several = "response.several-assertions"
    duplicate = "xml.duplicate-id"
    unexpected = "xml.unexpected-element"
    structure = "signature.structure"
    bad("1", outer(splice(rs, "</ds:Signature>", rcut + "</ds:Signature>")), structure, "XSW-1",
        "the genuine Response inside its own Signature")
    bad("2", outer(rcut + rs), unexpected, "XSW-2",
        "the genuine Response beside its Signature")
    bad("3", head + forged() + genuine + tail, several, "XSW-3")
    bad("3-after", head + genuine + forged() + tail, several, "XSW-3")
    bad("3-same-id", head + forged("_a") + genuine + tail, duplicate, "XSW-3")
    bad("4", head + forged(end=genuine) + tail, "signature.misplaced", "XSW-4",
        "the genuine assertion nested in the forged one")
    bad("5", head + forged(slot=s) + cut + tail, several, "XSW-5")
    bad("6", head + forged(slot=splice(s, "</ds:Signature>", cut + "</ds:Signature>")) + tail,
        structure, "XSW-6")
    bad("7", splice(b1, "<samlp:Status>", extensions(forged("_a")) + "<samlp:Status>"), duplicate,
        "XSW-7", "a forged assertion in Extensions, equal IDs")
    writer.add("xsw-7-new-id", splice(b1, "<samlp:Status>", extensions(forged())
                                      + "<samlp:Status>"), claims=claims(), attack="XSW-7",
               note="a forged assertion in Extensions is not read")
    in_object = splice(s, "</ds:Signature>", f"<ds:Object>{cut}</ds:Object></ds:Signature>")
    bad("8", head + forged("_a", in_object) + tail, duplicate, "XSW-8", "equal IDs")
    bad("8-new-id", head + forged("_evil", in_object) + tail, structure, "XSW-8")
    bad("9", head + forged("_evil", s) + "\n  " + cut + tail, several, "XSW-9")
    bad("10", head + forged("_evil", s) + f"<foo>{cut}</foo>" + tail, unexpected, "XSW-10")
    bad("10-namespace", head + forged("_evil", s) + f'<x:foo xmlns:x="urn:x">{cut}</x:foo>' + tail,
        unexpected, "XSW-10")
    bad("11", outer("", id="_r").replace(
        "</samlp:Status>", f"<samlp:StatusDetail>{whole}</samlp:StatusDetail></samlp:Status>", 1),
        duplicate, "XSW-11", "the genuine Response in StatusDetail, equal IDs")
    bad("11-new-id", outer("", id="_new").replace(
        "</samlp:Status>", f"<samlp:StatusDetail>{whole}</samlp:StatusDetail></samlp:Status>", 1),
        "signature.misplaced", "XSW-11")
    evil = forged("_a", s)
    digest = "<ds:DigestValue xmlns:ds=\"" + DS + "\">" + base64.b64encode(bytes(32)).decode() + \
        "</ds:DigestValue>"
    bad("13", head.replace("<samlp:Status>", extensions(digest) + "<samlp:Status>") + evil + tail,
        "signature.digest-mismatch", "XSW-13", "a smuggled DigestValue", in_place=True)
    twin = signature_of(b11).strip()
    twin_value = re.search("<ds:SignatureValue>[^<]+</ds:SignatureValue>", twin).group(0)
    bad("14", splice(b11, twin, twin + f'<ds:Signature xmlns:ds="{DS}">{twin_value}<ds:Object>'
                     + forged() + "</ds:Object></ds:Signature>"), "signature.repeated", "XSW-14",
        "a second Signature with the same value", in_place=True)
    bad("15-object", splice(
        b11, "</ds:Signature>", f"<ds:Object>{forged()}</ds:Object></ds:Signature>"),
        "response.status", "XSW-15", "every signature in it verifies", in_place=True)
    bad("15-child", splice(b11, "</ds:Signature>", f"{forged()}</ds:Signature>"),
        "response.status", "XSW-15", "every signature in it verifies", in_place=True)
    b2 = bases["B2"]
    bad("15-b2-object", splice(
        b2, "</ds:Signature>", f"<ds:Object>{forged()}</ds:Object></ds:Signature>"), structure,
        "XSW-15", "every signature in it verifies", in_place=True)
    bad("15-b2-child", splice(b2, "</ds:Signature>", f"{forged()}</ds:Signature>"), structure,
        "XSW-15", "every signature in it verifies", in_place=True)
    bad("18-extensions", splice(splice(b1, s, ""), "<samlp:Status>", extensions(s)
                                + "<samlp:Status>"), "signature.misplaced", "XSW-18")
    bad("18-attribute", splice(splice(b1, s, ""), ">user<", f">{s}<"), "signature.misplaced",
        "XSW-18", in_place=True)
    bad("19", head.replace("</saml:Issuer>", "</saml:Issuer>" + s, 1) + cut + tail,
        "signature.reference-uri", "XSW-19", "the Response carries the assertion's signature")
    bad("21", head + genuine + "\n  " + part(signed(response(assertion(id="_a2")), "_a2"),
                                             "saml:Assertion") + tail, several, "XSW-21",
        "two genuine assertions")
    encrypted = "<saml:EncryptedAssertion/>"
    bad("23", head + genuine + encrypted + tail, several, "XSW-23",
        "a plain and an (empty) encrypted assertion")
    bad("25", splice(head, "<samlp:Status>", extensions(cut) + "<samlp:Status>") + evil + tail,
        duplicate, "XSW-25")
    bad("26-root", f'<x xmlns="urn:x">{b1}</x>', "xml.unexpected-root", "XSW-26")
    bad("26-logout", f'<samlp:LogoutRequest {NAMESPACES} ID="_x" Version="2.0" IssueInstant="{AT}">'
        f"{issuer()}<saml:NameID>{ADMIN}</saml:NameID>{genuine}</samlp:LogoutRequest>",
        "xml.unexpected-root", "XSW-17")
    bad("27", head + genuine + attributes(attribute("role", "admin")) + tail, unexpected,
        "XSW-27", "an unsigned AttributeStatement beside the assertion")
    bad("28", f'<ds:Signature xmlns:ds="{DS}"><ds:Object Id="_o">{b1}</ds:Object></ds:Signature>',
        "xml.unexpected-root", "XSW-28", "an enveloping form")
    bad("29", splice(b1, s, s + s), "signature.repeated", "XSW-29", in_place=True)
    bad("31", splice(b1, 'ID="_r"', 'ID="_a"'), duplicate, "XSW-31")
    bad("32", head + '<e:Assertion xmlns:e="urn:evil" ID="_e"/>' + genuine + tail, unexpected,
        "XSW-32")
    bad("32-slash", splice(b1, f'xmlns:saml="{SAML}"', f'xmlns:saml="{SAML}/"'), unexpected,
        ["XSW-32", "XML-17"])
    writer.add("xsw-32-signature", splice(
        b1, f'<ds:Signature xmlns:ds="{DS}">', '<ds:Signature xmlns:ds="urn:evil">'),
        "signature.missing", attack=["XSW-32", "DSIG-3"], note="Signature in another namespace")
    writer.add("xsw-escaped", head + genuine.replace("&", "&amp;").replace("<", "&lt;") + tail,
               "xml.unexpected-text", attack="DSIG-30", note="the assertion as text")

    # XSW-33: what may stand once, in an unsigned Response.
    one = status()
    for name, old, new, code in [
            ("two-issuers", "</saml:Issuer>\n  <samlp:Status>",
             f"</saml:Issuer>{issuer()}\n  <samlp:Status>", "xml.repeated-element"),
            ("two-status", one, one + one, "xml.repeated-element"),
            ("two-status-codes", one, splice(one, "</samlp:Status>",
             f'<samlp:StatusCode Value="{REQUESTER}"/></samlp:Status>'), "xml.repeated-element"),
            ("no-status", one, "", "xml.missing-element"),
            ("no-status-code", one, "<samlp:Status/>", "xml.missing-element"),
            ("no-status-value", one, "<samlp:Status><samlp:StatusCode/></samlp:Status>",
             "xml.missing-attribute"),
            ("text", one, one + "text", "xml.unexpected-text")]:
        writer.add(f"message-{name}", splice(b1, old, new), code, attack=["XSW-33", "SEM-1"])
    writer.add("message-status-last", splice(splice(b1, one, ""), tail, one + tail),
               "xml.unexpected-element", attack="XSW-33", note="Status behind the assertion")
    for name, parts in [
            ("two-subjects", {"subject": subject() + named(ADMIN)}),
            ("two-names", {"subject": subject(
                f"<saml:NameID>{ALICE}</saml:NameID><saml:NameID>{ADMIN}</saml:NameID>")}),
            ("two-conditions", {"conditions": conditions() + conditions()}),
            ("two-assertion-issuers", {"issuer": issuer() + issuer(IDP_B)})]:
        writer.add(f"message-{name}", signed(response(assertion(**parts))),
                   "xml.repeated-element", attack="XSW-33", signed=True,
                   note="signed like this by the issuer")
    writer.add("message-wrong-signer", signed(
        response(issuer=issuer(IDP_B)), None, "_r", key="other-rsa"), "issuer.mismatch",
        attack="XSW-35", keys=[IDP_KEY, "keys/other-rsa.crt"], issuers=[IDP, IDP_B], signed=True,
        note="IdP B signs a Response around an assertion of IdP A")


def references(writer, bases):
    plain = bases["plain"]

    def odd(name, uri, code, attack, note="", **more):
        """Signed by the issuer's key, with a reference of this form."""
        text = splice(response(), SLOT, template(reference(uri, **more))).replace(RSLOT, "")
        text = sign_by_hand(text)
        writer.add(f"reference-{name}", text, code, attack=attack, note=note, by=BY_HAND)

    wrong = "signature.reference-uri"
    empty = splice(response(), SLOT, template(reference(""))).replace(RSLOT, "")
    writer.add("reference-empty-uri", sign(empty), wrong, attack="REF-1", signed=True,
               note="URI=\"\": the signature verifies")
    odd("no-uri", None, wrong, "REF-2")
    for name, uri in [("hash", "#"), ("space", "# _a"), ("no-hash", "_a"), ("two-hashes", "##_a")]:
        odd(name, uri, wrong, "REF-3")
    odd("xpointer", "#xpointer(id('_a'))", wrong, "REF-4")
    odd("element-scheme", "#element(/1/3)", wrong, "REF-4")
    odd("http", "http://127.0.0.1:9/x", wrong, "REF-5")
    odd("file", "file:///etc/passwd", wrong, "REF-5")
    odd("escaped", "#%5Fa", wrong, "REF-6")
    odd("injection", "#_a&quot; or &quot;1&quot;=&quot;1", wrong, "REF-7")
    odd("dangling", "#_absent", wrong, "REF-8")
    odd("response-from-assertion", "#_r", wrong, "XSW-20",
        "the assertion's signature names the Response")
    odd("manifest", "#_a", "signature.reference-type", "REF-21", type=DS + "Manifest")
    for name, references_ in [
            ("none", ()), ("two", (reference("#_a"), reference("#_a"))),
            ("two-other", (reference("#_a"), reference("#_r")))]:
        text = splice(response(), SLOT, template(*references_)).replace(RSLOT, "")
        writer.add(f"reference-{name}", sign_by_hand(text), "signature.reference-count",
                   attack="REF-19" if name == "none" else "REF-20", by=BY_HAND)

    for name, decoy, entry in [
            ("id", 'ID="_a"', "REF-9"), ("id-lower", 'id="_a"', "REF-10"),
            ("id-mixed", 'Id="_a"', "REF-10"), ("assertion-id", 'AssertionID="_a"', "REF-10"),
            ("response-id", 'ResponseID="_a"', "REF-10"), ("xml-id", 'xml:id="_a"', "REF-11"),
            ("reference", 'ID="&#95;a"', "REF-14")]:
        writer.add(f"duplicate-{name}", splice(
            plain, "<samlp:Status>", extensions(f'<x:D xmlns:x="urn:x" {decoy}/>')
            + "<samlp:Status>"), "xml.duplicate-id", attack=entry)
    writer.add("id-signature", splice(plain, "<ds:Signature ", '<ds:Signature Id="_a" '),
               "xml.duplicate-id", attack="REF-22")
    writer.add("id-white-space", splice(plain, "<samlp:Status>", extensions(
        '<x:D xmlns:x="urn:x" ID="_a "/>') + "<samlp:Status>"), "xml.malformed-id", attack="REF-15")
    writer.add("id-long", signed(response(assertion(id="x" * 257)), "x" * 257),
               "xml.malformed-id", attack="REF-24", signed=True)
    writer.add("id-missing", sign_by_hand(splice(response(assertion(id=None)), SLOT, template(
        reference("#_a"))).replace(RSLOT, "")), "xml.missing-attribute", attack="REF-23",
        by=BY_HAND)

    # DSIG: the Signature element itself.
    s = signature_of(plain)
    info = part(plain, "ds:SignedInfo")
    value = part(plain, "ds:SignatureValue")
    structure = "signature.structure"
    for name, new, ids in [
            ("hollow", f'<ds:Signature xmlns:ds="{DS}"/>', "DSIG-2"),
            ("no-signed-info", splice(s, info, ""), "DSIG-2"),
            ("no-value", splice(s, value, ""), "DSIG-2"),
            ("two-signed-infos", splice(s, info, info + info), "DSIG-4"),
            ("two-values", splice(s, value, value + value), "DSIG-7"),
            ("value-first", splice(splice(s, info, ""), value, value + info), "DSIG-7"),
            ("object", splice(
                s, "</ds:Signature>", f"<ds:Object>{info}</ds:Object></ds:Signature>"), "DSIG-5"),
            ("foreign-child", splice(s, "</ds:Signature>", "<x/></ds:Signature>"), "DSIG-7")]:
        writer.add(f"signature-{name}", splice(plain, s, new), structure, attack=ids)


def algorithms(writer):
    legacy = "algorithm.legacy"
    sha1 = signed(response(), method="rsa-sha1", digest="sha1")
    writer.add("sha1", sha1, legacy, attack="DSIG-8", signed=True, note="not allowed")
    writer.add("sha1-allowed", sha1, claims=claims(), allow=["rsa-sha1", "sha1"], attack="DSIG-8",
               note="allowed by name")
    writer.add("sha1-brought", sha1, claims=claims(), allow=["rsa-sha1"], attack="DSIG-8",
               note="the algorithm brings its digest")
    writer.add("sha1-half-allowed", sha1, legacy, allow=["sha1"], attack="DSIG-8", signed=True,
               note="the digest alone")
    writer.add("sha1-digest-other-allowed", signed(response(), digest="sha1"), legacy,
               allow=["rsa-sha1"], attack="DSIG-8", signed=True,
               note="SHA-1 below RSA with SHA-256 is not what rsa-sha1 names")
    for name, options, allow in [
            ("sha1-digest", {"digest": "sha1"}, ["sha1"]),
            ("sha1-signature", {"method": "rsa-sha1"}, ["rsa-sha1"])]:
        text = signed(response(), **options)
        writer.add(name, text, legacy, attack="DSIG-8", signed=True)
        writer.add(f"{name}-allowed", text, claims=claims(), allow=allow, attack="DSIG-8")
    weak = signed(response(), key="weak-rsa1024")
    writer.add("rsa-1024", weak, "key.weak", attack="KEY-13", keys=["keys/weak-rsa1024.crt"],
               signed=True)
    writer.add("rsa-1024-allowed", weak, claims=claims(), attack="KEY-13",
               keys=["keys/weak-rsa1024.crt"], allow=["rsa-small-modulus"])

    def odd(name, code, attack, note="", key="idp-rsa", algorithm="rsa-sha256", keys=(IDP_KEY,),
            digest="sha256", transforms=None, prefixes=None, **more):
        """Signed by hand: the names of the algorithms may be any text."""
        ref = reference("#_a", digest=digest, transforms=transforms, prefixes=prefixes)
        text = splice(response(), SLOT, template(ref, **more)).replace(RSLOT, "")
        writer.add(name, sign_by_hand(text, key, algorithm), code, attack=attack, note=note,
                   by=BY_HAND, keys=keys)

    method, digest = "algorithm.signature", "algorithm.digest"
    odd("method-md5", method, "DSIG-8", method=MORE + "rsa-md5")
    odd("method-none", method, "DSIG-10", method="none")
    odd("method-empty", method, "DSIG-9", method="")
    odd("method-space", method, "DSIG-9", method=MORE + "rsa-sha256 ")
    odd("method-case", method, "DSIG-9", method=MORE + "RSA-SHA256")
    odd("method-c14n", method, "DSIG-10", method=EXC)
    odd("digest-md5", digest, "DSIG-8", digest=MORE + "md5")
    odd("digest-wrong-name", digest, "DSIG-9", digest=DS + "sha256")
    odd("method-ecdsa-rsa-key", "algorithm.key-mismatch", ["KEY-16", "DSIG-10"],
        "an EC signature, an RSA key", key="idp-ec256", algorithm="ecdsa-sha256",
        method="ecdsa-sha256")
    odd("method-rsa-ec-key", "algorithm.key-mismatch", "KEY-16", "an RSA signature, an EC key",
        keys=["keys/idp-ec256.crt"])
    odd("method-pss-value-pkcs1", "signature.invalid", "CRY-3",
        "PKCS #1 v1.5 under the name of PSS", method="rsa-pss-sha256")
    odd("method-pkcs1-value-pss", "signature.invalid", "CRY-3", algorithm="rsa-pss-sha256")
    for name, secret in [
            ("der", keys_der()), ("pem", (keys.FOLDER / "idp-rsa.crt").read_bytes())]:
        odd(f"method-hmac-{name}", "algorithm.key-mismatch", "DSIG-11",
            "the certificate as the HMAC secret", key=secret, method="hmac-sha256")
    zeros = signed(response(), key="idp-ec256", method="ecdsa-sha256", signer=sign_by_hand)
    value = re.search("<ds:SignatureValue>([^<]+)<", zeros).group(1)
    raw = base64.b64decode(value)
    der = der_signature(raw)
    for name, new, code, ids in [
            ("zeros", bytes(64), "signature.invalid", "CRY-5"),
            ("swapped", raw[32:] + raw[:32], "signature.invalid", "CRY-6"),
            ("der", der, "algorithm.legacy", "CRY-6"),
            ("cut", raw[:63], "signature.invalid", "CRY-6")]:
        writer.add(f"ecdsa-{name}", splice(zeros, value, base64.b64encode(new).decode()), code,
                   attack=ids, by=BY_HAND, keys=["keys/idp-ec256.crt"])
    order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551
    flipped = raw[:32] + (order - int.from_bytes(raw[32:], "big")).to_bytes(32, "big")
    writer.add("ecdsa-other-s", splice(zeros, value, base64.b64encode(flipped).decode()),
               claims=claims(), attack="CRY-8", by=BY_HAND, keys=["keys/idp-ec256.crt"],
               note="n - s verifies too")

    # Transforms.
    env, exc = transform(ENVELOPED), transform(EXC)
    xpath = (f'<ds:Transform Algorithm="{XPATH}"><ds:XPath>not(ancestor-or-self::saml:Subject)'
             "</ds:XPath></ds:Transform>")
    xslt = (f'<ds:Transform Algorithm="{XSLT}"><xsl:stylesheet version="1.0" '
            'xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"/>'
            "</xsl:stylesheet></ds:Transform>")
    refused = "signature.transform"
    for name, transforms, ids in [
            ("xpath", env + xpath + exc, "DSIG-18"), ("xslt", env + xslt + exc, "DSIG-17"),
            ("xpath-filter", env + transform("http://www.w3.org/2002/06/xmldsig-filter2"),
             "DSIG-18"),
            ("base64", env + transform(DS + "base64"), "DSIG-18"),
            ("decrypt", env + transform("http://www.w3.org/2002/07/decrypt#XML"), "DSIG-18"),
            ("enveloped-twice", env + env + exc, "DSIG-19"),
            ("c14n-twice", env + exc + exc, "DSIG-19"),
            ("c14n-first", exc + env, "DSIG-19"), ("five", env + exc * 4, "DSIG-19"),
            ("no-enveloped", exc, "DSIG-20"), ("none", "", "DSIG-20"),
            ("enveloped-child", f'<ds:Transform Algorithm="{ENVELOPED}"><x/></ds:Transform>' + exc,
             "DSIG-21"),
            ("unknown", env + transform("urn:example:transform"), "DSIG-18")]:
        odd(f"transform-{name}", refused, ids, transforms=transforms)
    odd("canonicalization-unknown", "algorithm.canonicalization", "DSIG-23", c14n="urn:example:c")
    odd("canonicalization-xslt", "algorithm.canonicalization", "DSIG-23", c14n=XSLT)
    odd("prefix-list-too-long", "xml.prefix-list", "C14N-8",
        prefixes=" ".join(f"p{number}" for number in range(65)))


def keys_der():
    return (keys.FOLDER / "idp-rsa.der").read_bytes()


def der_signature(raw):
    return encode_dss_signature(
        int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))


def parser(writer, bases):
    plain = bases["plain"]

    def bad(name, text, code, attack, note=""):
        writer.add(f"xml-{name}", text, code, attack=attack, note=note)

    doctype = "xml.doctype"
    bad("doctype", "<!DOCTYPE samlp:Response>\n" + plain, doctype, "XML-1")
    bad("entity-internal", f'<!DOCTYPE r [<!ENTITY e "{ADMIN}">]>\n' + splice(plain, ALICE, "&e;"),
        doctype, "XML-2")
    bad("entity-external", '<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]>\n'
        + splice(plain, ALICE, "&e;"), doctype, "XML-3")
    bad("entity-parameter", '<!DOCTYPE r [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;]>\n'
        + plain, doctype, "XML-4")
    laughs = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    bad("entity-laughs", f'<!DOCTYPE r [<!ENTITY e0 "ha">{laughs}]>\n'
        + splice(plain, ALICE, "&e9;"), doctype, "XML-5")
    bad("attribute-default", '<!DOCTYPE r [<!ATTLIST saml:Assertion ID CDATA #FIXED "_a">]>\n'
        + plain, doctype, "XML-7")
    end = "</samlp:Response>\n"
    bad("doctype-quote", "<!DOCTYPE response SYSTEM 'x\"><!--'>" + splice(
        splice(plain, end, ""), ALICE, ADMIN) + "<![CDATA[-->" + plain[plain.index(">\n") + 2:]
        .replace(end, "<!--]]>-->") + end, doctype, "XML-9")
    bad("entity-unknown", splice(plain, ALICE, "alice&nbsp;"), "xml.entity", "XML-30")
    bad("prefix-undeclared", splice(plain, "<samlp:Status>", "<x:y/><samlp:Status>"),
        "xml.namespace", "XML-12")
    bad("prefix-undeclared-id", splice(plain, "<samlp:Status>", extensions('<y x:ID="_a"/>')
                                       + "<samlp:Status>"), "xml.namespace", ["REF-13", "XML-12"])
    bad("attribute-twice", splice(plain, 'ID="_r"', 'ID="_r" ID="_r"'), "xml.malformed", "XML-13")
    bad("attribute-twice-expanded", splice(plain, "<samlp:Status>", extensions(
        '<y xmlns:a="urn:q" xmlns:b="urn:q" a:ID="1" b:ID="2"/>') + "<samlp:Status>"),
        "xml.namespace", ["XML-13", "C14N-12"])
    for name, element, code in [
            ("colon-first", "<:y/>", "xml.namespace"),
            ("colon-last", '<a: xmlns:a="urn:q"/>', "xml.namespace"),
            ("colon-two", '<a:b:c xmlns:a="urn:q"/>', "xml.namespace"),
            ("colon-attribute", '<y :="v"/>', "xml.namespace"),
            ("xml-rebound", '<y xmlns:xml="urn:evil"/>', "xml.namespace"),
            ("xml-aliased", '<y xmlns:e="http://www.w3.org/XML/1998/namespace"/>', "xml.namespace"),
            ("xmlns-rebound", '<y xmlns:xmlns="urn:evil"/>', "xml.namespace"),
            ("prefix-unbound", '<y xmlns:x=""/>', "xml.namespace"),
            ("namespace-relative", '<y xmlns:x="1"/>', "xml.namespace-uri"),
            ("namespace-path", '<y xmlns="foo/bar"/>', "xml.namespace-uri"),
            ("namespace-space", '<y xmlns:x="http://exa mple.com"/>', "xml.namespace-uri"),
            ("namespace-control", '<y xmlns:x="http://example.com&#x80;"/>', "xml.namespace-uri")]:
        bad(name, splice(plain, "<samlp:Status>", extensions(element) + "<samlp:Status>"), code,
            "XML-14" if "colon" in name else "XML-16" if code == "xml.namespace" else
            "C14N-1" if name in ("namespace-relative", "namespace-path") else "C14N-2")
    bad("namespace-relative-root", splice(
        plain, "<samlp:Response ", '<samlp:Response xmlns:q="1" '), "xml.namespace-uri", "C14N-1",
        "canonicalization of anything below would be empty")
    bad("two-roots", plain + plain, "xml.malformed", "XML-19")
    bad("text-after-root", plain + "junk", "xml.malformed", "XML-19")
    bad("nul", plain + "\0<evil/>", "xml.nul", "XML-20")
    bad("nul-inside", splice(plain, ALICE, "alice\0"), "xml.nul", "XML-20")
    latin = '<?xml version="1.0" encoding="ISO-8859-1"?>\n'
    bad("encoding-latin1", (latin + splice(plain, ALICE, "Andr\u00e9")).encode("latin-1"),
        "xml.encoding", "XML-21")
    bad("encoding-latin1-ascii", latin + plain, "xml.encoding", "XML-21", "only the declaration")
    bad("encoding-utf7", '<?xml version="1.0" encoding="UTF-7"?>\n' + plain, "xml.encoding",
        "XML-21")
    bad("utf8-overlong", splice(plain.encode(), b"alice", b"\xc0\x80"), "xml.encoding",
        "XML-24")
    bad("utf8-surrogate", splice(plain.encode(), b"alice", b"\xed\xa0\x80"), "xml.encoding",
        "XML-24")
    bad("version-11", '<?xml version="1.1"?>\n' + plain, "xml.version", "XML-23")
    bad("control-reference", splice(plain, ALICE, "a&#1;"), "xml.malformed", ["XML-25", "CMT-11"])
    bad("nul-reference", splice(plain, ALICE, f"{ADMIN}&#0;.evil"), "xml.malformed", "CMT-11")
    bad("control-raw", splice(plain, ALICE, "a\x01"), "xml.malformed", "XML-25")
    bad("not-closed", splice(plain, "</samlp:Response>", ""), "xml.malformed", "XML-30")
    bad("cut", plain[:len(plain) // 2], "xml.malformed", "XML-30")
    bad("mismatched", splice(plain, "</samlp:Response>", "</samlp:response>"), "xml.malformed",
        "XML-30")
    bad("cdata-end", splice(plain, ALICE, "a]]>b"), "xml.malformed", "XML-30")
    bad("comment-hyphens", "<!-- a -- b -->" + plain, "xml.malformed", "XML-30")
    bad("ampersand", splice(plain, ALICE, "a & b"), "xml.malformed", "XML-30")
    bad("less-in-attribute", splice(plain, 'SessionIndex="_s1"', 'SessionIndex="<"'),
        "xml.malformed", "XML-30")
    bad("declaration-twice", '<?xml version="1.0"?><?xml version="1.0"?>' + plain, "xml.malformed",
        "XML-26")
    bad("attlist-outside", splice(
        plain, "<samlp:Status>", "<!ATTLIST x y CDATA #IMPLIED><samlp:Status>"),
        "xml.malformed", "XML-15")
    bad("depth-101", splice(plain, "<samlp:Status>", extensions("<y>" * 99 + "</y>" * 99)
                            + "<samlp:Status>"), "xml.depth", "DOS-2",
        "Response, Extensions and 99 more")
    bad("attributes-257", splice(plain, "<samlp:Status>", extensions(
        "<y " + " ".join(f'a{n}=""' for n in range(257)) + "/>") + "<samlp:Status>"),
        "xml.attributes", "DOS-3")
    bad("namespaces-129", splice(plain, "<samlp:Status>", extensions(
        "<y " + " ".join(f'xmlns:a{n}="urn:{n}"' for n in range(129)) + "/>") + "<samlp:Status>"),
        "xml.namespaces", "DOS-4")
    bad("elements-20001", splice(plain, "<samlp:Status>", extensions("<y/>" * 20001)
                                 + "<samlp:Status>"), "xml.elements", "DOS-7")
    writer.add("xml-depth-100", splice(plain, "<samlp:Status>", extensions(
        "<y>" * 98 + "</y>" * 98) + "<samlp:Status>"), claims=claims(), attack="DOS-2",
        note="as deep as the limit allows")
