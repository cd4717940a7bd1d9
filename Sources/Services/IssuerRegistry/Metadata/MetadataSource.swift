/// Metadata at an address: its entities, its authentication and its schedule.
///
/// The address comes from configuration, never from a token or from other metadata.
public struct MetadataSource: Sendable {
  /// The address of the document.
  public let url: HTTPURL
  /// The wanted entities, compared byte for byte; nil for all in the document.
  public let entityIDs: [String]?
  /// How the document is authenticated.
  public let proof: MetadataProof
  /// The token formats for which the keys are trusted; SAML and JWT by default.
  public var formats: Set<TokenFormat> = [.saml11, .saml20, .jwt]
  /// Which claims of the issuers are returned; all by default.
  public var projection = ClaimProjection.all
  /// Makes the trusted key of a metadata key; by default without exceptions.
  public var trusting: @Sendable (VerificationKey) -> TrustedKey = { TrustedKey($0) }
  /// The maximum size in bytes; 1 MiB by default. Signed documents may have at most 10 MiB.
  public var maximumBytes = 1 << 20
  /// The time limit for one fetch, from connecting to the last byte; 30 seconds by default.
  public var timeout = Duration.seconds(30)
  /// The times of refreshes.
  public var schedule = RefreshSchedule()

  /// The metadata of one issuer.
  public init(_ url: HTTPURL, entityID: String, proof: MetadataProof) {
    self.url = url
    entityIDs = [entityID]
    self.proof = proof
  }

  /// The metadata of one issuer at a server of the Metadata Query Protocol: `GET base/entities/ENTITYID`, with the
  /// identifier percent-encoded (draft-young-md-query, 3.1; the SAML profile has the content type).
  ///
  /// - Parameters:
  ///   - base: The server's base address.
  ///   - entityID: The identifier of the issuer.
  ///   - signers: The keys of which one must have signed the answer.
  /// - Throws: `transport.malformed-address`.
  public static func query(
    _ base: HTTPURL, entityID: String, signedBy signers: [TrustedKey]
  ) throws(TokenError) -> Self {
    let separator = base.path.hasSuffix("/") ? "" : "/"
    let path = base.path + separator + "entities/" + HTTPURL.percentEncoded(entityID)
    return Self(try base.at(path: path), entityID: entityID, proof: .signature(signers))
  }

  /// The metadata of several issuers.
  ///
  /// - Parameters:
  ///   - url: The address of the aggregate.
  ///   - entityIDs: The wanted ones; nil for all.
  ///   - proof: What makes the document believed.
  public init(aggregateAt url: HTTPURL, entityIDs: [String]?, proof: MetadataProof) {
    self.url = url
    self.entityIDs = entityIDs
    self.proof = proof
  }
}

/// How fetched metadata is authenticated.
public enum MetadataProof: Sendable {
  /// By a signature over the whole document with one of these keys, which the configuration pins.
  case signature([TrustedKey])
  /// By TLS to the configured server, signed or not: the operator of that server, or an intruder,
  /// determines the keys.
  case server
}
