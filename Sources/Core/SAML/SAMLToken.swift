public import Claims
import Octets
package import SecurityKeys
public import TokenBasics
import XMLSecurity
package import XMLTree

/// A SAML assertion of version 1.1 or 2.0: alone, in a Response, or in an envelope that the caller has
/// opened.
public struct SAMLToken: SecurityToken {
  /// The versions of SAML.
  public enum Version: Hashable, Sendable {
    /// SAML 1.1.
    case v1
    /// SAML 2.0.
    case v2
  }

  /// The version of the assertion.
  public let version: Version
  /// Shared: copying the token is one retain.
  private var parts: Shared<Parts>

  private struct Parts: Sendable {
    let document: Document
    var response: ResponseContent?
    var assertion: Element?
    var encrypted: Element?
    /// About what was around the token.
    var warnings: [String] = []
  }

  var document: Document { parts.value.document }
  /// The Response, if there is one.
  var response: ResponseContent? { parts.value.response }
  /// The assertion, unless it is encrypted.
  var assertion: Element? { parts.value.assertion }
  /// The `EncryptedAssertion`, or the `EncryptedData` of a WS-Trust response.
  var encrypted: Element? { parts.value.encrypted }
  /// What a report says of the message around the token.
  var warnings: [String] { parts.value.warnings }

  /// The same token, whose reports have these warnings too.
  package func noting(_ warnings: [String]) -> SAMLToken {
    guard !warnings.isEmpty else { return self }
    var parts = parts.value
    parts.warnings += warnings
    var token = self
    token.parts = Shared(parts)
    return token
  }

  /// Reads a `Response` or `Assertion` document.
  ///
  /// - Throws: `xml.*` for what is no such document, `response.several-assertions`,
  ///   `response.no-assertion`, `response.status` for a failed status without an assertion.
  public init(parsing octets: [UInt8], limits: Limits = Limits()) throws(TokenError) {
    let document = try Document(parsing: octets, limits: limits)
    try self.init(document.root)
  }

  /// Reads `element`, which is a `Response` or an `Assertion`: the root of a document, or where the caller's
  /// protocol has it in one.
  ///
  /// - Throws: as ``init(parsing:limits:)``.
  package init(_ element: Element) throws(TokenError) {
    // For the whole document, because other readers look elsewhere.
    _ = try IdentifierIndex(element.document)
    if element.isNamed(SAML2Name.response) || element.isNamed(SAML1Name.response) {
      version = element.isNamed(SAML2Name.response) ? .v2 : .v1
      let content =
        try version == .v2
        ? SAML2ResponseReader.read(element) : SAML1ResponseReader.read(element)
      let count = content.assertionCount
      guard count <= 1 else {
        throw TokenError(
          .severalAssertions, node: element.path, expected: "1", found: "\(count)")
      }
      if count == 0 { throw Self.noAssertion(content) }
      parts = Shared(
        Parts(
          document: element.document, response: content, assertion: content.assertion,
          encrypted: content.encryptedAssertion))
    } else if element.isNamed(SAML2Name.assertion) || element.isNamed(SAML1Name.assertion) {
      version = element.isNamed(SAML2Name.assertion) ? .v2 : .v1
      parts = Shared(Parts(document: element.document, assertion: element))
    } else if element.isNamed(SAML2Name.encryptedAssertion) {
      version = .v2
      parts = Shared(Parts(document: element.document, encrypted: element))
    } else if element.isNamed(ProtocolName.artifactResponse) {
      throw TokenError(.artifactResponse, node: element.path, expected: "Response or Assertion")
    } else {
      throw TokenError(
        .unexpectedRoot, node: element.path, expected: "Response or Assertion",
        found: TokenError.excerpt(element.localName))
    }
  }

  /// Reads the `EncryptedData` in place of the token of a WS-Trust response.
  ///
  /// - Parameter version: The version that the response declares.
  /// - Throws: `xml.duplicate-id`, `xml.malformed-id`.
  package init(encryptedData element: Element, version: Version) throws(TokenError) {
    _ = try IdentifierIndex(element.document)
    self.version = version
    parts = Shared(Parts(document: element.document, encrypted: element))
  }

  /// Whether `element` is an assertion, encrypted or not.
  package static func isAssertion(_ element: Element) -> Bool {
    assertionNames.contains(where: element.isNamed)
  }

  static let assertionNames = [
    SAML2Name.assertion, SAML1Name.assertion, SAML2Name.encryptedAssertion,
  ]

  /// `saml11` or `saml20`.
  public var format: TokenFormat { version == .v2 ? .saml20 : .saml11 }

  /// The claims without any proof; empty while the assertion is encrypted or cannot be read.
  public var unverifiedClaims: ClaimSet {
    unverifiedFacts.claims
  }

  /// The facts without any proof; empty while the assertion is encrypted or cannot be read.
  public var unverifiedFacts: TokenFacts {
    (try? unverifiedFacts(decryptionKeys: [])) ?? TokenFacts()
  }

  /// The facts and claims of the assertion, without any proof.
  ///
  /// - Throws: `xml.*` and others for an assertion that cannot be read, `encryption.*`.
  package func unverifiedFacts(
    decryptionKeys: [PrivateKey]
  ) throws(TokenError) -> TokenFacts {
    try readAssertion(decryptionKeys).facts()
  }

  private func readAssertion(_ keys: [PrivateKey] = []) throws(TokenError) -> AssertionContent {
    let limits = Limits()
    // For display only, so every legacy algorithm is allowed.
    var decryption = Decryption(
      Decryptor(keys: keys, exceptions: Set(LegacyException.all), limits: limits), limits)
    if let assertion { return try read(assertion, &decryption) }
    guard let encrypted else { throw TokenError(.noAssertion) }
    let plaintext = try decryption.plaintext(of: Decryption.data(of: encrypted, limits))
    var parsedCount = 0
    let element = try decryption.element(
      in: plaintext, insideOf: encrypted, named: assertionName, parsedCount: &parsedCount)
    return try read(element, &decryption)
  }

  func read(
    _ assertion: Element, _ decryption: inout Decryption
  ) throws(TokenError) -> AssertionContent {
    try version == .v2
      ? SAML2AssertionReader.read(assertion, &decryption) : SAML1AssertionReader.read(assertion)
  }

  /// The name of this version's assertions.
  var assertionName: ExpandedName { version == .v2 ? SAML2Name.assertion : SAML1Name.assertion }

  /// The names by which this version's elements are identified.
  ///
  /// - Throws: `xml.missing-attribute`.
  func identifier(of element: Element) throws(TokenError) -> ArraySlice<UInt8> {
    let name: ExpandedName =
      switch version {
      case .v2: AttributeName.id
      case .v1:
        element.isNamed(SAML1Name.response) ? AttributeName.responseID : AttributeName.assertionID
      }
    return element.bytes(try element.requiredAttributeRange(name))
  }

  private static func noAssertion(_ content: ResponseContent) -> TokenError {
    guard let failure = content.failure else {
      return TokenError(.noAssertion, node: content.element.path)
    }
    return TokenError(
      .responseStatus, node: content.status.path, expected: "Success",
      found: ResponseContent.shown(failure))
  }
}

/// The parts of a token, for a person to see. A verdict reads them from what was digested.
extension SAMLToken {
  /// Whether it is an assertion, encrypted or not, without a response around it.
  package var isAlone: Bool { response == nil }

  /// The assertion that is read, unless it is encrypted.
  package var shownAssertion: Element? { assertion }

  /// The `EncryptedAssertion`, or the `EncryptedData` of a WS-Trust response.
  package var shownCiphertext: Element? { encrypted }

  /// Whether the element is an encrypted assertion.
  package static func isEncrypted(_ element: Element) -> Bool {
    element.isNamed(SAML2Name.encryptedAssertion)
  }

  /// The assertion that is encrypted, decrypted once more as the verdict did it. Only for a token whose checks
  /// proved the origin of the plaintext: any other use would reveal what the verdict conceals.
  ///
  /// - Parameter exceptions: Those of the trusted keys.
  package func decryptedAssertion(
    _ keys: [PrivateKey], exceptions: Set<LegacyException>, limits: Limits
  ) -> Element? {
    guard let encrypted else { return nil }
    var decryption = Decryption(
      Decryptor(keys: keys, exceptions: exceptions, limits: limits), limits)
    guard let data = try? Decryption.data(of: encrypted, limits),
      let plaintext = try? decryption.plaintext(of: data)
    else { return nil }
    var parsedCount = 0
    return try? decryption.element(
      in: plaintext, insideOf: encrypted, named: assertionName, parsedCount: &parsedCount)
  }
}
