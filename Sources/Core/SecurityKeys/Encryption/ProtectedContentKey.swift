/// The key of a content as a JSON Web Encryption carries it.
package struct ProtectedContentKey: Sendable {
  package let algorithm: KeyManagement
  package let encryption: ContentEncryption
  /// The encrypted key; empty where both sides have it.
  package let value: [UInt8]
  /// The sender's key of an agreement (`epk`).
  package let ephemeral: PublicKey?
  /// PartyUInfo and PartyVInfo of an agreement (`apu`, `apv`).
  package let parties: (u: [UInt8], v: [UInt8])
  /// IV and tag of a key that is encrypted in GCM.
  package let iv: [UInt8]
  package let tag: [UInt8]

  package init(
    _ algorithm: KeyManagement, _ encryption: ContentEncryption, value: [UInt8] = [],
    ephemeral: PublicKey? = nil, parties: (u: [UInt8], v: [UInt8]) = ([], []), iv: [UInt8] = [],
    tag: [UInt8] = []
  ) {
    self.algorithm = algorithm
    self.encryption = encryption
    self.value = value
    self.ephemeral = ephemeral
    self.parties = parties
    self.iv = iv
    self.tag = tag
  }

  /// Whether the type of `key` and what it is reserved for fit.
  package func fits(_ key: DecryptionKey) -> Bool {
    guard key.algorithm ?? algorithm == algorithm,
      key.encryption ?? encryption == encryption
    else { return false }
    switch (key.material, algorithm.method) {
    case (.privateKey(let key), .transport):
      guard case .rsa(let bits, _) = key.publicKey.kind else { return false }
      return value.count == (bits + 7) / 8
    case (.privateKey(let key), .agreement):
      return key.publicKey.kind.agrees && key.publicKey.kind == ephemeral?.kind
    case (.secret(let secret), _):
      return secret.byteCount == algorithm.secretLength(encryption)
    default:
      return false
    }
  }

  /// The kind and size of a key that fits, and the algorithm.
  package var fittingKey: String {
    let use = algorithm == .direct ? "\(algorithm.name) and \(encryption.name)" : algorithm.name
    let kind =
      switch algorithm.method {
      case .transport: "RSA-\(value.count * 8)"
      case .agreement: ephemeral?.kind.name ?? "a key on the sender's curve"
      case .wrap, .sealed, .direct:
        "a secret of \(algorithm.secretLength(encryption) ?? 0) bytes"
      }
    return "\(kind) with \(use)"
  }

  /// The key of the content. Where `key` does not open it that is a random one, with which the content fails as it
  /// does with a wrong one: a caller cannot tell one from the other (RFC 7516, 11.5).
  package func open(with key: DecryptionKey) -> [UInt8] {
    let random = encryption.newKey()
    guard let content = contentKey(key), content.count == encryption.keyLength else {
      return random
    }
    return content
  }

  private func contentKey(_ key: DecryptionKey) -> [UInt8]? {
    switch (key.material, algorithm.method) {
    case (.privateKey(let key), .transport(let transport)):
      return key.decrypt(value, transport, length: encryption.keyLength)
    case (.privateKey(let key), .agreement(let wrap)):
      guard let ephemeral else { return nil }
      let length = wrap?.keyLength ?? encryption.keyLength
      guard let agreed = key.agree(with: ephemeral, derivation(length), length: length) else {
        return nil
      }
      return wrap.map { $0.unwrap(value, with: agreed) } ?? agreed
    case (.secret(let secret), .wrap(let wrap)):
      return wrap.unwrap(value, with: secret.octets)
    case (.secret(let secret), .sealed(let cipher)):
      return cipher.decrypt(
        ContentEncryption.Sealed(iv: iv, ciphertext: value, tag: tag), key: secret.octets,
        associated: [])
    case (.secret(let secret), .direct):
      return secret.octets
    default:
      return nil
    }
  }

  /// The derivation of an agreed key (RFC 7518, 4.6.2): the name of what the key is for, the parties, and its length.
  private func derivation(_ length: Int) -> ConcatKDF {
    let name = algorithm == .ecdhES ? encryption.name : algorithm.name
    let info =
      Self.counted(Array(name.utf8)) + Self.counted(parties.u) + Self.counted(parties.v)
      + Self.octets(UInt32(truncatingIfNeeded: length * 8))
    return ConcatKDF(digest: .sha256, otherInfo: info)
  }

  private static func counted(_ octets: [UInt8]) -> [UInt8] {
    self.octets(UInt32(truncatingIfNeeded: octets.count)) + octets
  }

  private static func octets(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * $0)) }
  }
}

extension ProtectedContentKey {
  /// A content key, and the same as it travels to the recipient; nil when OpenSSL refuses, or the recipient's key is of
  /// another type.
  package static func make(
    for recipient: RecipientKey, _ algorithm: KeyManagement, _ encryption: ContentEncryption
  ) -> (key: [UInt8], protected: ProtectedContentKey)? {
    let key = encryption.newKey()
    switch (recipient, algorithm.method) {
    case (.publicKey(let recipient), .transport(let transport)):
      return recipient.encrypt(key, transport, allowsLegacy: true).map {
        (key, ProtectedContentKey(algorithm, encryption, value: $0))
      }
    case (.publicKey(let recipient), .agreement(let wrap)):
      return agreed(with: recipient, key, wrap, algorithm, encryption)
    case (.secret(let secret), .wrap(let wrap)):
      return wrap.wrap(key, with: secret.octets).map {
        (key, ProtectedContentKey(algorithm, encryption, value: $0))
      }
    case (.secret(let secret), .sealed(let cipher)):
      return cipher.encrypt(key, key: secret.octets, associated: []).map {
        (
          key,
          ProtectedContentKey(algorithm, encryption, value: $0.ciphertext, iv: $0.iv, tag: $0.tag)
        )
      }
    case (.secret(let secret), .direct):
      guard secret.byteCount == encryption.keyLength else { return nil }
      return (secret.octets, ProtectedContentKey(algorithm, encryption))
    default:
      return nil
    }
  }

  private static func agreed(
    with recipient: PublicKey, _ key: [UInt8], _ wrap: KeyWrap?, _ algorithm: KeyManagement,
    _ encryption: ContentEncryption
  ) -> (key: [UInt8], protected: ProtectedContentKey)? {
    guard let kind = PrivateKey.NewKind(onCurveOf: recipient),
      let sender = try? PrivateKey(generating: kind)
    else { return nil }
    let bare = ProtectedContentKey(algorithm, encryption, ephemeral: sender.publicKey)
    let length = wrap?.keyLength ?? encryption.keyLength
    guard
      let agreed = sender.agree(with: recipient, bare.derivation(length), length: length)
    else { return nil }
    guard let wrap else { return (agreed, bare) }
    return wrap.wrap(key, with: agreed).map {
      (
        key,
        ProtectedContentKey(algorithm, encryption, value: $0, ephemeral: sender.publicKey)
      )
    }
  }
}

/// The key to which a JSON Web Encryption is encrypted.
package enum RecipientKey: Sendable {
  case publicKey(PublicKey)
  case secret(SymmetricKey)
}
