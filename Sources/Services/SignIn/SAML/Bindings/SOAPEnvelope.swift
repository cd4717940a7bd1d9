import Federation
package import HTTPExchange
package import TokenBasics
package import XMLTree

/// A SOAP 1.1 envelope around one SAML message (SAML Bindings 3.2; SOAP 1.1, 4).
package enum SOAPEnvelope {
  private static let namespace = "http://schemas.xmlsoap.org/soap/envelope/"
  private static let envelope = ExpandedName("Envelope", in: namespace)
  private static let header = ExpandedName("Header", in: namespace)
  private static let body = ExpandedName("Body", in: namespace)
  private static let mustUnderstand = ExpandedName("mustUnderstand", in: namespace)

  /// The one element of the body.
  ///
  /// - Throws: `xml.*`, also for a header that must be understood; `response.soap-fault`.
  package static func message(in octets: [UInt8], limits: Limits) throws(TokenError) -> Element {
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
  package static func octets(around message: XMLFragment) throws(TokenError) -> [UInt8] {
    try XMLWriter.fragment(envelope, prefixes: [namespace: "soap"]) { writer throws(TokenError) in
      try writer.element(body) { writer throws(TokenError) in writer.append(message) }
    }.octets
  }

  /// Sends a message of ours from server to server, and returns the one that answers, of which nothing is verified.
  ///
  /// - Parameters:
  ///   - message: The message, signed.
  ///   - place: What the address is called in errors.
  ///   - address: The SOAP endpoint of the other side.
  ///   - transport: Makes the request.
  ///   - limits: Bounds for the answer.
  ///   - timeout: How long it may take.
  /// - Throws: `transport.*`, `xml.*`, `response.soap-fault`.
  package static func exchange(
    _ message: XMLFragment, at place: String, _ address: HTTPURL, over transport: any HTTPTransport,
    limits: Limits, timeout: Duration = .seconds(30)
  ) async throws(TokenError) -> Element {
    var request = HTTPRequest(.post, address)
    request.maximumResponseBytes = largestAnswer
    request.timeout = timeout
    try request.fields.append("Content-Type", "text/xml; charset=utf-8")
    try request.fields.append("SOAPAction", "\"http://www.oasis-open.org/committees/security\"")
    request.body = try octets(around: message)
    let response = try await transport.response(to: request)
    guard response.status == 200 else {
      throw TokenError(
        response.status / 100 == 3 ? .transportRedirect : .transportStatus, node: place,
        expected: "200", found: "\(response.status)")
    }
    return try self.message(in: response.body, limits: limits)
  }

  /// The most octets of an answer: those of a posted one.
  private static let largestAnswer = 4 << 20
}
