"""CMT: what the text of a value is when something stands inside it."""

from lxml import etree

from .. import saml11
from ..documents20 import (
    PASSWORD, SAML, XSI, assertion, attribute, attributes, authn, claims, conditions, confirmation,
    issuer, named, part, response, restriction, signed, subject)
from ..world import ADMIN, ALICE, IDP, NAME_IDENTIFIER, RP, splice
from .xsw import Parts

MIXED = "xml.mixed-content"
MISMATCH = "signature.digest-mismatch"
# The attacker's own account, of which a part is the victim's.
LONG = ADMIN + ".evil.example"


def with_name(text, attributes_=""):
    return signed(response(assertion(subject=named(text, attributes_))))


def with_value(*values, name="role", **more):
    return signed(response(assertion(statements=authn() + attributes(attribute(
        name, *values, **more)))))


def add(suite):
    comments(suite)
    instructions(suite)
    values(suite)
    look_alikes(suite)
    attributes_(suite)


def comments(suite):
    long = with_name(LONG)
    suite.add("CMT-1", "control", long, kept=True, claims=claims(LONG), subject=LONG)
    spellings = {
        "middle": f"{ADMIN}<!--x-->.evil.example", "start": f"<!--x-->{LONG}",
        "end": f"{LONG}<!--x-->", "twice": f"{ADMIN}<!--x--><!--y-->.evil.example",
        "every": "<!---->".join(LONG), "at": LONG.replace("@", "<!--@-->@", 1),
        "like-text": f"{ADMIN}<!--</saml:NameID>-->.evil.example"}
    for name, text in spellings.items():
        suite.add("CMT-1" if name == "middle" else "CMT-2", f"name-{name}", splice(
            long, LONG, text), kept=True, claims=claims(LONG), subject=LONG,
            note="comments are no part of the text, and divide none")
    for name, text in [
            ("cdata-end", f"{ADMIN}<![CDATA[.evil.example]]>"),
            ("cdata-start", f"<![CDATA[{ADMIN}]]>.evil.example"),
            ("cdata-all", f"<![CDATA[{LONG}]]>"), ("cdata-two", f"<![CDATA[{ADMIN}]]><![CDATA[.evil"
                                                   ".example]]>"),
            ("cdata-empty", f"{ADMIN}<![CDATA[]]>.evil.example"),
            ("cdata-comment", f"{ADMIN}<![CDATA[.evil]]><!--x-->.example")]:
        suite.add("CMT-3", name, splice(long, LONG, text), kept=True, claims=claims(LONG),
                  subject=LONG)
    for name, text in [("decimal", LONG.replace("@", "&#64;")), ("hex", LONG.replace("@", "&#x40;")),
                       ("zeros", LONG.replace("a", "&#x0000061;", 1)),
                       ("every", "".join(f"&#{ord(each)};" for each in LONG))]:
        suite.add("CMT-4", name, splice(long, LONG, text), kept=True, claims=claims(LONG),
                  subject=LONG)
    twice = "admin&#64;rp.example"
    suite.add("CMT-4", "escaped", with_name("admin&amp;#64;rp.example"), kept=True,
              claims=claims(twice), subject=twice, note="decoded once")
    # The same in every other value that counts.
    whole = signed(response(assertion()))
    for name, old, text in [
            ("issuer", f"    <saml:Issuer>{IDP}<", f"    <saml:Issuer>{IDP[:11]}<!--x-->{IDP[11:]}<"),
            ("audience", f">{RP}<", f">{RP[:13]}<!--x-->{RP[13:]}<"),
            ("value", ">user<", ">us<!--x-->er<"),
            ("context", f">{PASSWORD}<", f">{PASSWORD[:20]}<!--x-->{PASSWORD[20:]}<"),
            ("digest-method", "<ds:DigestMethod ", "<!--x--><ds:DigestMethod "),
            ("between", "<saml:NameID>", "<!--x--><saml:NameID>")]:
        suite.add("CMT-2", name, splice(whole, old, text), kept=True, claims=claims())
    b5, b6 = suite.text("B5"), suite.text("B6")
    name_old = f">{ALICE}</saml:NameIdentifier>"
    for name, base, old, new, count in [
            ("name-identifier", "B5", name_old, f">{ALICE[:5]}<!--x-->{ALICE[5:]}"
             "</saml:NameIdentifier>", 2),
            ("audience-1", "B5", f">{RP}<", f">{RP[:13]}<!--x-->{RP[13:]}<", 1),
            ("method-1", "B5", ":cm:bearer<", ":cm:<!--x-->bearer<", 2),
            ("token-type", "B6", "<t:TokenType>urn:oasis", "<t:TokenType>urn:<!--x-->oasis", 1)]:
        suite.add("CMT-2", name, splice(suite.text(base), old, new, count), base=base, kept=True,
                  claims=saml11.claims())


def instructions(suite):
    suite.add("CMT-5", "inserted", splice(with_name(ADMIN), ADMIN, f"<?p not-an-?>{ADMIN}"),
              MISMATCH)
    suite.add("CMT-5", "hidden", splice(with_name("not-an-" + ADMIN), "not-an-" + ADMIN, (
        f"<?p not-an-?>{ADMIN}")), MISMATCH, note="a part of the value made an instruction")
    unsigned = {}
    for kind, insert in [("instruction", "<?p x?>"), ("child", '<x xmlns="urn:x">@evil.example</x>')]:
        entry = "CMT-5" if kind == "instruction" else "CMT-6"
        for name, parts in [
                ("name", {"subject": named(f"admin{insert}")}),
                ("name-start", {"subject": named(f"{insert}admin")}),
                ("issuer", {"issuer": issuer(IDP[:11] + insert + IDP[11:])}),
                ("audience", {"conditions": conditions(restriction(RP + insert))}),
                ("context", {"statements": authn(context=PASSWORD + insert)})]:
            code = MIXED
            suite.add(entry, f"signed-{kind}-{name}", signed(response(assertion(**parts))), code,
                      kept=True, note="signed like this by the issuer")
        statement = saml11.statement(saml11.subject("admin" + insert))
        suite.add(entry, f"signed-{kind}-name-identifier", signed(saml11.response(
            saml11.assertion(statements=statement))), MIXED, base="B5", kept=True)
    suite.add("CMT-5", "signed-instruction-value", with_value("us<?p x?>er"), MIXED, kept=True)
    suite.add("CMT-6", "inserted", splice(with_name(LONG), LONG, f"{ADMIN}<x>.evil.example</x>"),
              MISMATCH)


def canonical_children(value):
    tree = etree.fromstring(f'<r xmlns:saml="{SAML}">{value}</r>')
    return "".join(etree.tostring(each, method="c14n", exclusive=True, with_tail=False).decode()
                   for each in tree)


def values(suite):
    inner = f'<saml:NameID Format="urn:x">{ADMIN}</saml:NameID>'
    for name, content in [("name", inner), ("two", inner + inner),
                          ("foreign", '<x:y xmlns:x="urn:x">a<x:z/>b</x:y>')]:
        suite.add(["CMT-7", "OK-29"], name, with_value(
            f"<saml:AttributeValue>{content}</saml:AttributeValue>"), kept=True,
            claims=claims(extra={"role": [canonical_children(content)]}),
            note="shown as the XML that it is, never as its text")
    nil = f'<saml:AttributeValue xmlns:xsi="{XSI}" xsi:nil="{{}}"/>'
    for name, text in [("empty", ""), ("blank", " \n "), ("comment", "<!--x-->"),
                       ("cdata", "<![CDATA[]]>")]:
        suite.add("CMT-8", f"name-{name}", with_name(text), "subject.empty-name", kept=True)
    suite.add("CMT-8", "value-empty", with_value(""), kept=True, claims=claims(extra={"role": [""]}))
    suite.add("CMT-8", "value-blank", with_value("  "), kept=True,
              claims=claims(extra={"role": ["  "]}))
    for text in ("true", "1"):
        suite.add("CMT-8", f"value-nil-{text}", with_value(nil.format(text), "user"), kept=True,
                  claims=claims(), note="no value, and not the text nil")
    suite.add("CMT-8", "value-not-nil", with_value(nil.format("false")), kept=True,
              claims=claims(extra={"role": [""]}))
    for name, text in [
            ("space-before", f" {ADMIN}"), ("space-behind", f"{ADMIN} "), ("tab", f"{ADMIN}\t"),
            ("line", f"\n{ADMIN}\n"), ("no-break", f"\u00a0{ADMIN}"), ("zero-width", f"{ADMIN}\u200b"),
            ("mark", f"\ufeff{ADMIN}")]:
        suite.add("CMT-9", f"name-{name}", with_name(text), kept=True, claims=claims(text),
                  subject=text, note="preserved, and so another name")
        suite.add("CMT-9", f"value-{name}", with_value(text), kept=True,
                  claims=claims(extra={"role": [text]}))
    for name, text in [("space", f" {IDP}"), ("line", f"{IDP}\n"), ("no-break", f"{IDP}\u00a0")]:
        suite.add("CMT-9", f"issuer-{name}", signed(response(assertion(issuer=issuer(text)))),
                  "issuer.untrusted", kept=True)
    for name, text, code in [
            ("space", f"  {RP}\n\t", None), ("no-break", f"\u00a0{RP}", "audience.mismatch"),
            ("zero-width", f"{RP}\u200b", "audience.mismatch"),
            ("mark", f"\ufeff{RP}", "audience.mismatch"), ("next-line", f"{RP}\u0085",
                                                           "audience.mismatch"),
            ("inside", RP.replace("/saml", " /saml"), "audience.mismatch")]:
        suite.add("CMT-9", f"audience-{name}", signed(response(assertion(conditions=conditions(
            restriction(text))))), code, kept=True, **({} if code else {"claims": claims()}))


def look_alikes(suite):
    for name, text in [
            ("kelvin", "\u212aim@rp.example"), ("plain", "Kim@rp.example"),
            ("composed", "jos\u00e9@rp.example"), ("decomposed", "jose\u0301@rp.example"),
            ("full-width", "\uff41dmin@rp.example"), ("question", "a\u037eb@rp.example"),
            ("semicolon", "a;b@rp.example"), ("joiner", "ad\u200dmin@rp.example"),
            ("override", "\u202eadmin@rp.example"), ("long-s", "\u017ftefan@rp.example"),
            ("dotted-i", "\u0130dmin@rp.example"), ("sharp-s", "gro\u00df@rp.example"),
            ("upper", ADMIN.upper()), ("astral", "\U0001d41admin@rp.example")]:
        suite.add("CMT-10", name, with_name(text), kept=True, claims=claims(text), subject=text,
                  note="the bytes that were signed, nothing folded or composed")
    malformed = "xml.malformed"
    plain = with_name(LONG)
    for name, text in [("nul", f"{ADMIN}&#0;.evil"), ("one", f"{ADMIN}&#1;"),
                       ("nul-hex", f"{ADMIN}&#x0;.evil"), ("backspace", f"{ADMIN}&#8;"),
                       ("noncharacter", f"{ADMIN}&#xFFFE;"), ("surrogate", f"{ADMIN}&#xD800;")]:
        suite.add("CMT-11", name, splice(plain, LONG, text), malformed)
    for name, text in [("next-line", f"admin\u0085{ALICE}"), ("separator", f"admin\u2028{ALICE}"),
                       ("line", f"admin\n{ALICE}"), ("escape", "admin\u009b31m")]:
        suite.add("CMT-11", name, with_name(text), kept=True, claims=claims(text), subject=text)


def attributes_(suite):
    for name in ("nameID", "issuer", "sub", "sessionIndex", "Issuer", "subject", "tokenID"):
        suite.add("CMT-12", f"name-{name.lower()}" if name != "issuer" else "lower-issuer",
                  with_value(ADMIN, name=name), kept=True, claims=claims(extra={name: [ADMIN]}),
                  note="an attribute of this name is an attribute")
    suite.add("CMT-12", "name-identifier", with_value(ADMIN, name=NAME_IDENTIFIER), kept=True,
              claims=claims(),
              note="the subject of the token stays what NameID says")
    two = authn() + attributes(attribute("role", "user"), attribute("role", "guest"))
    cases = [
        ("friendly", attribute("urn:oid:2.5.4.3", "user", attributes=' FriendlyName="role"'),
         {"urn:oid:2.5.4.3": ["user"]}),
        ("foreign", attribute("x", "user", attributes=' xmlns:e="urn:e" e:Name="role"'),
         {"x": ["user"]}),
        ("case", attribute("role", "user") + attribute("Role", "admin"),
         {"role": ["user"], "Role": ["admin"]}),
        ("twice", attribute("role", "user") + attribute("role", "guest"),
         {"role": ["user", "guest"]}),
        ("kelvin", attribute("K", "user") + attribute("\u212a", "admin"),
         {"K": ["user"], "\u212a": ["admin"]}),
        ("composed", attribute("\u00e9", "user") + attribute("e\u0301", "admin"),
         {"\u00e9": ["user"], "e\u0301": ["admin"]}),
        ("space", attribute("role", "user") + attribute("role ", "admin"),
         {"role": ["user"], "role ": ["admin"]})]
    for name, inner, extra in cases:
        suite.add("CMT-13", name, signed(response(assertion(statements=authn() + attributes(
            inner)))), kept=True, claims=claims(extra=extra))
    nothing = '<saml:Attribute Name=""><saml:AttributeValue>x</saml:AttributeValue></saml:Attribute>'
    suite.add("CMT-13", "no-name", signed(response(assertion(statements=authn() + attributes(
        nothing)))), "xml.missing-attribute", kept=True)
    suite.add("CMT-13", "friendly-only", signed(response(assertion(statements=authn() + attributes(
        nothing.replace('Name=""', 'FriendlyName="role"'))))), "xml.missing-attribute", kept=True)
    other = "subject.sp-name-qualifier"
    for name, attributes_, code in [
            ("sp-other", ' SPNameQualifier="https://other.example/"', other),
            ("sp-suffix", f' SPNameQualifier="{RP}.evil"', other),
            ("sp-empty", ' SPNameQualifier=""', other),
            ("sp-ours", f' SPNameQualifier="{RP}"', None),
            ("name-qualifier", ' NameQualifier="https://other.example/"', None),
            ("transient", ' Format="urn:oasis:names:tc:SAML:2.0:nameid-format:transient"', None)]:
        suite.add("CMT-14", name, with_name(ALICE, attributes_), code, kept=True,
                  **({} if code else {"claims": claims()}))
