import Claims
package import TokenBasics
package import XMLTree

/// An `ArtifactResponse` as it was read, by itself not verified (SAML Core 3.5.2).
package struct ArtifactResponse: Sendable {
  /// The request that is answered; nil without `InResponseTo`.
  package let request: String?
  /// The issuer; nil without one.
  package let issuer: String?
  /// The message that the artifact stood for; nil where the issuer has none for it.
  package let message: Element?

  /// Reads an answer in the order of its schema.
  ///
  /// - Throws: `xml.*`, `response.version`, `issuer.format`, `response.status`.
  package init(reading response: Element) throws(TokenError) {
    guard response.isNamed(ProtocolName.artifactResponse) else {
      throw TokenError(
        .unexpectedRoot, node: response.path, expected: "ArtifactResponse",
        found: TokenError.excerpt(response.localName))
    }
    guard response.hasAttribute(AttributeName.version, of: "2.0") else {
      throw TokenError(.messageVersion, node: response.path, expected: "2.0")
    }
    request = response.attribute(AttributeName.inResponseTo)
    var children = try ChildReader(response)
    let issuer = try children.takeOne(SAML2Name.issuer)
    if let issuer { try SAML2AssertionReader.checkIssuer(issuer) }
    self.issuer = try issuer?.text()
    var isSigned = false
    try SignatureName.take(&children, unless: &isSigned)
    _ = try children.takeOne(SAML2Name.extensions)
    let status = try children.require(SAML2Name.status)
    if let failure = try SAML2ResponseReader.failure(status) {
      throw TokenError(
        .responseStatus, node: status.path, expected: "Success",
        found: ResponseContent.shown(failure))
    }
    message = children.takeAny()
    try children.finish()
  }
}
