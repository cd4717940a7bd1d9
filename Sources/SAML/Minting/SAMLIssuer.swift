public import Claims
public import SecurityKeys
public import TokenErrors
import XMLSecurity
package import XMLTree

/// Issues SAML assertions and responses of one version, signed with one key.
///
/// What it writes is in exclusive canonical form, one line, and reads back exactly as it was drafted.
/// It takes values and nothing that was received, so it cannot be led to sign a piece of somebody
/// else's document.
public struct SAMLIssuer: Sendable {
  /// Which elements get a signature of their own.
  public enum SignedParts: Hashable, Sendable {
    /// The assertion, as most readers want it.
    case assertion
    /// The response alone, which covers the assertion in it.
    case response
    /// The assertion, then the response around it.
    case both
  }

  public let version: SAMLToken.Version
  private let key: SigningKey

  /// An issuer of that version.
  public init(_ version: SAMLToken.Version, key: SigningKey) {
    self.version = version
    self.key = key
  }

  /// A signed assertion by itself.
  ///
  /// - Throws: `policy.mint-*` for what the version cannot carry.
  public func assertion(
    _ draft: TokenDraft, delivery: SAMLDelivery = SAMLDelivery()
  ) throws(TokenError) -> [UInt8] {
    try assertionFragment(draft, delivery).octets
  }

  /// A successful response with one assertion. Its identifier is the assertion's with `-response`
  /// behind it.
  ///
  /// - Throws: `policy.mint-*` for what the version cannot carry.
  public func response(
    _ draft: TokenDraft, delivery: SAMLDelivery = SAMLDelivery(), signing: SignedParts = .assertion
  ) throws(TokenError) -> [UInt8] {
    let assertion = try writeAssertion(
      draft, delivery, isSigned: signing != .response, isInResponse: true)
    return try writeResponse(assertion, draft, delivery, isSigned: signing != .assertion).octets
  }

  /// A signed assertion to be put into another element.
  ///
  /// - Throws: as ``assertion(_:delivery:)``.
  package func assertionFragment(
    _ draft: TokenDraft, _ delivery: SAMLDelivery
  ) throws(TokenError) -> XMLFragment {
    try writeAssertion(draft, delivery, isSigned: true, isInResponse: false)
  }

  private func writeAssertion(
    _ draft: TokenDraft, _ delivery: SAMLDelivery, isSigned: Bool, isInResponse: Bool
  ) throws(TokenError) -> XMLFragment {
    try check(draft, delivery, isInResponse: isInResponse)
    return try signed(id: draft.id, isSigned) { signature throws(TokenError) in
      switch version {
      case .v1: try SAML1Writer(draft, delivery).assertion(signature)
      case .v2: try SAML2Writer(draft, delivery).assertion(signature)
      }
    }
  }

  private func writeResponse(
    _ assertion: XMLFragment, _ draft: TokenDraft, _ delivery: SAMLDelivery, isSigned: Bool
  ) throws(TokenError) -> XMLFragment {
    let id = draft.id + "-response"
    return try signed(id: id, isSigned) { signature throws(TokenError) in
      switch version {
      case .v1: try SAML1Writer(draft, delivery).response(id: id, assertion, signature)
      case .v2: try SAML2Writer(draft, delivery).response(id: id, assertion, signature)
      }
    }
  }

  /// What `write` writes, the second time with the signature over the first.
  private func signed(
    id: String, _ isSigned: Bool, _ write: (XMLFragment?) throws(TokenError) -> XMLFragment
  ) throws(TokenError) -> XMLFragment {
    let plain = try write(nil)
    guard isSigned else { return plain }
    return try write(SignatureWriter(key).signature(over: plain, id: id))
  }

  private func check(
    _ draft: TokenDraft, _ delivery: SAMLDelivery, isInResponse: Bool
  ) throws(TokenError) {
    try draft.check()
    try XMLIdentifier.check(draft.id, "id")
    for (text, node) in [
      (delivery.recipient, "recipient"), (delivery.nameFormat, "name format"),
      (delivery.authenticationMethod, "authentication method"),
      // Somebody else chose it and wants it back as it is, an XML name or not.
      (delivery.inResponseTo, "in response to"),
    ] {
      if let text { try TokenDraft.checkName(text, node) }
    }
    // The confirmation of SAML 1.1 has no such data; only its Response does (SAML Core 1.1, 3.4.1).
    if version == .v1, !isInResponse {
      guard delivery.recipient == nil, delivery.inResponseTo == nil else {
        throw TokenError(.mintDelivery, node: "Assertion")
      }
    }
  }
}
