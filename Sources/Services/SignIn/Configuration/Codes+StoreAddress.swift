public import TokenBasics

extension TokenError.Code {
  /// The address of the store is malformed.
  public static let storeAddress = Self(
    "store.address", "the address of the shared store is refused",
    fault: .configuration,
    hint:
      "redis://user@host:6379/0, rediss:// with TLS, or unix:///path; the password is in its own file"
  )
  /// The codes of this module.
  public static let serviceConfigurationCodes: [Self] = [.storeAddress]
}
