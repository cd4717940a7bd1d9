import LocalFiles
import SAML

/// Whom metadata are about.
struct MetadataContent: Sendable {
  var name: String
  var certificates: [Certificate]
  var validUntil: Instant?
}

extension RogueProvider {
  /// The metadata of a provider, honest or lying.
  ///
  /// - Throws: `policy.mint-*`.
  func metadata(
    of party: ProviderParty, isPassive: Bool, at now: Instant
  ) throws(TokenError) -> [UInt8] {
    let lie = self.lie(of: party)
    var content = MetadataContent(
      name: lie == .otherName ? configuration.another : configuration.issuer(of: party),
      certificates: [keys.pair(party.key).certificate])
    if lie == .expired {
      content.certificates.append(keys.other.certificate)
      content.validUntil = now.advanced(bySeconds: -86_400)
    }
    let text = try document(of: party, content, isPassive)
    guard lie == .otherRole || lie == .encryptionKey || lie == .otherEntity else {
      return Array(text.utf8)
    }
    let other = try document(
      of: party,
      MetadataContent(name: configuration.another, certificates: [keys.other.certificate]),
      isPassive)
    return Array(Self.joined(text, other, lie).utf8)
  }

  private func document(
    of party: ProviderParty, _ content: MetadataContent, _ isPassive: Bool
  ) throws(TokenError) -> String {
    String(
      decoding: try isPassive
        ? passiveMetadata(of: party, content) : samlMetadata(of: party, content), as: UTF8.self)
  }

  private static let keyEnd = "</md:KeyDescriptor>"
  private static let entityEnd = "</md:EntityDescriptor>"
  private static let metadataNamespace = "urn:oasis:names:tc:SAML:2.0:metadata"

  /// A document, with the key of another one where it must not count.
  private static func joined(_ text: String, _ other: String, _ lie: DocumentLie?) -> String {
    guard lie != .otherEntity else {
      return "<md:EntitiesDescriptor xmlns:md=\"\(metadataNamespace)\">\(text)\(other)"
        + "</md:EntitiesDescriptor>"
    }
    guard let start = other.firstRange(of: "<md:KeyDescriptor"),
      let end = other.firstRange(of: keyEnd), start.lowerBound < end.upperBound
    else { return text }
    let key = String(other[start.lowerBound..<end.upperBound])
    guard lie == .otherRole else {
      let encrypting = key.replacing("use=\"signing\"", with: "use=\"encryption\"")
      return text.replacing(keyEnd, with: keyEnd + encrypting, maxReplacements: 1)
    }
    let role =
      "<md:SPSSODescriptor protocolSupportEnumeration=\"urn:oasis:names:tc:SAML:2.0:protocol\">\(key)"
      + "<md:AssertionConsumerService Binding=\"\(SAMLBinding.post.rawValue)\" "
      + "Location=\"http://127.0.0.1:1/\" index=\"0\"/></md:SPSSODescriptor>"
    return text.replacing(entityEnd, with: role + entityEnd, maxReplacements: 1)
  }
}
