#if PostQuantum
  import Crypto
  import FoundationEssentials
#endif

/// A parameter set of ML-DSA (FIPS 204, 4).
package enum ModuleLatticeSet: Int, CaseIterable, Hashable, Sendable {
  case mlDSA44 = 44
  case mlDSA65 = 65
  case mlDSA87 = 87

  /// The length of a public key in bytes (FIPS 204, table 2).
  package var publicKeyLength: Int {
    switch self {
    case .mlDSA44: 1312
    case .mlDSA65: 1952
    case .mlDSA87: 2592
    }
  }

  /// The length of a signature in bytes.
  package var signatureLength: Int {
    switch self {
    case .mlDSA44: 2420
    case .mlDSA65: 3309
    case .mlDSA87: 4627
    }
  }

  /// Whether this build can use it. swift-crypto has two of the three, and only trait PostQuantum fetches it.
  package var isAvailable: Bool {
    #if PostQuantum
      self != .mlDSA44
    #else
      false
    #endif
  }
}

/// A public key of ML-DSA, decoded (FIPS 204).
package struct ModuleLatticePublicKey: Sendable {
  package let set: ModuleLatticeSet
  /// The key as FIPS 204 encodes it.
  package let octets: [UInt8]

  #if PostQuantum
    private enum Decoded: Sendable {
      case mlDSA65(MLDSA65.PublicKey)
      case mlDSA87(MLDSA87.PublicKey)
    }
    private let decoded: Decoded
  #endif

  /// Nil for octets of another length, and for a set that this build cannot use.
  package init?(_ set: ModuleLatticeSet, _ octets: [UInt8]) {
    guard set.isAvailable, octets.count == set.publicKeyLength else { return nil }
    self.set = set
    self.octets = octets
    #if PostQuantum
      switch set {
      case .mlDSA44: return nil
      case .mlDSA65:
        guard let key = try? MLDSA65.PublicKey(rawRepresentation: octets) else { return nil }
        decoded = .mlDSA65(key)
      case .mlDSA87:
        guard let key = try? MLDSA87.PublicKey(rawRepresentation: octets) else { return nil }
        decoded = .mlDSA87(key)
      }
    #endif
  }

  /// Whether `signature` is this key's over `message`, with an empty context (RFC 9964, 3).
  package func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
    guard signature.count == set.signatureLength else { return false }
    #if PostQuantum
      switch decoded {
      case .mlDSA65(let key): return key.isValidSignature(signature, for: message)
      case .mlDSA87(let key): return key.isValidSignature(signature, for: message)
      }
    #else
      return false
    #endif
  }
}

/// A private key of ML-DSA, by its seed. It cannot be read back or printed.
package struct ModuleLatticePrivateKey: Sendable {
  package let publicKey: ModuleLatticePublicKey

  #if PostQuantum
    private enum Decoded: Sendable {
      case mlDSA65(MLDSA65.PrivateKey)
      case mlDSA87(MLDSA87.PrivateKey)
    }
    private let decoded: Decoded
  #endif

  /// Nil for a seed of another length than 32 bytes, and for a set that this build cannot use.
  package init?(_ set: ModuleLatticeSet, seed: [UInt8]) {
    guard set.isAvailable, seed.count == Self.seedLength else { return nil }
    #if PostQuantum
      switch set {
      case .mlDSA44: return nil
      case .mlDSA65:
        guard let key = try? MLDSA65.PrivateKey(seedRepresentation: seed, publicKey: nil),
          let half = ModuleLatticePublicKey(set, [UInt8](key.publicKey.rawRepresentation))
        else { return nil }
        decoded = .mlDSA65(key)
        publicKey = half
      case .mlDSA87:
        guard let key = try? MLDSA87.PrivateKey(seedRepresentation: seed, publicKey: nil),
          let half = ModuleLatticePublicKey(set, [UInt8](key.publicKey.rawRepresentation))
        else { return nil }
        decoded = .mlDSA87(key)
        publicKey = half
      }
    #else
      return nil
    #endif
  }

  /// In bytes (FIPS 204, algorithm 1).
  package static let seedLength = 32

  /// The signature of `message`, with an empty context; nil when swift-crypto fails. It is randomised.
  package func sign(_ message: [UInt8]) -> [UInt8]? {
    #if PostQuantum
      switch decoded {
      case .mlDSA65(let key): return (try? key.signature(for: message)).map { [UInt8]($0) }
      case .mlDSA87(let key): return (try? key.signature(for: message)).map { [UInt8]($0) }
      }
    #else
      return nil
    #endif
  }
}
