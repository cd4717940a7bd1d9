import HTTPExchange
import SecurityKeys
package import TokenBasics

/// A provider's entry of WS-Federation.
package struct WSFederationConfiguration: ProtocolConfiguration {
  package static let member = "wsFederation"

  package let metadata: MetadataLocation
  /// Our name at the provider (`wtrealm`).
  package let realm: String

  package init?(_ value: JSONValue, _ file: inout MemberReader) {
    file.members(value, MetadataLocation.members + ["realm"])
    guard let metadata = MetadataLocation(value, &file),
      let realm = file.text(value["realm"]) ?? file.required(value, "realm")
    else { return nil }
    self.metadata = metadata
    self.realm = realm
  }

  package var metadataFile: String? { metadata.fileName }

  package func provider(
    _ provider: ProviderConfiguration, _ service: ConfiguredService, at now: Instant
  ) throws(TokenError) -> SignInProvider {
    let party = try PassiveRelyingParty(
      realm: realm, reply: service.settings.address("wsfed"), decryptionKeys: service.keys,
      encryptionCertificates: service.keys.isEmpty ? [] : service.saml.encryptionCertificates)
    switch try metadata.found(in: service.folder) {
    case .document(let octets, let signers, let entityID):
      return try .wsFederation(
        id: provider.id, name: provider.name, metadata: octets, signedBy: signers,
        entityID: entityID, party: party, at: now)
    case .source(let source, let copy):
      return try .wsFederation(
        id: provider.id, name: provider.name, source: source,
        transport: service.boundary(of: provider).forDocuments, copy: copy, party: party,
        observer: service.observer)
    }
  }
}
