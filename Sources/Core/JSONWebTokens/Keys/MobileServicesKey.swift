public import SecurityKeys
public import TokenBasics

/// The signing key of Azure Mobile Services tokens (version 2).
public enum MobileServicesKey {
  /// The HS256 key that a service derives from its master key: SHA-256 of the master key's UTF-8 text
  /// and `JWTSig`, as raw bytes.
  ///
  /// - Throws: `key.unreadable` for an empty master key.
  public static func signingKey(masterKey: String) throws(TokenError) -> SymmetricKey {
    guard !masterKey.isEmpty,
      let digest = DigestAlgorithm.sha256.digest(of: Array((masterKey + "JWTSig").utf8))
    else { throw TokenError(.unreadableKey, expected: "a master key") }
    return try SymmetricKey(bytes: digest)
  }

  /// The `iss` of such tokens.
  public static let issuer = "urn:microsoft:windows-azure:zumo"
}
