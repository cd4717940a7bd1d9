"""What real providers write in their own way: where the signature stands, how it is canonicalized, what
it refers to and how its value is encoded."""

import base64
import re

from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from . import saml11
from .documents20 import (
    BY_HAND, RSLOT, SAML, SLOT, assertion, claims, named, part, response, signed)
from .signing import ENVELOPED, EXC, INC, INC11, reference, sign, sign_by_hand, template, transform
from .world import ALICE, splice

COMMENTS = {"exclusive": EXC + "WithComments", "inclusive": INC + "#WithComments",
            "inclusive11": INC11 + "#WithComments"}
REPEATED = "signature.repeated"


def alone(text=None):
    """The assertion as a document of its own, with its slot."""
    return part(text or response(), "saml:Assertion").replace(
        "<saml:Assertion ", f'<saml:Assertion xmlns:saml="{SAML}" ', 1) + "\n"


def build20(writer):
    places(writer)
    comments(writer)
    whole_documents(writer)
    encodings(writer)
    divided(writer)


def at(text, slot, before):
    """The text with its slot before another text instead."""
    return splice(text.replace(slot, ""), before, slot + before)


def places(writer):
    def good(name, text, id="_a", response_id=None, note="", attack=()):
        writer.add(f"place-{name}", signed(text, id, response_id), claims=claims(), note=note,
                   attack=attack)

    end = "\n  </saml:Assertion>"
    for name, before in [("first", "<saml:Issuer>" + response().split("<saml:Issuer>")[1][:4]),
                         ("subject", "<saml:Conditions "), ("conditions", "<saml:AuthnStatement "),
                         ("statement", "<saml:AttributeStatement>"), ("last", end)]:
        if name == "first":
            text = response(assertion().replace(SLOT, "").replace(
                "<saml:Issuer>", SLOT + "<saml:Issuer>", 1))
        else:
            text = response(at(assertion(), SLOT, before))
        good(f"assertion-{name}", text, note="the schema has the signature behind Issuer")
    whole = response()
    good("response-last", at(whole, RSLOT, "\n</samlp:Response>"), None, "_r",
         "behind the assertion, as Auth0 has it")
    good("response-status", at(whole, RSLOT, "<saml:Assertion "), None, "_r")
    good("response-first", whole.replace(RSLOT, "").replace(
        "<saml:Issuer>", RSLOT + "<saml:Issuer>", 1), None, "_r")
    inner = signed(response(at(assertion(), SLOT, end)))
    writer.add("place-both-last", sign(splice(inner, "\n</samlp:Response>", template(
        reference("#_r")) + "\n</samlp:Response>")), claims=claims())

    def bad(name, text, code, note="", **more):
        writer.add(f"place-{name}", text, code, note=note, attack=["XSW-28"], **more)

    one = signed(response())
    two = re.search(r"<ds:Signature .*?</ds:Signature>", one, re.S).group(0)
    bad("assertion-twice", splice(one, end, two + end), REPEATED, "the same once more, at the end")
    last = signed(at(whole, RSLOT, "\n</samlp:Response>"), None, "_r")
    two = re.search(r"<ds:Signature .*?</ds:Signature>", last, re.S).group(0)
    bad("response-twice", splice(last, "<samlp:Status>", two + "<samlp:Status>"), REPEATED)
    bad("below", splice(signed(at(assertion_alone_text(), SLOT, end)), "</ds:Signature>" + end,
                        "</ds:Signature>" + end).replace(
        "<ds:Signature ", "<saml:Advice><ds:Signature ", 1).replace(
        "</ds:Signature>", "</ds:Signature></saml:Advice>", 1), "signature.misplaced",
        "no direct child")


def assertion_alone_text():
    return response()


def comments(writer):
    """A comment may be signed over; of what is referred to, no comment is digested."""
    commented = response(assertion(subject=named(ALICE.replace("@", "<!--x-->@"))))
    for name, uri in COMMENTS.items():
        text = signed(commented, transforms=transform(ENVELOPED) + transform(uri))
        writer.add(f"comments-transform-{name}", text, claims=claims(), attack=["DSIG-24", "CMT-1"],
                   note="#id refers to an element without its comments (XML Signature 4.4.3.3)")
        writer.add(f"comments-transform-{name}-moved", splice(
            text, ALICE.replace("@", "<!--x-->@"), ALICE[0] + "<!--y-->" + ALICE[1:]),
            claims=claims(), attack=["DSIG-24", "CMT-1"], note="the comment is not digested")
        text = signed(splice(response(), SLOT, SLOT), method_c14n=uri)
        writer.add(f"comments-method-{name}", text, claims=claims(), attack="DSIG-24",
                   note="SignedInfo with its comments, and there is none")
    slot = template(reference("#_a"), c14n=COMMENTS["exclusive"]).replace(
        "<ds:Reference ", "<!-- signed --><ds:Reference ")
    text = sign(splice(response(), SLOT, slot).replace(RSLOT, ""))
    writer.add("comments-signed-info", text, claims=claims(), attack="DSIG-24",
               note="a comment in SignedInfo is signed")
    writer.add("comments-signed-info-removed", splice(text, "<!-- signed -->", ""),
               "signature.invalid", attack="DSIG-24")
    writer.add("comments-signed-info-added", splice(
        text, "</ds:SignedInfo>", "<!-- more --></ds:SignedInfo>"), "signature.invalid",
        attack="DSIG-24")


def whole_documents(writer):
    rooted = splice(response(), RSLOT, template(reference(""))).replace(SLOT, "")
    single = splice(alone(), SLOT, template(reference("")))
    wrong = "signature.reference-uri"

    def good(name, text, note=""):
        writer.add(f"whole-{name}", text, claims=claims(), attack="REF-1", note=note)

    def bad(name, text, note="", code=wrong, **more):
        writer.add(f"whole-{name}", text, code, attack="REF-1", note=note, **more)

    good("response", sign(rooted), "URI=\"\" on the Response, as saml.oktadev.com has it")
    good("assertion", sign(single))
    good("comments", "<!-- before -->\n" + sign(rooted) + "<!-- after -->\n")
    good("declaration", '<?xml version="1.0"?>\n' + sign(rooted))
    good("c14n", sign(splice(response(), RSLOT, template(reference("", c14n=INC), c14n=INC)
                             ).replace(SLOT, "")))
    for name, text in [("before", "<?a b?>" + rooted), ("behind", rooted + "<?a b?>")]:
        bad(f"instruction-{name}", sign(text), "an instruction stands beside the document element",
            signed=True)
    bad("inside", sign(splice(response(), SLOT, template(reference(""))).replace(RSLOT, "")),
        "on the assertion, which is not the document", signed=True)
    moved = sign(single)
    bad("moved", response(moved.rstrip()).replace(RSLOT, ""),
        "a document of its own, moved into a Response")
    bad("tampered", splice(sign(rooted), ALICE, "admin@idp.example"), "",
        "signature.digest-mismatch")


def encodings(writer):
    plain = signed(response(), key="idp-ec256", method="ecdsa-sha256", signer=sign_by_hand)
    value = re.search("<ds:SignatureValue>([^<]+)<", plain).group(1)
    raw = base64.b64decode(value)
    sequence = encode_dss_signature(
        int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    pin = ["keys/idp-ec256.crt"]

    def put(name, octets, code=None, allow=("ecdsa-asn1",), note="", **more):
        outcome = {} if code else {"claims": claims()}
        writer.add(f"ecdsa-asn1-{name}", splice(
            plain, value, base64.b64encode(octets).decode()), code, attack="CRY-6", by=BY_HAND,
            keys=pin, allow=allow, note=note, **outcome, **more)

    put("refused", sequence, "algorithm.legacy", (), "r and s as an ASN.1 sequence")
    put("allowed", sequence, note="allowed by name")
    put("flat", raw, note="r and s side by side are as good as ever")
    put("trailing", sequence + b"\0", "signature.invalid")
    put("cut", sequence[:-1], "signature.invalid")
    put("long-length", b"\x30\x81" + sequence[1:], "signature.invalid", note="no DER")
    padded = bytearray(sequence)
    padded[1] += 1
    padded[3] += 1
    padded[4:4] = b"\0"
    put("padded", bytes(padded), "signature.invalid", note="a number with a zero too many")
    swapped = encode_dss_signature(
        int.from_bytes(raw[32:], "big"), int.from_bytes(raw[:32], "big"))
    put("swapped", swapped, "signature.invalid")
    put("zeros", encode_dss_signature(0, 0), "signature.invalid")


def divided(writer):
    """Canonical form drops comments, so that nothing but a rule of its own refuses these."""
    plain = signed(response())
    for name, element, code in [("digest", "DigestValue", "signature.digest-value"),
                                ("signature", "SignatureValue", "signature.value")]:
        value = re.search(f"<ds:{element}>([^<]+)<", plain).group(1)
        for kind, piece in [("comment", "<!-- x -->"), ("instruction", "<?x y?>"),
                            ("element", "<x/>")]:
            for place, text in [("inside", value[:8] + piece + value[8:]),
                                ("behind", value + piece)]:
                writer.add(f"divided-{name}-{kind}-{place}", splice(plain, value, text), code,
                           attack="DSIG-14")
        writer.add(f"divided-{name}-cdata", splice(
            plain, value, f"{value[:8]}<![CDATA[{value[8:]}]]>"), claims=claims(),
            attack="DSIG-14", note="CDATA is text, and the canonical form shows no difference")


def build11(writer):
    world = {"recipient": None, "request": None}

    def good(name, text, id="_a", response_id=None, note=""):
        writer.add(f"place-{name}", signed(text, id, response_id), claims=saml11.claims(),
                   note=note, **world)

    token = saml11.assertion()
    good("assertion-first", at(token, SLOT, "<saml:Conditions "),
         note="the schema has the signature last")
    good("assertion-conditions", at(token, SLOT, "<saml:AttributeStatement>"))
    whole = saml11.response()
    good("response-last", at(whole, RSLOT, "\n</samlp:Response>"), None, "_r",
         "the schema has the signature first")
    good("response-status", at(whole, RSLOT, "<saml:Assertion "), None, "_r")
    one = signed(token)
    two = re.search(r"<ds:Signature .*?</ds:Signature>", one, re.S).group(0)
    writer.add("place-assertion-twice", splice(
        one, "<saml:Conditions ", two + "<saml:Conditions "), REPEATED, attack="XSW-28", **world)
    rooted = splice(whole, RSLOT, template(reference(""))).replace(SLOT, "")
    writer.add("whole-response", sign(rooted), claims=saml11.claims(), attack="REF-1", **world)
    writer.add("whole-assertion", sign(splice(token, SLOT, template(reference("")))) + "\n",
               claims=saml11.claims(), attack="REF-1", **world)
    inside = splice(token, SLOT, template(reference("")))
    writer.add("whole-rstr", saml11.rstr(sign(inside)), "signature.reference-uri", attack="REF-1",
               note="a document of its own, moved into a message", **world)
