"""The parts of a SAML 2.0 message as issuers write them: prefixes, places of attributes, xsi:type."""

import jwt as pyjwt

from ..documents20 import BEARER, PASSWORD, SAML, SAMLP, SUCCESS, XS, XSI, Writer
from ..sealing import ENC, content_key, data, key_info, oaep_key, seal
from ..signing import reference, template
from ..world import (
    ACS, ALICE, AT, IDP_KEY, INSTANT, METHOD, NAME_IDENTIFIER, REQUEST, RP, SKEW)

OTHER_KEY = "keys/other-rsa.crt"
RP_KEY = ["keys/rp-rsa.key"]
NOW = "2030-01-01T12:00:00.000Z"
EMAIL_FORMAT = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"
UNSPECIFIED = "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified"
TRANSIENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"
PERSISTENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"
ATTRIBUTE_FORMAT = ' NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:{}"'.format
NO_CONTEXT = "urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified"


class Shapes:
    """A writer of vectors that have the claims of an AuthnStatement."""

    def __init__(self, suite):
        self.writer = Writer(suite, "issuers", "saml20")

    def good(self, name, text, claims, *, subject=ALICE, context=PASSWORD, note, **more):
        said = {NAME_IDENTIFIER: [subject]}
        for type, values in claims.items():
            said[type] = said.get(type, []) + values
        if context:
            said |= {METHOD: [context], INSTANT: [NOW]}
        self.writer.add(name, text, claims=said, subject=subject, note=note, **more)

    def bad(self, name, text, code, *, note, signed=True, **more):
        self.writer.add(name, text, code, note=note, signed=signed or None, **more)

    def jwt(self, name, payload, key, code=None, *, issuer, claims=None, note, algorithm="RS256",
            trust=(IDP_KEY,), audience="client-1", headers=None):
        """A JWT by PyJWT. Its claims are those of the payload that are no registered facts."""
        token = pyjwt.encode(payload, key, algorithm=algorithm, headers=headers)
        path = f"issuers/{name}.txt"
        self.writer.suite.put(path, token)
        line = {
            "id": f"issuers/{name}", "file": path, "format": "jwt", "pin": "jwt", "keys": list(trust),
            "issuers": [issuer], "audiences": [audience], "at": AT, "skew": SKEW, "recipient": None,
            "inResponseTo": None, "allow": [], "verdict": "reject" if code else "accept",
            "madeBy": "PyJWT", "note": note}
        if code:
            line["code"] = code
        else:
            line |= {"issuer": issuer, "subject": payload["sub"], "tokenID": payload.get("jti"),
                     "claims": claims}
        self.writer.suite.add(line)

    def metadata(self, name, text, trusts, note):
        path = f"issuers/{name}.xml"
        self.writer.suite.put(path, text)
        self.writer.suite.add({
            "id": f"issuers/{name}", "file": path, "format": "metadata", "keys": [], "at": AT,
            "allow": [], "verdict": "accept", "trusts": trusts, "madeBy": "make.py", "note": note})


def signature(id, *, prefix="ds", certificate="idp-rsa", key_info="", **options):
    """The slot of a signature, in the prefix of the issuer; an empty one is the default namespace."""
    made = {"method": options.pop("method", "rsa-sha256"), "prefixes": options.pop("info_prefixes", None)}
    text = template(reference(f"#{id}", **options), **made,
                    **({"key_info": key_info} if key_info else {"certificate": certificate}))
    if prefix == "ds":
        return text
    colon = prefix + ":" if prefix else ""
    return text.replace("<ds:", f"<{colon}").replace("</ds:", f"</{colon}").replace(
        "xmlns:ds=", f"xmlns:{prefix}=" if prefix else "xmlns=")


def subject(p, name, attributes, *, request=REQUEST, recipient=ACS):
    asked = f' InResponseTo="{request}"' if request else ""
    return (f'<{p}Subject><{p}NameID{attributes}>{name}</{p}NameID><{p}SubjectConfirmation '
            f'Method="{BEARER}"><{p}SubjectConfirmationData{asked} '
            f'NotOnOrAfter="2030-01-01T12:05:00.000Z" Recipient="{recipient}"/>'
            f"</{p}SubjectConfirmation></{p}Subject>")


def conditions(p, *, audience=RP, since="2030-01-01T11:59:00.000Z"):
    return (f'<{p}Conditions NotBefore="{since}" NotOnOrAfter="2030-01-01T12:10:00.000Z">'
            f"<{p}AudienceRestriction><{p}Audience>{audience}</{p}Audience>"
            f"</{p}AudienceRestriction></{p}Conditions>")


def authn(p, context=PASSWORD, session="_s1"):
    return (f'<{p}AuthnStatement AuthnInstant="{NOW}" SessionIndex="{session}"><{p}AuthnContext>'
            f"<{p}AuthnContextClassRef>{context}</{p}AuthnContextClassRef></{p}AuthnContext>"
            f"</{p}AuthnStatement>")


def attribute(p, name, *values, head="", type=None):
    """An Attribute; `type` writes xsi:type on each value, as Java and Ruby issuers do."""
    declared = "" if type is None else (
        f' xmlns:xs="{XS}" xmlns:xsi="{XSI}" xsi:type="{type}"')
    inner = "".join(f"<{p}AttributeValue{declared}>{value}</{p}AttributeValue>" for value in values)
    return f'<{p}Attribute Name="{name}"{head}>{inner}</{p}Attribute>'


def statement(p, *attributes, head=""):
    return f"<{p}AttributeStatement{head}>{''.join(attributes)}</{p}AttributeStatement>"


def response(q, p, issuer, inner, *, slot="", head="", destination=ACS, request=REQUEST, status="",
             last="", issuer_head=""):
    """A Response with the prefixes `q` and `p`; an issuer with the default namespace has no `p`."""
    to = f' Destination="{destination}"' if destination else ""
    to += f' InResponseTo="{request}"' if request else ""
    declared = f' xmlns:{p[:-1]}="{SAML}"' if p else f' xmlns="{SAML}"'
    return (f'<{q}Response ID="_r1" Version="2.0" IssueInstant="{NOW}"{to} '
            f'xmlns:{q[:-1]}="{SAMLP}"{head}><{p}Issuer{declared}{issuer_head}>{issuer}</{p}Issuer>'
            f'{slot}<{q}Status><{q}StatusCode Value="{SUCCESS}"/>{status}</{q}Status>{inner}{last}'
            f"</{q}Response>")


def assertion(p, issuer, *parts, slot="", id="_a1", head="", issuer_head=""):
    declared = f' xmlns:{p[:-1]}="{SAML}"' if p else f' xmlns="{SAML}"'
    return (f'<{p}Assertion ID="{id}" IssueInstant="{NOW}" Version="2.0"{declared}{head}>'
            f"<{p}Issuer{issuer_head}>{issuer}</{p}Issuer>{slot}{''.join(parts)}</{p}Assertion>")


def encrypted(p, text, cipher, label, *, beside=False):
    """An EncryptedAssertion; `beside` for a key next to the data, which a RetrievalMethod names."""
    cek = content_key(cipher, label)
    octets = seal(text.encode(), cipher, cek, label)
    key = oaep_key(cek, label, hint=True, id="_ek1", recipient=RP)
    if not beside:
        return (f'<{p}EncryptedAssertion xmlns:{p[:-1]}="{SAML}">'
                + data(octets, cipher, info=key_info(key)) + f"</{p}EncryptedAssertion>")
    method = f'<ds:RetrievalMethod Type="{ENC}EncryptedKey" URI="#_ek1"/>'
    return (f'<{p}EncryptedAssertion xmlns:{p[:-1]}="{SAML}">'
            + data(octets, cipher, info=key_info(method)) + key + f"</{p}EncryptedAssertion>")


