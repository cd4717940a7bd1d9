public import Claims
public import SecurityKeys
public import TokenBasics
import XMLSecurity
import XMLTree

/// Federation metadata of a security token service (WS-Federation 1.2, 3.1): who it is, its keys, where people sign in,
/// and the types of the claims that it issues.
public struct SecurityTokenServiceMetadata: Sendable {
  /// The entity identifier: what its tokens name as their issuer.
  public var issuer: String
  /// The certificates of its signing keys, the current one first, then the next.
  public var certificates: [Certificate]
  /// The address of its passive sign-in.
  public var passive: String
  /// The address of its WS-Trust endpoint; nil to repeat that of the sign-in, which readers insist on.
  public var active: String?
  /// The types of claims that it issues.
  public var claimTypes: [ClaimType]
  /// The name that people see (`ServiceDisplayName`); nil for none.
  public var displayName: String?
  /// When the metadata ends; nil for no end.
  public var validUntil: Instant?

  /// Metadata of a service.
  public init(
    issuer: String, certificates: [Certificate], passive: String, claimTypes: [ClaimType] = []
  ) {
    self.issuer = issuer
    self.certificates = certificates
    self.passive = passive
    self.claimTypes = claimTypes
  }

  /// The `EntityDescriptor`, signed when there is a key. The digest does not cover what the prefix in its `xsi:type` means;
  /// readers tell the role by its `SecurityTokenServiceEndpoint`.
  ///
  /// - Parameters:
  ///   - id: Its identifier, which a signed one has.
  ///   - key: Signs it; nil where TLS has to carry it.
  /// - Throws: `policy.mint-empty`, `policy.mint-character`, `policy.mint-identifier`, `policy.mint-signature`.
  public func document(
    id: String = TokenDraft.unpredictableID(), signedWith key: SigningKey? = nil
  ) throws(TokenError) -> [UInt8] {
    try TokenDraft.checkName(issuer, "issuer")
    try TokenDraft.checkName(passive, "sign-in address")
    guard !certificates.isEmpty else { throw TokenError(.mintEmpty, node: "certificate") }
    let document = try MetadataDocument(
      issuer, id: key == nil ? nil : id, validUntil: validUntil, prefixes: Self.prefixes)
    return try document.octets(signedWith: key) { writer throws(TokenError) in
      try writer.element(
        MetadataName.roleDescriptor,
        [
          (AttributeName.xsiType, "fed:SecurityTokenServiceType"),
          (MetadataName.protocols, MetadataName.federation),
          (ExpandedName("ServiceDisplayName"), displayName),
        ], declaring: MetadataName.federation
      ) { writer throws(TokenError) in try writeRole(to: &writer) }
    }
  }

  /// The children in the order of the schema (WS-Federation 1.2, 3.1.2.1 and 3.1.2.2).
  private func writeRole(to writer: inout XMLWriter) throws(TokenError) {
    try MetadataDocument.write(certificates, for: "signing", to: &writer)
    try writer.element(Self.name("TokenTypesOffered")) { writer throws(TokenError) in
      for uri in ["urn:oasis:names:tc:SAML:2.0:assertion", "urn:oasis:names:tc:SAML:1.0:assertion"]
      {
        try writer.element(Self.name("TokenType"), [(ExpandedName("Uri"), uri)])
      }
    }
    if !claimTypes.isEmpty {
      try writer.element(Self.name("ClaimTypesOffered")) { writer throws(TokenError) in
        for type in claimTypes {
          try writer.element(
            ExpandedName("ClaimType", in: Self.authorization),
            [(ExpandedName("Uri"), type.name), (ExpandedName("Optional"), "true")])
        }
      }
    }
    for (name, address) in [
      ("SecurityTokenServiceEndpoint", active ?? passive), ("PassiveRequestorEndpoint", passive),
    ] {
      try writer.element(Self.name(name)) { writer throws(TokenError) in
        try writer.element(MetadataName.endpointReference) { writer throws(TokenError) in
          try writer.element(MetadataName.address, text: address)
        }
      }
    }
  }

  private static let authorization = "http://docs.oasis-open.org/wsfed/authorization/200706"
  private static let prefixes = [
    MetadataName.namespace: "md", MetadataName.federation: "fed", authorization: "auth",
    MetadataName.addressing: "wsa", AttributeName.xsi: "xsi",
  ].merging(SignatureWriter.prefixes) { first, _ in first }

  private static func name(_ local: String) -> ExpandedName {
    ExpandedName(local, in: MetadataName.federation)
  }
}
