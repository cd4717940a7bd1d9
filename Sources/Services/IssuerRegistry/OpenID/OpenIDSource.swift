/// An OpenID provider: its issuer, where its configuration is, and when it is fetched.
///
/// The issuer comes from configuration, never from a token or a request.
public struct OpenIDSource: Sendable {
  /// The issuer's identifier, as its tokens name it; compared byte for byte.
  public let issuer: String
  /// The address of the configuration: the issuer with `/.well-known/openid-configuration` added
  /// (OpenID Connect Discovery 1.0, 4).
  public let url: HTTPURL
  /// Which claims of the issuer are returned; all by default.
  public var projection = ClaimProjection.all
  /// The maximum size of either document in bytes; 1 MiB by default.
  public var maximumBytes = 1 << 20
  /// The time limit for fetching either document; 30 seconds by default.
  public var timeout = Duration.seconds(30)
  /// The times of refreshes.
  public var schedule = RefreshSchedule()

  /// The provider with that issuer.
  /// - Throws: `transport.malformed-address`, `transport.insecure-address` for an issuer that is no https
  ///   address (http on loopback), or has a query.
  public init(issuer: String) throws(TokenError) {
    let address = try HTTPURL(issuer)
    guard address.query == nil else {
      throw TokenError(.transportMalformedAddress, expected: "an issuer without a query")
    }
    let path = address.path.hasSuffix("/") ? String(address.path.dropLast()) : address.path
    self.issuer = issuer
    url = try address.at(path: path + "/.well-known/openid-configuration")
  }
}
