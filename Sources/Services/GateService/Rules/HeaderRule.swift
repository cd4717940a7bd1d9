public import Federation

/// A header that tells the application who asks.
public struct HeaderRule: Sendable {
  /// The header's name.
  public let name: String
  /// The claim types whose values it carries, of which the first that is there counts.
  public let claims: [ClaimType]
  /// The only values to pass on; nil for all.
  public let only: [String]?
  /// The providers whose statements it carries; it is empty for people of others.
  public let counted: CountedProviders
  /// Where it is in the file.
  let place: String
  /// The claim as the file names it; empty where no file does.
  var claim = ""

  /// A header for a claim.
  public init(
    name: String, claims: [ClaimType], only: [String]? = nil, of counted: CountedProviders = .any
  ) {
    self.init(name: name, claims: claims, only: only, of: counted, place: "")
  }

  init(
    name: String, claims: [ClaimType], only: [String]?, of counted: CountedProviders,
    place: String
  ) {
    self.name = name
    self.claims = claims
    self.only = only
    self.counted = counted
    self.place = place
  }
}
