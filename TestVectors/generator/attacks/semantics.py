"""SEM and TIME: genuinely signed, and saying the wrong thing."""

from ..documents20 import (
    BEARER, REQUESTER, SUCCESS, XSI, assertion, attribute, attributes, authn, claims, conditions,
    confirmation, data, issuer, named, response, restriction, signed, status, subject)
from ..world import ACS, ADMIN, ALICE, IDP, IDP_B, IDP_KEY, INSTANT, REQUEST, RP, splice
from .xsw import Parts, UNEXPECTED

NAME = f"<saml:NameID>{ALICE}</saml:NameID>"
NEAR = [("prefix", "https://rp.example/ac"), ("suffix", ACS + ".evil"), ("slash", ACS + "/"),
        ("case", "https://rp.example/ACS"), ("port", "https://rp.example:443/acs"),
        ("query", ACS + "?x=1"), ("fragment", ACS + "#x"), ("userinfo", "https://x@rp.example/acs"),
        ("escape", "https://rp.example/%61cs"), ("http", ACS.replace("https", "http")),
        ("host", "https://rp.example.evil/acs"), ("kelvin", "https://rp.example/ac\u017f"),
        ("host-case", "https://RP.example/acs"), ("dot", "https://rp.example/./acs")]


def who(*confirmations):
    return subject(NAME, *confirmations)


def add(suite):
    statuses(suite)
    addresses(suite)
    parties(suite)
    confirmations(suite)
    times(suite)


def genuine(suite, entry, name, code=None, message=None, world=None, by_response=False, **parts):
    text = response(assertion(**parts), **(message or {}))
    text = signed(text, None, "_r") if by_response else signed(text)
    more = {} if code else {"claims": claims()}
    suite.add(entry, name, text, code, base="B2" if by_response else "B1", kept=True,
              **more | (world or {}))


def statuses(suite):
    refused = "response.status"
    nested = (f'<samlp:Status><samlp:StatusCode Value="{REQUESTER}"><samlp:StatusCode '
              f'Value="{SUCCESS}"/></samlp:StatusCode></samlp:Status>')
    two = (f'<samlp:Status><samlp:StatusCode Value="{REQUESTER}"/><samlp:StatusCode '
           f'Value="{SUCCESS}"/></samlp:Status>')
    for by_response, base in ((True, "signed"), (False, "unsigned")):
        for name, code_element, code in [
                ("requester", status(REQUESTER), refused), ("nested", nested, refused),
                ("siblings", two, "xml.repeated-element"), ("space", status(SUCCESS + " "), refused),
                ("case", status(SUCCESS.lower()), refused), ("prefix", status(SUCCESS[:-1]), refused),
                ("saml11", status("samlp:Success"), refused), ("empty", status(""),
                                                               "xml.missing-attribute"),
                ("no-value", "<samlp:Status><samlp:StatusCode/></samlp:Status>",
                 "xml.missing-attribute"),
                ("no-code", "<samlp:Status/>", "xml.missing-element")]:
            genuine(suite, "SEM-1", f"{base}-{name}", code, {"status": code_element},
                    by_response=by_response)
        genuine(suite, "SEM-1", f"{base}-absent", "xml.missing-element", {"status": ""},
                by_response=by_response)
    b11 = suite.text("B11")
    suite.add("SEM-1", "changed", splice(b11, REQUESTER, SUCCESS), "response.no-assertion",
              base="B11")
    suite.add("SEM-2", "none", signed(response(""), None, "_r"), "response.no-assertion", base="B2",
              kept=True)
    suite.add(["SEM-2", "OK-38"], "error", b11, "response.status", base="B11", kept=True)
    inner = ('<samlp:StatusMessage>no</samlp:StatusMessage><samlp:StatusDetail><x xmlns="urn:x"/>'
             "</samlp:StatusDetail>")
    denied = (f'<samlp:Status><samlp:StatusCode Value="{REQUESTER}"><samlp:StatusCode Value="urn:oasis'
              f':names:tc:SAML:2.0:status:RequestDenied"/></samlp:StatusCode>{inner}</samlp:Status>')
    suite.add("OK-38", "denied", signed(response("", status=denied), None, "_r"), "response.status",
              base="B11", kept=True)


def addresses(suite):
    for name, url in NEAR:
        for by_response, base in ((True, "signed"), (False, "unsigned")):
            genuine(suite, "SEM-3", f"{base}-{name}", "response.destination-mismatch",
                    {"destination": url}, by_response=by_response)
        genuine(suite, "SEM-4", name, "subject.recipient-mismatch",
                subject=who(confirmation(data(recipient=url))))
    for name, destination in (("absent", None), ("empty", "")):
        genuine(suite, "SEM-3", f"signed-{name}", "response.destination-missing",
                {"destination": destination}, by_response=True)
    genuine(suite, "SEM-3", "unsigned-absent", None, {"destination": None},
            world={"note": "the signed Recipient binds"})
    genuine(suite, "SEM-3", "unsigned-empty", "response.destination-mismatch", {"destination": ""},
            world={"note": "one which is there must match"})
    genuine(suite, "SEM-4", "absent", "subject.recipient-missing",
            subject=who(confirmation(data(recipient=None))))
    genuine(suite, "SEM-4", "empty", "subject.recipient-missing",
            subject=who(confirmation(data(recipient=""))))
    genuine(suite, "SEM-4", "audience", "subject.recipient-mismatch",
            subject=who(confirmation(data(recipient=RP))))


def parties(suite):
    mismatch = "audience.mismatch"
    for name, inner, code in [
            ("none", "", "audience.missing"), ("empty", restriction(""), mismatch),
            ("no-audience", restriction(), mismatch),
            ("other", restriction("https://other.example/"), mismatch),
            ("prefix", restriction(RP[:-1]), mismatch), ("suffix", restriction(RP + ".evil"), mismatch),
            ("comma", restriction(f"{RP},https://x/"), mismatch),
            ("space", restriction(f"{RP} https://x/"), mismatch),
            ("case", restriction(RP.upper()), mismatch), ("slash", restriction(RP + "/"), mismatch),
            ("kelvin", restriction(RP.replace("s", "\u017f", 1)), mismatch),
            ("one-of-two", restriction(RP) + restriction("https://x/"), mismatch),
            ("two-of-two", restriction("https://x/") + restriction(RP), mismatch),
            ("proxy", f'<saml:ProxyRestriction><saml:Audience>{RP}</saml:Audience>'
                      "</saml:ProxyRestriction>", "audience.missing")]:
        genuine(suite, "SEM-5", name, code, conditions=conditions(inner))
    composed, decomposed = "https://rp.example/caf\u00e9", "https://rp.example/cafe\u0301"
    for entry, name, ours, theirs, code in [
            ("SEM-5", "decomposed", composed, decomposed, mismatch),
            ("SW-1", "composed", decomposed, composed, mismatch),
            ("SW-1", "same", composed, composed, None)]:
        genuine(suite, entry, name, code, conditions=conditions(restriction(theirs)),
                world={"audiences": [ours]})
    genuine(suite, "SW-1", "kelvin", mismatch, conditions=conditions(restriction(
        "urn:\u212aim")), world={"audiences": ["urn:Kim"]})
    genuine(suite, "SW-1", "issuer-kelvin", "issuer.untrusted", issuer=issuer("urn:\u212aim"),
            message={"issuer": ""}, world={"issuers": ["urn:Kim"]})
    entity = "urn:oasis:names:tc:SAML:2.0:nameid-format:entity"
    for name, parts, message, code in [
            ("differ", {}, {"issuer": issuer(IDP_B)}, "issuer.mismatch"),
            ("absent", {"issuer": ""}, {}, "issuer.missing"),
            ("format", {"issuer": issuer(attributes=' Format="urn:x"')}, {}, "issuer.format"),
            ("sp-qualifier", {"issuer": issuer(attributes=' SPNameQualifier="x"')}, {},
             "issuer.format"),
            ("space", {"issuer": issuer(IDP + " ")}, {}, "issuer.untrusted"),
            ("case", {"issuer": issuer(IDP.upper())}, {}, "issuer.untrusted"),
            ("slash", {"issuer": issuer(IDP + "/")}, {}, "issuer.untrusted"),
            ("empty", {"issuer": issuer("")}, {}, "issuer.missing"),
            ("message-format", {}, {"issuer": issuer(attributes=' Format="urn:x"')},
             "issuer.format"),
            ("message-space", {}, {"issuer": issuer(IDP + " ")}, "issuer.mismatch")]:
        genuine(suite, "SEM-6", name, code, message, **parts)
    genuine(suite, ["SEM-6", "OK-7"], "entity", None, issuer=issuer(attributes=f' Format="{entity}"'))
    genuine(suite, ["SEM-6", "OK-7"], "qualifier", None, issuer=issuer(attributes=' NameQualifier="x"'))
    genuine(suite, ["SEM-6", "OK-7"], "no-message-issuer", None, {"issuer": ""})
    for name, outer, inner, ask, code in [
            ("a-nothing-sent", "_other", "_other", REQUEST, "subject.in-response-to-mismatch"),
            ("c-differ", REQUEST, "_q2", REQUEST, "subject.in-response-to-mismatch"),
            ("c-outer", "_q2", REQUEST, REQUEST, "response.in-response-to-mismatch"),
            ("d-unsigned-only", REQUEST, None, REQUEST, "subject.in-response-to-missing"),
            ("d-signed-only", None, REQUEST, REQUEST, "response.in-response-to-missing"),
            ("f-empty", "", "", REQUEST, "subject.in-response-to-missing"),
            ("neither", None, None, REQUEST, "subject.in-response-to-missing"),
            ("case", REQUEST.upper(), REQUEST.upper(), REQUEST, "subject.in-response-to-mismatch")]:
        genuine(suite, "SEM-7", name, code, {"request": outer}, {"inResponseTo": ask},
                subject=who(confirmation(data(request=inner))))
    genuine(suite, ["SEM-7", "OK-28"], "unasked", None, {"request": None}, {"inResponseTo": None},
            subject=who(confirmation(data(request=None))))
    for name, tenant in [("template", "https://sts.windows.net/{tenant}/"),
                         ("other", "https://sts.windows.net/2/"),
                         ("host", "https://sts.windows.net.evil.example/"),
                         ("prefix", "https://sts.windows.net/1/2/")]:
        genuine(suite, "SEM-22", name, "issuer.untrusted", {"issuer": issuer(tenant)},
                {"issuers": ["https://sts.windows.net/1/"]}, issuer=issuer(tenant))
    for name, text in [("long", "x" * 1025), ("script", "javascript:alert(1)"),
                       ("control", "urn:x\u0085y")]:
        genuine(suite, "SEM-23", name, "issuer.untrusted", {"issuer": ""}, issuer=issuer(text))
    genuine(suite, "SEM-16", "audience", mismatch, conditions=conditions(restriction(
        "https://elsewhere.example/")))
    genuine(suite, "SEM-16", "recipient", "subject.recipient-mismatch", subject=who(confirmation(
        data(recipient="https://elsewhere.example/acs"))))


def confirmations(suite):
    cm = "urn:oasis:names:tc:SAML:2.0:cm:"
    missing, method, lacks = ("subject.confirmation-missing", "subject.confirmation-method",
                              "subject.confirmation-data")
    for name, inner, code in [
            ("none", f"<saml:Subject>{NAME}</saml:Subject>", missing),
            ("no-method", who(confirmation(method="")), method),
            ("method-absent", who(confirmation().replace(f' Method="{BEARER}"', "")), method),
            ("holder-of-key", who(confirmation(method=cm + "holder-of-key")), method),
            ("sender-vouches", who(confirmation(method=cm + "sender-vouches")), method),
            ("unknown", who(confirmation(method=BEARER + "x")), method),
            ("case", who(confirmation(method=BEARER.upper())), method),
            ("saml11", who(confirmation(method="urn:oasis:names:tc:SAML:1.0:cm:bearer")), method),
            ("no-data", who(confirmation("")), lacks),
            ("two-bad", who(confirmation(method=cm + "holder-of-key"), confirmation("")), lacks)]:
        genuine(suite, "SEM-10", name, code, subject=inner)
    expired = confirmation(data(until="2029-12-31T12:00:00Z"))
    for name, inner in [
            ("second", who(expired, confirmation())), ("first", who(confirmation(), expired)),
            ("other-method", who(confirmation(method=cm + "holder-of-key"), confirmation()))]:
        genuine(suite, ["SEM-10", "OK-18"], name, None, subject=inner)
    for name, inner, code in [
            ("no-end", data(until=None), lacks), ("expired", data(until="2030-01-01T11:58:00Z"),
                                                  "subject.confirmation-expired"),
            ("not-before", data(more=' NotBefore="2030-01-01T11:00:00Z"'), None),
            ("not-before-later", data(more=' NotBefore="2030-01-01T12:02:00Z"'),
             "subject.confirmation-not-yet-valid"),
            ("not-before-behind-end", data(more=' NotBefore="2030-01-01T12:05:00Z"'), lacks),
            ("no-recipient", data(recipient=None), "subject.recipient-missing"),
            ("request", data(request="_q2"), "subject.in-response-to-mismatch")]:
        genuine(suite, ["SEM-11", "TIME-2"] if name == "no-end" else "SEM-11", name, code,
                subject=who(confirmation(inner)))
    genuine(suite, "SEM-11", "address", None, subject=who(confirmation(data(
        more=' Address="192.0.2.1"'))), world={"note": "the address is not asked for: behind "
        "proxies it is anybody's (SAML Profiles 4.1.4.3 makes the check optional)"})
    unknown = "policy.condition"
    foo = f'<saml:Condition xmlns:xsi="{XSI}" xmlns:x="urn:x" xsi:type="x:Foo"/>'
    for name, inner, code in [
            ("absent", "", "audience.missing"), ("unknown", conditions(restriction(RP) + foo), unknown),
            ("foreign", conditions(restriction(RP) + '<x:Only xmlns:x="urn:x"/>'), unknown),
            ("two", conditions() + conditions(), "xml.repeated-element"),
            ("reversed", conditions(since="2030-01-01T12:05:00Z", until="2030-01-01T11:59:00Z"),
             "time.empty-window"),
            ("one-time-use", conditions(restriction(RP) + "<saml:OneTimeUse/>"), None),
            ("proxy", conditions(restriction(RP) + '<saml:ProxyRestriction Count="0"/>'), None)]:
        genuine(suite, ["SEM-12", "OK-30"] if not code else "SEM-12", name, code, conditions=inner)
    user = attributes(attribute("role", "user"))
    for name, inner, code in [
            ("none", user, "response.no-authentication"),
            ("future", authn("2030-01-01T12:02:00Z") + user, "time.authenticated-in-future"),
            ("ended", authn(attributes=' SessionNotOnOrAfter="2030-01-01T11:00:00Z"') + user,
             "time.session-ended"),
            ("malformed", authn("now") + user, "time.malformed"),
            ("no-instant", authn().replace(' AuthnInstant="2030-01-01T12:00:00Z"', "") + user,
             "xml.missing-attribute")]:
        genuine(suite, "SEM-13", name, code, statements=inner)
    deny = ('<saml:AuthzDecisionStatement Resource="urn:x" Decision="{}"><saml:Action '
            'Namespace="urn:x">read</saml:Action></saml:AuthzDecisionStatement>')
    for word in ("Deny", "Indeterminate", "Permit"):
        genuine(suite, "SEM-14", word.lower(), None, statements=authn() + user + deny.format(word),
                world={"note": "a decision is no claim"})
    p = Parts(suite)
    genuine(suite, "SEM-15", "query-answer", "response.no-authentication", statements=user)


def times(suite):
    def window(since="2030-01-01T11:59:00Z", until="2030-01-01T12:05:00Z"):
        return {"conditions": conditions(since=since, until=until)}

    genuine(suite, ["TIME-2", "SEM-11"], "neither", "time.no-expiry", **window(until=None),
            subject=who(confirmation(data(until=None))))
    genuine(suite, "TIME-3", "confirmation", "subject.confirmation-expired", subject=who(
        confirmation(data(until="2030-01-01T11:58:00Z"))))
    genuine(suite, "TIME-3", "conditions", "time.expired", **window(
        "2030-01-01T11:00:00Z", "2030-01-01T11:58:00Z"))
    for name, since, until in [
            ("equal", "2030-01-01T12:00:00Z", "2030-01-01T12:00:00Z"),
            ("reversed", "2030-01-01T12:00:30Z", "2030-01-01T12:00:29Z")]:
        genuine(suite, "TIME-4", name, "time.empty-window", **window(since, until))
    for number, text in enumerate([
            "2030-02-30T12:00:00Z", "2029-02-29T12:00:00Z", "2030-13-01T12:00:00Z",
            "2030-00-01T12:00:00Z", "2030-01-00T12:00:00Z", "2030-01-01T25:00:00Z",
            "2030-01-01T12:60:00Z", "2030-01-01T24:00:01Z", "2030-01-01T12:00:60Z",
            "2030-01-01T12:00:61Z", "2030-1-1T0:0:0Z", "2030-01-01T12:00Z", "2030-01-01 12:00:00Z",
            "2030-01-01t12:00:00Z", "2030-01-01T12:00:00z", "2030-01-01T12:00:00,5Z",
            "2030-01-01T12:00:00.Z", "2030-01-01T12:00:00+99:99", "2030-01-01T12:00:00+14:01",
            "2030-01-01T12:00:00+2:00", "2030-01-01T12:00:00+0200", "2030-01-01T12:00:00Z+00:00",
            "2030-01-01T12:00:00Zjunk", "2030-01-02", "1893499500", "2030-W01-2T12:00:00Z",
            "2030-002T12:00:00Z", "\u0662\u0660\u0663\u0660-01-01T12:05:00Z",
            "\uff12\uff10\uff13\uff10-01-01T12:05:00Z", "+2030-01-01T12:05:00Z",
            "0000-01-01T12:05:00Z", "-2030-01-01T12:05:00Z", "12030-01-01T12:05:00Z", "",
            "9" * 10_240, "2030-01-01T12:05:00", "2030-01-01T12:05:00-14:01",
            "2030-01-01T12:05:00 Z"]):
        entry = ["TIME-5", "TIME-7"] if text == "2030-01-01T12:05:00" else "TIME-5"
        code = "time.malformed"
        genuine(suite, entry, f"form-{number}", code, **window(until=text))
    for name, text in [
            ("midnight", "2030-01-01T24:00:00Z"), ("midnight-fraction", "2030-01-01T24:00:00.000Z")]:
        genuine(suite, "TIME-8", name, None, **window(until=text))
    for name, at, code in [("before", "2030-01-01T23:59:59.999Z", None),
                           ("exact", "2030-01-02T00:00:00Z", "time.expired")]:
        genuine(suite, "TIME-8", f"boundary-{name}", code, None, {"at": at, "skew": 0}, **window(
            until="2030-01-01T24:00:00Z"), subject=who(confirmation(data(
                until="2030-01-03T00:00:00Z"))))
    for name, text, at, code in [
            ("nines-before", "2030-01-01T12:00:05." + "9" * 19 + "Z", "2030-01-01T12:00:05.999Z",
             None),
            ("nines-after", "2030-01-01T12:00:05." + "9" * 19 + "Z", "2030-01-01T12:00:06Z",
             "time.expired"),
            ("four-hundred", "2030-01-01T12:00:05." + "9" * 400 + "Z", "2030-01-01T12:00:06Z",
             "time.expired"),
            ("zeros", "2030-01-01T12:00:05." + "0" * 400 + "Z", "2030-01-01T12:00:05Z",
             "time.expired")]:
        genuine(suite, "TIME-9", name, code, None, {"at": at, "skew": 0}, **window(until=text))
    genuine(suite, "TIME-10", "assertion", "time.issued-in-future", instant="2030-01-01T12:01:01Z")
    genuine(suite, "TIME-10", "at-skew", None, instant="2030-01-01T12:01:00Z")
    genuine(suite, "TIME-11", "far", None, **window(until="9999-12-31T23:59:59Z"), world={
        "note": "as long as its issuer says; the caller's session is the caller's"})
    genuine(suite, "TIME-11", "session", "time.session-ended", statements=authn(
        attributes=' SessionNotOnOrAfter="2030-01-01T11:58:00Z"') + attributes(attribute(
            "role", "user")), **window(until="9999-12-31T23:59:59Z"))
    p = Parts(suite)
    suite.add("TIME-15", "attribute", splice(p.b1, 'NotBefore="2030-01-01T11:59:00Z"', (
        'NotBefore="2030-01-01T11:59:00Z" NotOnOrAfter="2031-01-01T12:05:00Z"')), "xml.malformed")
    bounds = {"conditions": conditions(since="2030-01-01T12:00:00Z", until="2030-01-01T12:05:00Z"),
              "subject": who(confirmation(data(until="2030-01-02T00:00:00Z"))),
              "instant": "2030-01-01T11:00:00Z", "statements": authn("2030-01-01T11:00:00Z")
              + attributes(attribute("role", "user"))}
    expired, early = "time.expired", "time.not-yet-valid"
    for name, at, skew, code in [
            ("start", "2030-01-01T12:00:00Z", 0, None),
            ("before-start", "2030-01-01T11:59:59.999Z", 0, early),
            ("end", "2030-01-01T12:05:00Z", 0, expired),
            ("before-end", "2030-01-01T12:04:59.999Z", 0, None),
            ("start-skew", "2030-01-01T11:59:00Z", 60, None),
            ("before-start-skew", "2030-01-01T11:58:59.999Z", 60, early),
            ("end-skew", "2030-01-01T12:06:00Z", 60, expired),
            ("before-end-skew", "2030-01-01T12:05:59.999Z", 60, None)]:
        world = {"at": at, "skew": skew}
        if not code:
            world["claims"] = claims() | {INSTANT: ["2030-01-01T11:00:00.000Z"]}
        genuine(suite, "TIME-1", name, code, {"instant": "2030-01-01T11:00:00Z"}, world, **bounds)
