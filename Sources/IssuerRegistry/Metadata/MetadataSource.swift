/// Metadata at an address: whose it is, why it is believed, and how often it is fetched.
///
/// The address comes from configuration, never from a token or from other metadata.
public struct MetadataSource: Sendable {
  /// The address of the document.
  public let url: HTTPURL
  /// The only entities that are wanted, byte for byte; nil for all that the document describes.
  public let entityIDs: [String]?
  /// How the document is authenticated.
  public let proof: MetadataProof
  /// What the keys vouch for: SAML and JWT.
  public var formats: Set<TokenFormat> = [.saml11, .saml20, .jwt]
  /// Which claims of the issuers are shown: all.
  public var projection = ClaimProjection.all
  /// Makes the trusted key of a key of the metadata: without exceptions.
  public var trusting: @Sendable (VerificationKey) -> TrustedKey = { TrustedKey($0) }
  /// The most bytes that are read: 1 MiB. With a signature to check, 10 MiB is the end.
  public var maximumBytes = 1 << 20
  /// Time for one fetch, from connecting to the last byte: 30 seconds.
  public var timeout = Duration.seconds(30)
  /// When the document is fetched again.
  public var schedule = RefreshSchedule()

  /// The metadata of one issuer.
  public init(_ url: HTTPURL, entityID: String, proof: MetadataProof) {
    self.url = url
    entityIDs = [entityID]
    self.proof = proof
  }

  /// The metadata of several issuers.
  ///
  /// - Parameter entityIDs: Those that are wanted; nil for all.
  public init(aggregateAt url: HTTPURL, entityIDs: [String]?, proof: MetadataProof) {
    self.url = url
    self.entityIDs = entityIDs
    self.proof = proof
  }
}
