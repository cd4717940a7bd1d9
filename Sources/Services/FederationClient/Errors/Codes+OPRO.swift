public import TokenErrors

extension TokenError.Code {
  /// The application is unknown.
  public static let clientApplication = Self(
    "client.application",
    "the server does not know the client id, or the secret is not its own",
    hint: "compare both with the page of the application at the server")
  /// The user name or the password is wrong.
  public static let clientPassword = Self(
    "client.password",
    "the user name or the password is wrong, or the application may not trade passwords",
    hint: "try again; if it is right, the server's owner has to allow the password exchange")
  /// A code that is used up.
  public static let clientCode = Self(
    "client.code",
    "the authorization code is unknown or was used",
    hint: "begin again in the browser; a code works once")
  /// The person did not grant this.
  public static let clientPermission = Self(
    "client.permission",
    "the person did not grant the permission that the request needs",
    hint: "send the person through the consent page again, with that permission")
  /// Too many requests.
  public static let clientRateLimited = Self(
    "client.rate-limited",
    "the service takes no more requests of this application for now",
    hint: "wait; the service does not say for how long")
  package static let opro: [Self] = [
    .clientApplication, .clientPassword, .clientCode, .clientPermission, .clientRateLimited,
  ]
}
