public import Claims
import Octets
public import SecurityKeys
public import TokenBasics
import XMLSecurity
package import XMLTree

/// Issues SAML assertions and responses of one version, signed with one key, and encrypted if so
/// wanted.
///
/// What it writes is in exclusive canonical form, one line, and reads back exactly as it was drafted.
/// It takes values and no received document, so it cannot be tricked into signing a part of one. An
/// assertion is signed, then encrypted; a response is signed around the ciphertext.
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

  /// The version that it issues.
  public let version: SAMLToken.Version
  private let key: SigningKey
  private let recipient: EncryptionRecipient?

  /// An issuer of that version.
  ///
  /// - Parameters:
  ///   - version: SAML 1.1 or SAML 2.0.
  ///   - key: The key that signs.
  ///   - recipient: The recipient for whom every assertion is encrypted; nil for none. Ciphertext differs each
  ///     time.
  public init(
    _ version: SAMLToken.Version, key: SigningKey,
    encryptingTo recipient: EncryptionRecipient? = nil
  ) {
    self.version = version
    self.key = key
    self.recipient = recipient
  }

  /// A signed assertion by itself.
  ///
  /// - Throws: `policy.mint-*` for what the version cannot carry: SAML 1.1 has no encrypted assertion
  ///   by itself.
  public func assertion(
    _ draft: TokenDraft, delivery: SAMLDelivery = SAMLDelivery()
  ) throws(TokenError) -> [UInt8] {
    try encrypted(try writeAssertion(draft, delivery, isSigned: true, isInResponse: false)).octets
  }

  /// A successful response with one assertion. Its identifier is the assertion's with `-response`
  /// behind it.
  ///
  /// - Parameters:
  ///   - draft: The content of the token.
  ///   - delivery: The recipient and the request that it answers.
  ///   - signing: nil for ``SAMLToken/Version/signedParts``.
  /// - Throws: `policy.mint-*` for what the version cannot carry: a response of SAML 1.1 has no
  ///   encrypted assertion.
  public func response(
    _ draft: TokenDraft, delivery: SAMLDelivery = SAMLDelivery(), signing: SignedParts? = nil
  ) throws(TokenError) -> [UInt8] {
    let signing = signing ?? version.signedParts
    let assertion = try writeAssertion(
      draft, delivery, isSigned: signing != .response, isInResponse: true)
    return try writeResponse(
      try encrypted(assertion), draft, delivery, isSigned: signing != .assertion
    ).octets
  }

  /// A signed assertion to be put into an element of WS-Trust, where an encrypted one of SAML 1.1 is a
  /// bare EncryptedData.
  ///
  /// - Throws: as ``assertion(_:delivery:)``.
  package func assertionFragment(
    _ draft: TokenDraft, _ delivery: SAMLDelivery
  ) throws(TokenError) -> XMLFragment {
    let assertion = try writeAssertion(draft, delivery, isSigned: true, isInResponse: false)
    guard let recipient, version == .v1 else { return try encrypted(assertion) }
    return try EncryptionWriter(recipient).encryptedData(assertion)
  }

  /// The `EncryptedAssertion` in place of the assertion (SAML Core 2.3.4), when there is a recipient.
  private func encrypted(_ assertion: XMLFragment) throws(TokenError) -> XMLFragment {
    guard let recipient else { return assertion }
    guard version == .v2 else { throw TokenError(.mintEncryptionPlace, node: "Assertion") }
    return try SAML2Writer.encryptedAssertion(
      try EncryptionWriter(recipient).encryptedData(assertion))
  }

  private func writeAssertion(
    _ draft: TokenDraft, _ delivery: SAMLDelivery, isSigned: Bool, isInResponse: Bool
  ) throws(TokenError) -> XMLFragment {
    try check(draft, delivery, isInResponse: isInResponse)
    let plain =
      switch version {
      case .v1: try SAML1Writer(draft, delivery).assertion()
      case .v2: try SAML2Writer(draft, delivery).assertion()
      }
    return isSigned ? try SignatureWriter(key).signed(plain, id: draft.id) : plain
  }

  private func writeResponse(
    _ assertion: XMLFragment, _ draft: TokenDraft, _ delivery: SAMLDelivery, isSigned: Bool
  ) throws(TokenError) -> XMLFragment {
    let id = draft.id + "-response"
    let plain =
      switch version {
      case .v1: try SAML1Writer(draft, delivery).response(id: id, assertion)
      case .v2: try SAML2Writer(draft, delivery).response(id: id, assertion)
      }
    return isSigned ? try SignatureWriter(key).signed(plain, id: id) : plain
  }

  private func check(
    _ draft: TokenDraft, _ delivery: SAMLDelivery, isInResponse: Bool
  ) throws(TokenError) {
    try draft.check()
    try XMLIdentifier.check(draft.id, "id")
    for (text, node) in [
      (delivery.recipient, "recipient"), (delivery.nameFormat, "name format"),
      (delivery.nameQualifier, "name qualifier"), (delivery.spNameQualifier, "name qualifier"),
      (delivery.authenticationMethod, "authentication method"),
      (delivery.sessionIndex, "session index"),
      // The requester chose it and expects it unchanged, an XML name or not.
      (delivery.inResponseTo, "in response to"),
    ] {
      if let text { try TokenDraft.checkName(text, node) }
    }
    if case .named(let uri) = delivery.attributeNameFormat {
      try TokenDraft.checkName(uri, "attribute name format")
    }
    // The confirmation of SAML 1.1 has no such data; only its Response does (SAML Core 1.1, 3.4.1).
    if version == .v1, !isInResponse {
      guard delivery.recipient == nil, delivery.inResponseTo == nil else {
        throw TokenError(.mintDelivery, node: "Assertion")
      }
    }
  }
}

extension SAMLToken.Version {
  /// What is signed in a response unless something else is asked for.
  ///
  /// A SAML 1.1 response that is posted must be signed itself (Bindings and Profiles for SAML 1.1, 4.1.2), and its
  /// assertion is signed for readers that look there; in SAML 2.0 the assertion's signature is enough
  /// (SAML Profiles 4.1.4.5).
  public var signedParts: SAMLIssuer.SignedParts {
    switch self {
    case .v1: .both
    case .v2: .assertion
    }
  }
}

/// Identifiers of issued elements: `xs:ID`, an NCName (XML Schema Part 2, 3.3.8), here of ASCII alone.
enum XMLIdentifier {
  /// - Throws: `policy.mint-identifier`.
  static func check(_ id: String, _ node: String) throws(TokenError) {
    let bytes = Array(id.utf8)
    guard let first = bytes.first, ASCII.isLetter(first) || first == underscore,
      bytes.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || marks.contains($0) }),
      bytes.count <= longest
    else {
      throw TokenError(.mintIdentifier, node: node, found: TokenError.excerpt(id))
    }
  }

  /// Readers take 256; the identifier of a response is longer than its assertion's.
  private static let longest = 200
  private static let underscore = UInt8(ascii: "_")
  private static let marks = Array("_-.".utf8)
}
