import HTTPExchange
public import TokenErrors

extension TokenError.Code {
  /// The sign-in took too long.
  public static let clientTimeout = Self(
    "client.timeout",
    "the sign-in was not finished in time",
    hint: "begin again, and finish in the browser that opens")
  /// No such identity provider.
  public static let clientProvider = Self(
    "client.provider",
    "there is no identity provider of that name or for that address",
    hint: "choose one of the providers that the service lists")
  /// The person signed in at another identity provider than the chosen one.
  public static let clientOtherProvider = Self(
    "client.other-provider",
    "the sign-in was made at another identity provider than the one that was chosen",
    hint: "begin again; if it happens again, an attacker may be replacing the person who signs in"
  )
  package static let client: [Self] =
    browserCodes + [.clientTimeout, .clientProvider, .clientOtherProvider] + accessControl
}

extension TokenError.Code {
  /// The codes of sessions and of the services at which the client signs in, family by family;
  /// `browserCodes` are among them.
  public static let clientCodes: [Self] = [
    session, client, mobileFoundation, mobileServices, opro,
  ].flatMap(\.self)
}
