public import Claims
public import SecurityKeys
public import TokenBasics
import XMLSecurity
import XMLTree

/// SAML 2.0 metadata of an identity provider (SAML Metadata 2.4.3): who it is, where it signs people
/// in, and the certificates of the keys that it signs with.
///
/// To replace a key without refusals, the issuer publishes the next certificate beside the current one, waits
/// until relying parties have read it, signs with its key, and removes the old certificate last.
public struct IdentityProviderMetadata: Sendable {
  /// The entity identifier: what its assertions name as their issuer.
  public var entityID: String
  /// The certificates of its signing keys, the current one first, then the next.
  public var certificates: [Certificate]
  /// The address of its HTTP-Redirect sign-in.
  public var signOn: String
  /// The bindings of sign-in.
  public var signOnBindings: [SAMLBinding] = [.redirect]
  /// The address of single logout, over HTTP-Redirect and HTTP-POST; nil for none.
  public var logout: String?
  /// The formats of names that it issues.
  public var nameFormats: [String] = []
  /// Whether requests have to be signed.
  public var wantsSignedRequests = false
  /// Until when a reader may keep it; nil for as long as it likes.
  public var validUntil: Instant?

  /// Metadata of a provider.
  public init(
    entityID: String, certificates: [Certificate], signOn: String, validUntil: Instant? = nil
  ) {
    self.entityID = entityID
    self.certificates = certificates
    self.signOn = signOn
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
    try TokenDraft.checkName(signOn, "sign-on address")
    guard !certificates.isEmpty else { throw TokenError(.mintEmpty, node: "certificate") }
    let document = try MetadataDocument(
      entityID, id: id, validUntil: validUntil, prefixes: [MetadataName.namespace: "md"])
    return try document.octets(signedWith: key) { writer throws(TokenError) in
      try writer.element(
        Self.name("IDPSSODescriptor"),
        [
          (ExpandedName("protocolSupportEnumeration"), SAML2Name.protocolNamespace),
          (ExpandedName("WantAuthnRequestsSigned"), wantsSignedRequests ? "true" : nil),
        ]
      ) { writer throws(TokenError) in
        try MetadataDocument.write(certificates, for: "signing", to: &writer)
        // In the order of the schema.
        if let logout {
          for binding in [SAMLBinding.redirect, .post] {
            try writer.element(
              Self.name("SingleLogoutService"),
              [(MetadataName.binding, binding.rawValue), (MetadataName.location, logout)])
          }
        }
        for format in nameFormats {
          try writer.element(Self.name("NameIDFormat"), text: format)
        }
        for binding in signOnBindings {
          try writer.element(
            Self.name("SingleSignOnService"),
            [(MetadataName.binding, binding.rawValue), (MetadataName.location, signOn)])
        }
      }
    }
  }

  private static let namespace = "urn:oasis:names:tc:SAML:2.0:metadata"

  private static func name(_ local: String) -> ExpandedName { ExpandedName(local, in: namespace) }
}
