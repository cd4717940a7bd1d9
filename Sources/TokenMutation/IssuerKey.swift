public import SecurityKeys

/// The key that the issuer signs with, which makes variants possible that only the issuer could send.
public enum IssuerKey: Sendable {
  /// A private key.
  case privateKey(PrivateKey)
  /// The secret of an HMAC.
  case secret(SymmetricKey)

  /// What verifies its signatures.
  package var verificationKey: VerificationKey {
    switch self {
    case .privateKey(let key): .publicKey(key.publicKey)
    case .secret(let key): .secret(key)
    }
  }
}
