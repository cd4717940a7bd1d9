"""Builds SAML 2.0 documents, in the world of world.py, and their manifest lines."""

import re

from .signing import EXC, reference, sign, sign_by_hand, template
from .world import (
    ACS, ALICE, AT, IDP, IDP_KEY, INSTANT, METHOD, NAME_IDENTIFIER, REQUEST, RP, SKEW, splice)

SAML = "urn:oasis:names:tc:SAML:2.0:assertion"
SAMLP = "urn:oasis:names:tc:SAML:2.0:protocol"
NAMESPACES = f'xmlns:samlp="{SAMLP}" xmlns:saml="{SAML}"'
BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer"
SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success"
REQUESTER = "urn:oasis:names:tc:SAML:2.0:status:Requester"
PASSWORD = "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport"
XSI = "http://www.w3.org/2001/XMLSchema-instance"
XS = "http://www.w3.org/2001/XMLSchema"

BY_XMLSEC = "xmlsec (Python binding)"
BY_HAND = "make.py (lxml, cryptography)"

# Parts of an assertion. A slot for the signature stands where the schema wants it.
SLOT, RSLOT = "@SLOT@", "@RSLOT@"


def issuer(name=IDP, attributes=""):
    return f"<saml:Issuer{attributes}>{name}</saml:Issuer>"


def data(recipient=ACS, until="2030-01-01T12:05:00Z", request=REQUEST, more=""):
    text = f' Recipient="{recipient}"' if recipient is not None else ""
    text += f' NotOnOrAfter="{until}"' if until is not None else ""
    text += f' InResponseTo="{request}"' if request is not None else ""
    return f"<saml:SubjectConfirmationData{text}{more}/>"


def confirmation(inner=None, method=BEARER):
    inner = data() if inner is None else inner
    return f'<saml:SubjectConfirmation Method="{method}">{inner}</saml:SubjectConfirmation>'


def subject(name=f"<saml:NameID>{ALICE}</saml:NameID>", *confirmations):
    inner = "".join(confirmations or [confirmation()])
    return f"<saml:Subject>{name}\n      {inner}</saml:Subject>"


def named(text, attributes=""):
    return subject(f"<saml:NameID{attributes}>{text}</saml:NameID>")


def restriction(*names):
    inner = "".join(f"<saml:Audience>{name}</saml:Audience>" for name in names)
    return f"<saml:AudienceRestriction>{inner}</saml:AudienceRestriction>"


def conditions(inner=None, since="2030-01-01T11:59:00Z", until="2030-01-01T12:05:00Z"):
    inner = restriction(RP) if inner is None else inner
    window = f' NotBefore="{since}"' if since is not None else ""
    window += f' NotOnOrAfter="{until}"' if until is not None else ""
    return f"<saml:Conditions{window}>\n      {inner}</saml:Conditions>"


def authn(instant="2030-01-01T12:00:00Z", attributes=' SessionIndex="_s1"', context=PASSWORD):
    return (
        f'<saml:AuthnStatement AuthnInstant="{instant}"{attributes}><saml:AuthnContext>'
        f"<saml:AuthnContextClassRef>{context}</saml:AuthnContextClassRef>"
        "</saml:AuthnContext></saml:AuthnStatement>")


def attribute(name, *values, attributes=""):
    inner = "".join(
        value if value.startswith("<saml:AttributeValue") else
        f"<saml:AttributeValue>{value}</saml:AttributeValue>" for value in values)
    return f'<saml:Attribute Name="{name}"{attributes}>{inner}</saml:Attribute>'


def attributes(*inner):
    return f"<saml:AttributeStatement>{''.join(inner)}</saml:AttributeStatement>"


def assertion(*, id="_a", head="", issuer=issuer(), subject=subject(), conditions=conditions(),
              advice="", statements=None, version="2.0", instant=AT, slot=SLOT):
    """An assertion with a slot for its signature."""
    if statements is None:
        statements = authn() + "\n    " + attributes(attribute("role", "user"))
    id = "" if id is None else f' ID="{id}"'
    parts = [part for part in (issuer + slot, subject, conditions, advice, statements) if part]
    return (
        f'<saml:Assertion{id} Version="{version}" IssueInstant="{instant}"{head}>\n    '
        + "\n    ".join(parts) + "\n  </saml:Assertion>")


def status(code=SUCCESS, inner=""):
    return f'<samlp:Status><samlp:StatusCode Value="{code}"/>{inner}</samlp:Status>'


def response(assertions=None, *, id="_r", destination=ACS, request=REQUEST, issuer=issuer(),
             status=status(), extensions="", namespaces=NAMESPACES, head="", version="2.0",
             slot=RSLOT, instant=AT):
    """A Response with a slot for its signature."""
    if assertions is None:
        assertions = assertion()
    head = (f' Destination="{destination}"' if destination is not None else "") + (
        f' InResponseTo="{request}"' if request is not None else "") + head
    parts = [part for part in (issuer + slot, extensions, status, assertions) if part]
    return (
        f'<samlp:Response {namespaces}\n    ID="{id}" Version="{version}" '
        f'IssueInstant="{instant}"{head}>\n  '
        + "\n  ".join(parts) + "\n</samlp:Response>\n")


def extensions(inner):
    return f"<samlp:Extensions>{inner}</samlp:Extensions>"


def signed(text, assertion="_a", response=None, *, key="idp-rsa", certificate=None,
           signer=sign, signer_options=None, response_options=None, **options):
    """Fills the slots: signs the assertion, then the Response, where an ID is given."""
    made = {"c14n": options.pop("method_c14n", options.get("c14n", EXC)),
            "method": options.pop("method", "rsa-sha256"), "certificate": certificate,
            "prefixes": options.pop("method_prefixes", None)}
    for slot, id in ((SLOT, assertion), (RSLOT, response)):
        if id is None or slot not in text:
            text = text.replace(slot, "")
            continue
        extra = response_options if slot == RSLOT and response_options is not None else options
        text = splice(text, slot, "\n    " + template(reference(f"#{id}", **extra), **made))
        pending = text.replace(RSLOT, "")
        if signer is sign_by_hand:
            signed_text = sign_by_hand(pending, key, made["method"], **(signer_options or {}))
        else:
            signed_text = sign(pending, key)
        text = restore(signed_text, text) if RSLOT in text else signed_text
    return text


def restore(filled, slotted):
    """The filled text, with the Response's slot back in its place."""
    at = slotted.index(RSLOT)
    return filled[:at] + RSLOT + filled[at:]


def part(text, name):
    """The element with this name: from its first start tag to its last end tag."""
    return re.search(rf"<{name}[ >].*</{name}>", text, re.S).group(0)


def signature_of(text):
    """The first Signature, with the white space before it."""
    return re.search(r"\s*<ds:Signature .*?</ds:Signature>", text, re.S).group(0)


def claims(subject=ALICE, extra=None, authn=True):
    """Claims in the order that the command promises."""
    result = {} if subject is None else {NAME_IDENTIFIER: [subject]}
    for name, values in ({"role": ["user"]} if extra is None else extra).items():
        result[name] = result.get(name, []) + values
    if authn:
        result |= {METHOD: [PASSWORD], INSTANT: ["2030-01-01T12:00:00.000Z"]}
    return result


class Writer:
    """Adds vectors of one folder; members that are not given are those of the test world."""

    def __init__(self, suite, folder, format):
        self.suite, self.folder, self.format = suite, folder, format

    def add(self, name, text, code=None, *, claims=None, issuer=IDP, subject=ALICE, id="_a",
            keys=(IDP_KEY,), issuers=(IDP,), audiences=(RP,), at=AT, skew=SKEW, recipient=ACS,
            request=REQUEST, allow=(), pin=None, by=BY_XMLSEC, attack=(), note="", signed=None,
            suffix="xml", format=None, decryptKeys=None):
        path = f"{self.folder}/{name}.{suffix}"
        self.suite.put(path, text)
        line = {
            "id": f"{self.folder}/{name}", "file": path, "format": format or self.format,
            "keys": list(keys), "issuers": list(issuers), "audiences": list(audiences),
            "at": at, "skew": skew, "recipient": recipient, "inResponseTo": request,
            "allow": list(allow), "verdict": "reject" if code else "accept", "madeBy": by}
        if decryptKeys:
            line["decryptKeys"] = list(decryptKeys)
        if pin:
            line["pin"] = pin
        if code:
            line["code"] = code
            if signed is not None:
                line["signed"] = signed
        else:
            line |= {"issuer": issuer, "subject": subject, "tokenID": id, "claims": claims}
        if attack:
            line["attack"] = [attack] if isinstance(attack, str) else list(attack)
        self.suite.add(line | {"note": note})
