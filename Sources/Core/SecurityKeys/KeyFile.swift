import TokenBasics

/// What a file is that was named as a key and cannot be read as one.
enum KeyFile {
  /// `error`, which a file gave where a key is meant, with what the file is.
  static func error(_ error: TokenError, _ bytes: [UInt8], at place: TextPlace) -> TokenError {
    guard error.code == .unreadableKey else { return error }
    let general =
      place == .privateKey
      ? "PEM or DER, without a passphrase: PKCS #8, or the traditional form of RSA and EC keys"
      : nil
    return RecognisedText.fileError(error, bytes, at: place, general: general)
  }
}
