"""XSW: genuine parts, moved, with something forged where a careless reader looks."""

import base64
import hashlib

from lxml import etree

from .. import keys
from ..documents20 import (
    BEARER, NAMESPACES, REQUESTER, RSLOT, SAML, SAMLP, SLOT, assertion, attribute, attributes,
    authn, claims, conditions, confirmation, data, extensions, issuer, named, part, response,
    restriction, signed, status, subject)
from ..encryption import around, encrypted, whole
from ..sealing import sealed
from ..signing import (
    DS, EXC, canonical, reference, sign, sign_by_hand, template, transform)
from ..world import ACS, ADMIN, ALICE, AT, IDP, IDP_B, IDP_KEY, REQUEST, splice
from .core import signature_of

SEVERAL = "response.several-assertions"
DUPLICATE = "xml.duplicate-id"
UNEXPECTED = "xml.unexpected-element"
STRUCTURE = "signature.structure"
MISPLACED = "signature.misplaced"
URI = "signature.reference-uri"
ROOT = "xml.unexpected-root"
NO_ID = "xml.missing-attribute"
IDS = {"new": "_evil", "same": "_a", "absent": None}
# Elements to hide something in: of no namespace, of SAML's, of somebody else's.
WRAPPERS = {"bare": ("<foo>", "</foo>"), "saml": ("<saml:foo>", "</saml:foo>"),
            "samlp": ("<samlp:foo>", "</samlp:foo>"),
            "foreign": ('<x:foo xmlns:x="urn:x">', "</x:foo>")}


class Parts:
    """B1, B2 and B11 taken apart. `cut` is A-S of the catalogue: without its own signature."""

    def __init__(self, suite):
        self.b1, self.b2, self.b11 = (suite.text(each) for each in ("B1", "B2", "B11"))
        self.genuine = part(self.b1, "saml:Assertion")
        self.s = signature_of(self.b1)
        self.cut = splice(self.genuine, self.s, "")
        at = self.b1.index(self.genuine)
        self.head, self.tail = self.b1[:at], self.b1[at + len(self.genuine):]
        self.whole = self.b2.rstrip()
        self.rs = signature_of(self.b2)
        self.rcut = splice(self.whole, self.rs, "")


def forged(id="_evil", slot="", advice="", end="", start=""):
    text = assertion(id=id, subject=named(ADMIN), slot=slot, advice=advice, statements=authn()
                     + attributes(attribute("role", "admin")))
    text = text.removesuffix("\n  </saml:Assertion>") + end + "\n  </saml:Assertion>"
    return text.replace("\n    <saml:Issuer>", f"\n    {start}<saml:Issuer>", 1)


def forged_response(slot="", id="_evil_r", assertion_id="_evil", inner=None, status_=None):
    text = response(forged(assertion_id) if inner is None else inner, id=id, slot=slot,
                    **({"status": status_} if status_ else {}))
    return text if id is not None else text.replace(' ID="None"', "").replace('ID="None" ', "")


def detail(inner, before=False):
    code = f'<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/>'
    inner = f"<samlp:StatusDetail>{inner}</samlp:StatusDetail>"
    return f"<samlp:Status>{inner + code if before else code + inner}</samlp:Status>"


def digest(text):
    """The digest that a reference to this assertion would have, its signature left out."""
    tree = etree.fromstring(text.replace("<saml:Assertion ", f'<saml:Assertion xmlns:saml="{SAML}" '
                                         f'xmlns:samlp="{SAMLP}" ', 1))
    return base64.b64encode(hashlib.sha256(canonical(tree)).digest()).decode()


def add(suite):
    parts = Parts(suite)
    responses(suite, parts)
    assertions(suite, parts)
    smuggled(suite, parts)
    lifted(suite, parts)
    signatures(suite, parts)
    unsigned(suite, parts)


def responses(suite, p):
    """XSW-1, 2, 11, 12: the whole Response is genuine and somewhere else."""
    signature_end = "</ds:Signature>"
    for name, id, code1, code2 in [
            ("new", "_evil_r", STRUCTURE, UNEXPECTED), ("same", "_r", DUPLICATE, DUPLICATE),
            ("absent", None, NO_ID, NO_ID)]:
        last = splice(p.rs, signature_end, p.rcut + signature_end)
        first = splice(p.rs, "<ds:SignedInfo>", p.rcut + "<ds:SignedInfo>")
        for where, slot in (("last", last), ("first", first)):
            suite.add("XSW-1", f"{name}-{where}", forged_response(slot, id), code1, base="B2",
                      kept=True, note="the genuine Response inside its own Signature")
        for wrapper, (start, end) in WRAPPERS.items():
            slot = splice(p.rs, signature_end, start + p.rcut + end + signature_end)
            suite.add("XSW-1", f"{name}-{wrapper}", forged_response(slot, id), code1, base="B2",
                      kept=True)
            suite.add("XSW-2", f"{name}-{wrapper}", forged_response(
                start + p.rcut + end + p.rs, id), code2, base="B2", kept=True)
        for where, slot in (("before", p.rcut + p.rs), ("after", p.rs + p.rcut)):
            suite.add("XSW-2", f"{name}-{where}", forged_response(slot, id), code2, base="B2",
                      kept=True, note="the genuine Response beside its Signature")
        for before in (False, True):
            code = MISPLACED if id == "_evil_r" and not before else code2
            suite.add("XSW-11", f"{name}-{'before' if before else 'after'}", forged_response(
                "", id, status_=detail(p.whole, before)), code, base="B2", kept=True,
                note="the genuine Response in StatusDetail")
    logout = sign(
        f'<samlp:LogoutResponse {NAMESPACES} ID="_l" Version="2.0" IssueInstant="{AT}">'
        f'{issuer()}{template(reference("#_l"))}{status()}</samlp:LogoutResponse>')
    s = signature_of(logout)
    lcut = splice(logout, s, "")
    sealed_evil = encrypted(sealed(whole(forged("_evil")), "XSW-12", "aes256-gcm"))
    for name, inner in (("encrypted", sealed_evil), ("plain", forged())):
        suite.add("XSW-12", name, forged_response(s, "_new", inner=inner, status_=detail(lcut)), URI,
                  kept=True, decryptKeys=["keys/rp-rsa.key"],
                  note="another signed message in StatusDetail lends its signature")


def assertions(suite, p):
    """XSW-3 to XSW-10: the Assertion is genuine and not the one that is read."""
    signature_end = "</ds:Signature>"

    def shape(entry, variant, text, code=None, note="", **more):
        suite.add(entry, variant, text, code, kept=True, note=note, **more)

    for name, id in IDS.items():
        duplicate = DUPLICATE if name == "same" else None
        shape("XSW-3", f"{name}-first", p.head + forged(id) + p.genuine + p.tail,
              duplicate or SEVERAL)
        shape("XSW-3", f"{name}-last", p.head + p.genuine + forged(id) + p.tail,
              duplicate or SEVERAL)
        shape("XSW-4", f"{name}-end", p.head + forged(id, end=p.genuine) + p.tail,
              duplicate or MISPLACED, "the genuine assertion nested in the forged one")
        shape("XSW-4", f"{name}-start", p.head + forged(id, start=p.genuine) + p.tail,
              duplicate or "issuer.missing", "nested before the Issuer")
        shape("XSW-4", f"{name}-advice", p.head + forged(
            id, advice=f"<saml:Advice>{p.genuine}</saml:Advice>") + p.tail, duplicate or MISPLACED)
        shape("XSW-5", f"{name}-last", p.head + forged(id, p.s) + p.cut + p.tail,
              duplicate or SEVERAL)
        shape("XSW-5", f"{name}-first", p.head + p.cut + forged(id, p.s) + p.tail,
              duplicate or SEVERAL)
        for where, mark in (("last", signature_end), ("first", "<ds:SignedInfo>")):
            slot = splice(p.s, mark, p.cut + mark)
            shape("XSW-6", f"{name}-{where}", p.head + forged(id, slot) + p.tail,
                  duplicate or STRUCTURE, "inside the forged assertion's Signature")
        for where, text in [
                ("before", splice(p.b1, "<samlp:Status>", extensions(forged(id))
                                  + "<samlp:Status>"))]:
            if duplicate:
                shape("XSW-7", f"{name}-{where}", text, duplicate, "in Extensions")
            else:
                shape("XSW-7", f"{name}-{where}", text, claims=claims(),
                      note="content of Extensions is not read")
        for wrapper, (start, end) in WRAPPERS.items():
            shape("XSW-7", f"{name}-{wrapper}", splice(
                p.b1, "<samlp:Status>", start + forged(id) + end + "<samlp:Status>"),
                duplicate or UNEXPECTED, "not in Extensions")
        shape("XSW-7", f"{name}-late", splice(p.b1, p.genuine, extensions(forged(id)) + p.genuine),
              duplicate or UNEXPECTED, "Extensions behind the Status")
        in_object = splice(
            p.s, signature_end, f"<ds:Object>{p.cut}</ds:Object>{signature_end}")
        shape("XSW-8", name, p.head + forged(id, in_object) + p.tail,
              duplicate or STRUCTURE, "in ds:Object")
        for wrapper, (start, end) in WRAPPERS.items():
            slot = splice(p.s, signature_end, start + p.cut + end + signature_end)
            shape("XSW-8", f"{name}-{wrapper}", p.head + forged(id, slot) + p.tail,
                  duplicate or STRUCTURE)
            for where, text in (("after", forged(id, p.s) + start + p.cut + end),
                                ("before", start + p.cut + end + forged(id, p.s))):
                shape("XSW-10", f"{name}-{wrapper}-{where}", p.head + text + p.tail,
                      duplicate or UNEXPECTED, "in an element that nobody knows")
        shape("XSW-9", f"{name}-after", p.head + forged(id, p.s) + "\n  " + p.cut + p.tail,
              duplicate or SEVERAL)
        shape("XSW-9", f"{name}-before", p.head + p.cut + "\n  " + forged(id, p.s) + p.tail,
              duplicate or SEVERAL)


def smuggled(suite, p):
    """XSW-13 to XSW-16: something that stands in for a part of the signature."""
    evil = forged("_a")
    wrong = digest(evil)
    evil = forged("_a", p.s)
    declare = f' xmlns:ds="{DS}"'
    pieces = {
        "digest-value": f"<ds:DigestValue{declare}>{wrong}</ds:DigestValue>",
        "digest-method": f'<ds:DigestMethod{declare} Algorithm="{DS}sha1"/>',
        "transforms": f"<ds:Transforms{declare}>{transform(EXC)}</ds:Transforms>",
        "method": f'<ds:CanonicalizationMethod{declare} Algorithm="{EXC}"/>',
        "reference": reference("#_a").replace("@D@", wrong).replace(
            "<ds:Reference", f"<ds:Reference{declare}", 1),
        "signature": template(reference("#_a")).replace("@D@", wrong).replace("@S@", "AAAA")}
    mismatch = "signature.digest-mismatch"
    for name, piece in pieces.items():
        for where, text in [
                ("extensions", p.head.replace("<samlp:Status>", extensions(piece)
                                              + "<samlp:Status>") + evil + p.tail),
                ("detail", splice(p.head, status(), detail(piece)) + evil + p.tail)]:
            suite.add("XSW-13", f"{name}-{where}", text, mismatch,
                      note="SignedInfo still verifies; the digest that would fit is elsewhere")
        # Control: smuggled in beside what is genuine, nothing changes.
        suite.add("XSW-13", f"{name}-control", splice(
            p.b1, "<samlp:Status>", extensions(piece) + "<samlp:Status>"), kept=True,
            claims=claims(), note="the same piece beside a genuine assertion")
    for base, text, s in (("B11", p.b11, signature_of(p.b11)), ("B2", p.b2, p.rs)):
        value = part(s, "ds:SignatureValue")
        for name, twin in [
                ("value", f"<ds:Signature{declare}>{value}<ds:Object>{forged()}</ds:Object>"
                          "</ds:Signature>"),
                ("whole", splice(s.strip(), "</ds:Signature>",
                                 f"<ds:Object>{forged()}</ds:Object></ds:Signature>"))]:
            for where, new in (("after", s + twin), ("before", "\n  " + twin + s)):
                suite.add("XSW-14", f"{base.lower()}-{name}-{where}", splice(text, s, new),
                          "signature.repeated", base=base,
                          note="a second Signature with the same SignatureValue")
        for name, mark, new, code in [
                ("object", "</ds:Signature>", f"<ds:Object>{forged()}</ds:Object></ds:Signature>",
                 STRUCTURE),
                ("key-info", "</ds:Signature>",
                 f"<ds:KeyInfo>{forged()}</ds:KeyInfo></ds:Signature>", STRUCTURE),
                ("key-info-deep", "</ds:Signature>", '<ds:KeyInfo><x:y xmlns:x="urn:x">'
                 f"{forged()}</x:y></ds:KeyInfo></ds:Signature>", STRUCTURE),
                ("child", "</ds:Signature>", f"{forged()}</ds:Signature>", STRUCTURE),
                ("value", "</ds:SignatureValue>", f"{forged()}</ds:SignatureValue>", STRUCTURE)]:
            suite.add("XSW-15", f"{base.lower()}-{name}", splice(text, mark, new),
                      code if base == "B2" else "response.status", base=base, kept=True,
                      note="the signature and its digest hold: what is in Signature is not signed")
    for name, text, id in [
            ("issuer", response(forged(), slot=RSLOT, issuer=issuer(attributes=' ID="_i"')), "_i"),
            ("status", response(forged(), slot=RSLOT).replace(
                "<samlp:Status>", '<samlp:Status ID="_i">'), "_i"),
            ("subject", response(forged().replace("<saml:Subject>", '<saml:Subject ID="_i">'),
                                 slot=RSLOT), "_i"),
            ("name", response(forged().replace("<saml:NameID>", '<saml:NameID ID="_i">'),
                              slot=RSLOT), "_i"),
            ("advice", response(forged(advice="<saml:Advice>" + assertion(id="_i", slot="")
                                       + "</saml:Advice>"), slot=RSLOT), "_i")]:
        suite.add("XSW-16", name, sign_by_hand(text.replace(
            RSLOT, template(reference(f"#{id}", transforms=transform(EXC))))), URI, kept=True,
            note="the issuer signed this element and nothing else")


def root_code(name):
    """How a message of this name is refused as document element."""
    return "response.artifact-response" if name == "ArtifactResponse" else ROOT


def lifted(suite, p):
    """XSW-17 to XSW-20: a signature where it does not belong."""
    inside = f'<saml:NameID>{ADMIN}</saml:NameID><samlp:SessionIndex>_s1</samlp:SessionIndex>'
    for name, content in [
            ("LogoutRequest", inside), ("AuthnRequest", ""), ("ManageNameIDRequest", inside),
            ("LogoutResponse", status()), ("ArtifactResponse", status()), ("AttributeQuery", "")]:
        suite.add("XSW-17", name.lower(), (
            f'<samlp:{name} {NAMESPACES} ID="_x" Version="2.0" IssueInstant="{AT}">{issuer()}'
            f"{content}{p.genuine}</samlp:{name}>"), root_code(name), kept=True)
        suite.add("XSW-17", f"in-{name.lower()}", p.head + (
            f'<samlp:{name} ID="_x" Version="2.0" IssueInstant="{AT}">{issuer()}{p.genuine}'
            f"</samlp:{name}>") + p.tail, UNEXPECTED, kept=True)
    suite.add("XSW-17", "entitydescriptor", (
        '<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" '
        f'{NAMESPACES} entityID="{IDP}">{p.genuine}</md:EntityDescriptor>'), ROOT, kept=True)
    bare = splice(p.b1, p.s, "")
    for name, text, code in [
            ("status", splice(bare, "</samlp:Status>", p.s + "</samlp:Status>"), UNEXPECTED),
            ("extensions", splice(bare, "<samlp:Status>", extensions(p.s) + "<samlp:Status>"),
             MISPLACED),
            ("subject", splice(bare, "</saml:Subject>", p.s + "</saml:Subject>"), MISPLACED),
            ("conditions", splice(bare, "</saml:Conditions>", p.s + "</saml:Conditions>"),
             MISPLACED),
            ("advice", splice(bare, "</saml:Conditions>", "</saml:Conditions><saml:Advice>" + p.s
                              + "</saml:Advice>"), MISPLACED),
            ("value", splice(bare, ">user<", f">{p.s}<"), MISPLACED)]:
        suite.add("XSW-18", name, text, code, note="the Signature was moved inside the document")
    suite.add("XSW-18", "end", splice(bare, "</saml:Assertion>", p.s + "</saml:Assertion>"),
              kept=True, claims=claims(), note="still a child of what it signs: its place is no "
              "part of what is digested")
    suite.add("XSW-18", "before-issuer", bare.replace(
        '">\n    <saml:Issuer>', f'">{p.s}\n    <saml:Issuer>', 1), kept=True, claims=claims(),
        note="still a child")
    bare = splice(p.b2, p.rs, "")
    for name, mark, code in [
            ("b2-assertion", "</saml:Issuer>\n    <saml:Subject>", URI),
            ("b2-status", "</samlp:Status>", UNEXPECTED)]:
        at = bare.index(mark) + (len("</saml:Issuer>") if "Issuer" in mark else 0)
        suite.add("XSW-18", name, bare[:at] + p.rs + bare[at:], code, base="B2")
    suite.add("XSW-18", "b2-end", splice(bare, "</samlp:Response>", p.rs + "</samlp:Response>"),
              base="B2", kept=True, claims=claims(), note="still a child of what it signs")
    top = p.head.replace("</saml:Issuer>", "</saml:Issuer>" + p.s, 1)
    for name, text, code in [
            ("alone", top + p.cut + p.tail, URI),
            ("forged", top + forged() + p.tail, URI),
            ("extensions", splice(top, "<samlp:Status>", extensions(p.cut) + "<samlp:Status>")
             + forged() + p.tail, URI),
            ("detail", splice(top, status(), detail(p.cut)) + forged() + p.tail, URI),
            ("beside", top + forged() + p.cut + p.tail, SEVERAL)]:
        suite.add("XSW-19", name, text, code, kept="forged" != name,
                  note="the Response carries the assertion's signature")
    text = splice(response(), SLOT, template(reference("#_r"))).replace(RSLOT, "")
    suite.add("XSW-20", "inside", sign_by_hand(text), URI, kept=False,
              note="the assertion carries a signature over the Response")


def signatures(suite, p):
    """XSW-21 to XSW-24 and XSW-28 to XSW-31: too many, too few, the wrong ones."""
    second = part(signed(response(assertion(id="_a2")), "_a2"), "saml:Assertion")
    elsewhere = part(signed(response(assertion(id="_a2", conditions=conditions(
        restriction("https://elsewhere.example/")))), "_a2"), "saml:Assertion")
    for name, other in (("session", second), ("audience", elsewhere)):
        for where, both in (("after", p.genuine + other), ("before", other + p.genuine)):
            suite.add("XSW-21", f"{name}-{where}", p.head + both + p.tail, SEVERAL, kept=True)
    copy = splice(splice(p.genuine, p.s, ""), ALICE, ADMIN).replace('ID="_a"', 'ID="_a2"')
    tight = splice(copy, "</saml:Issuer>\n    ", "</saml:Issuer>")
    for name, other in (("copy", copy), ("tight", tight)):
        for where, both in (("appended", p.genuine + other), ("prepended", other + p.genuine)):
            suite.add("XSW-22", f"{name}-{where}", p.head + both + p.tail, SEVERAL, kept=True)
    secret = encrypted(sealed(whole(forged("_evil")), "XSW-23", "aes256-gcm"))
    for where, both in (("after", p.genuine + secret), ("before", secret + p.genuine)):
        suite.add("XSW-23", where, p.head + both + p.tail, SEVERAL, kept=True,
                  decryptKeys=["keys/rp-rsa.key"])
    decoy = "<saml:Advice>" + assertion(id="_adv", subject=named(ADMIN), slot="") + "</saml:Advice>"
    for base in ("B1", "B2", "B3"):
        suite.add("XSW-24", base.lower(), splice(
            suite.text(base), "</saml:Conditions>", "</saml:Conditions>" + decoy),
            "signature.digest-mismatch", base=base)
    evil = forged("_a", p.s)
    for name, text in [
            ("extensions", splice(p.head, "<samlp:Status>", extensions(p.cut) + "<samlp:Status>")
             + evil + p.tail),
            ("detail", splice(p.head, status(), detail(p.cut)) + evil + p.tail),
            ("after", p.head + evil + extensions(p.cut) + p.tail)]:
        suite.add("XSW-25", name, text, DUPLICATE, kept=True)
    suite.add("XSW-25", "renamed", splice(p.head, "<samlp:Status>", extensions(p.cut.replace(
        'ID="_a"', 'ID="_b"')) + "<samlp:Status>") + evil + p.tail, "signature.digest-mismatch",
        note="the copy has an identifier of its own, so it is no longer what was signed")
    enveloping = (f'<ds:Signature xmlns:ds="{DS}">' + splice(
        p.s, "</ds:Signature>", f'<ds:Object Id="_o">{p.cut}</ds:Object></ds:Signature>').split(
        ">", 1)[1])
    suite.add("XSW-28", "enveloping", enveloping.replace("<ds:Signature ", (
        f"<ds:Signature {NAMESPACES} "), 1), ROOT, kept=True)
    suite.add("XSW-28", "sibling", p.head + p.cut + p.s + p.tail, URI, kept=True)
    suite.add("XSW-28", "sibling-before", p.head + p.s + p.cut + p.tail, URI, kept=True)
    bad = signature_of(signed(response(), None, "_r", key="evil-rsa"))
    for name, new in (("both-valid", p.rs * 2), ("evil-after", p.rs + bad),
                      ("evil-before", bad + p.rs)):
        suite.add("XSW-29", name, splice(p.b2, p.rs, new), "signature.repeated", base="B2")
    b3 = suite.text("B3")
    values = [part(each, "ds:SignatureValue") for each in b3.split("</ds:Signature>")[:2]]
    for name, value in (("response", values[0]), ("assertion", values[1])):
        suite.add("XSW-30", name, splice(b3, value, flip(value)), "signature.invalid"
                  if name == "response" else "signature.digest-mismatch", base="B3",
                  note="one of two signatures does not hold")
    inner = splice(response(), SLOT, template(reference("#_a"))).replace(RSLOT, "")
    inner = sign(inner)
    inner = splice(inner, part(inner, "ds:SignatureValue"), flip(part(inner, "ds:SignatureValue")))
    at = inner.index("</saml:Issuer>") + len("</saml:Issuer>")
    suite.add("XSW-30", "resigned", sign(inner[:at] + template(reference("#_r")) + inner[at:]),
              "signature.invalid", base="B3", kept=True,
              note="the Response is signed over a broken assertion signature")
    suite.add("XSW-31", "response-like-assertion", splice(p.b1, 'ID="_r"', 'ID="_a"'), DUPLICATE,
              kept=True)
    suite.add("XSW-31", "assertion-like-response", splice(p.b2, 'ID="_a"', 'ID="_r"'), DUPLICATE,
              base="B2")


def flip(value):
    """A SignatureValue element with one bit turned."""
    text = value[len("<ds:SignatureValue>"):-len("</ds:SignatureValue>")]
    raw = bytearray(base64.b64decode(text))
    raw[len(raw) // 2] ^= 1
    return f"<ds:SignatureValue>{base64.b64encode(raw).decode()}</ds:SignatureValue>"


def unsigned(suite, p):
    """XSW-26, 27 and 32 to 36: what stands around what is signed."""
    soap = "http://schemas.xmlsoap.org/soap/envelope/"
    bare = p.b1.strip()
    suite.add("XSW-26", "soap", f'<s:Envelope xmlns:s="{soap}"><s:Header>{bare}</s:Header><s:Body>'
              f"{forged_response().strip()}</s:Body></s:Envelope>", MISPLACED, kept=True,
              note="the message in the body is read, and nothing in the header signs it")
    for name in ("ArtifactResponse", "AuthnRequest", "LogoutResponse"):
        suite.add("XSW-26", name.lower(), f'<samlp:{name} {NAMESPACES} ID="_x" Version="2.0" '
                  f'IssueInstant="{AT}">{issuer()}{status()}{bare}</samlp:{name}>', root_code(name),
                  kept=True)
    for wrapper, (start, end) in WRAPPERS.items():
        start = start.replace("<saml:foo", f"<saml:foo {NAMESPACES}").replace(
            "<samlp:foo", f"<samlp:foo {NAMESPACES}")
        suite.add("XSW-26", wrapper, start + bare + end, ROOT, kept=True)
    declared = splice(p.genuine, "<saml:Assertion ", f'<saml:Assertion xmlns:saml="{SAML}" ')
    suite.add("XSW-26", "assertion", declared, kept=True, claims=claims(),
              note="an assertion alone is a token of its own right (WS-Federation), read as signed")
    evil = attributes(attribute("role", "admin"))
    for name, text, code in [
            ("sibling", p.head + p.genuine + evil + p.tail, UNEXPECTED),
            ("sibling-before", p.head + evil + p.genuine + p.tail, UNEXPECTED),
            ("attribute", p.head + p.genuine + attribute("role", "admin") + p.tail, UNEXPECTED),
            ("status", splice(p.b1, "</samlp:Status>", evil + "</samlp:Status>"), UNEXPECTED),
            ("extensions", splice(p.b1, "<samlp:Status>", extensions(evil) + "<samlp:Status>"),
             None),
            ("detail", splice(p.b1, status(), detail(evil)), None),
            ("assertion", splice(p.b1, "</saml:Assertion>", evil + "</saml:Assertion>"),
             "signature.digest-mismatch"),
            ("statement", splice(p.b1, "</saml:AttributeStatement>", attribute("role", "admin")
                                 + "</saml:AttributeStatement>"), "signature.digest-mismatch")]:
        suite.add("XSW-27", name, text, code, kept=code != "signature.digest-mismatch",
                  **({} if code else {"claims": claims()}))
    decoy = ('<e:Assertion xmlns:e="urn:evil" ID="_e"><e:Subject><e:NameID>' + ADMIN
             + "</e:NameID></e:Subject></e:Assertion>")
    old = (f'<o:Assertion xmlns:o="urn:oasis:names:tc:SAML:1.0:assertion" AssertionID="_e" '
           f'MajorVersion="1" MinorVersion="1" Issuer="{IDP}" IssueInstant="{AT}"/>')
    for name, text, code in [
            ("first", p.head + decoy + p.genuine + p.tail, UNEXPECTED),
            ("last", p.head + p.genuine + decoy + p.tail, UNEXPECTED),
            ("no-namespace", p.head + '<Assertion ID="_e"/>' + p.genuine + p.tail, UNEXPECTED),
            ("saml-1", p.head + old + p.genuine + p.tail, UNEXPECTED),
            ("saml-1-alone", p.head + old + p.tail, UNEXPECTED),
            ("slash", splice(p.b1, f'xmlns:saml="{SAML}"', f'xmlns:saml="{SAML}/"'), UNEXPECTED),
            ("upper", splice(p.b1, f'xmlns:saml="{SAML}"', f'xmlns:saml="{SAML.upper()}"'),
             UNEXPECTED),
            ("signature", splice(p.b1, f'<ds:Signature xmlns:ds="{DS}">',
                                 '<ds:Signature xmlns:ds="urn:evil">'), "signature.missing"),
            ("signature-beside", splice(p.b1, p.s, '<x:Signature xmlns:x="urn:evil"/>' + p.s),
             "signature.digest-mismatch"),
            ("local-name", p.b1.replace("saml:Assertion", "saml:assertion"), UNEXPECTED)]:
        suite.add("XSW-32", name, text, code)
    cardinality(suite, p)
    suite.add("XSW-34", "lifted", response(part(p.b2, "saml:Assertion"), slot=""),
              "signature.missing", base="B2", note="the unsigned assertion of a signed Response")
    suite.add("XSW-35", "other-response", signed(response(issuer=issuer(IDP_B)), None, "_r",
              key="other-rsa"), "issuer.mismatch", base="B2", keys=[IDP_KEY, "keys/other-rsa.crt"],
              issuers=[IDP, IDP_B], note="B signs a Response around an assertion of A")
    suite.add("XSW-35", "other-key", signed(response(), None, "_r", key="other-rsa"),
              "signature.invalid", base="B2", note="the issuer is A, the key is B's")
    for name, old, new, code in [
            ("request", f'InResponseTo="{REQUEST}">\n  <saml', 'InResponseTo="_q2">\n  <saml',
             "response.in-response-to-mismatch"),
            ("request-absent", f' InResponseTo="{REQUEST}">\n  <saml', ">\n  <saml",
             "response.in-response-to-missing"),
            ("destination", f'Destination="{ACS}"', 'Destination="https://evil.example/"',
             "response.destination-mismatch"),
            ("issued", f'ID="_r" Version="2.0" IssueInstant="{AT}"',
             'ID="_r" Version="2.0" IssueInstant="2030-01-01T12:02:00Z"', "time.issued-in-future"),
            ("issued-malformed", f'ID="_r" Version="2.0" IssueInstant="{AT}"',
             'ID="_r" Version="2.0" IssueInstant="now"', "time.malformed"),
            ("issuer", f"<saml:Issuer>{IDP}</saml:Issuer>\n  <samlp:Status>",
             f"<saml:Issuer>{IDP_B}</saml:Issuer>\n  <samlp:Status>", "issuer.mismatch"),
            ("status", "status:Success", "status:Responder", "response.status"),
            ("version", 'ID="_r" Version="2.0"', 'ID="_r" Version="2.1"', "response.version")]:
        suite.add("XSW-36", name, splice(p.b1, old, new), code, kept=True,
                  note="unsigned values can refuse")
    suite.add("XSW-36", "destination-absent", splice(p.b1, f' Destination="{ACS}"', ""), kept=True,
              claims=claims(), note="the signed Recipient binds")
    free = splice(p.b1, f'Destination="{ACS}"', 'Destination="https://evil.example/"')
    suite.add("XSW-36", "nothing-asked", free, kept=True, claims=claims(), recipient=None,
              inResponseTo=None, note="and satisfy nothing: here no recipient is expected")
    suite.add(["XSW-36", "SEM-7"], "conflict", splice(
        free, f'InResponseTo="{REQUEST}">\n  <saml', 'InResponseTo="_q2">\n  <saml'),
        "response.in-response-to-conflict", kept=True, recipient=None, inResponseTo=None,
        note="the Response and the signed confirmation name different requests")
    for name, data_, ask, code in [
            ("no-satisfy-request", data(request=None), REQUEST, "subject.in-response-to-missing"),
            ("no-satisfy-recipient", data(recipient=None), REQUEST, "subject.recipient-missing")]:
        suite.add("XSW-36", name, signed(response(assertion(subject=subject(
            f"<saml:NameID>{ALICE}</saml:NameID>", confirmation(data_))))), code, kept=True,
            note="the unsigned Response says it, the signed assertion does not")


def cardinality(suite, p):
    one = status()
    for name, old, new, code in [
            ("two-issuers", "</saml:Issuer>\n  <samlp:Status>",
             f"</saml:Issuer>{issuer()}\n  <samlp:Status>", "xml.repeated-element"),
            ("two-status", one, one + one, "xml.repeated-element"),
            ("status-last", one, "", "xml.missing-element"),
            ("two-codes", one, splice(one, "</samlp:Status>", f'<samlp:StatusCode Value="{REQUESTER}"'
                                      "/></samlp:Status>"), "xml.repeated-element"),
            ("text", one, one + "text", "xml.unexpected-text"),
            ("cdata", one, one + "<![CDATA[text]]>", "xml.unexpected-text")]:
        text = splice(p.b1, old, new)
        if name == "status-last":
            text, code = splice(text, p.tail, one + p.tail), UNEXPECTED
        suite.add("XSW-33", name, text, code, kept=True)
    twice = "xml.repeated-element"
    name_id = f"<saml:NameID>{ALICE}</saml:NameID>"
    other_id = f"<saml:EncryptedID>{sealed(f'<saml:NameID>{ADMIN}</saml:NameID>', 'XSW-33')}" \
        "</saml:EncryptedID>"
    for name, parts, code in [
            ("two-subjects", {"subject": subject() + named(ADMIN)}, twice),
            ("two-names", {"subject": subject(name_id + f"<saml:NameID>{ADMIN}</saml:NameID>")},
             twice),
            ("two-conditions", {"conditions": conditions() + conditions()}, twice),
            ("two-assertion-issuers", {"issuer": issuer() + issuer(IDP_B)}, twice),
            ("name-and-encrypted", {"subject": subject(name_id + other_id)}, UNEXPECTED),
            ("encrypted-and-name", {"subject": subject(other_id + name_id)}, UNEXPECTED),
            ("confirmation-first", {"subject": subject(confirmation() + name_id)}, UNEXPECTED),
            ("conditions-last", {"conditions": "", "statements": authn() + conditions()},
             UNEXPECTED)]:
        suite.add("XSW-33", name, signed(response(assertion(**parts))), code, kept=True,
                  decryptKeys=["keys/rp-rsa.key"], note="signed like this by the issuer")
