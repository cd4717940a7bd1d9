extension TokenError.Code {
  /// A time is not written as its format demands.
  public static let malformedTime = Self(
    "time.malformed",
    "a time is not written as its format demands",
    hint:
      "xs:dateTime with a time zone, or 1 to 12 digits of seconds")
  /// A duration is not written as XML Schema demands.
  public static let malformedDuration = Self(
    "time.malformed-duration",
    "a duration is not written as XML Schema demands",
    hint:
      "xs:duration, such as PT6H or P7D")
  /// The token has expired.
  public static let expired = Self(
    "time.expired",
    "the token has expired",
    hint:
      "sign in again; for an old recording verify at the instant of its time; when the token is fresh, one of the "
      + "two clocks is wrong: set it, or widen the allowed skew, up to 600 seconds"
  )
  /// The token is not valid yet.
  public static let notYetValid = Self(
    "time.not-yet-valid",
    "the token is not valid yet",
    hint:
      "compare both clocks; the allowed skew is at most 600 seconds")
  /// The token never expires.
  public static let noExpiry = Self(
    "time.no-expiry",
    "the token never expires",
    hint:
      "the issuer must say until when it is valid")
  /// The token ends before it begins.
  public static let emptyWindow = Self(
    "time.empty-window",
    "the token ends before it begins",
    hint:
      "the issuer wrote NotBefore not before NotOnOrAfter")
  /// The token was issued in the future.
  public static let issuedInFuture = Self(
    "time.issued-in-future",
    "the token was issued in the future",
    hint:
      "compare both clocks; the allowed skew is at most 600 seconds")
  /// The session at the issuer has ended.
  public static let sessionEnded = Self(
    "time.session-ended",
    "the session at the issuer has ended",
    hint:
      "the user must sign in again (SessionNotOnOrAfter)")
  /// The user signed in in the future.
  public static let authenticatedInFuture = Self(
    "time.authenticated-in-future",
    "the user signed in in the future",
    hint:
      "compare both clocks; the allowed skew is at most 600 seconds")
  package static let time: [Self] = [
    .malformedTime,
    .malformedDuration,
    .expired,
    .notYetValid,
    .noExpiry,
    .emptyWindow,
    .issuedInFuture,
    .sessionEnded,
    .authenticatedInFuture,
  ]
}
