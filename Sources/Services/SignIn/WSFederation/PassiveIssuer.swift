public import Federation
public import HTTPExchange

/// A security token service that signs people in by WS-Federation: its name and its endpoint. Its keys are
/// those of the trust.
public struct PassiveIssuer: Sendable {
  /// The name that its tokens carry as their issuer.
  public let entityID: String
  /// The passive requestor endpoint, for sign-in and sign-out.
  public let endpoint: HTTPURL
  /// The name to show to people.
  public let displayName: String

  /// A service at that endpoint.
  public init(entityID: String, endpoint: HTTPURL, displayName: String? = nil) {
    self.entityID = entityID
    self.endpoint = endpoint
    self.displayName = displayName ?? entityID
  }

  /// The service that federation metadata describes (WS-Federation 1.2, 3.1.2.3); nil without that role.
  ///
  /// - Throws: `signin.no-endpoint` without a usable `PassiveRequestorEndpoint`.
  public init?(_ entity: EntityDescriptor) throws(TokenError) {
    guard let role = entity.roles.first(where: { $0.kind == .securityTokenService }) else {
      return nil
    }
    let endpoint = role.endpoints.lazy.filter { $0.name == "PassiveRequestorEndpoint" }
      .compactMap { try? HTTPURL($0.location) }.first
    guard let endpoint else {
      throw TokenError(
        .signInNoEndpoint, node: "PassiveRequestorEndpoint", expected: "an https address",
        found: TokenError.excerpt(entity.entityID))
    }
    self.init(
      entityID: entity.entityID, endpoint: endpoint, displayName: role.displayNames.first?.name)
  }
}
