public import Claims

/// An identity provider as rules see it: its name, and the types of claims that it sends.
public struct ClaimOffer: Hashable, Sendable {
  /// The value of the identity provider claim, which is also `whr`.
  public let id: String
  /// The types, in the order of its documentation or metadata.
  public let types: [ClaimType]

  /// A provider of these types, such as those that federation metadata offers.
  public init(id: String, types: [ClaimType]) {
    self.id = id
    self.types = types
  }

  /// Windows Live ID: an identifier that differs from namespace to namespace, and nothing else.
  public static let windowsLive = Self(id: "uri:WindowsLiveID", types: [.nameIdentifier])
  /// Google.
  public static let google = Self(id: "Google", types: [.nameIdentifier, .emailAddress, .name])
  /// Yahoo!
  public static let yahoo = Self(id: "Yahoo!", types: [.nameIdentifier, .emailAddress, .name])

  /// A Facebook application: with the access token, and when that ends.
  public static func facebook(application: String) -> Self {
    Self(
      id: "Facebook-" + application,
      types: [
        .nameIdentifier, .emailAddress, .name, ClaimType(ClaimType.windowsPrefix + "expiration"),
        .facebookAccessToken,
      ])
  }
}
