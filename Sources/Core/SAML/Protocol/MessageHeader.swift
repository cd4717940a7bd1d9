import Claims
package import SecurityKeys
package import TokenBasics
import XMLSecurity
package import XMLTree

/// What every SAML 2.0 message that we send begins with (SAML Core 3.2.1, 3.2.2).
package struct MessageHeader: Sendable {
  /// The message's identifier.
  package let id: String
  package let issuer: String
  package let issuedAt: Instant
  /// The address that it is sent to; nil over SOAP.
  package let destination: String?

  package init(id: String, issuer: String, issuedAt: Instant, destination: String?) {
    self.id = id
    self.issuer = issuer
    self.issuedAt = issuedAt
    self.destination = destination
  }

  /// The attributes, with further ones.
  func attributes(_ further: [XMLWriter.Attribute] = []) -> [XMLWriter.Attribute] {
    [
      (AttributeName.id, id), (AttributeName.version, "2.0"),
      (AttributeName.issueInstant, issuedAt.withMilliseconds),
      (AttributeName.destination, destination),
    ] + further
  }
}

/// Verifies the enveloped signature of a SAML message other than a response (SAML Core 5).
package enum MessageSignature {
  /// The element as its signature covers it; nil when it has no signature.
  ///
  /// - Throws: `signature.*`, `algorithm.*`, `key.*`, `xml.*`.
  package static func verify(
    _ message: Element, keys: [TrustedKey], at now: Instant, limits: Limits
  ) throws(TokenError) -> Element? {
    _ = try IdentifierIndex(message.document)
    guard let signature = try SignedElement.signature(of: message) else { return nil }
    var scratch = Canonicalizer.scratch(for: message.document)
    let id = message.bytes(try message.requiredAttributeRange(AttributeName.id))
    return try SignedElement.verify(
      message, signature, id: id, place: .behind(SAML2Name.issuer), wholeDocument: .elementAlone,
      keys: KeyRing(keys), at: now, limits: limits, scratch: &scratch
    ).element
  }
}

/// The names of SAML 2.0 requests (SAML Core 3.2.1, 3.4, 3.5, 3.7).
package enum ProtocolName {
  package static let authnRequest = samlp("AuthnRequest")
  package static let logoutRequest = samlp("LogoutRequest")
  package static let logoutResponse = samlp("LogoutResponse")
  package static let artifactResolve = samlp("ArtifactResolve")
  package static let artifactResponse = samlp("ArtifactResponse")
  static let artifact = samlp("Artifact")
  static let nameIDPolicy = samlp("NameIDPolicy")
  static let requestedAuthnContext = samlp("RequestedAuthnContext")
  static let scoping = samlp("Scoping")
  static let providerList = samlp("IDPList")
  static let providerEntry = samlp("IDPEntry")
  static let sessionIndex = samlp("SessionIndex")

  static let consumerIndex = ExpandedName("AssertionConsumerServiceIndex")
  static let consumerURL = ExpandedName("AssertionConsumerServiceURL")
  static let protocolBinding = ExpandedName("ProtocolBinding")
  static let forceAuthn = ExpandedName("ForceAuthn")
  static let isPassive = ExpandedName("IsPassive")
  static let allowCreate = ExpandedName("AllowCreate")
  static let proxyCount = ExpandedName("ProxyCount")
  static let providerID = ExpandedName("ProviderID")
  static let comparison = ExpandedName("Comparison")
  static let reason = ExpandedName("Reason")

  /// The prefixes that messages are written with.
  static let prefixes = [
    SAML2Name.assertionNamespace: "saml", SAML2Name.protocolNamespace: "samlp",
  ]

  private static func samlp(_ local: String) -> ExpandedName {
    ExpandedName(local, in: SAML2Name.protocolNamespace)
  }
}
