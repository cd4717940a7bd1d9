"""c14n/: inputs and their canonical forms by libxml2 (lxml, or the xmlsec1 command)."""

from lxml import etree

from .signing import EXC, INC, INC11, canonical_by_command

ALGORITHMS = {"c14n": INC, "c14n11": INC11, "exc-c14n": EXC}

# The document that libxml2 was measured with, without the Signature in it, and its canonical subtrees.
SUBTREE = (
    '<p:R xmlns:p="urn:p" xmlns:xs="http://www.w3.org/2001/XMLSchema" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><a:A xmlns:a="urn:a" ID="x">'
    '<a:V xsi:type="xs:string">t</a:V></a:A></p:R>')
EXCLUSIVE = (
    '<a:A xmlns:a="urn:a" ID="x"><a:V xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    'xsi:type="xs:string">t</a:V></a:A>')
EXCLUSIVE_XS = EXCLUSIVE.replace(
    ' ID="x"', ' xmlns:xs="http://www.w3.org/2001/XMLSchema" ID="x"')
INCLUSIVE = (
    '<a:A xmlns:a="urn:a" xmlns:p="urn:p" xmlns:xs="http://www.w3.org/2001/XMLSchema" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ID="x">'
    '<a:V xsi:type="xs:string">t</a:V></a:A>')

DOCUMENTS = {
    "comments": (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!-- before -->\n<?style   href="a.css"  b ?>\n\n'
        "<list>one<!-- inside --><?mark?></list>\n<?after    ?>\n\n<!-- last -->\n"),
    "white-space": (
        "<list>\n\t<item>  </item>\n\t<item>  a  b </item>\n\n\t<item>\n  x <b> </b> y\n\t</item>\n"
        "</list>\n"),
    "tags": (
        "<list>\n <a   />\n <b   ></b   >\n <c   y = \"2\"\n   x='1'   />\n"
        ' <d p:k="far" q:k="near" z="1" a="it\'s"\n    xmlns:q="urn:1" '
        'xmlns:p="urn:2" xmlns="urn:3"/>\n'
        ' <e xmlns="" xmlns:p="urn:2"><f xmlns="urn:4"><g xmlns="" xmlns:p="urn:2">'
        '<h xmlns="" xmlns:p="urn:4"/></g></f></e>\n</list>\n'),
    "characters": (
        "<list>\n <a>one&#x0D;&#10;two&#x33;</a>\n <b>"
        "<![CDATA[x<1 && y>\"2\"]]]]><![CDATA[>]]></b>\n"
        " <c k='x>\"1\" &amp;&amp; y&lt;2'>&gt;&quot;&apos;</c>\n"
        " <d k=' &apos;  &#x20;&#13;&#xA;&#9; &apos; '/>\n</list>\n"),
    "utf8": "<doc a=\"\u00e9\">\u00a9 \u5f90 \U0001f642 &#xe9;&#x1f642;</doc>\n",
    "line-ends": "<doc a=\"1\r\n2\t3&#13;&#10;4\">a\r\nb\rc&#13;d</doc>\r\n",
    "namespaces": (
        '<b:r xmlns:b="urn:b" xmlns:a="urn:a" xmlns="urn:d" xmlns:unused="urn:u"><x a:k="1" '
        'b:k="2" k="3"><a:y xmlns:a="urn:a2"><a:z/></a:y><z xmlns="">'
        '<w xmlns="urn:d"/></z></x></b:r>'),
    "attributes": (
        '<r xmlns:z="urn:1" xmlns:y="urn:2" z:b="1" y:a="2" c="3" B="4" a="5" xml:lang="en" '
        'xml:space="preserve"/>'),
}


def build(suite):
    def vector(name, text, expected, method, by, *, comments=False, prefixes="", id=None, note=""):
        suite.put(f"c14n/{name}.expected", expected)
        source = f"c14n/{name.split('.')[0]}.xml"
        suite.put(source, text)
        suite.add({
            "id": f"c14n/{name}", "file": source, "format": "c14n", "method": method,
            "withComments": comments, "inclusivePrefixes": prefixes, "elementID": id,
            "expectedFile": f"c14n/{name}.expected", "madeBy": by, "note": note})

    def whole(name, method, comments=False, prefixes="", suffix=""):
        text = DOCUMENTS[name]
        tree = etree.fromstring(text.encode()).getroottree()
        expected = etree.tostring(
            tree, method="c14n", exclusive=method == "exc-c14n", with_comments=comments,
            inclusive_ns_prefixes=prefixes.split() or None)
        vector(f"{name}.{method}{suffix}", text, expected, method, "lxml (libxml2)",
               comments=comments, prefixes=prefixes, note="whole document")

    for name in DOCUMENTS:
        whole(name, "c14n")
        whole(name, "exc-c14n")
    whole("comments", "c14n", True, suffix=".comments")
    whole("comments", "exc-c14n", True, suffix=".comments")
    whole("namespaces", "exc-c14n", prefixes="unused a", suffix=".prefixes")

    # The vectors that were measured with libxml2.
    for suffix, expected, method, prefixes in [
            ("exc-c14n", EXCLUSIVE, "exc-c14n", ""),
            ("exc-c14n.xs", EXCLUSIVE_XS, "exc-c14n", "xs"),
            ("exc-c14n.many", EXCLUSIVE_XS, "exc-c14n", "#default nope xml xmlns xs xs"),
            ("c14n", INCLUSIVE, "c14n", "")]:
        vector(f"subtree.{suffix}", SUBTREE, expected, method, "libxml2",
               prefixes=prefixes, id="x", note="without the Signature that the reference cuts out")

    # Subtrees, as xmlsec1 digests them. Their ID is on an element in no namespace for its sake.
    inherited = (
        '<Root xmlns:u="urn:u" xml:lang="en" xml:base="http://example.org/a/" xml:space="preserve">'
        '<Mid xml:base="b/" xml:lang="de" xmlns:v="urn:v"><Part Id="_p" xml:space="default">'
        "<u:x><y/> t</u:x></Part></Mid></Root>")
    default = (
        '<Root xmlns:d="urn:d"><Mid xmlns:e="urn:e"><Part Id="_p"><y xmlns="urn:y">'
        '<z xmlns="">t</z></y><!-- gone --><e:w d:k="1"/></Part></Mid></Root>')
    xml_id = (
        '<Root xml:id="_r" xml:lang="en"><Mid xml:id="_m"><Part Id="_p">t</Part></Mid></Root>')
    for name, text in [("inherited", inherited), ("default", default), ("xml-id", xml_id)]:
        for method, algorithm in ALGORITHMS.items():
            vector(f"{name}.{method}", text, canonical_by_command(text, "_p", (algorithm,)),
                   method, "xmlsec1", id="_p", note="a subtree")
    vector("default.exc-c14n.prefixes", default,
           canonical_by_command(default, "_p", (EXC, "d e")), "exc-c14n", "xmlsec1",
           prefixes="d e", id="_p", note="a subtree")
