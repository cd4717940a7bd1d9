import Testing
import XMLTree

@Suite("Canonical forms of known documents")
struct CanonicalFormTests {
  @Test("Comments and instructions outside the root get their own lines (C14N 1.0, 3.1)")
  func outsideTheRoot() throws {
    let text = """
      <?xml version="1.0"?>

      <?xml-stylesheet   href="doc.xsl"
         type="text/xsl"   ?>

      <doc>Hello, world!<!-- Comment 1 --></doc>

      <?pi-without-data     ?>

      <!-- Comment 2 -->

      <!-- Comment 3 -->
      """
    let instruction = "<?xml-stylesheet href=\"doc.xsl\"\n   type=\"text/xsl\"   ?>\n"
    #expect(
      try canonical(text) == instruction + "<doc>Hello, world!</doc>\n<?pi-without-data?>")
    #expect(
      try canonical(text, CanonicalizationMethod(.inclusive10, withComments: true))
        == instruction
        + "<doc>Hello, world!<!-- Comment 1 --></doc>\n<?pi-without-data?>\n"
        + "<!-- Comment 2 -->\n<!-- Comment 3 -->")
  }

  @Test("White space in content stays as it is (C14N 1.0, 3.2)")
  func whiteSpace() throws {
    let text = """
      <doc>
         <clean>   </clean>
         <dirty>   A   B   </dirty>
         <mixed>
            A
            <clean>   </clean>
            B
            <dirty>   A   B   </dirty>
            C
         </mixed>
      </doc>
      """
    for method in everyMethod { #expect(try canonical(text, method) == text) }
  }

  @Test("Start tags are written in one way (C14N 1.0, 3.3 without its DTD)")
  func startTags() throws {
    let text = """
      <doc>
         <e1   />
         <e2   ></e2>
         <e3   name = "elem3"   id="elem3"   />
         <e4   name="elem4"   id="elem4"   ></e4>
         <e5 a:attr="out" b:attr="sorted" attr2="all" attr="I'm"
            xmlns:b="http://www.ietf.org"
            xmlns:a="http://www.w3.org"
            xmlns="http://example.org"/>
         <e6 xmlns="" xmlns:a="http://www.w3.org">
            <e7 xmlns="http://www.ietf.org">
               <e8 xmlns="" xmlns:a="http://www.w3.org">
                  <e9 xmlns="" xmlns:a="http://www.ietf.org" attr="default"/>
               </e8>
            </e7>
         </e6>
      </doc>
      """
    #expect(
      try canonical(text) == """
        <doc>
           <e1></e1>
           <e2></e2>
           <e3 id="elem3" name="elem3"></e3>
           <e4 id="elem4" name="elem4"></e4>
           <e5 xmlns="http://example.org" xmlns:a="http://www.w3.org" \
        xmlns:b="http://www.ietf.org" attr="I'm" attr2="all" b:attr="sorted" a:attr="out"></e5>
           <e6 xmlns:a="http://www.w3.org">
              <e7 xmlns="http://www.ietf.org">
                 <e8 xmlns="">
                    <e9 xmlns:a="http://www.ietf.org" attr="default"></e9>
                 </e8>
              </e7>
           </e6>
        </doc>
        """)
  }

  @Test("References, CDATA and line ends are written in one way (C14N 1.0, 3.4 without its DTD)")
  func characters() throws {
    let text = """
      <doc>\r
         <text>First line&#x0d;&#10;Second line</text>\r
         <value>&#x32;</value>\r
         <compute><![CDATA[value>"0" && value<"10" ?"valid":"error"]]></compute>\r
         <compute expr='value>"0" &amp;&amp; value&lt;"10" ?"valid":"error"'>valid</compute>\r
         <norm attr=' &apos;   &#x20;&#13;&#xa;&#9;   &apos; '/>\r
      </doc>
      """
    let expected = """
      <doc>
         <text>First line&#xD;
      Second line</text>
         <value>2</value>
         <compute>value&gt;"0" &amp;&amp; value&lt;"10" ?"valid":"error"</compute>
         <compute expr="value>&quot;0&quot; &amp;&amp; value&lt;&quot;10&quot; \
      ?&quot;valid&quot;:&quot;error&quot;">valid</compute>
         <norm attr=" '    &#xD;&#xA;&#x9;   ' "></norm>
      </doc>
      """
    for method in everyMethod { #expect(try canonical(text, method) == expected) }
  }

  @Test("Bytes are escaped wherever they stand in a long run")
  func escapesInLongRuns() throws {
    for length in 0..<40 {
      let left = String(repeating: "x", count: length)
      for right in ["", "y", String(repeating: "y", count: 37)] {
        #expect(
          try canonical("<a b='\(left)&lt;&#9;>\"\(right)'>\(left)&lt;&gt;\"\(right)</a>")
            == "<a b=\"\(left)&lt;&#x9;>&quot;\(right)\">\(left)&lt;&gt;\"\(right)</a>")
      }
    }
  }

  @Test("An exclusive subtree does not depend on where it stands (Exclusive C14N, 2.2)")
  func doesNotDependOnContext() throws {
    let first = """
      <n0:local xmlns:n0="foo:bar" xmlns:n3="ftp://example.org">
        <n1:elem2 xmlns:n1="http://example.net" xml:lang="en">
          <n3:stuff xmlns:n3="ftp://example.org"/>
        </n1:elem2>
      </n0:local>
      """
    let second = """
      <n2:pdu xmlns:n1="http://example.com" xmlns:n2="http://foo.example" xml:lang="fr" \
      xml:space="preserve">
        <n1:elem2 xmlns:n1="http://example.net" xml:lang="en">
          <n3:stuff xmlns:n3="ftp://example.org"/>
        </n1:elem2>
      </n2:pdu>
      """
    let element = ExpandedName("elem2", in: "http://example.net")
    let inner = "\n    <n3:stuff xmlns:n3=\"ftp://example.org\"></n3:stuff>\n  </n1:elem2>"
    let exclusive = "<n1:elem2 xmlns:n1=\"http://example.net\" xml:lang=\"en\">\(inner)"
    #expect(try canonical(first, CanonicalizationMethod(.exclusive), of: element) == exclusive)
    #expect(try canonical(second, CanonicalizationMethod(.exclusive), of: element) == exclusive)
    #expect(
      try canonical(first, CanonicalizationMethod(.inclusive10), of: element) == """
        <n1:elem2 xmlns:n0="foo:bar" xmlns:n1="http://example.net" xmlns:n3="ftp://example.org" \
        xml:lang="en">
            <n3:stuff></n3:stuff>
          </n1:elem2>
        """)
    #expect(
      try canonical(second, CanonicalizationMethod(.inclusive10), of: element) == """
        <n1:elem2 xmlns:n1="http://example.net" xmlns:n2="http://foo.example" xml:lang="en" \
        xml:space="preserve">\(inner)
        """)
  }

  @Test("An enveloped signature is left out of its element")
  func leavesTheSignatureOut() throws {
    let text = """
      <p:R xmlns:p='urn:p' xmlns:xs='http://www.w3.org/2001/XMLSchema' \
      xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'><a:A xmlns:a='urn:a' ID='x'>\
      <ds:Signature xmlns:ds='urn:ds'><v>1</v></ds:Signature>\
      <a:V xsi:type='xs:string'>t</a:V></a:A></p:R>
      """
    let document = try Document(parsing: Array(text.utf8))
    let element = try #require(
      document.root.descendants(named: ExpandedName("A", in: "urn:a")).first)
    let signature = try #require(
      element.descendants(named: ExpandedName("Signature", in: "urn:ds")).first)
    func canonical(_ method: CanonicalizationMethod) -> String {
      let octets = Canonicalizer.octets(element.omitting(signature).subtree, method)
      return String(decoding: octets, as: UTF8.self)
    }
    let value = """
      <a:V xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">t</a:V></a:A>
      """
    #expect(
      canonical(CanonicalizationMethod(.exclusive)) == "<a:A xmlns:a=\"urn:a\" ID=\"x\">\(value)")
    for prefixes in [["xs"], ["#default", "nope", "xml", "xmlns", "xs", "xs"]] {
      #expect(
        canonical(CanonicalizationMethod(.exclusive, inclusivePrefixes: prefixes)) == """
          <a:A xmlns:a="urn:a" xmlns:xs="http://www.w3.org/2001/XMLSchema" ID="x">\(value)
          """)
    }
    #expect(
      canonical(CanonicalizationMethod(.inclusive10)) == """
        <a:A xmlns:a="urn:a" xmlns:p="urn:p" xmlns:xs="http://www.w3.org/2001/XMLSchema" \
        xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ID="x">\
        <a:V xsi:type="xs:string">t</a:V></a:A>
        """)
  }

  @Test("1.0 takes over every xml: attribute, 1.1 some, exclusive none")
  func takesOverAttributes() throws {
    let text =
      "<r xml:base='b/' xml:id='i' xml:lang='en' xml:other='o' xml:space='preserve'><e/></r>"
    let element = ExpandedName("e")
    #expect(
      try canonical(text, CanonicalizationMethod(.inclusive10), of: element)
        == """
        <e xml:base="b/" xml:id="i" xml:lang="en" xml:other="o" xml:space="preserve"></e>
        """)
    #expect(
      try canonical(text, CanonicalizationMethod(.inclusive11), of: element)
        == "<e xml:base=\"b/\" xml:lang=\"en\" xml:space=\"preserve\"></e>")
    #expect(try canonical(text, CanonicalizationMethod(.exclusive), of: element) == "<e></e>")
  }

  @Test("A default namespace that is switched off above the apex stays off")
  func switchesTheDefaultOff() throws {
    let text = "<r xmlns='urn:a'><m xmlns=''><e/></m></r>"
    for method in everyMethod {
      #expect(try canonical(text, method, of: ExpandedName("e")) == "<e></e>")
    }
  }

  private let everyMethod = [
    CanonicalizationMethod.Algorithm.inclusive10, .inclusive11, .exclusive,
  ].flatMap { [CanonicalizationMethod($0), CanonicalizationMethod($0, withComments: true)] }
}

/// The canonical form of the first element with that name, or of the document.
func canonical(
  _ text: String, _ method: CanonicalizationMethod = CanonicalizationMethod(.inclusive10),
  of name: ExpandedName? = nil
) throws -> String {
  let document = try Document(parsing: Array(text.utf8))
  let subtree =
    try name.map { try #require(document.root.descendants(named: $0).first).subtree }
    ?? document.subtree
  return String(decoding: Canonicalizer.octets(subtree, method), as: UTF8.self)
}
