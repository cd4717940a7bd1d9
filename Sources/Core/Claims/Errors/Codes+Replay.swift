public import TokenBasics

extension TokenError.Code {
  /// The token was used before.
  public static let replayUsed = Self(
    "replay.used",
    "the token was used before, and each is good for one use",
    hint: "sign in again; if the request was not repeated, another party has a copy of the token")
  /// The store of used tokens has no room for another.
  public static let replayStoreFull = Self(
    "replay.store-full",
    "the store of used tokens is full of tokens that are still valid",
    fault: .service, hint: "give it a higher capacity, or have issuers send tokens that end sooner")
  /// The token is older than what the store remembers.
  public static let replayOlderThanStore = Self(
    "replay.older-than-store",
    "the token is older than the store of used tokens, which cannot tell whether it was used",
    hint: "begin the sign-in again, or ask for a new token: the store is new or lost its content")
  package static let replay: [Self] = [.replayUsed, .replayStoreFull, .replayOlderThanStore]
}
