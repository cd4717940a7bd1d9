"""saml20/: genuine signatures over what the rules of SAML refuse."""

from .documents20 import (
    BEARER, REQUESTER, RSLOT, SLOT, SUCCESS, XSI, assertion, attribute, attributes, authn, claims,
    conditions, confirmation, data, issuer, response, restriction, signed, status, subject)
from .signing import reference, sign, template
from .world import ACS, ALICE, IDP, IDP_B, INSTANT, RP, splice


def semantics(writer):
    def bad(name, code, attack=(), message=None, note="", ids=("_a", None), world=None, **parts):
        text = signed(response(assertion(**parts), **(message or {})), *ids)
        writer.add(name, text, code, attack=attack, signed=True, note=note, **(world or {}))

    # Status and message.
    bad("status-requester", "response.status", "SEM-1", {"status": status(REQUESTER)},
        "a failure, with an assertion")
    bad("status-nested-success", "response.status", "SEM-1", {"status": (
        f'<samlp:Status><samlp:StatusCode Value="{REQUESTER}"><samlp:StatusCode Value="{SUCCESS}"/>'
        "</samlp:StatusCode></samlp:Status>")})
    bad("status-space", "response.status", "SEM-1", {"status": status(SUCCESS + " .")},
        "not exactly the Success URI")
    writer.add("status-no-assertion", signed(response("", status=status(REQUESTER)), None, "_r"),
               "response.status", attack=["SEM-2", "OK-38"], signed=True,
               note="B11: a signed failure without an assertion")
    writer.add("status-unsigned-failure", signed(
        response("", status=status(REQUESTER)), None, None), "response.status", attack="OK-38",
        note="an unsigned failure")
    writer.add("no-assertion", signed(response(""), None, "_r"), "response.no-assertion",
               attack="SEM-2", signed=True, note="Success, but no assertion")
    bad("version-message", "response.version", "XML-31", {"version": "2.1"})
    bad("version-assertion", "response.version", "XML-31", version="1.1")
    other = "https://rp.example/acs.evil"
    for name, value in [("suffix", other), ("case", "https://rp.example/ACS"),
                        ("slash", ACS + "/"), ("http", ACS.replace("https", "http")),
                        ("query", ACS + "?x"), ("prefix", ACS[:-1])]:
        bad(f"destination-{name}", "response.destination-mismatch", "SEM-3",
            {"destination": value}, ids=("_a", "_r"))
        bad(f"recipient-{name}", "subject.recipient-mismatch", "SEM-4", subject=subject(
            f"<saml:NameID>{ALICE}</saml:NameID>", confirmation(data(recipient=value))))
    bad("destination-unsigned", "response.destination-mismatch", "SEM-3", {"destination": other},
        "unsigned values can only refuse")
    bad("destination-missing", "response.destination-missing", "SEM-3", {"destination": None},
        ids=("_a", "_r"))
    bad("recipient-missing", "subject.recipient-missing", "SEM-11", subject=subject(
        f"<saml:NameID>{ALICE}</saml:NameID>", confirmation(data(recipient=None))))
    bad("request-other-confirmation", "subject.in-response-to-mismatch", "SEM-7", subject=subject(
        f"<saml:NameID>{ALICE}</saml:NameID>", confirmation(data(request="_q2"))))
    bad("request-missing-confirmation", "subject.in-response-to-missing", "SEM-7",
        note="only the unsigned Response names the request", subject=subject(
            f"<saml:NameID>{ALICE}</saml:NameID>", confirmation(data(request=None))))
    bad("request-other-response", "response.in-response-to-mismatch", "SEM-7", {"request": "_q2"})
    bad("request-missing-response", "response.in-response-to-missing", "SEM-7", {"request": None})

    # Issuer.
    bad("issuer-untrusted", "issuer.untrusted", "SEM-6",
        {"issuer": issuer("https://evil.example/")}, issuer=issuer("https://evil.example/"))
    for name, value in [("slash", IDP + "/"), ("case", IDP.replace("idp.e", "IDP.e")),
                        ("white-space", f" {IDP} "), ("prefix", IDP[:-1])]:
        bad(f"issuer-{name}", "issuer.untrusted", "SEM-6", {"issuer": ""}, issuer=issuer(value))
    bad("issuer-mismatch", "issuer.mismatch", "SEM-6", {"issuer": issuer(IDP_B)},
        world={"issuers": [IDP, IDP_B]}, ids=("_a", "_r"))
    bad("issuer-mismatch-unsigned", "issuer.mismatch", ["SEM-6", "XSW-36"],
        {"issuer": issuer(IDP_B)}, world={"issuers": [IDP, IDP_B]})
    writer.add("issuer-missing", sign(splice(
        response(assertion(issuer="")), SLOT, template(reference("#_a"))).replace(RSLOT, "")),
        "issuer.missing", attack="SEM-6", signed=True, note="the assertion has no Issuer")
    bad("issuer-empty", "issuer.missing", "SEM-6", issuer=issuer(""))
    bad("issuer-format", "issuer.format", "SEM-6", issuer=issuer(
        attributes=' Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"'))
    bad("issuer-sp-qualifier", "issuer.format", "SEM-6", issuer=issuer(
        attributes=f' NameQualifier="{IDP}" SPNameQualifier="{RP}"'))

    # Audience.
    for name, inner in [
            ("other", restriction("https://other-rp.example/")),
            ("prefix", restriction(RP[:-1])), ("suffix", restriction(RP + ".evil")),
            ("slash", restriction(RP + "/")), ("case", restriction("https://RP.example/saml")),
            ("list", restriction(f"{RP},https://a.example/")),
            ("words", restriction(f"{RP} https://a.example/")),
            ("one-of-two", restriction(RP) + restriction("https://a.example/"))]:
        bad(f"audience-{name}", "audience.mismatch", ["SEM-5", "SEM-16"],
            conditions=conditions(inner))
    for name, inner in [
            ("missing", ""), ("proxy", f"<saml:ProxyRestriction><saml:Audience>{RP}</saml:Audience>"
                             "</saml:ProxyRestriction>")]:
        bad(f"audience-{name}", "audience.missing", "SEM-5", conditions=conditions(inner))
    bad("conditions-missing", "audience.missing", "SEM-12", conditions="")
    bad("condition-unknown", "policy.condition", "SEM-12", conditions=conditions(
        restriction(RP) + f'<saml:Condition xmlns:xsi="{XSI}" xmlns:x="urn:x" xsi:type="x:Foo"/>'))

    # Subject.
    bad("subject-missing", "subject.missing", subject="")
    bad("authn-absent-sign-in", "response.no-authentication",
        statements=attributes(attribute("role", "user")))
    bad("confirmation-missing", "subject.confirmation-missing", "SEM-10",
        subject=f"<saml:Subject><saml:NameID>{ALICE}</saml:NameID></saml:Subject>")
    for name in ("holder-of-key", "sender-vouches"):
        bad(f"confirmation-{name}", "subject.confirmation-method", "SEM-10", subject=subject(
            f"<saml:NameID>{ALICE}</saml:NameID>",
            confirmation(method=f"urn:oasis:names:tc:SAML:2.0:cm:{name}")))
    bad("confirmation-unknown", "subject.confirmation-method", "SEM-10", subject=subject(
        f"<saml:NameID>{ALICE}</saml:NameID>", confirmation(method=BEARER.upper())))
    bad("confirmation-no-data", "subject.confirmation-data", "SEM-10", subject=subject(
        f"<saml:NameID>{ALICE}</saml:NameID>", confirmation("")))
    bad("confirmation-no-end", "subject.confirmation-data", ["SEM-11", "TIME-2"], subject=subject(
        f"<saml:NameID>{ALICE}</saml:NameID>", confirmation(data(until=None))))
    bad("confirmation-not-before", "subject.confirmation-not-yet-valid", "SEM-11", subject=subject(
        f"<saml:NameID>{ALICE}</saml:NameID>",
        confirmation(data(more=' NotBefore="2030-01-01T12:01:01Z"'))))
    bad("confirmation-expired", "subject.confirmation-expired", "TIME-3", subject=subject(
        f"<saml:NameID>{ALICE}</saml:NameID>", confirmation(data(until="2030-01-01T11:58:59Z"))))


def times(writer):
    def window(since="2030-01-01T11:59:00Z", until="2030-01-01T12:05:00Z"):
        return response(assertion(conditions=conditions(since=since, until=until)))

    def case(name, text, at, skew, code, note=""):
        more = {"signed": True} if code else {"claims": claims()}
        writer.add(name, text, code, at=at, skew=skew, attack="TIME-1", note=note, **more)

    # The subject confirmation must not end first.
    late = response(assertion(subject=subject(
        f"<saml:NameID>{ALICE}</saml:NameID>", confirmation(data(until="2030-01-02T00:00:00Z")))))
    text = signed(late)
    expired, early = "time.expired", "time.not-yet-valid"
    for name, at, skew, code in [
            ("end-exact", "2030-01-01T12:05:00Z", 0, expired),
            ("end-just-before", "2030-01-01T12:04:59.999Z", 0, None),
            ("end-at-skew", "2030-01-01T12:06:00Z", 60, expired),
            ("end-within-skew", "2030-01-01T12:05:59.999Z", 60, None)]:
        case(f"time-{name}", text, at, skew, code)
    old = response(assertion(
        instant="2030-01-01T11:00:00Z", statements=authn("2030-01-01T11:00:00Z")
        + attributes(attribute("role", "user"))), instant="2030-01-01T11:00:00Z")
    old = signed(old)
    for name, at, skew, code in [
            ("start-exact", "2030-01-01T11:59:00Z", 0, None),
            ("start-just-before", "2030-01-01T11:58:59.999Z", 0, early),
            ("start-within-skew", "2030-01-01T11:58:00Z", 60, None),
            ("start-before-skew", "2030-01-01T11:57:59.999Z", 60, early)]:
        more = {"signed": True} if code else {"claims": claims() | {
            INSTANT: ["2030-01-01T11:00:00.000Z"]}}
        writer.add(f"time-{name}", old, code, at=at, skew=skew, attack="TIME-1", **more)
    writer.add("expired", signed(window(
        until="2030-01-01T11:59:00Z", since="2030-01-01T11:00:00Z")), expired, attack="TIME-1",
        signed=True, note="ended a minute ago, to the second")
    writer.add("not-yet-valid", signed(window(since="2030-01-01T12:02:00Z")), early, signed=True)
    writer.add("window-empty", signed(window(since="2030-01-01T12:00:30Z",
                                             until="2030-01-01T12:00:30Z")),
               "time.empty-window", attack="TIME-4", signed=True)
    writer.add("window-reversed", signed(window(since="2030-01-01T12:00:30Z",
                                                until="2030-01-01T12:00:00Z")),
               "time.empty-window", attack="TIME-4", signed=True, note="skew would make it valid")
    writer.add("issued-in-future", signed(response(assertion(instant="2030-01-01T12:02:00Z"))),
               "time.issued-in-future", attack="TIME-10", signed=True)
    writer.add("authenticated-in-future", signed(response(assertion(
        statements=authn("2030-01-01T12:02:00Z")))), "time.authenticated-in-future",
        attack="SEM-13", signed=True)
    writer.add("session-ended", signed(response(assertion(statements=authn(
        attributes=' SessionNotOnOrAfter="2030-01-01T11:58:00Z"')))), "time.session-ended",
        attack="SEM-13", signed=True)
    for name, value in [
            ("february-30", "2030-02-30T12:00:00Z"), ("hour-25", "2030-01-01T25:00:00Z"),
            ("after-24", "2030-01-01T24:00:01Z"), ("second-60", "2030-01-01T12:59:60Z"),
            ("no-zone", "2030-01-01T12:05:00"), ("no-seconds", "2030-01-01T12:05Z"),
            ("lower-t", "2030-01-01t12:05:00Z"), ("lower-z", "2030-01-01T12:05:00z"),
            ("comma", "2030-01-01T12:05:00,5Z"), ("no-fraction", "2030-01-01T12:05:00.Z"),
            ("offset-short", "2030-01-01T14:05:00+0200"),
            ("offset-far", "2030-01-02T12:05:00+14:01"),
            ("digits", "2030-1-1T12:05:00Z"), ("junk", "2030-01-01T12:05:00Zjunk"),
            ("date", "2030-01-02"), ("epoch", "1893499500"), ("year-0", "0000-01-01T00:00:00Z"),
            ("year-10000", "12030-01-01T12:05:00Z"), ("plus", "+2030-01-01T12:05:00Z"),
            ("arabic", "\u0662\u0660\u0663\u0660-01-01T12:05:00Z")]:
        writer.add(f"time-malformed-{name}", signed(window(until=value)), "time.malformed",
                   attack="TIME-5", signed=True)
    for name, value in [
            ("fraction-1", "2030-01-01T12:05:00.5Z"),
            ("fraction-7", "2030-01-01T12:05:00.3593475Z"),
            ("fraction-30", "2030-01-01T12:05:00." + "9" * 30 + "Z"),
            ("offset", "2030-01-01T14:05:00+02:00"), ("offset-minus", "2030-01-01T00:35:00-11:30"),
            ("offset-14", "2030-01-02T02:05:00+14:00"),
            ("zero-offset", "2030-01-01T12:05:00+00:00"),
            ("white-space", " 2030-01-01T12:05:00Z "), ("midnight-24", "2030-01-01T24:00:00Z")]:
        writer.add(f"time-form-{name}", signed(window(until=value)), claims=claims(),
                   attack=["OK-31", "TIME-6", "TIME-8"])
    writer.add("time-form-leap-day", signed(window(since="2028-02-29T00:00:00Z")), claims=claims(),
               attack="OK-31")
