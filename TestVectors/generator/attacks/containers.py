"""CONT: the container that no signature covers chooses no check and meets no expectation."""

import base64
import re

from .. import saml11
from ..documents20 import (
    SAML, assertion, attribute, attributes, authn, claims, conditions, confirmation, data, issuer,
    response, signed, subject)
from ..encryption import around, encrypted, whole
from ..sealing import sealed
from ..world import ACS, ALICE, IDP, IDP_B, IDP_KEY, METHOD, INSTANT, REQUEST, splice

NAME = f"<saml:NameID>{ALICE}</saml:NameID>"
RP = {"decryptKeys": ["keys/rp-rsa.key"]}
FAILED = "encryption.failed"


def add(suite):
    unwrapped(suite)
    unsigned(suite)
    placeless(suite)
    ends(suite)
    oracles(suite)


def containers(**parts):
    """One signed assertion in everything that carries one."""
    text = signed(whole(assertion(**parts)))
    return {
        "response": ("B1", response(text, slot=""), {}),
        "bare": ("B1", text + "\n", {}),
        "rstr": ("B6e", saml11.rstr(text, type=SAML), {}),
        "soap": ("B6e", saml11.envelope(saml11.rstr(text, type=SAML)), {}),
        "encrypted": ("B4u", around(sealed(text, "CONT-1")), RP),
        "encrypted-bare": ("B4u", f'<saml:EncryptedAssertion xmlns:saml="{SAML}">'
                           f'{sealed(text, "CONT-1")}</saml:EncryptedAssertion>\n', RP)}


def unwrapped(suite):
    who = lambda inner: {"subject": subject(NAME, confirmation(inner))}  # noqa: E731
    user = attributes(attribute("role", "user"))
    asked = {"recipient": ACS, "inResponseTo": REQUEST}
    nothing = {"recipient": None, "inResponseTo": None}
    without = {name: values for name, values in claims().items() if name not in (METHOD, INSTANT)}
    lacks = "subject.confirmation-data"
    for name, parts, world, code, says in [
            ("good", {}, asked, None, None),
            ("begins-later", who(data(more=' NotBefore="2030-01-01T12:01:01Z"')), nothing,
             "subject.confirmation-not-yet-valid", None),
            ("expired", who(data(until="2030-01-01T11:58:00Z")), nothing,
             "subject.confirmation-expired", None),
            ("no-authentication", {"statements": user}, asked, "response.no-authentication", None),
            ("no-authentication-unasked", {"statements": user}, nothing, None, without),
            ("no-end", who(data(until=None)), asked, lacks, None),
            ("no-end-unasked", who(data(until=None)), nothing, None, None),
            ("no-data", who(""), asked, lacks, None), ("no-data-unasked", who(""), nothing, None, None),
            ("no-recipient", who(data(recipient=None)), asked, "subject.recipient-missing", None),
            ("other-recipient", who(data(recipient=ACS + "/")), asked, "subject.recipient-mismatch",
             None),
            ("no-request", who(data(request=None)), asked, "subject.in-response-to-missing", None),
            ("other-request", who(data(request="_q2")), asked, "subject.in-response-to-mismatch",
             None)]:
        for container, (base, text, more) in containers(**parts).items():
            if not code:
                more = more | {"claims": says or claims()}
            suite.add("CONT-1", f"{name}-{container}", text, code, base=base, format="saml20",
                      kept=not container.startswith("encrypted"), **more | world)


def unsigned(suite):
    """What an attacker writes around a signed SAML 1.1 assertion."""
    bare = signed(saml11.assertion())
    by_assertion = signed(saml11.response(saml11.assertion(declare=True)))
    recipient = {"recipient": ACS, "inResponseTo": None}
    request = {"recipient": None, "inResponseTo": REQUEST}
    to, answer = "response.recipient-unprovable", "response.in-response-to-unprovable"
    for name, text, base in [
            ("taken-out", bare + "\n", "B5"), ("response", by_assertion, "B5"),
            ("rstr", saml11.rstr(bare), "B6"), ("soap", saml11.envelope(saml11.rstr(bare)), "B6")]:
        for what, world, code in [("recipient", recipient, to), ("request", request, answer)]:
            suite.add("CONT-2", f"{name}-{what}", text, code, base=base, format="saml11", kept=True,
                      **world)
    by_response = signed(saml11.response(), None, "_r")
    for what, world in [("recipient", recipient), ("request", request)]:
        suite.add("CONT-2", f"signed-response-{what}", by_response, base="B5r", kept=True,
                  claims=saml11.claims(), note="the issuer signed the response", **world)
    for name, text, code in [
            ("recipient", splice(by_assertion, f'Recipient="{ACS}"', 'Recipient="https://x.example/"'),
             "response.destination-mismatch"),
            ("request", splice(by_assertion, f'InResponseTo="{REQUEST}"', 'InResponseTo="_q2"'),
             "response.in-response-to-mismatch")]:
        suite.add("CONT-2", f"contradicted-{name}", text, code, base="B5", kept=True,
                  **recipient if name == "recipient" else request)


def placeless(suite):
    to, answer = "response.recipient-unprovable", "response.in-response-to-unprovable"
    for base in ("B7", "B8", "B8e", "B8h"):
        suite.add("CONT-3", f"{base.lower()}-recipient", suite.text(base), to, base=base,
                  recipient=ACS)
    suite.add("CONT-3", "b7-request", suite.text("B7"), answer, base="B7", inResponseTo=REQUEST)
    suite.add("CONT-3", "b8-request", suite.text("B8"), "response.in-response-to-missing", base="B8",
              inResponseTo=REQUEST, note="a JSON Web Token has a place for it, the nonce")


def ends(suite):
    expired = confirmation(data(until="2029-12-31T12:00:00Z"))
    for name, inner in [("open", confirmation("")),
                        ("later", confirmation(data(until="2030-01-01T12:04:00Z")))]:
        for order, both in [("first", (expired, inner)), ("last", (inner, expired))]:
            suite.add("CONT-4", f"{name}-{order}", signed(response(assertion(subject=subject(
                NAME, *both)))), base="B1", claims=claims(), recipient=None, inResponseTo=None,
                kept=True, note="the confirmation that held says until when")


def flipped(text, place, mask=1):
    """The last CipherValue, which is that of the data, with one octet changed."""
    found = list(re.finditer(r"<xenc:CipherValue>([^<]*)</xenc:CipherValue>", text))[-1]
    octets = bytearray(base64.b64decode(found.group(1)))
    octets[place] ^= mask
    changed = base64.b64encode(bytes(octets)).decode()
    return text[:found.start(1)] + changed + text[found.end(1):]


def oracles(suite):
    """A trusted issuer B signs around ciphertext of A and looks at the codes."""
    world = RP | {"keys": [IDP_KEY, "keys/other-rsa.crt"], "issuers": [IDP, IDP_B]}

    def by_b(inner):
        return signed(response(encrypted(inner), issuer=issuer(IDP_B)), None, "_r", key="other-rsa")

    def bad(name, text, code=FAILED, **more):
        suite.add("CONT-5", name, text, code, base="B4", **world | more)

    a = signed(whole(assertion()))
    size = len(a.encode())
    for cipher in ("aes128-cbc", "aes256-cbc"):
        cut = sealed(a, "CONT-5", cipher)
        for place in (0, 16, 32, 48, 160, size // 2, size // 2 + 16, -33, -17, -16, -1):
            for mask in (1, 0x80):
                bad(f"{cipher}-{place}-{mask:x}", by_b(flipped(cut, place, mask)))
    for name, plaintext in [
            ("text", "no XML at all"), ("empty", ""), ("nul", a.replace("user", "us\0r")),
            ("latin", a.encode().replace(b"user", b"us\xe9r")), ("doctype", "<!DOCTYPE x>" + a),
            ("cut", a[:-20]), ("two", a + a), ("other", f'<saml:Advice xmlns:saml="{SAML}"/>'),
            ("response", response(slot="").replace("@SLOT@", "")),
            ("no-issuer", whole(assertion(issuer="", slot=""))),
            ("unknown-issuer", signed(whole(assertion(issuer=issuer("urn:x"))))),
            ("unsigned", whole(assertion(slot=""))),
            ("other-key", signed(whole(assertion()), key="evil-rsa")),
            ("tampered", a.replace(">user<", ">root<"))]:
        bad(f"plaintext-{name}", by_b(sealed(plaintext, "CONT-5", "aes256-cbc")))
    bad("whole", by_b(sealed(a, "CONT-5", "aes256-cbc")), "issuer.mismatch",
        note="the signature inside says whose it is; then B may learn that it is not its own")
    expired = signed(whole(assertion(conditions=conditions(
        since="2030-01-01T11:00:00Z", until="2030-01-01T11:58:00Z"))))
    bad("expired", around(sealed(expired, "CONT-5", "aes256-cbc"), sign=True), "time.expired",
        note="A signed around its own ciphertext")
    bad("expired-inside", around(sealed(expired, "CONT-5", "aes256-cbc")), "time.expired",
        note="A signed inside")
    suite.add("CONT-5", "genuine", around(sealed(a, "CONT-5", "aes256-cbc"), sign=True), base="B4",
              claims=claims(), **world)
    parts(bad)


def parts(bad):
    """Ciphertext of A as an identifier or an attribute of B's own assertion."""
    def by_b(name=None, role=None):
        who = subject(f"<saml:EncryptedID>{name}</saml:EncryptedID>") if name else subject(NAME)
        what = (f"<saml:EncryptedAttribute>{role}</saml:EncryptedAttribute>" if role
                else attribute("role", "user"))
        return signed(response(assertion(
            issuer=issuer(IDP_B), subject=who, statements=authn() + attributes(what)),
            issuer=issuer(IDP_B)), key="other-rsa")

    head = f'<saml:NameID xmlns:saml="{SAML}"'
    for name, plaintext in [
            ("text", "no XML"), ("cut", head + f">{ALICE}"), ("empty", head + "> </saml:NameID>"),
            ("nul", head + ">a\0b</saml:NameID>"), ("element", head + "><x/></saml:NameID>"),
            ("other", f'<saml:Issuer xmlns:saml="{SAML}">x</saml:Issuer>'),
            ("qualifier", head + f' SPNameQualifier="https://x.example/">{ALICE}</saml:NameID>')]:
        bad(f"name-{name}", by_b(name=sealed(plaintext, "CONT-5", "aes256-cbc")))
    bad("name-qualifier-gcm", by_b(name=sealed(
        head + f' SPNameQualifier="https://x.example/">{ALICE}</saml:NameID>', "CONT-5",
        "aes256-gcm")), "subject.sp-name-qualifier", note="a cipher that notices changes")
    head = f'<saml:Attribute xmlns:saml="{SAML}"'
    for name, plaintext in [
            ("text", "no XML"), ("no-name", head + "/>"),
            ("child", head + ' Name="role"><saml:Advice/></saml:Attribute>'),
            ("other", f'<saml:Issuer xmlns:saml="{SAML}">x</saml:Issuer>')]:
        bad(f"attribute-{name}", by_b(role=sealed(plaintext, "CONT-5", "aes256-cbc")))
