"""XML and DOS: documents that are none, and documents that cost."""

import base64
import gzip
import zlib

from ..documents20 import (
    NAMESPACES, RSLOT, SAML, SAMLP, SLOT, assertion, attribute, attributes, authn, claims,
    extensions, named, part, response, signed, status)
from ..signing import DS, ENVELOPED, EXC, INC, reference, sign_by_hand, template, transform
from ..world import ACS, ADMIN, ALICE, AT, REQUEST, splice
from .references import DUPLICATE
from .signatures import by_hand
from .xsw import Parts, ROOT, UNEXPECTED, forged

DOCTYPE, MALFORMED, NAMESPACE = "xml.doctype", "xml.malformed", "xml.namespace"
ENCODING, URI = "xml.encoding", "xml.namespace-uri"
ENTITY_LINE = '<!ENTITY e{0} "&e{1};&e{1};&e{1};&e{1};&e{1};&e{1};&e{1};&e{1};&e{1};&e{1};">'


def extension(text, element):
    return splice(text, "<samlp:Status>", extensions(element) + "<samlp:Status>")


def add(suite):
    p = Parts(suite)
    doctypes(suite, p)
    names(suite, p)
    octets(suite, p)
    generations(suite, p)
    sizes(suite, p)
    totals(suite, p)


def doctypes(suite, p):
    def bad(entry, name, text):
        suite.add(entry, name, text, DOCTYPE)

    named_e = splice(p.b1, ALICE, "&e;")
    for name, text in [("bare", "<!DOCTYPE samlp:Response>"), ("html", "<!DOCTYPE html>"),
                       ("spaces", "\n<!DOCTYPE\n\tsamlp:Response\n>\n"),
                       ("declared", '<?xml version="1.0"?>\n<!DOCTYPE samlp:Response>'),
                       ("comment-before", "<!-- x --><!DOCTYPE samlp:Response>")]:
        bad("XML-1", name, text + p.b1)
    bad("XML-1", "mark", "\ufeff<!DOCTYPE x>" + p.b1)
    bad("XML-2", "text", f'<!DOCTYPE r [<!ENTITY e "{ADMIN}">]>\n' + named_e)
    bad("XML-2", "attribute", f'<!DOCTYPE r [<!ENTITY e "{ACS}">]>\n' + splice(
        p.b1, f'Destination="{ACS}"', 'Destination="&e;"'))
    bad("XML-2", "unused", '<!DOCTYPE r [<!ENTITY e "x">]>\n' + p.b1)
    for name, id in [
            ("file", 'SYSTEM "file:///etc/passwd"'), ("http", 'SYSTEM "http://127.0.0.1:9/"'),
            ("public", 'PUBLIC "-//X//Y" "http://127.0.0.1:9/"'),
            ("unc", 'SYSTEM "\\\\127.0.0.1\\x"'), ("jar", 'SYSTEM "jar:http://127.0.0.1:9/x!/y"'),
            ("expect", 'SYSTEM "expect://id"')]:
        bad("XML-3", name, f"<!DOCTYPE r [<!ENTITY e {id}>]>\n" + named_e)
        bad("XML-4", f"parameter-{name}", f"<!DOCTYPE r [<!ENTITY % p {id}> %p;]>\n" + p.b1)
        bad("XML-4", f"subset-{name}", f"<!DOCTYPE r {id}>\n" + p.b1)
    lines = "".join(ENTITY_LINE.format(each, each - 1) for each in range(1, 10))
    bad("XML-5", "text", f'<!DOCTYPE r [<!ENTITY e0 "ha">{lines}]>\n' + splice(p.b1, ALICE, "&e9;"))
    bad("XML-5", "attribute", f'<!DOCTYPE r [<!ENTITY e0 "ha">{lines}<!ATTLIST saml:Assertion x '
        'CDATA "&e9;">]>\n' + p.b1)
    suite.add("XML-6", "quadratic", '<!DOCTYPE r [<!ENTITY e "' + "a" * 100_000 + '">]>\n' + splice(
        p.b1, ALICE, "&e;" * 1000), DOCTYPE, runs=["a", "&e;"])
    for name, rule in [("id", 'ID CDATA "_a"'), ("fixed", 'ID CDATA #FIXED "_a"'),
                       ("recipient", f'Recipient CDATA "{ACS}"'), ("xmlns", 'xmlns CDATA "urn:x"')]:
        bad("XML-7", name, f"<!DOCTYPE r [<!ATTLIST saml:Assertion {rule}>]>\n" + p.b1)
    bad("XML-8", "block", f'<!DOCTYPE Response [<!ATTLIST Signature xmlns CDATA #FIXED "{DS}" xmlns '
        'CDATA "block">]>\n' + splice(p.b1, status(), status(inner=(
            "<samlp:StatusDetail><Signature/></samlp:StatusDetail>"))))
    end = "</samlp:Response>\n"
    genuine = p.b1[p.b1.index(">\n") + 2:].replace(end, "")
    forged_text = splice(splice(p.b1, end, ""), ALICE, ADMIN)
    quote = f"<!DOCTYPE response SYSTEM 'x\"><!--'>{forged_text}<![CDATA[-->{genuine}<!--]]>-->{end}"
    bad("XML-9", "system", quote)
    bad("XML-9", "public", quote.replace("SYSTEM 'x", "PUBLIC 'x' 'y"))
    bad("XML-10", "internal", "<!DOCTYPE r [<!ENTITY a 'b'>]>" + p.b1)
    bad("XML-10", "external", '<!DOCTYPE r SYSTEM "x.dtd">' + p.b1)
    for name, text in [
            ("comment", "<!-- <!DOCTYPE x> -->" + p.b1),
            ("comment-quote", "<!-- ' <!DOCTYPE x [ \" -->" + p.b1),
            ("instruction", "<?x <!DOCTYPE y> ?>" + p.b1),
            ("cdata", extension(p.b1, "<y><![CDATA[<!DOCTYPE x [<!ENTITY e 'f'>]>]]></y>")),
            ("attribute", extension(p.b1, '<y z="&lt;!DOCTYPE x&gt;"/>')),
            ("text", extension(p.b1, "<y>&lt;!DOCTYPE x></y>")),
            ("behind", p.b1 + "<!-- <!DOCTYPE x> -->\n")]:
        suite.add(["XML-11", "OK-27"], name, text, kept=True, claims=claims())
    for name, text, code in [
            ("attlist", "<!ATTLIST x y CDATA #IMPLIED>", MALFORMED),
            ("element", "<!ELEMENT x ANY>", MALFORMED), ("nested", "<!<!-- --> x>", MALFORMED),
            ("comments", "<!x <!-- > -->", MALFORMED), ("include", "<![INCLUDE[", MALFORMED),
            ("cdata", "<![CDATA[", MALFORMED), ("doctype", "<!DOCTYPE x>", MALFORMED),
            ("entity", "<!ENTITY x 'y'>", MALFORMED), ("lower", "<!doctype x>", MALFORMED)]:
        suite.add("XML-15", f"inside-{name}", splice(
            p.b1, "<samlp:Status>", text + "<samlp:Status>"), code)
    for name, text in [("attlist", "<!ATTLIST x y CDATA #IMPLIED>"), ("lower", "<!doctype x>"),
                       ("nested", "<!<!-- --> x>"), ("include", "<![INCLUDE[")]:
        suite.add("XML-15", f"before-{name}", text + p.b1, MALFORMED)


def names(suite, p):
    def inside(entry, name, element, code=NAMESPACE):
        suite.add(entry, name, extension(p.b1, element), code)

    suite.add("XML-12", "element", splice(p.b1, "<samlp:Status>", "<x:y/><samlp:Status>"), NAMESPACE)
    suite.add("XML-12", "root", splice(p.b1, f'xmlns:samlp="{SAMLP}" ', ""), NAMESPACE)
    suite.add("XML-12", "assertion", splice(p.b1, f' xmlns:saml="{SAML}"', ""), NAMESPACE)
    suite.add("XML-12", "attribute", splice(p.b1, 'ID="_r"', 'ID="_r" x:ID="_q"'), NAMESPACE)
    suite.add("XML-13", "plain", splice(p.b1, 'ID="_r"', 'ID="_r" ID="_r"'), MALFORMED)
    suite.add("XML-13", "assertion", splice(p.b1, 'ID="_a"', 'ID="_a" ID="_b"'), MALFORMED)
    inside("XML-13", "two-prefixes", '<y xmlns:a="urn:q" xmlns:b="urn:q" a:z="1" b:z="2"/>')
    inside("XML-13", "namespace", '<y xmlns:a="urn:q" xmlns:a="urn:q"/>', MALFORMED)
    for name, element in [
            ("empty-prefix", "<:y/>"), ("no-local", '<a: xmlns:a="urn:q"/>'),
            ("three", '<a:b:c xmlns:a="urn:q"/>'), ("attribute", '<y :="v"/>'),
            ("attribute-two", '<y ::attr="x"/>'), ("attribute-three", '<y a:b:c="w"/>'),
            ("double", "<x::Element/>"), ("colon", "<:/>"), ("xmlns-colon", '<y xmlns:="urn:q"/>'),
            ("digit", '<a:1 xmlns:a="urn:q"/>')]:
        inside("XML-14", name, element)
    suite.add("XML-14", "root", p.b1.replace("samlp:Response", ":Response"), NAMESPACE)
    for name, declaration in [
            ("xml", 'xmlns:xml="urn:evil"'), ("alias", 'xmlns:ev="http://www.w3.org/XML/1998/namespace"'),
            ("xmlns", 'xmlns:xmlns="urn:evil"'), ("xmlns-uri", 'xmlns:q="http://www.w3.org/2000/xmlns/"'),
            ("empty", 'xmlns:x=""'), ("default-xml", 'xmlns="http://www.w3.org/XML/1998/namespace"'),
            ("default-xmlns", 'xmlns="http://www.w3.org/2000/xmlns/"')]:
        inside("XML-16", name, f"<y {declaration}/>")
        if "default" not in name:
            suite.add("XML-16", f"root-{name}", splice(
                p.b1, "<samlp:Response ", f"<samlp:Response {declaration} "), NAMESPACE)
    suite.add("XML-16", "xml-xmlns", extension(p.b1, '<y xml:xmlns="urn:x"/>'), kept=True,
              claims=claims(), note="an attribute of the xml namespace that nobody reads")
    for name, namespace in [
            ("slash", SAMLP + "/"), ("upper", SAMLP.upper()), ("escape", SAMLP.replace("o", "%6F", 1)),
            ("short", SAMLP[:-1]), ("saml11", "urn:oasis:names:tc:SAML:1.1:protocol"),
            ("urn", SAMLP.replace("urn", "URN"))]:
        suite.add("XML-17", f"protocol-{name}", splice(
            p.b1, f'xmlns:samlp="{SAMLP}"', f'xmlns:samlp="{namespace}"'), ROOT)
    for name, namespace in [("slash", SAML + "/"), ("upper", SAML.upper()), ("short", SAML[:-1])]:
        suite.add("XML-17", f"assertion-{name}", splice(
            p.b1, f'xmlns:saml="{SAML}"', f'xmlns:saml="{namespace}"'), UNEXPECTED)
    suite.add("XML-17", "signature-https", splice(
        p.b1, f'xmlns:ds="{DS}"', f'xmlns:ds="{DS.replace("http", "https")}"'), "signature.missing")
    for name, uri in [("relative", "x"), ("empty-default-prefix", "./x"), ("query", "?a"),
                      ("space", "urn:a b"), ("non-ascii", "urn:\u00e9"), ("caret", "urn:^")]:
        inside("XML-18", name, f'<y xmlns:x="{uri}"/>', URI)
    suite.add("XML-18", "undeclared-default", extension(p.b1, '<y xmlns=""/>'), kept=True,
              claims=claims(), note="no namespace is a legal choice for the default")


def octets(suite, p):
    b1 = p.b1
    forged_response = splice(b1, ALICE, ADMIN)
    for name, text in [("twice", b1 + b1), ("forged-last", b1 + forged_response),
                       ("forged-first", forged_response + b1), ("text", b1 + "junk"),
                       ("end-tag", b1 + "</x>"), ("cdata", b1 + "<![CDATA[x]]>"),
                       ("reference", b1 + "&#32;")]:
        suite.add("XML-19", name, text, MALFORMED)
    for name, text in [("root", b1 + "\0" + forged_response), ("two", b1 + "\0\0"),
                       ("before", "\0" + b1), ("inside", splice(b1, ALICE, "alice\0"))]:
        suite.add("XML-20", name, text, "xml.nul" if name != "before" else "input.swt-character")
    declared = '<?xml version="1.0" encoding="{}"?>\n'
    hidden = extension(b1, "<y>+ADw-x/+AD4-</y>")
    for name in ("UTF-7", "UTF-16", "UTF-16LE", "ISO-8859-1", "windows-1252", "Shift_JIS",
                 "ISO-2022-JP", "IBM037", "UCS-4", "x-unknown", "UTF8", "utf-8 ", ""):
        suite.add("XML-21", f"declared-{name.lower().replace('_', '-').strip() or 'empty'}"
                  + ("-space" if name.endswith(" ") else ""), declared.format(name)
                  + (hidden if name == "UTF-7" else b1), ENCODING)
    for name, encoding in [("utf-16", "utf-16"), ("utf-16-le", "utf-16-le"),
                           ("utf-32-be", "utf-32-be")]:
        suite.add("XML-21", f"octets-{name}", b1.encode(encoding), (
            "input.swt-character" if name == "utf-32-be" else ENCODING),
            note="what it looks like to a reader of UTF-8" if name == "utf-32-be" else "")
    suite.add("XML-21", "octets-ebcdic", b1.encode("cp037"), "input.unrecognized")
    suite.add("XML-21", "octets-latin1", splice(b1, ALICE, "Andr\u00e9").encode("latin-1"), ENCODING)
    for name in ("UTF-8", "utf-8", "Utf-8", "US-ASCII"):
        suite.add(["XML-21", "OK-26"], f"good-{name}", declared.format(name) + b1, kept=True,
                  claims=claims())
    mark = "\ufeff"
    suite.add(["XML-22", "OK-26"], "once", mark + b1, kept=True, claims=claims())
    suite.add("XML-22", "twice", mark + mark + b1, "input.swt-character")
    suite.add("XML-22", "behind-space", " " + mark + b1, "input.swt-character")
    suite.add("XML-22", "behind-declaration", declared.format("UTF-8") + mark + b1, MALFORMED)
    suite.add("XML-22", "end", b1 + mark, MALFORMED)
    value = mark + ALICE
    suite.add("XML-22", "value", signed(response(assertion(subject=named(value)))), kept=True,
              claims=claims(value), subject=value)
    for name, declaration, code in [
            ("1-1", '<?xml version="1.1"?>', "xml.version"), ("2-0", '<?xml version="2.0"?>',
                                                              "xml.version"),
            ("space", '<?xml version="1.0 "?>', "xml.version"),
            ("junk", '<?xml version="1.0x"?>', "xml.version"),
            ("empty", '<?xml version=""?>', "xml.version"),
            ("none", '<?xml encoding="UTF-8"?>', MALFORMED), ("bare", "<?xml ?>", MALFORMED),
            ("order", '<?xml encoding="UTF-8" version="1.0"?>', MALFORMED),
            ("standalone", '<?xml version="1.0" standalone="maybe"?>', MALFORMED)]:
        suite.add("XML-23", name, declaration + b1, code)
    raw = b1.encode()
    for name, octets_ in [
            ("overlong-2", b"\xc0\x80"), ("overlong-3", b"\xe0\x80\x80"), ("surrogate", b"\xed\xa0\x80"),
            ("truncated", b"\xe2\x82"), ("mark", b"\xfe\xff"), ("too-high", b"\xf4\x90\x80\x80"),
            ("five", b"\xf8\x88\x80\x80\x80"), ("alone", b"\x80")]:
        suite.add("XML-24", name, splice(raw, b"alice", octets_), ENCODING)
    for name, octets_ in [("fffe", b"\xef\xbf\xbe"), ("ffff", b"\xef\xbf\xbf")]:
        suite.add("XML-24", name, splice(raw, b"alice", octets_), MALFORMED)
    suite.add("XML-24", "end", raw + b"\xe2", ENCODING)
    for name, text in [("raw-1", "\x01"), ("raw-8", "\x08"), ("raw-1f", "\x1f"), ("ref-1", "&#1;"),
                       ("ref-0", "&#0;"), ("ref-fffe", "&#xFFFE;"), ("ref-high", "&#x110000;"),
                       ("ref-surrogate", "&#xDFFF;"), ("ref-huge", "&#99999999999999;")]:
        suite.add("XML-25", name, splice(b1, ALICE, "a" + text), MALFORMED)
    declaration = '<?xml version="1.0"?>'
    for name, text, code in [
            ("space", " " + declaration + b1, MALFORMED), ("twice", declaration * 2 + b1, MALFORMED),
            ("text", "x" + b1, "input.swt-character"), ("json", "{}" + b1, "input.json-syntax"),
            ("html", "<html>" + b1 + "</html>", ROOT), ("late", b1 + declaration, MALFORMED),
            ("upper", '<?XML version="1.0"?>' + b1, MALFORMED)]:
        suite.add("XML-26", name, text, code)
    suite.add(["XML-26", "OK-26"], "white-space", " \n\t" + b1 + "\n ", kept=True, claims=claims())
    for name, text in [
            ("stylesheet", '<?xml-stylesheet href="http://127.0.0.1:9/"?>' + b1),
            ("model", '<?xml-model href="http://127.0.0.1:9/"?>' + b1), ("after", b1 + "<?x y?>"),
            ("between", splice(b1, "<samlp:Status>", "<?x y?><samlp:Status>")),
            ("in-status", splice(b1, "<samlp:StatusCode", "<?x y?><samlp:StatusCode"))]:
        suite.add(["XML-27", "OK-52"], name, text, kept=True, claims=claims())
    include = '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd"{}/>'
    suite.add("XML-28", "response", splice(b1, "<samlp:Status>", include.format("")
                                           + "<samlp:Status>"), UNEXPECTED)
    suite.add("XML-28", "extensions", extension(b1, include.format("")), kept=True, claims=claims(),
              note="an element like any other, and not read")
    for name, more in [("xml", ""), ("text", ' parse="text"')]:
        suite.add("XML-28", f"name-{name}", signed(response(assertion(subject=named(
            include.format(more))))), "xml.mixed-content", kept=True)
    inner = include.format(' parse="text"')
    from .texts import canonical_children, with_value
    suite.add("XML-28", "value", with_value(
        f"<saml:AttributeValue>{inner}</saml:AttributeValue>"), kept=True,
        claims=claims(extra={"role": [canonical_children(inner)]}), note="shown as it is")
    xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:'
    for name in ('schemaLocation="urn:x http://127.0.0.1:9/x.xsd"',
                 'noNamespaceSchemaLocation="http://127.0.0.1:9/x.xsd"'):
        suite.add("XML-29", name.split("=")[0].lower(), splice(
            b1, "<samlp:Response ", f"<samlp:Response {xsi}{name} "), kept=True, claims=claims())
    for name, text, code in [
            ("open", splice(b1, "</samlp:Response>", ""), MALFORMED),
            ("case", splice(b1, "</samlp:Response>", "</samlp:response>"), MALFORMED),
            ("cdata-end", splice(b1, ALICE, "a]]>b"), MALFORMED),
            ("hyphens", "<!-- a -- b -->" + b1, MALFORMED),
            ("unquoted", splice(b1, 'ID="_r"', "ID=_r"), MALFORMED),
            ("entity", splice(b1, ALICE, "a&nbsp;b"), "xml.entity"),
            ("ampersand", splice(b1, ALICE, "a & b"), MALFORMED),
            ("less", splice(b1, 'SessionIndex="_s1"', 'SessionIndex="<"'), MALFORMED),
            ("half", b1[:len(b1) // 2], MALFORMED), ("empty", "", "input.empty"),
            ("byte", "<", MALFORMED), ("space", " \n", "input.empty"), ("instruction", "<?x y?>",
                                                                       MALFORMED),
            ("comment", "<!-- x -->", MALFORMED), ("no-equals", splice(b1, 'ID="_r"', 'ID "_r"'),
                                                   MALFORMED),
            ("no-space", splice(b1, 'ID="_r" ', 'ID="_r"'), MALFORMED),
            ("reference-open", splice(b1, ALICE, "a&#64b"), MALFORMED),
            ("two-tags", splice(b1, "<samlp:Status>", "<<samlp:Status>"), MALFORMED)]:
        suite.add("XML-30", name, text, code)


def generations(suite, p):
    version = "response.version"
    for name, text, code in [
            ("response-1-1", splice(p.b1, 'ID="_r" Version="2.0"', 'ID="_r" Version="1.1"'), version),
            ("response-2-1", splice(p.b1, 'ID="_r" Version="2.0"', 'ID="_r" Version="2.1"'), version),
            ("response-empty", splice(p.b1, 'ID="_r" Version="2.0"', 'ID="_r" Version=""'), version),
            ("response-none", splice(p.b1, 'ID="_r" Version="2.0"', 'ID="_r"'), version)]:
        suite.add("XML-31", name, text, code)
    for name, text in [("2-1", "2.1"), ("1-1", "1.1"), ("empty", ""), ("space", "2.0 ")]:
        suite.add("XML-31", f"assertion-{name}", signed(response(assertion(version=text))), version,
                  kept=True)
    b5 = suite.text("B5")
    suite.add("XML-31", "mixed", splice(p.b1, p.genuine, part(b5, "saml:Assertion")), UNEXPECTED)
    suite.add("XML-31", "mixed-1", splice(b5, part(b5, "saml:Assertion"), splice(
        p.genuine, "<saml:Assertion ", f'<saml:Assertion xmlns:saml="{SAML}" ')), UNEXPECTED,
        base="B5")
    for name, text, code in [
            ("response-in-saml", splice(p.b1, "<samlp:Response ", f'<Response xmlns="{SAML}" ')
             .replace("</samlp:Response>", "</Response>"), ROOT),
            ("subject-in-none", splice(p.b1, "<saml:Subject>", '<Subject xmlns="">')
             .replace("</saml:Subject>", "</Subject>"), "signature.digest-mismatch")]:
        suite.add("XML-32", name, text, code)
    subject_none = part(assertion(), "saml:Subject").replace(
        "<saml:Subject>", '<Subject xmlns="">').replace("</saml:Subject>", "</Subject>")
    suite.add("XML-32", "signed-subject-in-none", signed(response(assertion(
        subject=subject_none))), UNEXPECTED, kept=True, note="signed like this by the issuer")


def sizes(suite, p):
    b1 = p.b1
    encoded = lambda text: base64.b64encode(text.encode()).decode()  # noqa: E731
    too_large = "input.too-large"
    suite.add("DOS-1", "base64", encoded(b1) + "\n" * (1 << 20), too_large, runs=["\n"])
    suite.add("DOS-1", "junk", "A" * ((1 << 20) + 1), too_large, runs=["A"],
              note="refused before anybody looks at what it is")
    suite.add("DOS-1", "just-below", encoded(b1) + "\n" * ((1 << 20) - len(encoded(b1))),
              claims=claims(), runs=["\n"])
    for name, count, code in [("100", 98, None), ("101", 99, "xml.depth"), ("257", 255, "xml.depth"),
                              ("258", 256, "xml.depth"), ("thousands", 100_000, "xml.depth")]:
        suite.add("DOS-2", name, extension(b1, "<y>" * count + "</y>" * count), code, runs=["<y>", "</y>"],
                  **({} if code else {"claims": claims(), "kept": True}))
    attributes_ = lambda count: " ".join(f'a{each}=""' for each in range(count))  # noqa: E731
    for name, count, code in [("256", 256, None), ("257", 257, "xml.attributes")]:
        suite.add("DOS-3", name, extension(b1, f"<y {attributes_(count)}/>"), code,
                  **({} if code else {"claims": claims(), "kept": True}))
    for name, count in [("thousands", 28_000), ("hundred-thousand", 100_000)]:
        suite.add("DOS-3", name, extension(b1, "<y" + " a=''" * count + "/>"),
                  "xml.attributes", runs=[" a=''"], note="counted before libxml2 compares them")
    spaces = lambda count: " ".join(f'xmlns:a{each}="urn:a"' for each in range(count))  # noqa: E731
    for name, count, code in [("128", 128, None), ("129", 129, "xml.namespaces")]:
        suite.add("DOS-4", name, extension(b1, f"<y {spaces(count)}/>"), code,
                  **({} if code else {"claims": claims(), "kept": True}))
    suite.add("DOS-4", "thousands", extension(b1, "<y" + ' xmlns:a="urn:a"' * 32_000 + "/>"),
              "xml.attributes", runs=[' xmlns:a="urn:a"'])
    one = f"<y {spaces(40)}>"
    for name, count in [("90", 90), ("250", 250)]:
        suite.add("DOS-5", name, extension(b1, one * count + "</y>" * count), "xml.namespaces",
                  runs=[one, "</y>"], note="counted over all ancestors")
    suite.add("DOS-5", "just-below", extension(b1, one * 4 + "</y>" * 4), kept=True,
              claims=claims())
    suite.add("DOS-5", "inclusive", splice(signed(response(), c14n=INC), "<samlp:Response ", (
        "<samlp:Response " + spaces(120) + " ")), "signature.invalid",
        note="SignedInfo is canonicalized with all of them before any key is tried")
    suite.add("DOS-6", "prefixes", extension(by_hand(prefixes="p " * 6400),
              "<y/>" * 2000), "xml.prefix-list", runs=["p ", "<y/>"])
    for name, element, count in [("siblings", "<y/>", 100_000),
                                 ("nested", "<y><y/></y>", 20_000)]:
        suite.add("DOS-7", name, extension(b1, element * count), "xml.elements", runs=[element])
    suite.add("DOS-7", "just-below", extension(b1, "<y/>" * 19_960), runs=["<y/>"], claims=claims())
    suite.add("DOS-7", "values", splice(b1, "</saml:AttributeStatement>", (
        "<saml:AttributeValue/>" * 30_000 + "</saml:AttributeStatement>")), "xml.elements",
        runs=["<saml:AttributeValue/>"])
    for name, text, code in [
            ("text", extension(b1, f"<y>{'a' * 900_000}</y>"), None),
            ("comment", extension(b1, f"<!--{'a' * 900_000}-->"), None),
            ("instruction", extension(b1, f"<?x {'a' * 900_000}?>"), None),
            ("attribute", extension(b1, f"<y z='{'a' * 900_000}'/>"), None),
            ("name", extension(b1, f"<{'a' * 60_000}/>"), MALFORMED),
            ("too-large", extension(b1, f"<y>{'a' * (1 << 20)}</y>"), too_large)]:
        suite.add("DOS-8", name, text, code, runs=["a"], **({} if code else {"claims": claims()}))
    bomb = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = bomb.compress(b"<" + b" " * (12 << 20)) + bomb.flush()
    suite.add("DOS-10", "bomb", base64.b64encode(data), "input.deflate-too-large", runs=["A"])
    raw = zlib.compressobj(9, zlib.DEFLATED, -15)
    fits = raw.compress(b1.encode() + b"\n" * ((1 << 20) - len(b1.encode()))) + raw.flush()
    suite.add("DOS-10", "just-below", base64.b64encode(fits), claims=claims())
    suite.add("DOS-10", "gzip", base64.b64encode(gzip.compress(b1.encode(), mtime=0)),
              "input.deflate")
    suite.add("DOS-10", "zlib", base64.b64encode(zlib.compress(b1.encode())), "input.deflate")
    inner = zlib.compressobj(9, zlib.DEFLATED, -15)
    twice = zlib.compressobj(9, zlib.DEFLATED, -15)
    nested = inner.compress(b1.encode()) + inner.flush()
    nested = twice.compress(nested) + twice.flush()
    suite.add("DOS-10", "nested", base64.b64encode(nested), "input.unrecognized")
    many = lambda count: f'<ds:x xmlns:ds="{DS}">' + "<ds:Signature/>" * count + "</ds:x>"  # noqa: E731
    suite.add("DOS-13", "advice", splice(b1, "</saml:Conditions>", (
        f"</saml:Conditions><saml:Advice>{many(10_000)}</saml:Advice>")), "signature.digest-mismatch", runs=["<ds:Signature/>"])
    suite.add("DOS-13", "beside", splice(b1, "<samlp:Status>", (
        f'<Signature xmlns="{DS}"/>' * 5000) + "<samlp:Status>"), "signature.repeated",
        runs=[f'<Signature xmlns="{DS}"/>'])
    suite.add("DOS-13", "references", by_hand(ref='<ds:Reference URI="#_a"/>' * 10_000, digests=[]),
              "signature.too-many-references", runs=['<ds:Reference URI="#_a"/>'])
    key_info = "<ds:KeyInfo>{}</ds:KeyInfo></ds:Signature>"
    suite.add("DOS-14", "certificates", splice(b1, "</ds:Signature>", key_info.format(
        "<ds:X509Data><ds:X509Certificate>AAAA</ds:X509Certificate></ds:X509Data>" * 9000)),
        claims=claims(), runs=["<ds:X509Data><ds:X509Certificate>AAAA</ds:X509Certificate>"
                               "</ds:X509Data>"], note="nobody looks into KeyInfo, so they cost their bytes")
    suite.add("DOS-15", "modulus", splice(b1, "</ds:Signature>", key_info.format(
        "<ds:KeyValue><ds:RSAKeyValue><ds:Modulus>" + "/" * 87_384 + "</ds:Modulus><ds:Exponent>"
        + "/" * 87_384 + "</ds:Exponent></ds:RSAKeyValue></ds:KeyValue>")), claims=claims(), runs=["/"],
        note="half a million bits, never used")
    suite.add("DOS-15", "explicit", splice(b1, "</ds:Signature>", key_info.format(
        '<ds:KeyValue><e:ECKeyValue xmlns:e="http://www.w3.org/2009/xmldsig11#"><e:ECParameters/>'
        "</e:ECKeyValue></ds:KeyValue>")), kept=True, claims=claims())
    long = "a" * 100_000
    suite.add("DOS-16", "name", signed(response(assertion(subject=named("a" * 10_000)))),
              claims=claims("a" * 10_000), subject="a" * 10_000)
    suite.add("DOS-16", "time", splice(b1, f'ID="_r" Version="2.0" IssueInstant="{AT}"', (
        f'ID="_r" Version="2.0" IssueInstant="{"9" * 100_000}"')), "time.malformed", runs=["9"])
    lines = "\n".join(encoded(b1))
    suite.add("DOS-19", "lines", lines, claims=claims(), note="a character a line")
    suite.add("DOS-19", "spaces", " " * 400_000 + encoded(b1) + " " * 500_000, claims=claims(),
              runs=[" "])
    for name, text, code in [
            ("issuer", splice(b1, "</saml:Issuer>\n  <samlp:Status>", "x" * 900_000
                              + "</saml:Issuer>\n  <samlp:Status>"), "issuer.mismatch"),
            ("destination", splice(b1, f'Destination="{ACS}"', f'Destination="{"x" * 900_000}"'),
             "response.destination-mismatch"),
            ("status", splice(b1, "status:Success", "status:" + "x" * 900_000), "response.status"),
            ("element", splice(b1, "<samlp:Status>", f"<{'x' * 40_000}/><samlp:Status>"), UNEXPECTED),
            ("method", by_hand(method="x" * 900_000), "algorithm.signature")]:
        suite.add("DOS-23", name, text, code, note="what is shown of it is short", runs=["x"])


def totals(suite, p):
    """DOS-27: readers that must have an answer for everything."""
    times = ["", "x", "2030-02-30T12:00:00Z", "2030-01-01T25:00:00Z", "-2030-01-01T12:00:00Z",
             "0000-01-01T12:00:00Z", "99999999999999999999-01-01T12:00:00Z",
             "2030-01-01T12:00:00" + "0" * 400, "2030-01-01T12:00:00." + "9" * 400 + "Z",
             "2030-01-01T12:00:00+99:99", "9" * 10_240, "\u0662\u0660\u0663\u0660-01-01T12:00:00Z"]
    codes = {8: None}
    for number, text in enumerate(times):
        code = codes.get(number, "time.malformed")
        suite.add("DOS-27", f"issued-{number}", splice(
            p.b1, f'ID="_r" Version="2.0" IssueInstant="{AT}"',
            f'ID="_r" Version="2.0" IssueInstant="{text}"'), code, kept=True,
            **({} if code else {"claims": claims()}))
    for attribute_ in ("NotBefore", "NotOnOrAfter"):
        old = {"NotBefore": 'NotBefore="2030-01-01T11:59:00Z"',
               "NotOnOrAfter": 'NotOnOrAfter="2030-01-01T12:05:00Z">'}[attribute_]
        for number, text in enumerate(times[1:6]):
            new = f'{attribute_}="{text}"' + (">" if old.endswith(">") else "")
            suite.add("DOS-27", f"{attribute_.lower()}-{number}", splice(p.b1, old, new),
                      "signature.digest-mismatch", note="the signature is looked at first")
    children = ["<ds:X509Data/>", "<ds:X509Data><ds:X509Certificate/></ds:X509Data>",
                "<ds:X509Data><ds:X509Certificate>AA</ds:X509Certificate></ds:X509Data>",
                "<ds:KeyValue/>", "<ds:KeyValue><ds:RSAKeyValue/></ds:KeyValue>", "<ds:KeyName/>",
                "<ds:KeyValue><ds:RSAKeyValue><ds:Modulus/><ds:Exponent/></ds:RSAKeyValue>"
                "</ds:KeyValue>", "<ds:RetrievalMethod/>", "<ds:X509Data><ds:X509IssuerSerial/>"
                "</ds:X509Data>", "<ds:PGPData/>", "<ds:SPKIData/>", "<ds:MgmtData/>", "<x/>", "text",
                "<ds:KeyName>a</ds:KeyName>" * 2, "<ds:X509Data><ds:X509SKI>!</ds:X509SKI>"
                "</ds:X509Data>"]
    for number, child in enumerate(children):
        suite.add("DOS-27", f"key-info-{number}", splice(
            p.b1, "</ds:Signature>", f"<ds:KeyInfo>{child}</ds:KeyInfo></ds:Signature>"), kept=True,
            claims=claims())
