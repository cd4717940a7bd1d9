"""S11 and WSF: SAML 1.1, and tokens in WS-Trust envelopes."""

import base64

from .. import rstr as swt_rstr
from ..documents20 import SAML as SAML2, part, signed
from ..saml11 import (
    ADDRESSING, CM, P1, P2, POLICY, SAML, SOAP, TRUST, TRUST13, WSSE, WSU, assertion, attribute,
    authentication, claims, collection, conditions, envelope, response, restriction, rstr,
    statement, status, subject)
from ..signing import DS
from ..world import ACS, ADMIN, ALICE, AT, IDP, REQUEST, RP, splice
from .bases import SECRET, SWT_HEAD, rs256, saml20_token, swt
from .core import signature_of
from .xsw import DUPLICATE, MISPLACED, ROOT, SEVERAL, STRUCTURE, UNEXPECTED, URI

FORGED_SUBJECT = subject(ADMIN)


def forged(id="_evil", slot="", advice="", end="", declare=True):
    inner = statement(FORGED_SUBJECT, attribute(P2 + "role", "admin"))
    return assertion(id=id, statements=inner, slot=slot, advice=advice, end=end, declare=declare)


def add(suite):
    wrapped(suite)
    rules(suite)
    wrapped_envelopes(suite)
    fields(suite)
    binary(suite)


def wrapped(suite):
    b5 = suite.text("B5")
    genuine = part(b5, "saml:Assertion")
    s = signature_of(genuine)
    cut = splice(genuine, s, "")
    head, tail = b5.split(genuine)
    end = "</ds:Signature>"

    def bad(name, text, code, entries=(), kept=True, base="B5", **more):
        suite.add(["S11-1", *entries], name, text, code, base=base, kept=kept, **more)

    for name, id in (("new", "_evil"), ("same", "_a")):
        duplicate = DUPLICATE if name == "same" else None
        bad(f"3-{name}", head + forged(id) + genuine + tail, duplicate or SEVERAL, ["S11-3"])
        bad(f"3-{name}-after", head + genuine + forged(id) + tail, duplicate or SEVERAL, ["S11-3"])
        advice = f"<saml:Advice>{genuine}</saml:Advice>"
        bad(f"4-{name}", head + forged(id, advice=advice) + tail, duplicate or MISPLACED)
        bad(f"4-{name}-end", head + forged(id, end=genuine) + tail, duplicate or MISPLACED)
        bad(f"5-{name}", head + forged(id, s) + cut + tail, duplicate or SEVERAL)
        bad(f"45-{name}", head + forged(id, s, f"<saml:Advice>{cut}</saml:Advice>") + tail,
            duplicate or URI)
        bad(f"6-{name}", head + forged(id, splice(s, end, cut + end)) + tail,
            duplicate or STRUCTURE)
        bad(f"8-{name}", head + forged(id, splice(s, end, f"<ds:Object>{cut}</ds:Object>{end}"))
            + tail, duplicate or STRUCTURE)
        bad(f"10-{name}", head + forged(id, s) + f"<foo>{cut}</foo>" + tail,
            duplicate or UNEXPECTED)
        bad(f"11-{name}", splice(head, "</samlp:Status>", f"<samlp:StatusDetail>{cut}"
            "</samlp:StatusDetail></samlp:Status>") + forged(id, s) + tail, duplicate or URI)
    copy = splice(genuine, s, "").replace('"_a"', '"_a2"').replace(ALICE, ADMIN)
    for name, both in (("appended", genuine + copy), ("prepended", copy + genuine)):
        bad(f"22-{name}", head + both + tail, SEVERAL, ["S11-3"])
    b5r = suite.text("B5r")
    rs = signature_of(b5r)
    rcut = splice(b5r.rstrip(), rs, "")
    for name, slot, code in [
            ("1", splice(rs, end, rcut + end), STRUCTURE), ("2", rcut + rs, UNEXPECTED)]:
        bad(f"{name}-response", response(forged(), id="_evil_r", slot=slot), code, base="B5r")
    value = part(rs, "ds:SignatureValue")
    bad("14", splice(b5r, rs, rs + f'<ds:Signature xmlns:ds="{DS}">{value}<ds:Object>{forged()}'
        "</ds:Object></ds:Signature>"), "signature.repeated", base="B5r", kept=False)
    bad("15-object", splice(b5r, end, f"<ds:Object>{forged()}</ds:Object>{end}"), STRUCTURE,
        base="B5r")
    bad("15-key-info", splice(b5r, end, f"<ds:KeyInfo>{forged()}</ds:KeyInfo>{end}"), STRUCTURE,
        base="B5r")
    bare = splice(b5, s, "")
    bad("18-status", splice(bare, "</samlp:Status>", s + "</samlp:Status>"), UNEXPECTED, kept=False)
    bad("18-subject", splice(bare, "</saml:Subject><saml:Attribute ", s + "</saml:Subject>"
        "<saml:Attribute "), MISPLACED, kept=False)
    bad("18-conditions", splice(bare, "</saml:Conditions>", s + "</saml:Conditions>"), MISPLACED,
        kept=False)
    bad("19", head.replace(">\n", f">{s}\n", 1) + cut + tail, URI)
    bad("9", head + forged("_evil", s) + "\n" + cut + tail, SEVERAL)
    bad("25", splice(head, "</samlp:Status>", f"<samlp:StatusDetail>{cut}</samlp:StatusDetail>"
        "</samlp:Status>") + forged("_a", s) + tail, DUPLICATE)
    for name, decoy in [("id", 'ID="_a"'), ("lower", 'id="_a"'), ("response", 'ResponseID="_a"'),
                        ("xml", 'xml:id="_a"')]:
        suite.add("S11-2", name, splice(b5, "<samlp:Status>", f"<samlp:Status {decoy}>"), DUPLICATE,
                  base="B5", kept=True)
    suite.add("S11-2", "named", splice(splice(
        b5, "<samlp:Status>", '<samlp:Status ID="_x">'), 'URI="#_a"', 'URI="#_x"'), URI, base="B5")


def rules(suite):
    def genuine(entry, name, code=None, message=None, world=None, by_response=False, **parts):
        more = {} if code else {"claims": claims()}
        text = response(assertion(**parts), **(message or {}))
        suite.add(entry, name, signed(text, None, "_r") if by_response else signed(text), code,
                  base="B5r" if by_response else "B5", kept=True, **more | (world or {}))

    method = "subject.confirmation-method"
    both = lambda s: statement(s) + authentication(s)  # noqa: E731
    two = subject().replace("</saml:ConfirmationMethod>", (
        f"</saml:ConfirmationMethod><saml:ConfirmationMethod>{CM}holder-of-key"
        "</saml:ConfirmationMethod>"))
    for name, s, code in [
            ("missing", subject(method=None), None),
            ("sender-vouches", subject(method=CM + "sender-vouches"), method),
            ("holder-of-key", subject(method=CM + "holder-of-key"), method),
            ("artifact", subject(method=CM + "artifact"), None),
            ("artifact-01", subject(method=CM + "artifact-01"), None), ("two", two, method),
            ("saml20", subject(method="urn:oasis:names:tc:SAML:2.0:cm:bearer"), method)]:
        genuine("S11-4", name, code, statements=both(s))
    mismatch = "audience.mismatch"
    for name, inner, code in [
            ("missing", "", "audience.missing"), ("empty", restriction(""), mismatch),
            ("other", restriction("https://x/"), mismatch),
            ("two", restriction(RP) + restriction("https://x/"), mismatch),
            ("second-of-two", restriction("https://x/") + restriction(RP), mismatch),
            ("any-of-one", restriction("https://x/", RP), None)]:
        genuine("S11-5", name, code, conditions=conditions(inner))
    for name, first, second, code in [
            ("other", subject(), subject(ADMIN), "subject.differs"),
            ("missing-first", subject(None), subject(), "subject.differs"),
            ("missing-second", subject(), subject(None), "subject.differs"),
            ("format", subject(), subject(attributes=' Format="urn:x"'), "subject.differs"),
            ("qualifier", subject(), subject(attributes=' NameQualifier="x"'), "subject.differs"),
            ("same", subject(), subject(), None)]:
        genuine("S11-6", name, code, statements=statement(first) + authentication(second))
    version = "response.version"
    for name, parts, code in [
            ("major", {"major": "2"}, version), ("minor", {"minor": "2"}, version),
            ("minor-empty", {"minor": ""}, version),
            ("future", {"instant": "2030-01-01T12:02:00Z"}, "time.issued-in-future"),
            ("no-expiry", {"conditions": conditions(until=None)}, "time.no-expiry"),
            ("minor-0", {"minor": "0"}, None)]:
        genuine("S11-7", name, code, **parts)
    for name, value, more, code in [
            ("other-prefix", "x:Success", ' xmlns:x="urn:oasis:names:tc:SAML:1.0:protocol"', None),
            ("elsewhere", "x:Success", ' xmlns:x="urn:evil"', "response.status"),
            ("rebound", "samlp:Success", None, "response.status"),
            ("none", "Success", "", "response.status"),
            ("undeclared", "q:Success", "", "response.status"),
            ("saml20", "urn:oasis:names:tc:SAML:2.0:status:Success", "", "response.status"),
            ("requester", "samlp:Requester", "", "response.status"),
            ("case", "samlp:success", "", "response.status")]:
        element = status(value, more or "")
        if more is None:
            element = element.replace("<samlp:StatusCode ", '<q:StatusCode xmlns:q="urn:oasis:names:'
                                      'tc:SAML:1.0:protocol" xmlns:samlp="urn:evil" ')
        genuine(["S11-8", "OK-12"] if not code else "S11-8", name, code, {"status": element})
    for name, recipient, code in [
            ("other", "https://evil.example/", "response.destination-mismatch"),
            ("slash", ACS + "/", "response.destination-mismatch"),
            ("empty", "", "response.destination-missing")]:
        genuine("S11-9", f"recipient-{name}", code, {"recipient": recipient}, by_response=True)
    genuine("S11-9", "request", "response.in-response-to-mismatch", None,
            {"inResponseTo": "_q2"}, by_response=True)
    for name, attributes_, extra, code in [
            ("namespace", [attribute("urn:evil/role", "admin")], {"urn:evil/role": ["admin"]}, None),
            ("slash", [attribute(P2 + "/role", "admin"), attribute(P2 + "role", "user")],
             {P2 + "/role": ["admin"], P2 + "role": ["user"]}, None),
            ("collision", [attribute("urn:a/b", "user").replace('AttributeName="b"', (
                'AttributeName="x/b"'))], None, "xml.unexpected-attribute"),
            ("no-namespace", [attribute("role", "admin").replace(
                'AttributeName="role"', 'AttributeName="urn:x/role"')], None,
             "xml.unexpected-attribute"),
            ("namespace-absent", [attribute("role", "admin").replace(
                'AttributeName="role" AttributeNamespace=""', 'AttributeName="urn:x/role"')], None,
             "xml.unexpected-attribute"),
            ("name-alone", [attribute("role", "a"), attribute("urn:x/role", "b")],
             {"role": ["a"], "urn:x/role": ["b"]}, None),
            ("no-name", [attribute("urn:a/b", "user").replace('AttributeName="b"', "")], None,
             "xml.missing-attribute")]:
        world = {} if code else {"claims": claims(extra=extra)}
        genuine("S11-10", name, code, None, world, statements=statement(subject(), *attributes_)
                + authentication())


def wrapped_envelopes(suite):
    b6 = suite.text("B6")
    a = part(b6, "saml:Assertion")
    s = signature_of(a)
    cut = splice(a, s, "")
    evil = forged("_e")

    def bad(entries, name, text, code, base="B6", kept=True, **more):
        suite.add(entries, name, text, code, base=base, kept=kept, **more)

    def inside(*tokens, **more):
        return rstr("".join(tokens), **more)

    two = ["WSF-1", "WSF-3"]
    for name, tokens in (("genuine-first", (a, evil)), ("forged-first", (evil, a))):
        both = [rstr(each, trust=TRUST13, declare=False) for each in tokens]
        bad(two, name, collection(*both), SEVERAL, "B6c")
    binary_ = swt_rstr.binary(base64.b64encode(swt(SWT_HEAD).encode()).decode())
    sealed_ = '<xenc:EncryptedData xmlns:xenc="http://www.w3.org/2001/04/xmlenc#"/>'
    for name, tokens, code in [
            ("two", (a, evil), SEVERAL), ("two-first", (evil, a), SEVERAL),
            ("binary", (a, binary_), SEVERAL), ("binary-first", (binary_, a), SEVERAL),
            ("encrypted", (a, sealed_), SEVERAL), ("text", ("text", a), "xml.unexpected-text"),
            ("text-behind", (a, "text"), "xml.unexpected-text"), ("none", (), "response.no-assertion")]:
        bad("WSF-2", name, inside(*tokens), code, kept=code == SEVERAL)
    names = ["RequestedProofToken", "RequestedAttachedReference", "RequestedUnattachedReference",
             "Entropy", "Authenticator", "Status", "OnBehalfOf"]
    for name in names:
        for where in ("before", "after"):
            bad("WSF-3", f"{name.lower()}-{where}", inside(forged("_e", s), **{
                where: f"<t:{name}>{cut}</t:{name}>"}), URI)
    address = f"<a:Address>{RP}</a:Address>"
    for name, text, code in [
            ("advice", inside(forged("_e", s, f"<saml:Advice>{cut}</saml:Advice>")), URI),
            ("applies-to", splice(inside(forged("_a", s)), address, address
                                  + f"<a:Metadata>{cut}</a:Metadata>"), DUPLICATE),
            ("applies-to-new", splice(inside(forged("_e", s)), address, address
                                      + f"<a:Metadata>{cut}</a:Metadata>"), URI),
            ("header", envelope(inside(evil), f'<o:Security xmlns:o="{WSSE}">{a}</o:Security>'),
             MISPLACED),
            ("outside", inside(evil, before=s, after=f"<t:Entropy>{cut}</t:Entropy>"), MISPLACED),
            ("wrapper", inside(f'<x xmlns="urn:x">{a}</x>'), UNEXPECTED),
            ("wrapper-trust", inside(f"<t:x>{a}</t:x>"), UNEXPECTED),
            ("nested", inside(inside(a)), UNEXPECTED),
            ("same-id", inside(forged("_a", s), after=f"<t:Entropy>{cut}</t:Entropy>"), DUPLICATE),
            ("token-in-signature", inside(forged("_e", splice(
                s, "</ds:Signature>", cut + "</ds:Signature>"))), STRUCTURE)]:
        bad("WSF-3", name, text, code)
    e = suite.text("B6e")
    a2 = part(e, "saml:Assertion")
    s2 = signature_of(a2)
    evil2 = saml20_token(id="_e", slot=s2).replace(ALICE, ADMIN)
    bad("WSF-3", "saml20-proof", inside(evil2, type=SAML2, after=(
        f"<t:RequestedProofToken>{splice(a2, s2, '')}</t:RequestedProofToken>")), URI, "B6e")
    escaped = a.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    for name, tokens, code in [
            ("escaped", (escaped,), "xml.unexpected-text"), ("cdata", (f"<![CDATA[{a}]]>",),
                                                             "xml.unexpected-text"),
            ("base64", (base64.b64encode(a.encode()).decode(),), "xml.unexpected-text"),
            ("attribute", (f'<x xmlns="urn:x" y="{escaped}"/>',), UNEXPECTED)]:
        bad("WSF-7", name, inside(*tokens), code, kept=False)


def fields(suite):
    b6 = suite.text("B6")

    def changed(entry, name, old, new, code=None, base="B6", **more):
        suite.add(entry, name, splice(suite.text(base), old, new), code, base=base, kept=True,
                  **({} if code else {"claims": claims()}), **more)

    changed("WSF-4", "lifetime", "2030-01-01T12:05:00Z</wsu", "1999-01-01T00:00:00Z</wsu")
    changed("WSF-4", "lifetime-malformed", "2030-01-01T12:05:00Z</wsu", "soon</wsu")
    changed("WSF-4", "applies-to", f"<a:Address>{RP}<", "<a:Address>https://evil.example/<")
    changed("WSF-4", "token-type", f"<t:TokenType>{SAML}<", f"<t:TokenType>{SAML2}<",
            "response.token-type")
    changed("WSF-4", "token-type-unknown", f"<t:TokenType>{SAML}<", "<t:TokenType>urn:x<")
    changed("WSF-4", "context", "<t:RequestSecurityTokenResponse ", (
        '<t:RequestSecurityTokenResponse Context="rm=1&amp;id=evil" '))
    changed("WSF-4", "key-type", "<t:RequestType>", (
        f"<t:KeyType>{TRUST}/SymmetricKey</t:KeyType><t:RequestType>"))
    expired = signed(assertion(conditions=conditions(
        since="2030-01-01T11:00:00Z", until="2030-01-01T11:30:00Z")))
    suite.add(["WSF-4", "TIME-16"], "expired", rstr(expired), "time.expired", base="B6", kept=True,
              note="the envelope's Lifetime has not ended")
    other = signed(assertion(conditions=conditions(restriction("https://x/"))))
    suite.add("WSF-4", "audience", rstr(other), "audience.mismatch", base="B6", kept=True,
              note="the envelope's AppliesTo names us")
    holder = signed(assertion(statements=statement(subject(method=CM + "holder-of-key"))))
    suite.add("WSF-5", "holder-of-key", rstr(holder, after=(
        "<t:RequestedProofToken><x xmlns='urn:x'/></t:RequestedProofToken>")),
        "subject.confirmation-method", base="B6", kept=True)
    for name, trust, code in [
            ("slash", TRUST + "/", ROOT), ("2004", TRUST.replace("2005/02", "2004/04"), ROOT),
            ("case", TRUST.upper(), ROOT), ("13-slash", TRUST13 + "/", ROOT)]:
        suite.add("WSF-8", name, splice(b6, f'xmlns:t="{TRUST}"', f'xmlns:t="{trust}"'), code,
                  base="B6")
    inner = rstr(part(b6, "saml:Assertion"))
    suite.add("WSF-8", "mixed", collection(inner), UNEXPECTED, base="B6c")
    suite.add("WSF-8", "mixed-other", collection(rstr(part(b6, "saml:Assertion"), trust=TRUST13),
              trust=TRUST), UNEXPECTED, base="B6c")
    suite.add("WSF-9", "request", b6.replace("RequestSecurityTokenResponse", "RequestSecurityToken"),
              ROOT, base="B6")
    fault = ('<s:Fault><s:Code><s:Value>s:Sender</s:Value></s:Code><s:Reason><s:Text xml:lang="en">'
             "no</s:Text></s:Reason></s:Fault>")
    suite.add("WSF-9", "fault", envelope(fault), "response.fault", base="B6")
    suite.add(["WSF-9", "BIND-14"], "fault-and-token", envelope(fault + b6), UNEXPECTED, base="B6")
    suite.add("BIND-14", "two", envelope(b6 + b6.replace("_a", "_b")), UNEXPECTED, base="B6")
    suite.add("BIND-14", "two-bodies", envelope(b6).replace("</s:Body>", "</s:Body><s:Body/>"),
              "xml.repeated-element", base="B6")
    suite.add("BIND-14", "text", envelope("text" + b6), "xml.unexpected-text", base="B6")
    suite.add("BIND-14", "mixed-versions", envelope(b6).replace("<s:Body>", (
        '<q:Body xmlns:q="http://schemas.xmlsoap.org/soap/envelope/">')).replace(
        "</s:Body>", "</q:Body>"), "xml.missing-element", base="B6")
    suite.add("BIND-14", "doctype", "<!DOCTYPE x>" + envelope(b6), "xml.doctype", base="B6")
    suite.add("BIND-14", "empty", envelope(""), "response.no-assertion", base="B6")
    from ..documents20 import conditions as conditions2
    for name, text, code in [
            ("no-conditions", saml20_token(conditions=""), "audience.missing"),
            ("no-expiry", saml20_token(conditions=conditions2(until=None)), "time.no-expiry"),
            ("no-audience", saml20_token(conditions=conditions2("")), "audience.missing")]:
        suite.add("WSF-12", name, rstr(signed(text), type=SAML2), code, base="B6e", kept=True)


def binary(suite):
    good = swt(SWT_HEAD)
    world = {"keys": [SECRET], "subject": None, "tokenID": None, "claims": {"role": ["user"]}}
    jwt_type = "urn:ietf:params:oauth:token-type:jwt"
    wss = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-"
    b64 = lambda text: base64.b64encode(text.encode()).decode()  # noqa: E731
    jwt = suite.text("B8")
    element = swt_rstr.binary

    def one(name, token, code=None, type=swt_rstr.SWT_TYPE, **more):
        values = world if not code else {"keys": [SECRET]}
        suite.add("WSF-6", name, rstr(token, type=type), code, base="B6", **values | more)

    one("genuine", element(b64(good)))
    one("folded", element("\n" + b64(good)[:40] + "\n" + b64(good)[40:] + "\n"))
    wrong = "response.token-type"
    xml = part(suite.text("B6"), "saml:Assertion")
    for name, token in [
            ("jwt-holds-swt", element(b64(good), jwt_type)), ("swt-holds-jwt", element(b64(jwt))),
            ("jwt-holds-xml", element(b64(xml), jwt_type)), ("swt-holds-xml", element(b64(xml))),
            ("x509", element(b64(good), wss + "x509-token-profile-1.0#X509v3")),
            ("pki-path", element(b64(good), wss + "x509-token-profile-1.0#X509PKIPathv1")),
            ("kerberos", element(b64(good), "http://docs.oasis-open.org/wss/oasis-wss-kerberos-token-"
                                            "profile-1.1#GSS_Kerberosv5_AP_REQ")),
            ("missing", element(b64(good), None)), ("case", element(
                b64(good), swt_rstr.SWT_TYPE.upper())),
            ("hex", element(good.encode().hex(), encoding=wss
                            + "soap-message-security-1.0#HexBinary")),
            ("no-encoding", element(b64(good), encoding=None)),
            ("twice", element(b64(b64(good))))]:
        one(name, token, wrong, "urn:x")
    one("child", element(b64(good)[:8] + "<x/>" + b64(good)[8:]), "xml.mixed-content")
    one("junk", element(b64(good)[:9] + "*" + b64(good)[9:]), "input.base64")
    one("empty", element(""), wrong)
    one("trusted-envelope", element(b64(good.replace("user", "admin"))), "signature.mac-mismatch",
        note="no envelope makes a token good")
