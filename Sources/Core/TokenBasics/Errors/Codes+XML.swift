extension TokenError.Code {
  /// The document is not well-formed XML.
  public static let malformedXML = Self(
    "xml.malformed",
    "the document is not well-formed XML",
    hint:
      "the text was cut, edited or decoded twice; the node names line and column")
  /// The document has a DOCTYPE.
  public static let doctype = Self(
    "xml.doctype",
    "the document has a DOCTYPE",
    hint:
      "no federation message needs one; entities and defaults are how parsers are "
      + "attacked")
  /// The document refers to an entity that XML does not predefine.
  public static let entityReference = Self(
    "xml.entity",
    "the document refers to an entity that XML does not predefine",
    hint:
      "only &amp; &lt; &gt; &quot; &apos; and character references are allowed")
  /// The document is not UTF-8.
  public static let xmlEncoding = Self(
    "xml.encoding",
    "the document is not UTF-8",
    hint:
      "send UTF-8, with the declaration absent or saying UTF-8")
  /// The XML declaration names another version than 1.0.
  public static let xmlVersion = Self(
    "xml.version",
    "the XML declaration does not say version 1.0",
    hint:
      "federation messages are XML 1.0")
  /// The document holds a NUL byte.
  public static let nulByte = Self(
    "xml.nul",
    "the document holds a NUL byte",
    hint:
      "parsers stop at it, so what follows would go unseen")
  /// A prefix is undeclared or reserved, a name is no QName, or two attributes have one expanded name.
  public static let malformedNamespace = Self(
    "xml.namespace",
    "a prefix is undeclared or reserved, a name is no QName, or two attributes have one expanded name",
    hint:
      "Namespaces in XML 1.0 forbids it, and readers disagree about what it means")
  /// A namespace name is not an absolute URI.
  public static let namespaceURI = Self(
    "xml.namespace-uri",
    "a namespace name is not an absolute URI",
    hint:
      "relative names make canonicalization undefined (Canonical XML 1.0, section "
      + "1.3)")
  /// Elements are nested deeper than the limit.
  public static let xmlDepth = Self(
    "xml.depth",
    "elements are nested deeper than the limit",
    hint:
      "raise limits.depth in the trust file if an issuer really sends this")
  /// The document has more elements than the limit.
  public static let xmlElements = Self(
    "xml.elements",
    "the document has more elements than the limit",
    hint:
      "raise limits.elements in the trust file if an issuer really sends this")
  /// The document has more different names than the limit.
  public static let xmlNames = Self(
    "xml.names",
    "the document has more different names than the limit",
    hint:
      "raise limits.names in the trust file if an issuer really sends this")
  /// An element has more attributes than the limit.
  public static let xmlAttributes = Self(
    "xml.attributes",
    "an element has more attributes than the limit",
    hint:
      "raise limits.attributes in the trust file if an issuer really sends this")
  /// An element has more namespace declarations than the limit.
  public static let xmlNamespaces = Self(
    "xml.namespaces",
    "an element has more namespace declarations than the limit",
    hint:
      "raise limits.namespaces in the trust file if an issuer really sends this")
  /// Two elements carry the same ID.
  public static let duplicateID = Self(
    "xml.duplicate-id",
    "two elements carry the same ID",
    hint:
      "a reference to it would be ambiguous; this is how signatures are wrapped")
  /// An ID is empty, longer than 256 bytes, or holds white space.
  public static let malformedID = Self(
    "xml.malformed-id",
    "an ID is empty, longer than 256 bytes, or holds white space",
    hint:
      "the issuer must write a plain identifier")
  /// The root element is not one that this reader takes.
  public static let unexpectedRoot = Self(
    "xml.unexpected-root",
    "the root element is not one that this reader takes",
    hint:
      "pass the Response, Assertion, RequestSecurityTokenResponse or SOAP envelope as "
      + "it was received")
  /// An element is where the schema does not allow it.
  public static let unexpectedElement = Self(
    "xml.unexpected-element",
    "an element is where the schema does not allow it",
    hint:
      "extra elements are how signatures are wrapped; ask the issuer why it is there")
  /// An element that the schema demands is missing.
  public static let missingElement = Self(
    "xml.missing-element",
    "an element that the schema demands is missing",
    hint:
      "compare the message with the schema of its format")
  /// An element that may occur once occurs again.
  public static let repeatedElement = Self(
    "xml.repeated-element",
    "an element that may occur once occurs again",
    hint:
      "two readers would disagree about which one counts")
  /// Text is between elements.
  public static let unexpectedText = Self(
    "xml.unexpected-text",
    "text is between elements",
    hint:
      "only white space is allowed there")
  /// An element that holds text also holds an element or a processing instruction.
  public static let mixedContent = Self(
    "xml.mixed-content",
    "an element that holds text also holds an element or a processing instruction",
    hint:
      "readers disagree about the text of such an element")
  /// An attribute that the schema demands is missing or empty.
  public static let missingAttribute = Self(
    "xml.missing-attribute",
    "an attribute that the schema demands is missing or empty",
    hint:
      "compare the message with the schema of its format")
  /// An attribute has a value that the schema does not allow there.
  public static let unexpectedAttribute = Self(
    "xml.unexpected-attribute",
    "an attribute has a value that the schema does not allow there",
    hint:
      "compare the message with the schema of its format")
  /// The libxml2 of this machine hands over strings in a way that this release does not know.
  public static let xmlLibrary = Self(
    "xml.library",
    "the libxml2 of this machine hands over strings in a way that this release does not know",
    hint:
      "use libxml2 2.9 to 2.14, or a later release of this software; claims --version names the one of the build"
  )
  /// An InclusiveNamespaces prefix list is longer than the limit.
  public static let prefixList = Self(
    "xml.prefix-list",
    "an InclusiveNamespaces prefix list is longer than the limit",
    hint:
      "genuine lists name a handful of prefixes")
  package static let xml: [Self] = [
    .malformedXML,
    .doctype,
    .entityReference,
    .xmlEncoding,
    .xmlVersion,
    .nulByte,
    .malformedNamespace,
    .namespaceURI,
    .xmlDepth,
    .xmlElements,
    .xmlNames,
    .xmlAttributes,
    .xmlNamespaces,
    .duplicateID,
    .malformedID,
    .unexpectedRoot,
    .unexpectedElement,
    .missingElement,
    .repeatedElement,
    .unexpectedText,
    .mixedContent,
    .missingAttribute,
    .unexpectedAttribute,
    .prefixList,
    .xmlLibrary,
  ]
}
