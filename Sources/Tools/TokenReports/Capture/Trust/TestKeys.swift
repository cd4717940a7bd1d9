import Claims
import Octets
import SecurityKeys
import TokenBasics

/// The test keys of one capture: one for each key of the original, of the same kind and size.
final class TestKeys {
  /// What signs in place of one original key.
  enum Signer {
    case privateKey(PrivateKey)
    case secret(SymmetricKey, octets: [UInt8])
    case postQuantum(PostQuantumSigningKey, seed: [UInt8])
  }

  /// A key that may have signed the original.
  struct Candidate {
    let key: VerificationKey
    let signer: Signer
  }

  private var signers: [String: Signer] = [:]
  private var certificates: [[UInt8]: Certificate] = [:]
  private var recipients: [[UInt8]: PrivateKey] = [:]
  private var secrets: [[UInt8]: (key: SymmetricKey, octets: [UInt8])] = [:]

  /// The test key for an original one.
  ///
  /// - Throws: `key.unreadable` where OpenSSL makes none, `key.unsupported` for ML-DSA in a build that cannot use it.
  func signer(for key: VerificationKey) throws(TokenError) -> Signer {
    if let known = signers[key.fingerprint] { return known }
    let made: Signer
    switch key.material {
    case .secret(let secret):
      let octets = SystemRandom.octets(secret.byteCount)
      made = .secret(try SymmetricKey(bytes: octets), octets: octets)
    case .publicKey(let key): made = .privateKey(try Self.key(like: key))
    case .postQuantum(let key):
      let seed = SystemRandom.octets(PostQuantumSigningKey.seedLength)
      made = .postQuantum(try PostQuantumSigningKey(seed: seed, for: key.algorithm), seed: seed)
    case .certificate(let certificate):
      made = .privateKey(try Self.key(like: certificate.publicKey))
    }
    signers[key.fingerprint] = made
    return made
  }

  private static func key(like key: PublicKey) throws(TokenError) -> PrivateKey {
    switch key.kind {
    case .rsa(let bits, _): return try PrivateKey(generating: .rsa(bits: bits))
    case .ec:
      guard let kind = PrivateKey.NewKind(onCurveOf: key) else { throw TokenError(.unsupportedKey) }
      return try PrivateKey(generating: kind)
    case .ed25519: return try PrivateKey(generating: .ed25519)
    case .ed448: return try PrivateKey(generating: .ed448)
    case .x25519: return try PrivateKey(generating: .x25519)
    }
  }

  /// The test key's certificate in place of an original one, good for the same time.
  func certificate(for original: Certificate) throws(TokenError) -> Certificate {
    if let known = certificates[original.der] { return known }
    guard case .privateKey(let key) = try signer(for: .certificate(original)) else {
      throw TokenError(.unsupportedKey)
    }
    let made = try Certificate(
      selfSigning: key, name: "capture.example", notBefore: original.notBefore,
      notAfter: original.notAfter)
    certificates[original.der] = made
    return made
  }

  /// The keys that decrypt the capture, one in place of each of ours.
  func recipients(for originals: [PrivateKey]) throws(TokenError) -> [PrivateKey] {
    var made: [PrivateKey] = []
    for original in originals {
      let identity = original.publicKey.digest
      if let known = recipients[identity] {
        made.append(known)
        continue
      }
      let key = try Self.key(like: original.publicKey)
      recipients[identity] = key
      made.append(key)
    }
    return made
  }

  /// The secret that decrypts the capture in place of one of ours.
  func secret(for original: SymmetricKey) throws(TokenError) -> (key: SymmetricKey, octets: [UInt8])
  {
    if let known = secrets[original.digest] { return known }
    let octets = SystemRandom.octets(original.byteCount)
    let made = (key: try SymmetricKey(bytes: octets), octets: octets)
    secrets[original.digest] = made
    return made
  }

  /// The one to which encrypted parts are encrypted again.
  func recipient(for originals: [PrivateKey]) throws(TokenError) -> PrivateKey? {
    let keys = try recipients(for: originals)
    return keys.first { if case .rsa = $0.publicKey.kind { true } else { false } } ?? keys.first
  }
}
