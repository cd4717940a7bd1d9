import Claims
package import TokenBasics
package import XMLTree

/// An `AuthnRequest` (SAML Core 3.4.1) as it was read, by itself not verified.
package struct AuthnRequest: Sendable {
  package let id: String
  package let issuer: String
  package let issueInstant: Instant
  package let destination: String?
  /// Where the answer shall go, by its address; nil to go by ``consumerIndex`` or the metadata's default.
  package let consumer: String?
  /// Where the answer shall go, by its index in the metadata.
  package let consumerIndex: String?
  /// The binding in which the answer shall come.
  package let binding: String?
  /// The format of the name that is wanted.
  package let nameFormat: String?
  /// The service provider, or the group of them, whose name for the subject is wanted (`SPNameQualifier`); nil for the one
  /// that asks.
  package let nameQualifier: String?
  /// How many identity providers may stand between this one and the subject (`ProxyCount`); nil for any number.
  package let proxyCount: Int?
  /// The identity providers that are acceptable (`IDPList`); empty for any.
  package let providers: [String]
  /// Whether nobody may be asked.
  package let isPassive: Bool
  /// Whether the subject has to sign in anew.
  package let forcesSignIn: Bool
  /// The classes of `RequestedAuthnContext`; empty for any.
  package let contexts: [String]
  /// How the context has to compare with them (SAML Core 3.3.2.2.1): `exact`, `minimum`, `maximum` or `better`.
  package let comparison: String
  /// Whether the request is for one subject alone (`Subject`).
  package let namesSubject: Bool

  /// Reads a request.
  ///
  /// - Throws: `xml.*`, `response.version`, `issuer.*`, `time.malformed`, `input.too-large`.
  package init(reading request: Element) throws(TokenError) {
    guard request.isNamed(ProtocolName.authnRequest) else {
      throw TokenError(
        .unexpectedRoot, node: request.path, expected: "AuthnRequest",
        found: TokenError.excerpt(request.localName))
    }
    guard request.hasAttribute(AttributeName.version, of: "2.0") else {
      throw TokenError(.messageVersion, node: request.path, expected: "2.0")
    }
    id = try request.requiredAttribute(AttributeName.id)
    try XMLIdentifier.check(id, "ID")
    issueInstant = try request.requiredInstant(AttributeName.issueInstant)
    destination = request.collapsedAttribute(AttributeName.destination)
    consumer = request.collapsedAttribute(ProtocolName.consumerURL)
    consumerIndex = request.collapsedAttribute(ProtocolName.consumerIndex)
    binding = request.collapsedAttribute(ProtocolName.protocolBinding)
    isPassive = ["true", "1"].contains(request.collapsedAttribute(ProtocolName.isPassive) ?? "")
    forcesSignIn = ["true", "1"].contains(
      request.collapsedAttribute(ProtocolName.forceAuthn) ?? "")
    var children = try ChildReader(request)
    let issuer = try children.require(SAML2Name.issuer)
    try SAML2AssertionReader.checkIssuer(issuer)
    self.issuer = try issuer.text()
    let parts = try request.children()
    let policy = parts.first { $0.isNamed(ProtocolName.nameIDPolicy) }
    nameFormat = policy?.collapsedAttribute(AttributeName.format)
    nameQualifier = policy?.collapsedAttribute(AttributeName.spNameQualifier)
    (proxyCount, providers) = try Self.scoping(of: parts)
    namesSubject = parts.contains { $0.isNamed(SAML2Name.subject) }
    let wanted = parts.first { $0.isNamed(ProtocolName.requestedAuthnContext) }
    comparison = wanted?.collapsedAttribute(ProtocolName.comparison) ?? "exact"
    contexts =
      try wanted?.children().map { (child) throws(TokenError) in
        // A declaration cannot be compared with the class that an identity provider names.
        guard child.isNamed(SAML2Name.authnContextClassRef) else {
          throw TokenError(
            .unexpectedElement, node: child.path, expected: "AuthnContextClassRef",
            found: TokenError.excerpt(child.localName))
        }
        return try child.collapsedText()
      } ?? []
  }

  /// Reads `Scoping` (SAML Core 3.4.1.2).
  ///
  /// - Throws: `xml.unexpected-element` for a count that is no number from 0 on; `input.too-large` for more than
  ///   ``mostProviders``.
  private static func scoping(
    of parts: [Element]
  ) throws(TokenError) -> (proxyCount: Int?, providers: [String]) {
    guard let scoping = parts.first(where: { $0.isNamed(ProtocolName.scoping) }) else {
      return (nil, [])
    }
    let text = scoping.collapsedAttribute(ProtocolName.proxyCount)
    let count = text.flatMap { Int($0) }
    guard text == nil || (count ?? -1) >= 0 else {
      throw TokenError(
        .unexpectedElement, node: scoping.path, expected: "ProxyCount from 0 on",
        found: text.map { TokenError.excerpt($0) })
    }
    let list = try scoping.children().first { $0.isNamed(ProtocolName.providerList) }
    let entries = try list?.children().filter { $0.isNamed(ProtocolName.providerEntry) } ?? []
    guard entries.count <= mostProviders else {
      throw TokenError(
        .inputTooLarge, node: scoping.path, expected: "at most \(mostProviders) IDPEntry elements",
        found: "\(entries.count)")
    }
    let providers = try entries.map { (entry) throws(TokenError) in
      try entry.requiredAttribute(ProtocolName.providerID)
    }
    return (count, providers)
  }

  /// The most entries of an `IDPList`: they are kept with the sign-in.
  package static let mostProviders = 100
}

extension SAMLToken {
  /// The issuer of the message around the assertion, without any proof; nil where there is none.
  package var unverifiedResponseIssuer: String? {
    response?.issuer.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The request that the response or the bearer confirmation names, without any proof: it only chooses
  /// what the token is compared with. Nil when none is named.
  package var unverifiedRequest: String? {
    response?.element.attribute(AttributeName.inResponseTo)
      ?? assertion?.descendants(named: SAML2Name.subjectConfirmationData).lazy
      .compactMap { $0.attribute(AttributeName.inResponseTo) }.first
  }
}
