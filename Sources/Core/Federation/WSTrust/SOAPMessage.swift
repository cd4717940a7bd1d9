import Octets
import XMLTree

/// A SOAP envelope of version 1.1 or 1.2, as a file or a browser has it: the one element of its body.
///
/// Header blocks are never read. One that demands to be understood is named in a warning, except those of the
/// profiles by which tokens travel, which have to demand it.
struct SOAPMessage {
  /// The one child of the body.
  let content: Element
  let warnings: [String]

  /// Nil when `root` is no envelope; usually it is a token itself.
  ///
  /// - Throws: `response.fault`, `response.no-assertion`, `xml.*`.
  init?(reading root: Element) throws(TokenError) {
    guard let soap = WSSName.soapVersions.first(where: { root.isNamed($0.envelope) }) else {
      return nil
    }
    var children = try ChildReader(root)
    let header = try children.takeOne(soap.header)
    let body = try children.require(soap.body)
    try children.finish()
    let contents = try body.children()
    guard let content = contents.first else { throw TokenError(.noAssertion, node: body.path) }
    guard contents.count == 1 else {
      throw TokenError(.unexpectedElement, node: contents[1].path, expected: "one child of Body")
    }
    if content.isNamed(soap.fault) {
      throw TokenError(.soapFault, node: content.path, found: Self.faultText(content))
    }
    self.content = content
    warnings =
      try header.map { header throws(TokenError) in
        try Self.warnings(header, soap)
      } ?? []
  }

  private static func warnings(
    _ header: Element, _ soap: WSSName.SOAP
  ) throws(TokenError) -> [String] {
    let mustUnderstand = ExpandedName("mustUnderstand", in: soap.namespace)
    return try header.children().filter { block in
      ["1", "true"].contains(block.collapsedAttribute(mustUnderstand))
        && !knownNamespaces.containsBytes(of: block.namespaceURI)
    }.map { block in
      "soap: the header block \(TokenError.excerpt(block.localName)) of "
        + "\(TokenError.excerpt(block.namespaceURI)) demands to be understood, and is not read"
    }
  }

  /// The namespaces whose blocks accompany tokens: ECP and PAOS (SAML Profiles 4.2), WS-Addressing, WS-Security.
  private static let knownNamespaces = [
    "urn:oasis:names:tc:SAML:2.0:profiles:SSO:ecp", "urn:liberty:paos:2003-08",
    "urn:liberty:paos:2006-08", WSSName.addressing,
    "http://schemas.xmlsoap.org/ws/2004/08/addressing", WSSName.security,
    "http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd",
  ]

  /// The text of the fault, for the report.
  private static func faultText(_ fault: Element) -> String? {
    let texts = fault.descendants(where: { !$0.hasChildElements }).compactMap {
      try? $0.text()
    }
    let joined = texts.filter { !$0.isEmpty }.joined(separator: ", ")
    return joined.isEmpty ? nil : TokenError.excerpt(joined)
  }
}
