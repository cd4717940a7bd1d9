import Claims
public import SecurityKeys
public import TokenBasics
import XMLSecurity
import XMLTree

/// Federation metadata of a WS-Federation relying party (WS-Federation 1.2, 3.1): its realm, where tokens are posted,
/// and the certificates for which they are encrypted.
public struct ApplicationServiceMetadata: Sendable {
  /// The entity identifier: the realm, as issuers look a relying party up by it.
  public var realm: String
  /// The address to which tokens are posted.
  public var reply: String
  /// The certificates for which tokens are encrypted, the current one first.
  public var encryptionCertificates: [Certificate]

  /// Metadata of a relying party.
  public init(realm: String, reply: String, encryptionCertificates: [Certificate] = []) {
    self.realm = realm
    self.reply = reply
    self.encryptionCertificates = encryptionCertificates
  }

  /// The `EntityDescriptor`, unsigned: the prefix in its `xsi:type` has no place in what a signature would cover,
  /// so TLS has to carry it.
  ///
  /// - Throws: `policy.mint-empty`, `policy.mint-character`.
  public func document() throws(TokenError) -> [UInt8] {
    try TokenDraft.checkName(realm, "realm")
    try TokenDraft.checkName(reply, "reply address")
    let document = try MetadataDocument(realm, id: nil, prefixes: Self.prefixes)
    return try document.octets(signedWith: nil) { writer throws(TokenError) in
      try writer.element(
        MetadataName.roleDescriptor,
        [
          (AttributeName.xsiType, "fed:ApplicationServiceType"),
          (MetadataName.protocols, MetadataName.federation),
        ], declaring: MetadataName.federation
      ) { writer throws(TokenError) in try writeRole(to: &writer) }
    }
  }

  /// The children in the order of the schema (WS-Federation 1.2, 3.1.2.2).
  private func writeRole(to writer: inout XMLWriter) throws(TokenError) {
    try MetadataDocument.write(encryptionCertificates, for: "encryption", to: &writer)
    try Self.reference(realm, inside: "TargetScopes", &writer)
    try Self.reference(reply, inside: "PassiveRequestorEndpoint", &writer)
  }

  private static func reference(
    _ address: String, inside name: String, _ writer: inout XMLWriter
  ) throws(TokenError) {
    try writer.element(ExpandedName(name, in: MetadataName.federation)) {
      writer throws(TokenError) in
      try writer.element(MetadataName.endpointReference) { writer throws(TokenError) in
        try writer.element(MetadataName.address, text: address)
      }
    }
  }

  private static let prefixes = [
    MetadataName.namespace: "md", MetadataName.federation: "fed",
    MetadataName.addressing: "wsa",
    AttributeName.xsi: "xsi",
  ].merging(SignatureWriter.prefixes) { first, _ in first }
}
