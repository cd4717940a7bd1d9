"""REF: what a Reference may name, and what else in a document may bear that name."""

from ..documents20 import (
    RSLOT, SLOT, assertion, attribute, attributes, authn, claims, extensions, issuer, named,
    response, signed, status)
from ..signing import DS, EXC, reference, sign, sign_by_hand, template, transform
from ..world import ADMIN, ALICE, splice
from .core import signature_of
from .xsw import Parts, URI, DUPLICATE, STRUCTURE, forged

COUNT = "signature.reference-count"
MALFORMED = "xml.malformed-id"
WSU = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"


def add(suite):
    p = Parts(suite)
    uris(suite)
    decoys(suite, p)
    counts(suite, p)


def at_assertion(uri, id="_a", **more):
    return splice(response(assertion(id=id)), SLOT, template(reference(uri, **more))).replace(
        RSLOT, "")


def at_response(uri, **more):
    return splice(response(), RSLOT, template(reference(uri, **more))).replace(SLOT, "")


def uris(suite):
    def odd(entry, name, uri, code=URI, **more):
        """Signed by the issuer with this URI, once in the assertion and once in the Response."""
        suite.add(entry, f"{name}-assertion", sign_by_hand(at_assertion(uri, **more)), code)
        suite.add(entry, f"{name}-response", sign_by_hand(at_response(uri, **more)), code,
                  base="B2")

    suite.add("REF-1", "assertion", sign(at_assertion("")), URI,
              note="the whole document: the signature verifies")
    suite.add("REF-1", "response", sign(at_response("")), base="B2", claims=claims(),
              note="the whole document, and the Response is all of it")
    suite.add("REF-1", "instruction", sign("<?a b?>" + at_response("")), URI, base="B2",
              note="an instruction beside the Response: the signature verifies")
    suite.add("REF-1", "extensions", sign(response(extensions=extensions(template(reference("")))
                                                   ).replace(SLOT, "").replace(RSLOT, "")),
              "signature.misplaced")
    odd("REF-2", "none", None)
    for name, uri in [("hash", "#"), ("hash-space", "# "), ("space", "# _a"), ("tab", "#&#9;_a"),
                      ("no-hash", "_a"), ("two-hashes", "##_a"), ("space-behind", "#_a "),
                      ("space-before", " #_a"), ("case", "#_A"), ("prefix", "#_"),
                      ("longer", "#_a1")]:
        odd("REF-3", name, uri)
    for name, uri in [
            ("root", "#xpointer(/)"), ("id", "#xpointer(id('_a'))"), ("path", "#xpointer(//*[1])"),
            ("element", "#element(/1)"), ("xmlns", "#xmlns(a=b)xpointer(id('_a'))")]:
        odd("REF-4", name, uri)
    for name, uri in [
            ("http", "http://127.0.0.1:9/x"), ("https", "https://127.0.0.1:9/x"),
            ("file", "file:///etc/passwd"), ("ftp", "ftp://127.0.0.1/x"), ("cid", "cid:att"),
            ("data", "data:,x"), ("relative", "//127.0.0.1:9/x"), ("document", "doc.xml#_a"),
            ("http-fragment", "http://127.0.0.1:9/x#_a")]:
        odd("REF-5", name, uri)
    for name, uri in [("first", "#%5Fa"), ("last", "#_%61"), ("twice", "#%255Fa")]:
        odd("REF-6", name, uri)
    suite.add("REF-6", "iri", sign_by_hand(at_assertion("#%C3%A9", id="\u00e9")), URI,
              note="the identifier is one letter, the fragment its escaped UTF-8")
    for name, uri in [
            ("or", "#_a&quot; or &quot;1&quot;=&quot;1"), ("path", "#_a']|//*[@x='"),
            ("quotes", "#_a&quot;]|//*[@x=&quot;"), ("backslash", "#_a\\"),
            ("apostrophe", "#_a&apos;")]:
        odd("REF-7", name, uri)
    odd("REF-8", "absent", "#_absent")
    odd("REF-21", "manifest", "#_a", "signature.reference-type", type=DS + "Manifest")
    suite.add("REF-21", "object-type", signed(response(), type=DS + "Object"), claims=claims(),
              note="Type is advice (XML Signature 1.1, 4.4.3.1); the reference is to its parent")
    digest = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    manifest = (f'<ds:Object><ds:Manifest Id="_m">{reference("#_a").replace("@D@", digest)}'
                "</ds:Manifest></ds:Object>")
    text = splice(response(), SLOT, template(reference(
        "#_m", type=DS + "Manifest", transforms=transform(EXC)), after=manifest)).replace(RSLOT, "")
    suite.add("REF-21", "in-object", sign_once(text), STRUCTURE,
              note="the digest inside the Manifest is wrong")
    for name, mark, new in [
            ("signature", "<ds:Signature ", '<ds:Signature Id="_s" '),
            ("signed-info", "<ds:SignedInfo>", '<ds:SignedInfo Id="_s">'),
            ("value", "<ds:SignatureValue>", '<ds:SignatureValue Id="_s">')]:
        text = splice(at_assertion("#_s", transforms=transform(EXC)), mark, new)
        suite.add(["REF-22", "C14N-6"], name, sign_by_hand(text), URI,
                  note="the signature names a part of itself")
    suite.add("REF-22", "assertion-id", splice(
        suite.text("B1"), "<ds:Signature ", '<ds:Signature Id="_a" '), DUPLICATE)
    for name, id, uri, code in [
            ("absent", None, "#_a", "xml.missing-attribute"), ("empty", "", "#", MALFORMED),
            ("absent-hash", None, "#", "xml.missing-attribute")]:
        suite.add("REF-23", name, sign_by_hand(at_assertion(uri, id=id)), code)
    long = "x" * 65536
    suite.add("REF-24", "long", sign_by_hand(at_assertion("#" + long, id=long)), MALFORMED, runs=["x"])
    suite.add("REF-24", "257", signed(response(assertion(id="x" * 257)), "x" * 257), MALFORMED)
    for name, id in [("tab", "_&#9;a"), ("line-end", "_&#10;a"), ("space", "_ a")]:
        suite.add("REF-24", name, sign_by_hand(at_assertion("#" + id, id=id)), MALFORMED)
    for name, id, text in [("percent", "_%00a", "_%00a"), ("quotes", "_&quot;a&quot;", '_"a"'),
                           ("delete", "_\u007fa", "_\u007fa")]:
        suite.add(["REF-24", "OK-32"], name, signed(response(assertion(id=id)), id),
                  claims=claims(), tokenID=text, note="no xs:ID, but compared as bytes like any")


def sign_once(text):
    """Like `sign_by_hand`, with digests that are there already left alone."""
    return sign_by_hand(text)


def decoys(suite, p):
    def extension(element, text=None):
        return splice(text or p.b1, "<samlp:Status>", extensions(element) + "<samlp:Status>")

    def after(element):
        return p.head + p.genuine + p.tail.replace(
            "</samlp:Response>", f"{element}</samlp:Response>")

    plain = '<x:D xmlns:x="urn:x" {}/>'
    suite.add("REF-9", "extensions", extension(plain.format('ID="_a"')), DUPLICATE, kept=True)
    suite.add("REF-9", "response-id", extension(plain.format('ID="_r"')), DUPLICATE, kept=True)
    suite.add("REF-9", "detail", splice(p.b1, status(), status(inner=(
        f"<samlp:StatusDetail>{plain.format('ID=' + chr(34) + '_a' + chr(34))}"
        "</samlp:StatusDetail>"))), DUPLICATE, kept=True)
    suite.add("REF-9", "after", after(plain.format('ID="_a"')), DUPLICATE, kept=True)
    suite.add("REF-9", "object", splice(p.b1, "</ds:Signature>", (
        '<ds:Object ID="_a"/></ds:Signature>')), DUPLICATE, kept=True)
    suite.add("REF-9", "value", signed(response(assertion(statements=authn() + attributes(
        attribute("role", f'<saml:AttributeValue>{plain.format(chr(73) + "D=" + chr(34) + "_a" + chr(34))}'
                          "</saml:AttributeValue>")))), signer=sign_by_hand), DUPLICATE,
        note="signed like this by the issuer")
    for name in ("Id", "id", "AssertionID", "ResponseID", "RequestID"):
        suite.add("REF-10", name.lower() if name != "id" else "lower-id",
                  extension(plain.format(f'{name}="_a"')), DUPLICATE, kept=True)
    suite.add("REF-10", "wsu", extension(
        f'<x:D xmlns:x="urn:x" xmlns:wsu="{WSU}" wsu:Id="_a"/>'), DUPLICATE, kept=True)
    suite.add("REF-10", "signature", splice(p.b1, "<ds:Signature ", '<ds:Signature id="_r" '),
              DUPLICATE, kept=True)
    suite.add("REF-11", "before", extension(plain.format('xml:id="_a"')), DUPLICATE, kept=True)
    suite.add("REF-11", "status", splice(p.b1, "<samlp:Status>", '<samlp:Status xml:id="_a">'),
              DUPLICATE, kept=True)
    suite.add("REF-11", "after", after(plain.format('xml:id="_a"')), DUPLICATE, kept=True)
    suite.add("REF-12", "decoy", extension('<x:D xmlns:x="urn:x" x:ID="_a"/>'), claims=claims(),
              kept=True, note="an attribute in a namespace identifies nothing")
    suite.add("REF-12", "added", splice(p.b1, '<saml:Assertion ID="_a"', (
        '<saml:Assertion xmlns:e="urn:e" e:ID="_x" ID="_a"')), "signature.digest-mismatch")
    suite.add("REF-12", "added-same", splice(p.b1, '<saml:Assertion ID="_a"', (
        '<saml:Assertion xmlns:e="urn:e" e:ID="_a" ID="_a"')), "signature.digest-mismatch")
    suite.add("REF-12", "instead", sign_by_hand(at_assertion("#_a").replace(
        '<saml:Assertion ID="_a"', '<saml:Assertion xmlns:e="urn:e" e:ID="_a"')),
        "xml.missing-attribute")
    suite.add("REF-13", "decoy", extension('<y x:ID="_a"/>'), "xml.namespace")
    suite.add("REF-13", "assertion", splice(
        p.b1, '<saml:Assertion ID="_a"', '<saml:Assertion x:ID="_b" ID="_a"'), "xml.namespace")
    for name, id in [("decimal", "&#95;a"), ("hex", "&#x5F;a"), ("last", "_&#x61;")]:
        suite.add("REF-14", name, extension(plain.format(f'ID="{id}"')), DUPLICATE, kept=True)
    suite.add("REF-15", "space", extension(plain.format('ID="_a "')), MALFORMED, kept=True)
    for name, id, near in [
            ("case", "_a", "_A"), ("full-width", "_a", "\uff3fa"), ("combining", "_a", "_a\u0301"),
            ("kelvin", "K", "\u212a"), ("decomposed", "\u00e9", "e\u0301"),
            ("joiner", "_a", "_a\u200d")]:
        genuine = signed(response(assertion(id=id)), id)
        suite.add("REF-15", name, extension(plain.format(f'ID="{near}"'), genuine), kept=True,
                  claims=claims(), tokenID=id, note="another identifier, byte for byte")
        # And the other way round: the reference names the near one.
        suite.add("REF-15", f"{name}-named", sign_by_hand(at_assertion("#" + near, id=id)), URI)
    doctype = "xml.doctype"
    suite.add("REF-16", "attlist", "<!DOCTYPE samlp:Response [<!ATTLIST x Q ID #IMPLIED>]>\n"
              + extension('<x Q="_a"/>'), doctype)
    entities = '<!DOCTYPE r [<!ENTITY i "_r"><!ENTITY p "&#x5F;">]>\n'
    suite.add("REF-17", "root", entities + splice(p.b1, 'ID="_r"', 'ID="&i;"'), doctype)
    suite.add("REF-17", "object", entities + splice(
        splice(p.b1, 'ID="_a"', 'ID="&p;a"'), "</ds:Signature>",
        f"<ds:Object>{p.cut}</ds:Object></ds:Signature>"), doctype)
    suite.add("REF-17", "no-doctype", splice(p.b1, 'ID="_r"', 'ID="&i;"'), "xml.entity")
    for name, old, new in [("uri", 'URI="#_a"', 'URI="&u;"'),
                           ("algorithm", f'Algorithm="{EXC}"/></ds:T', 'Algorithm="&u;"/></ds:T'),
                           ("digest", "<ds:DigestValue>", "<ds:DigestValue>&u;")]:
        suite.add("REF-18", name, '<!DOCTYPE r [<!ENTITY u "#_a">]>\n' + splice(p.b1, old, new),
                  doctype)


def counts(suite, p):
    def with_references(*references, digests=None, after=""):
        text = splice(response(), SLOT, template(*references, after=after)).replace(RSLOT, "")
        return sign_by_hand(text, digests=digests)

    suite.add("REF-19", "none", with_references(), COUNT)
    wrong = "A" * 43 + "="
    right = part_digest(p.b1)
    inner = reference("#_a").replace("@D@", wrong)
    suite.add("REF-19", "manifest", with_references(
        after=f"<ds:Object><ds:Manifest>{inner}</ds:Manifest></ds:Object>"), STRUCTURE,
        note="References in a Manifest alone")
    one, other = reference("#_a"), reference("#_a", transforms=transform(EXC))
    for name, references, digests in [
            ("external", (one, reference("http://127.0.0.1:9/x")), [right, wrong]),
            ("external-first", (reference("http://127.0.0.1:9/x"), one), [wrong, right]),
            ("right-wrong", (one, one), [right, wrong]), ("wrong-right", (one, one), [wrong, right]),
            ("other-transforms", (one, other), [right, wrong]),
            ("other-transforms-first", (other, one), [wrong, right]),
            ("other-element", (one, reference("#_r")), [right, wrong]),
            ("other-element-first", (reference("#_r"), one), [wrong, right])]:
        suite.add("REF-20", name, with_references(*references, digests=digests), COUNT)
    suite.add("REF-20", "many", with_references(*[one] * 64, digests=[right] * 64), COUNT,
              note="as many as the limit allows anywhere")
    suite.add("REF-20", "too-many", with_references(*[one] * 65, digests=[right] * 65),
              "signature.too-many-references")


def part_digest(text):
    return text.split("<ds:DigestValue>")[1].split("<")[0]
