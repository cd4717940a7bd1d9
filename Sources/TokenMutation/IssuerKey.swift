public import SecurityKeys

/// The issuer's signing key, for variants that only the issuer could send.
public enum IssuerKey: Sendable {
  /// A private key.
  case privateKey(PrivateKey)
  /// The secret of an HMAC.
  case secret(SymmetricKey)

  /// The key that verifies its signatures.
  package var verificationKey: VerificationKey {
    switch self {
    case .privateKey(let key): .publicKey(key.publicKey)
    case .secret(let key): .secret(key)
    }
  }
}
