public import Claims
public import SecurityKeys
public import TokenBasics
import XMLSecurity
import XMLTree

/// SAML 2.0 metadata of a service provider (SAML Metadata 2.4.4): who it is, where answers and logout messages
/// go, and the certificates of its keys.
///
/// To replace a key without refusals, list the next certificate beside the current one, wait until the
/// identity providers have read it, use its key, and remove the old certificate last.
public struct ServiceProviderMetadata: Sendable {
  /// The entity identifier, which is the audience of its tokens.
  public var entityID: String
  /// The address to which responses are posted.
  public var consumer: String
  /// The address of single logout; nil for none.
  public var logout: String?
  /// The certificates of its signing keys, the current one first, then the next.
  public var signingCertificates: [Certificate]
  /// The certificates for which assertions are encrypted, the current one first.
  public var encryptionCertificates: [Certificate]
  /// Whether requests are signed.
  public var signsRequests: Bool
  /// The bindings in which responses are accepted; POST by default.
  public var consumerBindings: [SAMLBinding] = [.post]
  /// The bindings of single logout.
  public var logoutBindings: [SAMLBinding] = [.redirect, .post]
  /// The name that an identity provider shows (`mdui:DisplayName`), in the language `en`; nil for none.
  public var displayName: String?
  /// Where a discovery service sends people back to (`idpdisc:DiscoveryResponse`); nil for no such service.
  public var discoveryResponse: String?
  /// The attributes that the service wants (`RequestedAttribute`), by their names.
  public var requestedAttributes: [String] = []
  /// Until when a reader may keep it; nil for as long as it likes.
  public var validUntil: Instant?

  /// Metadata of a service provider.
  public init(
    entityID: String, consumer: String, logout: String? = nil,
    signingCertificates: [Certificate] = [], encryptionCertificates: [Certificate] = [],
    signsRequests: Bool = false, validUntil: Instant? = nil
  ) {
    self.entityID = entityID
    self.consumer = consumer
    self.logout = logout
    self.signingCertificates = signingCertificates
    self.encryptionCertificates = encryptionCertificates
    self.signsRequests = signsRequests
    self.validUntil = validUntil
  }

  /// The `EntityDescriptor`, signed when there is a key. `id` is its identifier.
  ///
  /// - Throws: `policy.mint-empty`, `policy.mint-character`, `policy.mint-identifier`,
  ///   `policy.mint-signature`.
  public func document(
    id: String = TokenDraft.unpredictableID(), signedWith key: SigningKey? = nil
  ) throws(TokenError) -> [UInt8] {
    try TokenDraft.checkName(entityID, "entityID")
    try TokenDraft.checkName(consumer, "consumer address")
    let document = try MetadataDocument(
      entityID, id: id, validUntil: validUntil, prefixes: Self.prefixes)
    return try document.octets(signedWith: key) { writer throws(TokenError) in
      try writer.element(
        Self.name("SPSSODescriptor"),
        [
          (MetadataName.protocols, SAML2Name.protocolNamespace),
          (ExpandedName("AuthnRequestsSigned"), signsRequests ? "true" : "false"),
          (ExpandedName("WantAssertionsSigned"), "true"),
        ]
      ) { writer throws(TokenError) in try writeRole(to: &writer) }
    }
  }

  /// The children in the order of the schema (SAML Metadata 2.4.1, 2.4.2, 2.4.4).
  private func writeRole(to writer: inout XMLWriter) throws(TokenError) {
    try writeExtensions(to: &writer)
    try MetadataDocument.write(signingCertificates, for: "signing", to: &writer)
    try MetadataDocument.write(encryptionCertificates, for: "encryption", to: &writer)
    if let logout {
      for binding in logoutBindings {
        try writer.element(
          Self.name("SingleLogoutService"),
          [(MetadataName.binding, binding.rawValue), (MetadataName.location, logout)])
      }
    }
    for (index, binding) in consumerBindings.enumerated() {
      try writer.element(
        Self.name("AssertionConsumerService"),
        [
          (MetadataName.binding, binding.rawValue), (MetadataName.location, consumer),
          (MetadataName.index, "\(index)"),
          (MetadataName.isDefault, index == 0 ? "true" : nil),
        ])
    }
    try writeRequestedAttributes(to: &writer)
  }

  private func writeExtensions(to writer: inout XMLWriter) throws(TokenError) {
    guard displayName != nil || discoveryResponse != nil else { return }
    try writer.element(MetadataName.extensions) { writer throws(TokenError) in
      if let displayName {
        try writer.element(ExpandedName("UIInfo", in: Self.mdui)) { writer throws(TokenError) in
          try writer.element(
            ExpandedName("DisplayName", in: Self.mdui), [(Self.language, "en")], text: displayName)
        }
      }
      if let discoveryResponse {
        try writer.element(
          MetadataName.discoveryResponse,
          [
            (MetadataName.binding, MetadataName.discovery),
            (MetadataName.location, discoveryResponse), (MetadataName.index, "0"),
          ])
      }
    }
  }

  private func writeRequestedAttributes(to writer: inout XMLWriter) throws(TokenError) {
    guard !requestedAttributes.isEmpty else { return }
    try writer.element(
      Self.name("AttributeConsumingService"), [(MetadataName.index, "0")]
    ) { writer throws(TokenError) in
      try writer.element(
        Self.name("ServiceName"), [(Self.language, "en")], text: displayName ?? entityID)
      for attribute in requestedAttributes {
        let format = AttributeNameFormat.byName.uri(of: attribute)
        try writer.element(
          Self.name("RequestedAttribute"),
          [(AttributeName.name, attribute), (AttributeName.nameFormat, format)])
      }
    }
  }

  private static let mdui = "urn:oasis:names:tc:SAML:metadata:ui"
  private static let language = ExpandedName("lang", in: "http://www.w3.org/XML/1998/namespace")
  private static let prefixes = [
    MetadataName.namespace: "md", mdui: "mdui", MetadataName.discovery: "idpdisc",
  ]

  private static func name(_ local: String) -> ExpandedName {
    ExpandedName(local, in: MetadataName.namespace)
  }
}
