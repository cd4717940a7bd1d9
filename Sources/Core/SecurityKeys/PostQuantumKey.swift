import Octets
public import TokenBasics

/// A public key of ML-DSA (FIPS 204). Builds without trait PostQuantum can make none.
public struct PostQuantumKey: Sendable {
  /// The one algorithm of the key.
  public let algorithm: SignatureAlgorithm
  private let key: ModuleLatticePublicKey
  /// SHA-256 over the DER of the SubjectPublicKeyInfo.
  package let digest: [UInt8]

  /// A key as FIPS 204 encodes it.
  ///
  /// - Throws: `key.unsupported` for an algorithm that this build cannot use, `key.unreadable` for octets of another
  ///   length.
  public init(_ octets: [UInt8], for algorithm: SignatureAlgorithm) throws(TokenError) {
    guard let set = algorithm.moduleLatticeSet, set.isAvailable else {
      throw Self.unavailable(algorithm)
    }
    guard let key = ModuleLatticePublicKey(set, octets) else {
      throw TokenError(
        .unreadableKey, expected: "\(set.publicKeyLength) bytes", found: "\(octets.count) bytes")
    }
    self.init(key, algorithm)
  }

  fileprivate init(_ key: ModuleLatticePublicKey, _ algorithm: SignatureAlgorithm) {
    self.key = key
    self.algorithm = algorithm
    // 2.16.840.1.101.3.4.3.17 and the two behind it (RFC 9881, 2).
    let last: UInt8 = key.set == .mlDSA44 ? 17 : key.set == .mlDSA65 ? 18 : 19
    let identifier: [UInt8] = [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, last]
    let info = ASN1.sequence(ASN1.sequence(identifier) + ASN1.bitString(key.octets))
    digest = DigestAlgorithm.sha256.digest(of: info) ?? []
  }

  fileprivate static func unavailable(_ algorithm: SignatureAlgorithm) -> TokenError {
    TokenError(
      .unsupportedKey, expected: "an algorithm that this build can use",
      found: algorithm.nameInJOSE,
      hint:
        "ML-DSA-65 and ML-DSA-87 need a build with trait PostQuantum; claims --version --json lists what this one can"
    )
  }

  /// The key as FIPS 204 encodes it.
  package var octets: [UInt8] { key.octets }

  /// Whether `signature` is this key's over `message`.
  package func isValid(_ signature: Span<UInt8>, for message: Span<UInt8>) -> Bool {
    let signature = unsafe signature.withUnsafeBufferPointer { unsafe Array($0) }
    let message = unsafe message.withUnsafeBufferPointer { unsafe Array($0) }
    return key.isValid(signature, for: message)
  }
}

/// A private key of ML-DSA that signs JSON Web Tokens. It cannot be read back or printed.
public struct PostQuantumSigningKey: Sendable {
  /// The public half, with the algorithm.
  public let publicKey: PostQuantumKey
  private let key: ModuleLatticePrivateKey

  /// Bytes of a seed.
  package static var seedLength: Int { ModuleLatticePrivateKey.seedLength }

  /// The key of a seed of 32 bytes (FIPS 204, algorithm 1).
  ///
  /// - Throws: `key.unsupported` for an algorithm that this build cannot use, `key.unreadable` for a seed of another
  ///   length.
  public init(seed: [UInt8], for algorithm: SignatureAlgorithm) throws(TokenError) {
    guard let set = algorithm.moduleLatticeSet, set.isAvailable else {
      throw PostQuantumKey.unavailable(algorithm)
    }
    guard let key = ModuleLatticePrivateKey(set, seed: seed) else {
      throw TokenError(
        .unreadableKey, expected: "a seed of \(ModuleLatticePrivateKey.seedLength) bytes",
        found: "\(seed.count) bytes")
    }
    self.key = key
    publicKey = PostQuantumKey(key.publicKey, algorithm)
  }

  /// The signature of `message`.
  ///
  /// - Throws: `policy.mint-signature`.
  package func sign(_ message: [UInt8]) throws(TokenError) -> [UInt8] {
    guard let signature = key.sign(message) else {
      throw TokenError(.mintSignature, found: publicKey.algorithm.name)
    }
    return signature
  }
}
