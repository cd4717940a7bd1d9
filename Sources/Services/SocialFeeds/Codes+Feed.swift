public import TokenBasics

extension TokenError.Code {
  /// Wrong name or password.
  public static let feedCredentials = Self(
    "feed.credentials",
    "the service does not take the name and the password",
    hint: "check both; where the service has app passwords, make a new one there")
  /// Expired, revoked or unknown.
  public static let feedTokenExpired = Self(
    "feed.token-expired",
    "the service no longer takes the access token",
    hint: "sign in again, or renew the token; nothing was posted")
  /// The token may not post here.
  public static let feedPermission = Self(
    "feed.permission",
    "the access token lacks the permission to post",
    hint: "ask the person for the permission; the documentation of the service names it")
  /// Too many posts.
  public static let feedRateLimited = Self(
    "feed.rate-limited",
    "the service takes no more posts for now",
    hint: "wait until the time shown; trying earlier makes the wait longer")
  /// The same post was published before.
  public static let feedDuplicate = Self(
    "feed.duplicate",
    "the service has this post already",
    hint: "after an unknown outcome this means that the first try succeeded")
  /// Longer than the service takes.
  public static let feedTooLong = Self(
    "feed.too-long",
    "the text is longer than the service takes",
    hint: "shorten it; the length is counted as the service counts it")
  /// Not wanted.
  public static let feedRejected = Self(
    "feed.rejected",
    "the service refuses the post",
    hint: "change the post or the configuration; the same post will be refused again")
  /// A person must act on the site.
  public static let feedBlocked = Self(
    "feed.blocked",
    "the service blocks the account or the app from posting",
    hint: "the person has to look at the service's site; trying again does not help")
  /// Down.
  public static let feedUnavailable = Self(
    "feed.unavailable",
    "the service is not available, and nothing was posted",
    hint: "try again later")
  /// Perhaps posted.
  public static let feedUnknownOutcome = Self(
    "feed.unknown-outcome",
    "the connection or the service failed while posting; the post may or may not be published",
    hint: "look at the feed before trying again, or try again with the same attempt where allowed")
  /// A name without a value.
  public static let feedTemplate = Self(
    "feed.template",
    "the template of the text names a value that is not given",
    hint: "give a value for each {name}, and close each brace")
  /// The codes of this module: why a feed did not take a post.
  public static let feedCodes: [Self] = [
    .feedCredentials, .feedTokenExpired, .feedPermission, .feedRateLimited, .feedDuplicate,
    .feedTooLong,
    .feedRejected, .feedBlocked, .feedUnavailable, .feedUnknownOutcome, .feedTemplate,
  ]
}
