"""saml11/: SAML 1.1, and SAML assertions in WS-Trust envelopes (B5, B6, B6c, B6e)."""

import json

from . import documents20 as saml20
from . import providers
from .documents20 import SLOT, RSLOT, Writer, part, signature_of, signed, splice
from .signing import sign_by_hand
from .world import (
    ACS, ADMIN, ALICE, AT, IDP, INSTANT, METHOD, NAME_IDENTIFIER, P1, P2, REQUEST, RP)

SAML = "urn:oasis:names:tc:SAML:1.0:assertion"
SAMLP = "urn:oasis:names:tc:SAML:1.0:protocol"
CM = "urn:oasis:names:tc:SAML:1.0:cm:"
PASSWORD = "urn:oasis:names:tc:SAML:1.0:am:password"
TRUST = "http://schemas.xmlsoap.org/ws/2005/02/trust"
TRUST13 = "http://docs.oasis-open.org/ws-sx/ws-trust/200512"
SOAP = "http://www.w3.org/2003/05/soap-envelope"
WSSE = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
WSU = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"
POLICY = "http://schemas.xmlsoap.org/ws/2004/09/policy"
ADDRESSING = "http://www.w3.org/2005/08/addressing"
PROFILE = "http://docs.oasis-open.org/wss/oasis-wss-saml-token-profile-1.1#"
EMAIL = P1 + "emailaddress"


def subject(name=ALICE, method=CM + "bearer", attributes=""):
    name = "" if name is None else f"<saml:NameIdentifier{attributes}>{name}</saml:NameIdentifier>"
    confirmation = "" if method is None else (
        f"<saml:SubjectConfirmation><saml:ConfirmationMethod>{method}</saml:ConfirmationMethod>"
        "</saml:SubjectConfirmation>")
    return f"<saml:Subject>{name}{confirmation}</saml:Subject>"


def restriction(*names):
    inner = "".join(f"<saml:Audience>{name}</saml:Audience>" for name in names)
    return f"<saml:AudienceRestrictionCondition>{inner}</saml:AudienceRestrictionCondition>"


def conditions(inner=None, since="2030-01-01T11:59:00Z", until="2030-01-01T12:05:00Z"):
    window = f' NotBefore="{since}"' if since else ""
    window += f' NotOnOrAfter="{until}"' if until else ""
    inner = restriction(RP) if inner is None else inner
    return f"<saml:Conditions{window}>{inner}</saml:Conditions>"


def attribute(type, *values, more=""):
    namespace, name = type.rsplit("/", 1) if "/" in type else ("", type)
    inner = "".join(f"<saml:AttributeValue>{value}</saml:AttributeValue>" for value in values)
    return (f'<saml:Attribute AttributeName="{name}" AttributeNamespace="{namespace}"{more}>'
            f"{inner}</saml:Attribute>")


def statement(subject=subject(), *attributes):
    attributes = attributes or (attribute(EMAIL, ALICE), attribute(P2 + "role", "user"))
    return f"<saml:AttributeStatement>{subject}{''.join(attributes)}</saml:AttributeStatement>"


def authentication(subject=subject(), method=PASSWORD, instant=AT):
    return (f'<saml:AuthenticationStatement AuthenticationMethod="{method}" '
            f'AuthenticationInstant="{instant}">{subject}</saml:AuthenticationStatement>')


def assertion(*, id="_a", issuer=IDP, conditions=conditions(), statements=None, major="1",
              minor="1", advice="", slot=SLOT, declare=True, end="", instant=AT):
    """An assertion with a slot for its signature, which is the last child."""
    statements = statement() + "\n    " + authentication() if statements is None else statements
    declaration = f' xmlns:saml="{SAML}"' if declare else ""
    issuer = "" if issuer is None else f' Issuer="{issuer}"'
    parts = [each for each in (conditions, advice, statements) if each]
    return (f'<saml:Assertion{declaration} MajorVersion="{major}" MinorVersion="{minor}" '
            f'AssertionID="{id}"{issuer} IssueInstant="{instant}">\n    ' + "\n    ".join(parts)
            + f"{end}{slot}\n  </saml:Assertion>")


def status(value="samlp:Success", more=""):
    return f'<samlp:Status{more}><samlp:StatusCode Value="{value}"/></samlp:Status>'


def response(inner=None, *, id="_r", status=status(), recipient=ACS, slot=RSLOT, minor="1"):
    inner = assertion() if inner is None else inner
    return (f'<samlp:Response xmlns:samlp="{SAMLP}" ResponseID="{id}" MajorVersion="1" '
            f'MinorVersion="{minor}" IssueInstant="{AT}" Recipient="{recipient}" '
            f'InResponseTo="{REQUEST}">'
            f"{slot}\n  {status}\n  {inner}\n</samlp:Response>\n")


def rstr(token, *, trust=TRUST, type=SAML, before="", after="", declare=True):
    """A RequestSecurityTokenResponse as ADFS writes it; nothing of it is signed."""
    declaration = f' xmlns:t="{trust}"' if declare else ""
    return (
        f"<t:RequestSecurityTokenResponse{declaration}>\n  <t:Lifetime>"
        f'<wsu:Created xmlns:wsu="{WSU}">{AT}</wsu:Created>'
        f'<wsu:Expires xmlns:wsu="{WSU}">2030-01-01T12:05:00Z</wsu:Expires></t:Lifetime>\n  '
        f'<wsp:AppliesTo xmlns:wsp="{POLICY}"><a:EndpointReference xmlns:a="{ADDRESSING}">'
        f"<a:Address>{RP}</a:Address></a:EndpointReference></wsp:AppliesTo>{before}\n  "
        f"<t:RequestedSecurityToken>{token}</t:RequestedSecurityToken>{after}\n  "
        f"<t:TokenType>{type}</t:TokenType>\n  <t:RequestType>{trust}/Issue</t:RequestType>\n"
        "</t:RequestSecurityTokenResponse>\n")


def collection(*responses, trust=TRUST13):
    return (f'<t:RequestSecurityTokenResponseCollection xmlns:t="{trust}">\n'
            + "".join(responses) + "</t:RequestSecurityTokenResponseCollection>\n")


def envelope(body, header=""):
    return (f'<s:Envelope xmlns:s="{SOAP}"><s:Header>{header}</s:Header><s:Body>\n{body}'
            "</s:Body></s:Envelope>\n")


def notify(token, type, **more):
    """javascriptnotify JSON: < & and quotes are escaped, > is not."""
    escaped = token.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return json.dumps({"appliesTo": RP, "context": None, "created": 1893499200,
                       "expires": 1893499500, "securityToken": escaped, "tokenType": type} | more,
                      separators=(",", ":"))


def claims(subject=ALICE, extra=None, authn=True):
    result = {} if subject is None else {NAME_IDENTIFIER: [subject]}
    result |= {EMAIL: [ALICE], P2 + "role": ["user"]} if extra is None else extra
    if authn:
        result |= {METHOD: [PASSWORD], INSTANT: ["2030-01-01T12:00:00.000Z"]}
    return result


def build(suite):
    writer = Writer(suite, "saml11", "saml11")
    world = {"recipient": None, "request": None}
    token = signed(assertion())
    b5 = signed(response())

    def good(name, text, note="", attack=(), **more):
        writer.add(name, text, note=note, attack=attack, **world | {"claims": claims()} | more)

    def bad(name, text, code, attack=(), note="", **more):
        writer.add(name, text, code, note=note, attack=attack, **world | more)

    # SAML 1.1 by itself.
    good("response-assertion-signed", b5, "B5", "OK-12")
    good("response-response-signed", signed(response(), None, "_r"), "the Response is signed")
    good("response-both-signed", signed(response(), "_a", "_r"))
    good("assertion-alone", token + "\n", "an assertion as the root, its signature last")
    good("assertion-rsa-sha512", signed(assertion(), method="rsa-sha512", digest="sha512"))
    good("assertion-ecdsa", signed(assertion(), key="idp-ec256", method="ecdsa-sha256",
                                   signer=sign_by_hand), keys=["keys/idp-ec256.crt"],
         by=saml20.BY_HAND)
    good("status-other-prefix", signed(response(status=status(
        "p:Success", f' xmlns:p="{SAMLP}"'))), attack="OK-12", note="another prefix in StatusCode")
    good("name-without-format", token, attack="OK-43")
    good("name-with-format", signed(assertion(statements=statement(subject(
        "7", attributes=' Format="urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified"')))),
        claims=claims("7", authn=False), subject="7")
    good("name-absent", signed(assertion(statements=statement(subject(None)))),
         claims=claims(None, authn=False), subject=None, note="ADFS without a rule for NameID")
    good("attribute-types", signed(assertion(statements=statement(
        subject(), attribute("http://www.facebook.com/claims/AccessToken", "AAAB1+x/y="),
        attribute(P2 + "role", "editor", "\u0441\u043f\u0438\u043a\u0435\u0440", more=(
            ' a:OriginalIssuer="Facebook-1234567890" '
            'xmlns:a="http://schemas.xmlsoap.org/ws/2009/09/identity/claims"')),
        attribute("bare", "1"), attribute("urn:x//name", "2")))), claims=claims(extra={
            "http://www.facebook.com/claims/AccessToken": ["AAAB1+x/y="],
            P2 + "role": ["editor", "\u0441\u043f\u0438\u043a\u0435\u0440"], "bare": ["1"],
            "urn:x//name": ["2"]}, authn=False), attack=["OK-43", "S11-10"],
        note="type = namespace, /, name; an empty namespace leaves the name")
    good("do-not-cache", signed(assertion(conditions=conditions(
        restriction(RP) + "<saml:DoNotCacheCondition/>"))))
    good("audience-two-conditions", signed(assertion(conditions=conditions(
        restriction(RP) + restriction("https://a.example/", RP)))), attack="S11-5")

    bad("unsigned", assertion(slot=""), "signature.missing", "DSIG-1")
    bad("key-evil", signed(assertion(), key="evil-rsa", certificate="evil-rsa"),
        "signature.invalid", "KEY-1")
    bad("tampered-value", splice(token, ">user<", ">admin<"), "signature.digest-mismatch")
    bad("tampered-audience", splice(token, RP, RP + "2"), "signature.digest-mismatch")

    def genuine(name, code, attack=(), note="", message=None, world={}, **parts):
        text = assertion(**parts)
        text = signed(text if message is None else response(text, **message))
        bad(name, text, code, attack, note, signed=True, **world)

    genuine("subject-differs", "subject.differs", "S11-6",
            statements=statement() + authentication(subject(ADMIN)))
    genuine("subject-missing-in-one", "subject.differs", "S11-6",
            "ADFS is said to write this",
            statements=statement() + authentication(subject(None)))
    genuine("audience-missing", "audience.missing", "S11-5", conditions=conditions(""))
    genuine("audience-other", "audience.mismatch", "S11-5",
            conditions=conditions(restriction("https://other-rp.example/")))
    genuine("audience-one-of-two", "audience.mismatch", "S11-5", conditions=conditions(
        restriction(RP) + restriction("https://a.example/")))
    genuine("expired", "time.expired",
            conditions=conditions(since="2030-01-01T11:00:00Z", until="2030-01-01T11:59:00Z"))
    genuine("not-yet-valid", "time.not-yet-valid",
            conditions=conditions(since="2030-01-01T12:02:00Z"))
    genuine("no-expiry", "time.no-expiry", "S11-7", conditions=conditions(until=None))
    genuine("issued-in-future", "time.issued-in-future", "S11-7", instant="2030-01-01T12:02:00Z")
    genuine("condition-unknown", "policy.condition", "SEM-12", conditions=conditions(
        restriction(RP) + f'<saml:Condition xmlns:xsi="{saml20.XSI}" xmlns:x="urn:x" '
        'xsi:type="x:Foo"/>'))
    genuine("issuer-missing", "issuer.missing", issuer=None)
    genuine("issuer-untrusted", "issuer.untrusted", issuer="https://evil.example/")
    genuine("version-major", "response.version", "S11-7", major="2")
    genuine("version-minor", "response.version", "S11-7", minor="2")
    for name in ("sender-vouches", "holder-of-key"):
        genuine(f"confirmation-{name}", "subject.confirmation-method", "S11-4",
                statements=statement(subject(method=CM + name)))
    genuine("name-empty", "subject.empty-name", "CMT-8", statements=statement(subject("")))
    genuine("name-child", "xml.mixed-content", "CMT-6", statements=statement(
        subject('admin<x xmlns="urn:x">@evil</x>')))
    genuine("status-requester", "response.status", "SEM-1",
            message={"status": status("samlp:Requester")})
    genuine("status-prefix-other", "response.status", "S11-8",
            message={"status": status("x:Success", ' xmlns:x="urn:evil"')})
    genuine("status-no-prefix", "response.status", "S11-8", message={"status": status("Success")})
    genuine("recipient-other", "response.destination-mismatch", "S11-9",
            message={"recipient": "https://evil.example/"}, world={"recipient": ACS})

    providers.build11(writer)

    # Wrapping, S11-1.
    inner = part(b5, "saml:Assertion")
    s = signature_of(inner)
    cut = splice(inner, s, "")
    head, tail = b5.split(inner)

    def forged(id="_evil", slot="", advice=""):
        admin = statement(subject(ADMIN), attribute(P2 + "role", "admin"))
        return assertion(id=id, statements=admin, slot=slot, advice=advice)

    in_advice = f"<saml:Advice>{cut}</saml:Advice>"
    in_object = splice(s, "</ds:Signature>", f"<ds:Object>{cut}</ds:Object></ds:Signature>")
    bad("xsw-a", head + forged() + inner + tail, "response.several-assertions",
        ["S11-1", "S11-3", "XSW-3"])
    bad("xsw-a-after", head + inner + forged() + tail, "response.several-assertions",
        ["S11-1", "S11-3", "XSW-22"])
    bad("xsw-b", head + forged(slot=s, advice=in_advice) + tail, "signature.reference-uri",
        ["S11-1", "XSW-4"])
    bad("xsw-c", head + forged(slot=in_object) + tail, "signature.structure", ["S11-1", "XSW-8"])
    whole = signed(response(), None, "_r").rstrip()
    ws = signature_of(whole)
    wrapped = splice(ws, "</ds:Signature>", splice(whole, ws, "") + "</ds:Signature>")
    bad("xsw-d", response(forged(), id="_evil_r", slot=wrapped), "signature.structure",
        ["S11-1", "XSW-1"])
    bad("xsw-e", splice(head, "</samlp:Status>", f"<samlp:StatusDetail>{cut}</samlp:StatusDetail>"
                        "</samlp:Status>") + forged("_a", s) + tail, "xml.duplicate-id",
        ["S11-1", "XSW-11", "XSW-25"])
    bad("decoy-id", splice(token, "</saml:Subject><saml:Attribute ",
                           '</saml:Subject><saml:Attribute ID="_a" '), "xml.duplicate-id", "S11-2")

    # In WS-Trust envelopes.
    good("rstr", rstr(token), "B6: RSTR of 2005/02", "OK-42", format="rstr")
    good("rstr-token-type-profile", rstr(token, type=PROFILE + "SAMLV1.1"), attack="OK-42",
         format="rstr")
    good("rstr-references", rstr(token, after=(
        "<t:RequestedAttachedReference><o:SecurityTokenReference "
        f'xmlns:o="{WSSE}"><o:KeyIdentifier ValueType="http://docs.oasis-open.org/wss/'
        'oasis-wss-saml-token-profile-1.0#SAMLAssertionID">_a</o:KeyIdentifier>'
        "</o:SecurityTokenReference></t:RequestedAttachedReference>")),
        "the ID as text in a reference", "OK-42", format="rstr")
    rstrc = collection(rstr(token, trust=TRUST13, declare=False))
    good("rstr-collection", rstrc, "B6c: RSTRC of 200512", "OK-42", format="rstr")
    good("rstr-soap", envelope(rstrc), "SOAP 1.2 around B6c", format="rstr")
    good("rstr-crlf", rstr(token).replace("\n", "\r\n"), "a form post turns LF into CRLF", "OK-23",
         format="rstr")
    bearer = saml20.subject(f"<saml:NameID>{ALICE}</saml:NameID>", saml20.confirmation(""))

    def saml2(**parts):
        text = saml20.assertion(**{"subject": bearer} | parts)
        return splice(text, "<saml:Assertion ", f'<saml:Assertion xmlns:saml="{saml20.SAML}" ', 1)

    good("rstr-saml20", rstr(signed(saml2()), type=saml20.SAML), "B6e: no confirmation data",
         "OK-19", format="rstr", claims=saml20.claims())
    good("rstr-saml20-profile", rstr(signed(saml2()), type=PROFILE + "SAMLV2.0"), attack="OK-42",
         format="rstr", claims=saml20.claims())
    good("notify", notify(token, SAML), "javascriptnotify JSON", suffix="json", format="rstr")

    def enveloped(name, text, code, attack, note="", **more):
        bad(name, text, code, attack, note, format="rstr", **more)

    several, unexpected = "response.several-assertions", "xml.unexpected-element"
    wrong = "signature.reference-uri"
    evil = forged("_e")
    a, cut = token, splice(token, signature_of(token), "")
    s = signature_of(token)
    enveloped("wsf-proof-token", rstr(forged("_e", s), after=(
        f"<t:RequestedProofToken>{cut}</t:RequestedProofToken>")), wrong, "WSF-3")
    enveloped("wsf-two-tokens", rstr(evil + a), several, ["WSF-2", "WSF-3"])
    enveloped("wsf-two-tokens-after", rstr(a + evil), several, ["WSF-2", "WSF-3"])
    enveloped("wsf-advice", rstr(forged("_e", s, f"<saml:Advice>{cut}</saml:Advice>")), wrong,
              "WSF-3")
    both = [rstr(each, trust=TRUST13, declare=False) for each in (evil, a)]
    enveloped("wsf-two-responses", collection(*both), several, ["WSF-1", "WSF-3"])
    enveloped("wsf-two-responses-after", collection(*reversed(both)), several, ["WSF-1", "WSF-3"])
    enveloped("wsf-applies-to", splice(rstr(forged("_a", s)), "</a:Address>",
              f"</a:Address><a:Metadata>{cut}</a:Metadata>"), "xml.duplicate-id", "WSF-3")
    enveloped("wsf-header", envelope(rstr(evil), f'<o:Security xmlns:o="{WSSE}">{a}</o:Security>'),
              "signature.misplaced", "WSF-3")
    enveloped("wsf-signature-outside", rstr(evil, before=s), "signature.misplaced", "WSF-3")
    enveloped("wsf-wrapper", rstr(f'<x xmlns="urn:x">{a}</x>'), unexpected, "WSF-3")
    enveloped("wsf-nested", rstr(rstr(a)), unexpected, "WSF-3")
    enveloped("wsf-text", rstr("text" + a), "xml.unexpected-text", "WSF-2")
    enveloped("wsf-no-token", rstr(""), "response.no-assertion", "WSF-2")
    enveloped("wsf-token-type", rstr(a, type=saml20.SAML), "response.token-type", "WSF-4",
              "the envelope says SAML 2.0")
    enveloped("wsf-namespace-slash", rstr(a, trust=TRUST + "/"), "xml.unexpected-root", "WSF-8")
    enveloped("wsf-mixed", collection(rstr(a)), unexpected, "WSF-8",
              "a 2005/02 response in a 200512 collection")
    enveloped("wsf-saml20-no-expiry", rstr(signed(saml2(conditions=saml20.conditions(until=None))),
              type=saml20.SAML), "time.no-expiry", "WSF-12", signed=True)
    enveloped("wsf-saml20-no-audience", rstr(signed(saml2(conditions=saml20.conditions(""))),
              type=saml20.SAML), "audience.missing", "WSF-12", signed=True)
    enveloped("wsf-expired", rstr(signed(assertion(conditions=conditions(
        since="2030-01-01T11:00:00Z", until="2030-01-01T11:30:00Z")))), "time.expired",
        ["WSF-4", "TIME-16"], "the envelope's Lifetime has not ended", signed=True)
    enveloped("notify-tampered", notify(splice(token, ">user<", ">admin<"), SAML),
              "signature.digest-mismatch", "WSF-4", suffix="json")
