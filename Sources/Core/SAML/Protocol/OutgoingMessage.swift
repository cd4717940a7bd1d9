package import SecurityKeys
package import TokenBasics
import XMLSecurity
package import XMLTree

/// A SAML 2.0 message that we send: an `Issuer`, perhaps a signature, then the content.
package struct OutgoingMessage: Sendable {
  private let name: ExpandedName
  private let header: MessageHeader
  private let attributes: [XMLWriter.Attribute]
  private let content: @Sendable (inout XMLWriter) throws(TokenError) -> Void

  init(
    _ name: ExpandedName, _ header: MessageHeader, _ attributes: [XMLWriter.Attribute] = [],
    _ content: @escaping @Sendable (inout XMLWriter) throws(TokenError) -> Void
  ) {
    self.name = name
    self.header = header
    self.attributes = attributes
    self.content = content
  }

  /// The octets, with an enveloped signature if there is a key.
  ///
  /// - Throws: `policy.mint-*`.
  package func octets(signedWith key: SigningKey?) throws(TokenError) -> [UInt8] {
    try fragment(signedWith: key).octets
  }

  /// As ``octets(signedWith:)``, to be put into an envelope.
  package func fragment(signedWith key: SigningKey?) throws(TokenError) -> XMLFragment {
    try XMLIdentifier.check(header.id, "id")
    let plain = try written()
    guard let key else { return plain }
    return try SignatureWriter(key).signed(plain, id: header.id)
  }

  private func written() throws(TokenError) -> XMLFragment {
    try XMLWriter.fragment(
      name, header.attributes(attributes), prefixes: ProtocolName.prefixes
    ) { writer throws(TokenError) in
      try writer.element(SAML2Name.issuer, text: header.issuer)
      writer.leavePlaceForSignature()
      try content(&writer)
    }
  }
}

/// How a SAML 2.0 message travels (SAML Bindings 3).
public enum SAMLBinding: String, Hashable, Sendable, CaseIterable {
  /// In the query of an address, with its signature beside it (3.4).
  case redirect = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
  /// In a form that the browser posts (3.5).
  case post = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
  /// By reference, resolved over a back channel (3.6).
  case artifact = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact"
  /// In a SOAP envelope from server to server (3.2).
  case soap = "urn:oasis:names:tc:SAML:2.0:bindings:SOAP"
}

extension OutgoingMessage {
  /// An `AuthnRequest` (SAML Core 3.4.1) whose answer is posted to `consumer`.
  package static func authnRequest(
    _ header: MessageHeader, consumer: String, binding: SAMLBinding, options: AuthnRequestOptions
  ) -> Self {
    Self(
      ProtocolName.authnRequest, header,
      [
        (ProtocolName.consumerURL, consumer), (ProtocolName.protocolBinding, binding.rawValue),
        (ProtocolName.forceAuthn, options.forcesSignIn ? "true" : nil),
        (ProtocolName.isPassive, options.isPassive ? "true" : nil),
      ]
    ) { writer throws(TokenError) in
      if let format = options.nameFormat {
        try writer.element(
          ProtocolName.nameIDPolicy,
          [(AttributeName.format, format), (ProtocolName.allowCreate, "true")])
      }
      if !options.contexts.isEmpty {
        try writer.element(
          ProtocolName.requestedAuthnContext, [(ProtocolName.comparison, "exact")]
        ) { writer throws(TokenError) in
          for context in options.contexts {
            try writer.element(SAML2Name.authnContextClassRef, text: context)
          }
        }
      }
      guard options.proxyCount != nil || !options.providers.isEmpty else { return }
      try writer.element(
        ProtocolName.scoping, [(ProtocolName.proxyCount, options.proxyCount.map { "\($0)" })]
      ) { writer throws(TokenError) in
        guard !options.providers.isEmpty else { return }
        try writer.element(ProtocolName.providerList) { writer throws(TokenError) in
          for provider in options.providers {
            try writer.element(
              ProtocolName.providerEntry, [(ProtocolName.providerID, provider)])
          }
        }
      }
    }
  }

  /// A `LogoutRequest` (SAML Core 3.7.1).
  package static func logoutRequest(
    _ header: MessageHeader, name: SubjectName, sessionIndex: String?, notOnOrAfter: Instant
  ) -> Self {
    Self(
      ProtocolName.logoutRequest, header,
      [(AttributeName.notOnOrAfter, notOnOrAfter.withMilliseconds)]
    ) { writer throws(TokenError) in
      try writer.element(
        SAML2Name.nameID,
        [
          (AttributeName.format, name.format), (AttributeName.nameQualifier, name.nameQualifier),
          (AttributeName.spNameQualifier, name.spNameQualifier),
        ], text: name.text)
      if let sessionIndex { try writer.element(ProtocolName.sessionIndex, text: sessionIndex) }
    }
  }

  /// A `LogoutResponse` (SAML Core 3.7.2).
  package static func logoutResponse(
    _ header: MessageHeader, inResponseTo request: String, outcome: LogoutOutcome
  ) -> Self {
    Self(
      ProtocolName.logoutResponse, header, [(AttributeName.inResponseTo, request)]
    ) { writer throws(TokenError) in
      try writer.element(SAML2Name.status) { writer throws(TokenError) in
        try writer.element(
          SAML2Name.statusCode, [(AttributeName.value, outcome.codes.0)]
        ) { writer throws(TokenError) in
          guard let inner = outcome.codes.1 else { return }
          try writer.element(SAML2Name.statusCode, [(AttributeName.value, inner)])
        }
      }
    }
  }

  /// A `Response` (SAML Core 3.3.3) that says why there is no assertion.
  ///
  /// - Parameter codes: The outer and the inner status code, without their common prefix.
  package static func failedResponse(
    _ header: MessageHeader, inResponseTo request: String?, codes: (String, String?), text: String
  ) -> Self {
    let prefix = "urn:oasis:names:tc:SAML:2.0:status:"
    return Self(
      SAML2Name.response, header, [(AttributeName.inResponseTo, request)]
    ) { writer throws(TokenError) in
      try writer.element(SAML2Name.status) { writer throws(TokenError) in
        try writer.element(
          SAML2Name.statusCode, [(AttributeName.value, prefix + codes.0)]
        ) { writer throws(TokenError) in
          guard let inner = codes.1 else { return }
          try writer.element(SAML2Name.statusCode, [(AttributeName.value, prefix + inner)])
        }
        try writer.element(SAML2Name.statusMessage, text: text)
      }
    }
  }

  /// An `ArtifactResolve` (SAML Core 3.5.1).
  package static func artifactResolve(_ header: MessageHeader, artifact: String) -> Self {
    Self(ProtocolName.artifactResolve, header) { writer throws(TokenError) in
      try writer.element(ProtocolName.artifact, text: artifact)
    }
  }
}

/// What a sign-in request asks for beyond a sign-in (SAML Core 3.4.1).
public struct AuthnRequestOptions: Hashable, Sendable {
  /// Whether the subject has to sign in anew, whatever session the identity provider has (`ForceAuthn`).
  public var forcesSignIn = false
  /// Whether the identity provider must not show a page (`IsPassive`). It refuses with `NoPassive` where
  /// it would have to.
  public var isPassive = false
  /// The format of the subject's name (`NameIDPolicy`); nil to leave the choice to the identity provider.
  public var nameFormat: String?
  /// The accepted authentication context classes (`RequestedAuthnContext`); empty for any.
  public var contexts: [String] = []
  /// How many identity providers may stand between the one that is asked and the subject (`ProxyCount`); nil for any number.
  public var proxyCount: Int?
  /// The identity providers that are acceptable (`IDPList`); empty for any.
  public var providers: [String] = []

  /// A request without demands.
  public init() {}
}
