extension TokenError.Code {
  /// No token store.
  public static let clientIdentities = Self(
    "client.identities",
    "the service keeps no identities of its users",
    hint: "switch the token store of the app on")
  static let mobileServices: [Self] = [.clientIdentities]
}
