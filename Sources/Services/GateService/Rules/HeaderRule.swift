public import Federation

/// A header that tells the application who asks.
public struct HeaderRule: Sendable {
  /// The header's name.
  public let name: String
  /// The claim types whose values it carries, of which the first that is there counts.
  public let claims: [ClaimType]
  /// The only values to pass on; nil for all.
  public let only: [String]?

  /// A header for a claim.
  public init(name: String, claims: [ClaimType], only: [String]? = nil) {
    self.name = name
    self.claims = claims
    self.only = only
  }
}
