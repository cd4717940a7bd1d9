public import TokenErrors

extension TokenError.Code {
  /// The codes of sessions and of the services at which the client signs in, family by family;
  /// `browserCodes` are among them.
  public static let clientCodes: [Self] = [
    session, client, mobileFoundation, mobileServices, opro,
  ].flatMap(\.self)
}
