import Claims
import SecurityKeys
import TokenBasics
import XMLSecurity
import XMLTree

/// An `EntityDescriptor` as it is written: its attributes, the place of its signature, and the content of one role.
struct MetadataDocument {
  let entityID: String
  /// Its identifier; nil for one that is not signed and needs none.
  let id: String?
  let validUntil: Instant?
  let prefixes: [String: String]

  /// - Throws: `policy.mint-identifier`.
  init(
    _ entityID: String, id: String?, validUntil: Instant? = nil, prefixes: [String: String]
  ) throws(TokenError) {
    if let id { try XMLIdentifier.check(id, "id") }
    self.entityID = entityID
    self.id = id
    self.validUntil = validUntil
    self.prefixes = prefixes.merging(SignatureWriter.prefixes) { first, _ in first }
  }

  /// The octets; the signature, where there is a key, is the first child.
  ///
  /// - Throws: `policy.mint-character`, `policy.mint-signature`.
  func octets(
    signedWith key: SigningKey?, _ role: (inout XMLWriter) throws(TokenError) -> Void
  ) throws(TokenError) -> [UInt8] {
    let plain = try XMLWriter.fragment(
      MetadataName.entity,
      [
        (AttributeName.id, id), (MetadataName.entityID, entityID),
        (MetadataName.validUntil, validUntil?.withMilliseconds),
      ], prefixes: prefixes
    ) { writer throws(TokenError) in
      writer.leavePlaceForSignature()
      try role(&writer)
    }
    guard let key, let id else { return plain.octets }
    return try SignatureWriter(key).signed(plain, id: id).octets
  }

  /// Writes the certificates of a role, each with its use.
  ///
  /// - Throws: `policy.mint-character`.
  static func write(
    _ certificates: [Certificate], for use: String, to writer: inout XMLWriter
  ) throws(TokenError) {
    for certificate in certificates {
      try writer.element(MetadataName.keyDescriptor, [(MetadataName.use, use)]) {
        writer throws(TokenError) in
        try SignatureWriter.writeKeyInfo(certificate, to: &writer)
      }
    }
  }
}
