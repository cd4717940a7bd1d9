public import TokenBasics

extension TokenError.Code {
  /// A message from a browser has a parameter twice.
  public static let clientDuplicateParameter = Self(
    "client.duplicate-parameter",
    "a parameter is in the message twice, or in its query and its body",
    hint: "two readers would disagree about its value, so the message is refused")
  /// A form or query is not well formed.
  public static let clientMalformedForm = Self(
    "client.malformed-form",
    "the form or query is not name=value pairs with plain names",
    hint: "names are letters, digits, '-', '_' and '.'; values are percent-encoded UTF-8")
  /// The method or the type of content is another.
  public static let clientContentType = Self(
    "client.content-type",
    "the message has another method or type of content than its protocol prescribes",
    hint: "a proxy, an error page or an attack; nothing in it was read")
  /// A parameter that the protocol demands is missing or means something else.
  public static let clientParameter = Self(
    "client.parameter",
    "a parameter is missing or has a value that the protocol does not allow here",
    hint: "compare the message with the protocol that the node names")
  /// The answer belongs to no request of ours.
  public static let clientState = Self(
    "client.state",
    "the answer belongs to no sign-in that was begun here, or to one that is used up or too old",
    hint:
      "begin again; an unsolicited answer can sign the person in to an attacker's account")
  /// A place to return to after sign-in that is not on this site.
  public static let clientReturnTarget = Self(
    "client.return-target",
    "the place to return to is not a path of this site or a registered address",
    hint: "a path begins with exactly one '/', and has no scheme, host or control character")
  /// The codes of this module: a message of a browser that cannot be read, or belongs to no sign-in.
  public static let browserCodes: [Self] = [
    .clientDuplicateParameter, .clientMalformedForm, .clientContentType, .clientParameter,
    .clientState, .clientReturnTarget,
  ]
}

extension TokenError.Code {
  /// Code of the application that was to renew the credential failed.
  public static let sessionRenewalFailed = Self(
    "session.renewal-failed",
    "the application's own renewal threw an error that is not of this package",
    hint: "TokenError.underlying is that error; the session stays as it is")
}
