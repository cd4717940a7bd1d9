import TokenBasics

extension SAMLMutator {
  static let enveloped = "http://www.w3.org/2000/09/xmldsig#enveloped-signature"
  static let exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#"
  static let inclusive = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"

  func transform(_ uri: String, _ content: String = "") -> String {
    "<\(ds)Transform Algorithm=\"\(uri)\">\(content)</\(ds)Transform>"
  }

  /// Lists of transforms that are rejected before any is applied.
  var refusedTransforms: [(name: String, attacks: [String], list: String)] {
    let enveloped = transform(Self.enveloped)
    let exclusive = transform(Self.exclusive)
    let stylesheet =
      "<xsl:stylesheet xmlns:xsl=\"http://www.w3.org/1999/XSL/Transform\" version=\"1.0\"/>"
    let xpath = "<\(ds)XPath>not(ancestor-or-self::*[local-name()='Subject'])</\(ds)XPath>"
    let prefixes =
      "<ec:InclusiveNamespaces xmlns:ec=\"\(Self.exclusive)\" PrefixList=\"xs\"/>"
    return [
      (
        "xslt", ["DSIG-17"],
        enveloped + transform("http://www.w3.org/TR/1999/REC-xslt-19991116", stylesheet)
      ),
      (
        "xpath", ["DSIG-18"],
        enveloped + transform("http://www.w3.org/TR/1999/REC-xpath-19991116", xpath)
      ),
      (
        "xpath-filter", ["DSIG-18"],
        enveloped + transform("http://www.w3.org/2002/06/xmldsig-filter2")
      ),
      (
        "base64", ["DSIG-18"],
        enveloped + transform("http://www.w3.org/2000/09/xmldsig#base64")
      ),
      ("decrypt", ["DSIG-18"], enveloped + transform("http://www.w3.org/2002/07/decrypt#XML")),
      ("unknown", ["DSIG-18"], enveloped + transform("urn:unknown")),
      ("enveloped-twice", ["DSIG-19"], enveloped + enveloped + exclusive),
      ("canonicalization-twice", ["DSIG-19"], enveloped + exclusive + exclusive),
      ("canonicalization-first", ["DSIG-19"], exclusive + enveloped),
      ("five", ["DSIG-19"], enveloped + String(repeating: exclusive, count: 4)),
      ("not-enveloped", ["DSIG-20"], exclusive),
      ("enveloped-with-content", ["DSIG-21"], transform(Self.enveloped, prefixes) + exclusive),
      (
        "two-prefix-lists", ["DSIG-21"],
        enveloped + transform(Self.exclusive, prefixes + prefixes)
      ),
      (
        "inclusive-with-prefix-list", ["DSIG-21"],
        enveloped + transform(Self.inclusive, prefixes)
      ),
    ]
  }

  func addTransforms() {
    guard let transforms = message.inSignature("Transforms") else { return }
    for (name, attacks, content) in refusedTransforms {
      list.add(
        "transform/\(name)", "the list of transforms is one that is never allowed", attacks,
        .refusedTransform, edited(filling(transforms, content)))
    }
    list.add(
      "transform/none", "there are no transforms", ["DSIG-20"], .refusedTransform,
      edited(removing(transforms)))
    list.add(
      "transform/empty", "the list of transforms is empty", ["DSIG-21"], .signatureStructure,
      edited(filling(transforms, "")))
    list.add(
      "transform/without-Algorithm", "a transform names no algorithm", ["DSIG-21"],
      .signatureStructure, edited(filling(transforms, "<\(ds)Transform/>")))
    let prefixes = (0..<65).map { "p\($0)" }.joined(separator: " ")
    let prefixList =
      "<ec:InclusiveNamespaces xmlns:ec=\"\(Self.exclusive)\" PrefixList=\"\(prefixes)\"/>"
    list.add(
      "transform/prefix-list", "the prefix list is longer than any genuine one", ["DOS-3"],
      .prefixList,
      edited(
        filling(transforms, transform(Self.enveloped) + transform(Self.exclusive, prefixList))))
    let current = text.descendants(of: transforms).compactMap { value("Algorithm", of: $0) }.last
    if current?.hasSuffix("WithComments") != true {
      list.add(
        "transform/with-comments", "the canonicalization keeps comments since the signing",
        ["DSIG-24"],
        .signatureInvalid,
        edited(
          filling(
            transforms, transform(Self.enveloped) + transform(Self.exclusive + "WithComments"))))
    }
    // Another method than the one that was signed.
    let other = current == Self.inclusive ? Self.exclusive : Self.inclusive
    list.add(
      "transform/other-canonicalization", "the canonicalization is changed after signing",
      ["DSIG-23"], .signatureInvalid,
      edited(filling(transforms, transform(Self.enveloped) + transform(other))))
  }
}
