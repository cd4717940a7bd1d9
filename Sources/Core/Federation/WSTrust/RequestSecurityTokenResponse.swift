import XMLTree

/// A WS-Trust response (2005/02 or 1.3), alone or in a collection.
///
/// Everything in it but the token is unsigned: lifetime and audience are ignored, and the type can
/// only cause a rejection.
struct RequestSecurityTokenResponse {
  /// The one token.
  let token: Element
  private let declaredType: Element?

  /// Nil when `element` is no such response.
  ///
  /// - Throws: `response.no-assertion`, `response.several-assertions`, `xml.*`.
  init?(reading element: Element) throws(TokenError) {
    guard let response = try Self.bare(element) else { return nil }
    self = response
  }

  private init(token: Element, declaredType: Element?) {
    self.token = token
    self.declaredType = declaredType
  }

  /// The token's format by the response's type, where that is a supported type.
  ///
  /// - Throws: `xml.mixed-content`.
  func declaredFormat() throws(TokenError) -> TokenFormat? {
    guard let declaredType else { return nil }
    return TokenTypeURI.format(try declaredType.collapsedText())
  }

  /// `token`, unless the response declares another type.
  ///
  /// - Throws: `response.token-type`.
  func checked(_ token: AnyToken) throws(TokenError) -> AnyToken {
    guard let format = try declaredFormat(), format != token.format else { return token }
    throw TokenError(
      .tokenType, node: declaredType?.path, expected: token.format.name, found: format.name)
  }

  private static func bare(_ element: Element) throws(TokenError) -> Self? {
    for version in WSSName.trustVersions {
      if element.isNamed(version.response) { return try token(in: element, version) }
      guard element.isNamed(version.collection) else { continue }
      let responses = try element.children()
      guard let response = responses.first else {
        throw TokenError(.noAssertion, node: element.path)
      }
      guard responses.count == 1 else {
        throw TokenError(
          .severalAssertions, node: element.path, expected: "1", found: "\(responses.count)")
      }
      guard response.isNamed(version.response) else {
        throw TokenError(
          .unexpectedElement, node: response.path, expected: "RequestSecurityTokenResponse")
      }
      return try token(in: response, version)
    }
    return nil
  }

  private static func token(
    in response: Element, _ version: WSSName.Trust
  ) throws(TokenError) -> Self {
    let children = try response.children()
    let requested = children.filter { $0.isNamed(version.requestedToken) }
    guard let holder = requested.first else { throw TokenError(.noAssertion, node: response.path) }
    guard requested.count == 1 else {
      throw TokenError(.severalAssertions, node: requested[1].path, expected: "1")
    }
    let tokens = try holder.children()
    guard let token = tokens.first else { throw TokenError(.noAssertion, node: holder.path) }
    guard tokens.count == 1 else {
      throw TokenError(
        .severalAssertions, node: holder.path, expected: "1", found: "\(tokens.count)")
    }
    return Self(token: token, declaredType: children.first { $0.isNamed(version.tokenType) })
  }
}
