import Federation
import XMLTree

/// A SOAP 1.1 envelope around one SAML message (SAML Bindings 3.2; SOAP 1.1, 4).
enum SOAPEnvelope {
  private static let namespace = "http://schemas.xmlsoap.org/soap/envelope/"
  private static let envelope = ExpandedName("Envelope", in: namespace)
  private static let header = ExpandedName("Header", in: namespace)
  private static let body = ExpandedName("Body", in: namespace)
  private static let mustUnderstand = ExpandedName("mustUnderstand", in: namespace)

  /// The one element of the body.
  ///
  /// - Throws: `xml.*`, also for a header that must be understood; `response.soap-fault`.
  static func message(in octets: [UInt8], limits: Limits) throws(TokenError) -> Element {
    let root = try Document(parsing: octets, limits: limits).root
    guard root.isNamed(envelope) else {
      throw TokenError(.unexpectedRoot, node: root.path, expected: "Envelope of SOAP 1.1")
    }
    var children = try ChildReader(root)
    if let header = try children.takeOne(header) {
      for entry in try header.children()
      where ["1", "true"].contains(entry.collapsedAttribute(mustUnderstand)) {
        throw TokenError(.unexpectedElement, node: entry.path, expected: "no header to understand")
      }
    }
    let body = try children.require(body)
    try children.finish()
    var content = try ChildReader(body)
    guard let message = content.takeAny() else {
      throw TokenError(.missingElement, node: body.path, expected: "a message")
    }
    try content.finish()
    guard !message.isNamed(ExpandedName("Fault", in: namespace)) else {
      throw TokenError(.soapFault, node: message.path)
    }
    return message
  }

  /// The envelope around a message of ours.
  static func octets(around message: XMLFragment) throws(TokenError) -> [UInt8] {
    try XMLWriter.fragment(envelope, prefixes: [namespace: "soap"]) { writer throws(TokenError) in
      try writer.element(body) { writer throws(TokenError) in writer.append(message) }
    }.octets
  }
}
