extension TokenError.Code {
  /// The token is encrypted and no decryption key is configured.
  public static let noDecryptionKey = Self(
    "encryption.no-key",
    "the token is encrypted and no decryption key is configured",
    hint:
      "decryption is not part of this release")
  static let encryption: [Self] = [
    .noDecryptionKey
  ]
}
