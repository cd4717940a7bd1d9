package import SecurityKeys
package import TokenBasics
package import XMLTree

/// Decrypts the parts of one message, with one bound on all its private-key operations.
package struct Decryptor: Sendable {
  /// The decrypted octets, and what the report contains about them.
  package struct Plaintext: Sendable {
    package let octets: [UInt8]
    package let cipher: ContentCipher
    /// The legacy exceptions that were used.
    package let exceptions: [LegacyException]

    package var warnings: [String] {
      let unauthenticated =
        cipher.isAuthenticated
        ? [] : ["encryption: \(cipher.name) does not notice changes; AES-GCM does"]
      return exceptions.map { "legacy: \($0.name) was allowed by name" } + unauthenticated
    }
  }

  private let keys: [PrivateKey]
  private let secrets: [[UInt8]]
  private let exceptions: Set<LegacyException>
  private var operationsLeft: Int

  /// - Parameter secrets: Keys that both sides share, used as content keys and to unwrap them.
  package init(
    keys: [PrivateKey], secrets: [[UInt8]] = [], exceptions: Set<LegacyException>, limits: Limits
  ) {
    self.keys = keys
    self.secrets = secrets
    self.exceptions = exceptions
    operationsLeft = limits.privateKeyOperations
  }

  /// Whether there is any decryption key.
  package var hasKeys: Bool { !keys.isEmpty || !secrets.isEmpty }

  /// The plaintext of `data`.
  ///
  /// Everything that is not encrypted is checked before a private key is used. Whatever depends on a
  /// key fails with one and the same error.
  ///
  /// - Throws: `encryption.no-key`, `encryption.algorithm`, `algorithm.legacy`, `encryption.failed`.
  package mutating func decrypt(_ data: EncryptedData) throws(TokenError) -> Plaintext {
    guard hasKeys else { throw TokenError(.noDecryptionKey, node: data.element.path) }
    if let obstacle = data.obstacle { throw obstacle }
    if let exception = data.cipher.exception { try require(exception, data) }
    let usable = try usableKeys(of: data)
    let hasAgreement = data.agreement.map(hasKey) ?? false
    guard !secrets.isEmpty || hasAgreement || usable.contains(where: hasKey) else {
      throw TokenError(
        .encryptionAlgorithm, node: data.element.path,
        expected: "a key transport or agreement of a decryption key's type",
        hint: usable.isEmpty && data.agreement == nil
          ? nil : TokenError.Code.encryptionKeyMismatch.hint)
    }
    guard let (octets, exception) = plaintext(data, usable) else {
      throw Self.failure(data)
    }
    return Plaintext(
      octets: octets, cipher: data.cipher,
      exceptions: [data.cipher.exception, exception].compactMap { $0 })
  }

  /// The encrypted keys whose transport is allowed.
  ///
  /// - Throws: `algorithm.legacy` where there is none but one that is not.
  private func usableKeys(of data: EncryptedData) throws(TokenError) -> [EncryptedKey] {
    var refused: TokenError?
    var usable: [EncryptedKey] = []
    for key in data.keys {
      if case .transport(let transport) = key.protection, let exception = transport.exception {
        do {
          try require(exception, data)
        } catch {
          refused = error
          continue
        }
      }
      usable.append(key)
    }
    if usable.isEmpty, let refused { throw refused }
    return usable
  }

  /// The one error for every failure that depends on a key or on the plaintext.
  package static func failure(_ data: EncryptedData) -> TokenError {
    TokenError(.decryptionFailed, node: data.element.path)
  }

  private func require(_ exception: LegacyException, _ data: EncryptedData) throws(TokenError) {
    guard exceptions.contains(exception) else {
      throw TokenError(.legacyAlgorithm, node: data.element.path, found: exception.name)
    }
  }

  private func hasKey(for agreement: KeyAgreement) -> Bool {
    keys.contains { $0.publicKey.kind == agreement.originator.kind }
  }

  private func hasKey(for key: EncryptedKey) -> Bool {
    switch key.protection {
    case .transport: keys.contains { if case .rsa = $0.publicKey.kind { true } else { false } }
    case .wrap: key.agreement.map(hasKey) ?? !secrets.isEmpty
    }
  }

  // MARK: Keys

  private mutating func plaintext(
    _ data: EncryptedData, _ encryptedKeys: [EncryptedKey]
  ) -> ([UInt8], LegacyException?)? {
    let length = data.cipher.keyLength
    for secret in secrets {
      if let octets = data.cipher.decrypt(data.value, key: secret) { return (octets, nil) }
    }
    var candidates = Candidates(data)
    if let agreement = data.agreement { addAgreed(agreement, length, to: &candidates) }
    if candidates.isEnough { return candidates.best }
    for (encrypted, key) in pairs(encryptedKeys) {
      guard let content = contentKey(encrypted, key, length) else { continue }
      switch encrypted.protection {
      case .transport(.pkcs1): candidates.add(content, KeyTransport.pkcs1.exception)
      // A key that unwraps is the right one: it has a checksum.
      case .transport(let transport): return candidates.last(content, transport.exception)
      case .wrap: return candidates.last(content, nil)
      }
      if candidates.isEnough { break }
    }
    return candidates.best
  }

  /// Adds the content keys that the key agreement gives.
  private mutating func addAgreed(
    _ agreement: KeyAgreement, _ length: Int, to candidates: inout Candidates
  ) {
    for key in keys where key.publicKey.kind == agreement.originator.kind {
      guard spendOperation() else { break }
      if let content = key.agree(with: agreement.originator, agreement.derivation, length: length) {
        candidates.add(content, nil)
      }
      if candidates.isEnough { break }
    }
  }

  /// The plaintexts of content keys of which nothing says whether they are right: a key agreement gives one
  /// always, and RSA 1.5 a random one for a wrong key, under which CBC padding may look right.
  ///
  /// With an unauthenticated cipher every key is tried, whatever one of them gives: how many are tried would tell
  /// what a plaintext is.
  private struct Candidates {
    private let data: EncryptedData
    private var found: [([UInt8], LegacyException?)] = []

    init(_ data: EncryptedData) { self.data = data }

    /// A tag proves the plaintext of an authenticated cipher.
    var isEnough: Bool { data.cipher.isAuthenticated && !found.isEmpty }

    mutating func add(_ key: [UInt8], _ exception: LegacyException?) {
      guard let octets = data.cipher.decrypt(data.value, key: key) else { return }
      found.append((octets, exception))
    }

    /// The plaintext of a key that is known to be right, where its padding is possible.
    func last(_ key: [UInt8], _ exception: LegacyException?) -> ([UInt8], LegacyException?)? {
      data.cipher.decrypt(data.value, key: key).map { ($0, exception) } ?? best
    }

    /// The first that begins like an element, as what is encrypted does; else the first.
    var best: ([UInt8], LegacyException?)? {
      found.first { $0.0.first == UInt8(ascii: "<") } ?? found.first
    }
  }

  /// The keys to try with each encrypted key, first those whose certificate the message contains.
  private func pairs(_ encryptedKeys: [EncryptedKey]) -> [(EncryptedKey, PrivateKey?)] {
    var first: [(EncryptedKey, PrivateKey?)] = []
    var later: [(EncryptedKey, PrivateKey?)] = []
    for encrypted in encryptedKeys {
      if case .wrap = encrypted.protection, encrypted.agreement == nil {
        later.append((encrypted, nil))
        continue
      }
      let fitting = keys.filter { fits($0, encrypted) }
      // Without a choice the hint says nothing.
      let shown = fitting.count + encryptedKeys.count > 2 ? encrypted.recipient() : nil
      for key in fitting {
        if shown == key.publicKey.digest {
          first.append((encrypted, key))
        } else {
          later.append((encrypted, key))
        }
      }
    }
    return first + later
  }

  private func fits(_ key: PrivateKey, _ encrypted: EncryptedKey) -> Bool {
    switch (encrypted.protection, key.publicKey.kind) {
    case (.transport, .rsa(let bits, _)): encrypted.value.count == (bits + 7) / 8
    case (.wrap, .ec), (.wrap, .x25519):
      encrypted.agreement?.originator.kind == key.publicKey.kind
    default: false
    }
  }

  private mutating func contentKey(
    _ encrypted: EncryptedKey, _ key: PrivateKey?, _ length: Int
  ) -> [UInt8]? {
    switch (encrypted.protection, key) {
    case (.transport(let transport), let key?):
      guard spendOperation() else { return nil }
      return key.decrypt(encrypted.value, transport, length: length)
    case (.wrap(let wrap), let key?):
      guard let agreement = encrypted.agreement, spendOperation(),
        let wrapping = key.agree(
          with: agreement.originator, agreement.derivation, length: wrap.keyLength)
      else { return nil }
      return wrap.unwrap(encrypted.value, with: wrapping)
    case (.wrap(let wrap), nil):
      for secret in secrets {
        if let content = wrap.unwrap(encrypted.value, with: secret) { return content }
      }
      return nil
    case (.transport, nil):
      return nil
    }
  }

  private mutating func spendOperation() -> Bool {
    guard operationsLeft > 0 else { return false }
    operationsLeft -= 1
    return true
  }
}

/// Plaintext as a document of its own: no identifier and no element of the surrounding message is
/// reachable from it.
package enum PlaintextDocument {
  /// The one element of `octets`.
  ///
  /// Where it uses prefixes that only the message declares, or its default namespace, it is parsed again inside a
  /// wrapper that declares what is in scope at `parent`, and nothing else. Whether that may be relied on is for
  /// ``PlaintextNamespaces`` to check.
  ///
  /// - Parameter parsedCount: Grows by the octets that were parsed, also where it throws.
  /// - Throws: `xml.*`, `input.too-large`.
  package static func element(
    _ octets: [UInt8], insideOf parent: Element, limits: Limits, parsedCount: inout Int
  ) throws(TokenError) -> Element {
    do throws(TokenError) {
      let document = try Document(parsing: octets, limits: limits, parsedCount: &parsedCount)
      _ = try IdentifierIndex(document)
      guard !(parent.namespace(forPrefix: "") ?? "").isEmpty,
        document.root.undeclaredPrefixes.contains("")
      else { return document.root }
    } catch {
      guard error.code == .malformedNamespace else { throw error }
    }
    let document = try Document(
      parsing: NamespaceScope(at: parent).wrapping(octets), limits: limits,
      parsedCount: &parsedCount)
    _ = try IdentifierIndex(document)
    let children = try document.root.children()
    // Which of two faults comes first, the prefix or the second element, depends on the version of libxml2.
    guard children.count == 1 else {
      throw TokenError(.malformedXML, node: parent.path, expected: "one element")
    }
    return children[0]
  }
}
