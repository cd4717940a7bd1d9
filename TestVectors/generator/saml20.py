"""saml20/: what must be accepted, and the order in which the parts of the folder come."""

import base64
import re
import urllib.parse
import zlib

from . import keys
from .documents20 import (
    BY_HAND, NAMESPACES, PASSWORD, REQUESTER, RSLOT, SAML, SLOT, Writer, XS, XSI, assertion,
    attribute, attributes, authn, claims, conditions, confirmation, data, extensions, issuer,
    named, part, response, restriction, signed, status, subject)
from . import providers
from .saml20_attacks import algorithms, parser, references, stripped_and_tampered, wrapping
from .saml20_rules import semantics, times
from .signing import DS, ENVELOPED, INC, INC11, reference, sign, sign_by_hand, template, transform
from .world import (
    ACS, ADMIN, ALICE, IDP, IDP_B, IDP_KEY, INSTANT, METHOD, NAME_IDENTIFIER, RP, splice)


def build(suite):
    writer = Writer(suite, "saml20", "saml20")
    bases = base_documents()
    positives(writer, bases)
    styles(writer)
    values(writer)
    wire_forms(writer, bases)
    stripped_and_tampered(writer, bases)
    wrapping(writer, bases)
    references(writer, bases)
    algorithms(writer)
    parser(writer, bases)
    semantics(writer)
    times(writer)
    providers.build20(writer)


def base_documents():
    b11 = response("", status=status(REQUESTER))
    return {
        "B1": signed(response(), certificate="idp-rsa"),
        "B2": signed(response(), None, "_r", certificate="idp-rsa"),
        "B3": signed(response(), "_a", "_r", certificate="idp-rsa"),
        "B11": signed(b11, None, "_r"),
        "plain": signed(response()),
    }


def positives(writer, bases):
    def good(name, text, note="", attack=(), **more):
        writer.add(name, text, note=note, attack=attack, **{"claims": claims()} | more)

    good("response-assertion-signed", bases["B1"], "B1: the assertion is signed", "OK-1")
    good("response-response-signed", bases["B2"], "B2: the Response is signed", "OK-2")
    good("response-both-signed", bases["B3"], "B3: both are signed", "OK-3")
    good("response-assertion-rsa-sha256", bases["plain"], "B1 without KeyInfo",
         ["OK-10", "OK-13"])
    for number in ("384", "512"):
        good(f"response-assertion-rsa-sha{number}", signed(
            response(), method=f"rsa-sha{number}", digest=f"sha{number}"), attack="OK-11")
    good("digest-sha512-signature-sha256", signed(response(), digest="sha512"), attack="OK-11")
    good("response-assertion-rsa-pss-sha256", signed(
        response(), method="rsa-pss-sha256", signer=sign_by_hand), attack="OK-11", by=BY_HAND)
    for curve, number in (("256", "256"), ("384", "384"), ("521", "512")):
        good(f"response-assertion-ecdsa-p{curve}", signed(
            response(), key=f"idp-ec{curve}", method=f"ecdsa-sha{number}", signer=sign_by_hand),
            attack="OK-11", by=BY_HAND, keys=[f"keys/idp-ec{curve}.crt"])
    for algorithm in ("ed25519", "ed448"):
        good(f"response-assertion-{algorithm}", signed(
            response(), key=f"idp-{algorithm}", method=algorithm, signer=sign_by_hand),
            attack="OK-11", by=BY_HAND, keys=[f"keys/idp-{algorithm}.pub"])
    alone = part(response(), "saml:Assertion").replace(
        "<saml:Assertion ", f'<saml:Assertion xmlns:saml="{SAML}" ', 1) + "\n"
    good("assertion-alone", signed(alone), "an assertion as the root")
    good("key-public-pem", bases["plain"], "the key as PEM SubjectPublicKeyInfo",
         keys=["keys/idp-rsa.pub"])
    good("key-certificate-der", bases["plain"], "the certificate as DER",
         keys=["keys/idp-rsa.der"])
    good("key-second-of-two", bases["plain"], "rollover: the second trusted key", "OK-48",
         keys=["keys/other-rsa.crt", IDP_KEY])
    good("key-expired-certificate", signed(response(), key="expired"), attack="KEY-8",
         note="an expired certificate around a pinned key", keys=["keys/expired.crt"])
    good("key-any-issuer", bases["plain"], "no list of issuers", issuers=[])

    # Canonicalization.
    good("prefix-list-xs", signed(
        response(namespaces=f'{NAMESPACES} xmlns:xs="{XS}"'), prefixes="xs"),
        "PrefixList=xs, as Okta writes it", "OK-8")
    good("prefix-list-long", signed(
        response(namespaces=f'{NAMESPACES} xmlns:xs="{XS}" xmlns:xsi="{XSI}"'),
        prefixes="#default samlp saml ds xs xsi", method_prefixes="#default xs"),
        "PrefixList of Shibboleth, on the method too, with undeclared prefixes", "OK-8")
    good("prefix-list-both-signed", signed(
        response(assertion(statements=authn() + attributes(attribute(
            "role", f'<saml:AttributeValue xmlns:xsi="{XSI}" xsi:type="xs:string">user'
                    "</saml:AttributeValue>"))),
            namespaces=f'{NAMESPACES} xmlns:xs="{XS}"'),
        "_a", "_r", prefixes="xs", response_options={}),
        "the assertion's PrefixList needs a declaration of the Response that the Response's own "
        "canonical form drops", "OK-53")
    good("inclusive-c14n", signed(response(), c14n=INC), attack="OK-9")
    good("inclusive-c14n-method-only", signed(response(), method_c14n=INC), attack="OK-9")
    good("inclusive-c14n-lang", signed(
        response(head=' xml:lang="en"'), c14n=INC), "xml:lang is inherited", "OK-9")
    good("c14n11", signed(response(), c14n=INC11), attack="OK-9")
    good("enveloped-only", signed(response(), transforms=transform(ENVELOPED)),
         "no canonicalization named: inclusive 1.0 is implied", "OK-25")
    good("no-prefix-type", signed(response(assertion(statements=authn() + attributes(attribute(
        "role", f'<saml:AttributeValue xmlns:xsi="{XSI}" xsi:type="xs:string">user'
                "</saml:AttributeValue>"))), namespaces=f'{NAMESPACES} xmlns:xs="{XS}"')),
         "xs is not rendered by exclusive canonicalization", "OK-13")
    good("type-prefix-rebound", splice(signed(response(assertion(statements=authn() + attributes(
        attribute("role", f'<saml:AttributeValue xmlns:xsi="{XSI}" xsi:type="xs:string">user'
                          "</saml:AttributeValue>"))), namespaces=f'{NAMESPACES} xmlns:xs="{XS}"')),
        f'xmlns:xs="{XS}"', 'xmlns:xs="urn:evil"'),
        "a prefix that only content uses is rebound outside", "C14N-7")

    # Layout.
    plain = bases["plain"]
    good("xml-declaration", '<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n' + plain,
         attack="OK-26")
    good("byte-order-mark", "\ufeff" + plain, attack="OK-26")
    good("leading-white-space", "\n  " + plain + "  \n", attack="OK-26")
    good("line-ends-crlf", plain.replace("\n", "\r\n"), "CRLF on the wire is LF", "OK-23")
    good("comments-outside", splice(splice(
        "<!-- before -->\n" + plain + "<!-- <!DOCTYPE after> -->\n",
        "<samlp:Status>", "<!-- between --><samlp:Status>"),
        "</ds:SignedInfo>", "</ds:SignedInfo><!-- here -->"),
        "comments and the word DOCTYPE in one", ["OK-21", "OK-27"])
    good("processing-instructions-outside", '<?xml-stylesheet href="http://127.0.0.1:9/"?>\n'
         + plain + "<?end?>\n", attack=["OK-52", "XML-27"])
    value = re.search(r"<ds:SignatureValue>([^<]+)<", plain).group(1)
    folded = "\n".join(value[at:at + 64] for at in range(0, len(value), 64))
    good("signature-value-folded", splice(plain, value, f"\n{folded}\n"), attack="OK-24")
    good("signature-value-carriage-returns", splice(
        plain, value, folded.replace("\n", "&#13;\n")), attack="OK-24")
    tabs = response(assertion(
        conditions=conditions(restriction(f"\n\t\t{RP}\n\t")),
        statements=authn(context=f"\n\t{PASSWORD}\n") + attributes(attribute("role", "user"))))
    good("pretty-printed", signed(tabs.replace("    ", "\t").replace(
        f'Recipient="{ACS}"', f'Recipient=" {ACS} "')),
        "indented with tabs; white space around anyURI values", "OK-22")
    good("one-line", signed(re.sub(r"\n\s*", "", splice(
        response(), f"<samlp:Response {NAMESPACES}\n", f"<samlp:Response {NAMESPACES} "))))
    good("key-info-many", splice(plain, "</ds:Signature>", (
        "<ds:KeyInfo><ds:KeyName>somebody else</ds:KeyName><ds:X509Data>"
        "<ds:X509SubjectName>CN=idp.example</ds:X509SubjectName>\n      <ds:X509Certificate>\n"
        + keys.certificate_text("evil-rsa") + "\n</ds:X509Certificate></ds:X509Data>"
        "</ds:KeyInfo></ds:Signature>")),
        "KeyInfo shows another certificate; it is no source of keys", ["OK-10", "KEY-4"])
    good("key-info-retrieval", splice(plain, "</ds:Signature>", (
        '<ds:KeyInfo><ds:RetrievalMethod URI="http://127.0.0.1:9/key"/></ds:KeyInfo>'
        "</ds:Signature>")), "nothing is fetched", "KEY-5")
    good("signature-with-id", splice(plain, '<ds:Signature ', '<ds:Signature Id="_sig" '),
         "an Id on the Signature", "DSIG-25")

    # Message.
    good("response-without-issuer", signed(response(issuer="")), attack="OK-7")
    good("issuer-format-entity", signed(response(assertion(issuer=issuer(
        attributes=' Format="urn:oasis:names:tc:SAML:2.0:nameid-format:entity"')))),
        attack="OK-7")
    for name, format in (("issuer-qualifier", ""), ("issuer-format-qualifier", (
            ' Format="urn:oasis:names:tc:SAML:2.0:nameid-format:entity"'))):
        good(name, signed(response(assertion(issuer=issuer(
            attributes=f'{format} NameQualifier="https://evil.example/"')))),
            "SPID writes one; the name alone says who the issuer is", "SEM-6")
    good("idp-initiated", signed(response(assertion(subject=subject(
        f"<saml:NameID>{ALICE}</saml:NameID>", confirmation(data(request=None)))), request=None)),
        "no InResponseTo, none asked for", "OK-28", request=None)
    good("nothing-expected", plain, "neither recipient nor request is asked for",
         recipient=None, request=None)
    good("extensions-foreign", signed(response(extensions=extensions(
        '<x:Hint xmlns:x="urn:x" ID="_A">text</x:Hint>'),
        head=' Consent="urn:oasis:names:tc:SAML:2.0:consent:unspecified"')),
        "extension content is ignored; an ID that differs in case", ["OK-28", "REF-15"])
    good("extensions-evil-attributes", splice(plain, "<samlp:Status>", extensions(
        f"{attributes(attribute('role', 'admin'))}") + "<samlp:Status>"),
        "unsigned attributes in Extensions are not read", "XSW-27")
    good("extensions-namespaced-id", splice(plain, "<samlp:Status>", extensions(
        '<x:Decoy xmlns:x="urn:x" x:ID="_a"/>') + "<samlp:Status>"),
        "an ID attribute in a namespace is no ID", "REF-12")
    good("status-message", signed(response(status=status(
        inner="<samlp:StatusMessage>all is well</samlp:StatusMessage>"))))
    for number, id in enumerate([
            "_8f14e45f-ceea-467f-a8b2-d1c0e29c7f3b", "ONELOGIN_4fee3b046395c4e751011e97f8900b52",
            "0b8ee2b1-5f5d-4a4f-9b1a-1d9f4b7e7b0a", "a.b-c_\u00e9", "x" * 256], 1):
        good(f"id-shape-{number}", signed(response(assertion(id=id)), id), attack="OK-32", id=id)
    good("audience-second", signed(response(assertion(conditions=conditions(restriction(
        "https://a.example/", RP, "https://b.example/"))))), "any of one restriction", "OK-30")
    good("audience-two-restrictions", signed(response(assertion(conditions=conditions(
        restriction(RP) + restriction("https://a.example/", RP))))), "all restrictions", "OK-30")
    good("audience-any", signed(response(assertion(conditions=conditions("")))),
         "no restriction, any audience allowed", audiences=[])
    good("one-time-use", signed(response(assertion(conditions=conditions(
        restriction(RP) + "<saml:OneTimeUse/>")))), attack=["OK-30", "SEM-12"])
    good("proxy-restriction", signed(response(assertion(conditions=conditions(
        restriction(RP) + '<saml:ProxyRestriction Count="0"><saml:Audience>https://a.example/'
        "</saml:Audience></saml:ProxyRestriction>")))), attack=["OK-30", "SEM-12"])
    good("confirmation-second-good", signed(response(assertion(subject=subject(
        f"<saml:NameID>{ALICE}</saml:NameID>",
        confirmation(data(until="2029-12-31T12:00:00Z")), confirmation())))),
        "the first has expired", "OK-18")
    good("confirmation-other-method-first", signed(response(assertion(subject=subject(
        f"<saml:NameID>{ALICE}</saml:NameID>",
        confirmation("", "urn:oasis:names:tc:SAML:2.0:cm:sender-vouches"), confirmation())))),
        attack="OK-18")
    decoy = assertion(id="_adv", subject=named(ADMIN), slot="")
    good("advice-in-signed", signed(response(assertion(
        advice=f"<saml:Advice>{decoy}</saml:Advice>"))),
        "Advice inside the signed bytes is ignored", "OK-20")


def styles(writer):
    """How well-known issuers write it."""
    def rename(text, prefixes):
        for old, new in prefixes.items():
            text = text.replace(f"<{old}:", f"<{new}:" if new else "<")
            text = text.replace(f"</{old}:", f"</{new}:" if new else "</")
            text = text.replace(f"xmlns:{old}=", f"xmlns:{new}=" if new else "xmlns=")
        return text

    adfs = rename(response(assertion(
        issuer="<Issuer>" + IDP + "</Issuer>")), {"saml": ""})
    adfs = splice(adfs, f' xmlns="{SAML}"', "")
    adfs = splice(adfs, "<Assertion ", f'<Assertion xmlns="{SAML}" ')
    adfs = re.sub(r"<Issuer>[^<]*</Issuer>" + RSLOT,
                  f'<Issuer xmlns="{SAML}">{IDP}</Issuer>{RSLOT}', adfs)
    slot = template(reference("#_a")).replace(
        "</ds:Signature>", f'<KeyInfo xmlns="{DS}"><ds:X509Data><ds:X509Certificate>'
        f"{keys.certificate_text('idp-rsa')}</ds:X509Certificate></ds:X509Data></KeyInfo>"
        "</ds:Signature>")
    slot = slot.replace("<ds:X509", "<X509").replace("</ds:X509", "</X509")
    writer.add("style-adfs", sign(splice(adfs, SLOT, slot).replace(RSLOT, "")), claims=claims(),
               attack=["OK-5", "OK-6"],
               note="default namespace on the assertion, KeyInfo in a default namespace")
    entra = splice(adfs, SLOT, template(reference("#_a")).replace(
        "xmlns:ds=", "xmlns=").replace("<ds:", "<").replace("</ds:", "</")).replace(RSLOT, "")
    writer.add("style-entra", sign(entra), claims=claims(), attack=["OK-5", "OK-6"],
               note="the signature in a default namespace too")
    okta = rename(response(namespaces=f'{NAMESPACES} xmlns:xs="{XS}"').replace(
        "<saml:AttributeValue>",
        f'<saml:AttributeValue xmlns:xsi="{XSI}" xsi:type="xs:string">').replace(
        "<saml:NameID>",
        '<saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified">'),
        {"samlp": "saml2p", "saml": "saml2"})
    writer.add("style-okta", signed(okta, "_a", "_r", prefixes="xs", certificate="idp-rsa"),
               claims=claims(), attack=["OK-3", "OK-6", "OK-8"],
               note="saml2p and saml2, PrefixList=xs, both signed")
    root = signed(response(namespaces=f'{NAMESPACES} xmlns:ds="{DS}"')).replace(
        f'<ds:Signature xmlns:ds="{DS}">', "<ds:Signature>")
    writer.add("style-ds-at-root", root, claims=claims(), attack="OK-5",
               note="the prefix ds is declared at the root")


def values(writer):
    def good(name, statements, extra, subject_element=subject(), subject=ALICE, note="",
             attack=(), authn=True, mutate=None, **more):
        text = signed(response(assertion(subject=subject_element, statements=statements)))
        for old, new in (mutate or {}).items():
            text = splice(text, old, new)
        writer.add(name, text, claims=claims(subject, extra, authn), subject=subject, note=note,
                   attack=attack, **more)

    def one(name, *values, **more):
        return authn() + attributes(attribute(name, *values, **more))

    good("values-several", authn() + attributes(
        attribute("role", "b", "a", "b"), attribute("mail", "x@idp.example")),
        {"role": ["b", "a", "b"], "mail": ["x@idp.example"]}, attack="OK-15",
        note="several values, in order, nothing merged")
    good("values-attribute-twice", authn() + attributes(
        attribute("role", "a"), attribute("mail", "x"), attribute("role", "b")),
        {"role": ["a", "b"], "mail": ["x"]}, attack=["OK-15", "CMT-13"],
        note="one name in two Attributes")
    good("values-two-statements", authn() + attributes(attribute("role", "a"))
         + attributes(attribute("team", "b")), {"role": ["a"], "team": ["b"]}, attack="OK-15")
    good("values-no-value", authn() + attributes(
        '<saml:Attribute Name="none"/>', attribute("role", "user")), {"role": ["user"]},
        attack="OK-15", note="an Attribute without a value gives no entry")
    good("values-names", authn() + attributes(
        attribute("urn:oid:0.9.2342.19200300.100.1.3", "1", attributes=(
            ' NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:uri" FriendlyName="role"')),
        attribute("two words", "2"), attribute("\u0438\u043c\u044f", "3"), attribute("Role", "4")),
        {"urn:oid:0.9.2342.19200300.100.1.3": ["1"], "two words": ["2"],
         "\u0438\u043c\u044f": ["3"], "Role": ["4"]}, attack=["OK-16", "CMT-13"],
        note="FriendlyName is for display only")
    good("values-non-ascii", one("name", "\u0410\u043d\u043d\u0430 \u5f90 \U0001f642", "e\u0301"),
         {"name": ["\u0410\u043d\u043d\u0430 \u5f90 \U0001f642", "e\u0301"]}, attack="OK-17")
    good("values-escapes", one("name", "a &lt; b &amp;&amp; c &gt; d", "&quot;&apos;&#34;"),
         {"name": ["a < b && c > d", "\"'\""]}, attack="OK-17")
    good("values-nil", one(
        "role", f'<saml:AttributeValue xmlns:xsi="{XSI}" xsi:nil="true"/>',
        f'<saml:AttributeValue xmlns:xsi="{XSI}" xsi:nil="1"></saml:AttributeValue>', "user"),
        {"role": ["user"]}, attack="CMT-8", note="xsi:nil gives no entry")
    good("values-empty", one("role", "<saml:AttributeValue/>", ""), {"role": ["", ""]},
         attack="CMT-8")
    good("values-white-space", one("role", " user ", "a\n\tb"), {"role": [" user ", "a\n\tb"]},
         attack="CMT-9", note="nothing is trimmed")
    good("values-typed", one("v", *(
        f'<saml:AttributeValue xmlns:xsi="{XSI}" xmlns:xs="{XS}" xsi:type="xs:{type}">{value}'
        "</saml:AttributeValue>" for type, value in [
            ("anyType", "x"), ("boolean", "true"), ("integer", " 7"), ("base64Binary", "AA==")])),
        {"v": ["x", "true", " 7", "AA=="]}, attack="OK-14", note="the text as it is")
    good("values-structured", one("card", (
        '<x:Card xmlns:x="urn:example:card"><x:No>7</x:No></x:Card>')),
        {"card": ['<x:Card xmlns:x="urn:example:card"><x:No>7</x:No></x:Card>']},
        attack=["OK-29", "CMT-7"], note="XML in a value stays XML")
    good("values-claim-collision", authn() + attributes(
        attribute(NAME_IDENTIFIER, ADMIN), attribute("sub", ADMIN), attribute("issuer", IDP_B)),
        {"sub": [ADMIN], "issuer": [IDP_B]}, attack="CMT-12",
        note="the subject stays what the NameID says")
    good("values-doctype-text", one("note", "<![CDATA[<!DOCTYPE x> &entity;]]>"),
         {"note": ["<!DOCTYPE x> &entity;"]}, attack="OK-27")
    many = [f"group-{number:03}" for number in range(500)]
    good("values-500", one("group", *many), {"group": many}, attack="OK-51")

    # Text put together from pieces; each edit leaves the canonical form as it was signed.
    evil = "admin@rp.example.evil.example"
    for name, new, ids in [
            ("comment", "admin@rp.example<!--x-->.evil.example", ["CMT-1"]),
            ("comments", "<!--a-->admin<!--b--><!--c-->@rp.example.evil.example<!---->", ["CMT-2"]),
            ("cdata", "admin@rp.example<![CDATA[.evil.example]]>", ["CMT-3"]),
            ("references", "admin&#64;rp&#x00002E;example.evil.example", ["CMT-4"])]:
        good(f"name-{name}", None, None, named(evil), evil, attack=ids,
             mutate={evil: new}, note="the whole text counts")
    good("value-comment", one("role", "useradmin"), {"role": ["useradmin"]}, attack="CMT-2",
         mutate={"useradmin": "user<!-- -->admin"})
    good("audience-comment", None, None, attack="CMT-2",
         mutate={f"<saml:Audience>{RP}": f"<saml:Audience>https://rp.example<!--x-->/saml"})
    good("name-white-space", None, None, named(f" {ALICE} "), f" {ALICE} ", attack="CMT-9")
    good("name-kelvin", None, None, named("\u212aim@idp.example"), "\u212aim@idp.example",
         attack="CMT-10", note="U+212A is not K")
    good("name-line-separator", None, None, named("a\u2028b\u0085c"), "a\u2028b\u0085c",
         attack="CMT-11")
    good("name-persistent", None, None, named(
        "7ff5", ' Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent" '
        f'NameQualifier="{IDP}" SPNameQualifier="{RP}"'), "7ff5", attack="OK-50")
    good("name-email-format", None, None, named(
        ALICE, ' Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"'), attack="OK-50")
    good("name-absent", None, None, subject(""), None, attack="OK-50",
         note="no NameID: attributes only")
    good("authn-two", authn() + authn("2030-01-01T11:00:00.25+02:00", "", "urn:x:second")
         + attributes(attribute("role", "user")),
         {"role": ["user"], METHOD: [PASSWORD, "urn:x:second"],
          INSTANT: ["2030-01-01T12:00:00.000Z", "2030-01-01T09:00:00.250Z"]}, attack="OK-15",
         authn=False)
    good("authn-absent", attributes(attribute("role", "user")), {"role": ["user"]}, authn=False,
         recipient=None, request=None, note="not asked for as a sign-in")
    good("attributes-absent", authn(), {})

    def bad(name, code, attack, **parts):
        writer.add(name, signed(response(assertion(**parts))), code, attack=attack, signed=True,
                   note="signed like this by the issuer")

    bad("name-instruction", "xml.mixed-content", "CMT-5", subject=named("not-<?p?>admin"))
    bad("name-child", "xml.mixed-content", "CMT-6",
        subject=named('admin<x xmlns="urn:x">@evil.example</x>'))
    bad("name-empty", "subject.empty-name", "CMT-8", subject=named(""))
    bad("name-blank", "subject.empty-name", "CMT-8", subject=named(" \n"))
    bad("name-other-service", "subject.sp-name-qualifier", "CMT-14", subject=named(
        "7ff5", ' SPNameQualifier="https://other-rp.example/"'))


def wire_forms(writer, bases):
    raw = bases["plain"].encode()
    text = base64.b64encode(raw).decode()
    folded = "\r\n".join(text[at:at + 76] for at in range(0, len(text), 76)) + "\r\n"
    url = base64.urlsafe_b64encode(raw).decode().rstrip("=")
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    deflated = compressor.compress(raw) + compressor.flush()
    redirect = base64.b64encode(deflated).decode()
    for name, form, note, attack in [
            ("base64", text, "POST binding", ()),
            ("base64-folded", folded, "with line breaks", "OK-33"),
            ("base64url", url, "URL alphabet, no padding", ()),
            ("percent", urllib.parse.quote(text, safe=""), "percent-encoded base64", "OK-33"),
            ("percent-lower", re.sub("%..", lambda each: each.group(0).lower(),
                                     urllib.parse.quote(text, safe="")),
             "lower-case escapes", "OK-33"),
            ("deflate", redirect, "Redirect binding", ()),
            ("deflate-percent", urllib.parse.quote(redirect, safe=""),
             "Redirect binding, percent-encoded", ())]:
        writer.add(f"wire-{name}", form, claims=claims(), note=note, attack=attack, suffix="txt")
    for name, form, code, note in [
            ("base64-junk", text[:100] + "*" + text[100:], "input.base64", "a stray character"),
            ("base64-mixed", text[:100] + "-+" + text[102:], "input.base64",
             "two alphabets in one"),
            ("percent-broken", urllib.parse.quote(text, safe="")[:-1] + "%3",
             "input.percent-escape", "a cut escape"),
            ("deflate-cut", base64.b64encode(deflated[:-20]).decode(), "input.deflate",
             "the stream ends early"),
            ("deflate-trailing", base64.b64encode(deflated + b"more").decode(), "input.deflate",
             "bytes behind the stream"),
            ("deflate-bomb", base64.b64encode(bomb()).decode(), "input.deflate-too-large",
             "2 MiB of spaces")]:
        writer.add(f"wire-{name}", form, code, note=note, suffix="txt", attack=(
            "DOS-10" if "bomb" in name else ()))


def bomb():
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    return compressor.compress(b"<samlp:Response>" + b" " * (2 << 20)) + compressor.flush()
