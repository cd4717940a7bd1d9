public import TokenErrors

extension TokenError.Code {
  /// No token store.
  public static let clientIdentities = Self(
    "client.identities",
    "the service keeps no identities of its users",
    hint: "switch the token store of the app on")
  /// No, in the service's own words.
  public static let clientSignInRefused = Self(
    "client.sign-in-refused",
    "the service refused the sign-in",
    hint: "its own words say why; they are for the person and nothing to compare with")
  package static let mobileServices: [Self] = [.clientIdentities, .clientSignInRefused]
}
