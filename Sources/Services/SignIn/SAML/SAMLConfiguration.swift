import HTTPExchange
import SecurityKeys
package import TokenBasics

/// A provider's entry of SAML 2.0.
package struct SAMLConfiguration: ProtocolConfiguration {
  package static let member = "saml"

  package let metadata: MetadataLocation
  /// Whether answers come as artifacts.
  package let usesArtifacts: Bool

  package init?(_ value: JSONValue, _ file: inout MemberReader) {
    file.members(value, MetadataLocation.members + ["binding"])
    let binding = file.text(value["binding"]) ?? "post"
    if !["post", "artifact"].contains(binding) {
      file.refuse(value["binding"] ?? value, "post or artifact")
    }
    guard let metadata = MetadataLocation(value, &file) else { return nil }
    self.metadata = metadata
    usesArtifacts = binding == "artifact"
  }

  package var metadataFile: String? { metadata.fileName }

  package func provider(
    _ provider: ProviderConfiguration, _ service: ConfiguredService, at now: Instant
  ) throws(TokenError) -> SignInProvider {
    var own = service.saml
    if usesArtifacts {
      own.answerBinding = .artifact
      own.backChannel = try service.boundary(of: provider)
    }
    switch try metadata.found(in: service.folder) {
    case .document(let octets, let signers, let entityID):
      return try .saml(
        id: provider.id, name: provider.name, metadata: octets, signedBy: signers,
        entityID: entityID, service: own, at: now)
    case .source(let source, let copy):
      return try .saml(
        id: provider.id, name: provider.name, source: source,
        transport: service.boundary(of: provider).forDocuments, copy: copy, service: own,
        observer: service.observer)
    }
  }
}
