package import Claims
import Octets
package import SecurityKeys
package import TokenBasics

/// A JSON Web Encryption in compact form (RFC 7516, 7.1), whatever its content is: an envelope that anybody can make
/// who has the recipient's public key.
package struct JSONWebEncryption: Sendable {
  let header: EncryptionHeader
  private let key: ProtectedContentKey
  private let sealed: ContentEncryption.Sealed
  /// The first part as received, which the tag covers.
  private let associated: [UInt8]

  /// Reads five parts of strict base64url.
  ///
  /// - Throws: `input.*`, `policy.critical-header`, `encryption.algorithm`, `encryption.compressed`,
  ///   `encryption.parts`.
  package init(parsing octets: [UInt8], limits: Limits = Limits()) throws(TokenError) {
    guard octets.count <= min(limits.bytes, Limits.hardByteLimit) else {
      throw TokenError(
        .inputTooLarge, expected: "at most \(limits.bytes) bytes", found: "\(octets.count) bytes")
    }
    let parts = octets.split(separator: Self.dot, omittingEmptySubsequences: false)
    guard parts.count == Self.partCount else {
      throw TokenError(
        .jwsParts, expected: "header.key.iv.ciphertext.tag", found: "\(parts.count) parts")
    }
    guard !parts[0].isEmpty else {
      throw TokenError(.jwsParts, expected: "a header", found: "an empty part")
    }
    header = try EncryptionHeader(parsing: Self.decoded(parts[0]), limits)
    associated = Array(parts[0])
    key = ProtectedContentKey(
      header.algorithm, header.encryption, value: try Self.decoded(parts[1]),
      ephemeral: header.ephemeral, parties: header.parties, iv: header.iv, tag: header.tag)
    sealed = ContentEncryption.Sealed(
      iv: try Self.decoded(parts[2]), ciphertext: try Self.decoded(parts[3]),
      tag: try Self.decoded(parts[4]))
    try checkLengths()
  }

  private static func decoded(_ part: ArraySlice<UInt8>) throws(TokenError) -> [UInt8] {
    try Base64.decode(part.span, .url)
  }

  /// Whether the octets have as many parts as a JSON Web Encryption.
  package static func hasParts(_ octets: Span<UInt8>) -> Bool {
    var dots = 0
    var next = 0
    while dots < partCount, let place = octets.firstIndex(of: dot, from: next) {
      dots += 1
      next = place + 1
    }
    return dots == partCount - 1
  }

  private static let dot = UInt8(ascii: ".")
  private static let partCount = 5

  /// `cty`: the type of the content, which nothing proves.
  package var contentType: String? { header.contentType }

  /// The names of `alg` and `enc`.
  package var algorithms: EncryptionNames {
    EncryptionNames(algorithm: header.algorithm.name, encryption: header.encryption.name)
  }

  /// What anybody can count is refused by name: it tells nothing of a key.
  private func checkLengths() throws(TokenError) {
    let encryption = header.encryption
    guard key.value.isEmpty == header.algorithm.hasNoEncryptedKey else {
      throw TokenError(
        .encryptionParts, node: "key",
        expected: header.algorithm.hasNoEncryptedKey ? "an empty part" : "an encrypted key",
        found: "\(key.value.count) bytes")
    }
    guard sealed.iv.count == encryption.ivLength, sealed.tag.count == encryption.tagLength else {
      throw TokenError(
        .encryptionParts, node: "iv, tag",
        expected: "\(encryption.ivLength) and \(encryption.tagLength) bytes",
        found: "\(sealed.iv.count) and \(sealed.tag.count) bytes")
    }
  }

  /// The content.
  ///
  /// Everything in cleartext is checked before a key is used. Whatever depends on a key fails with one and the same
  /// error after the same work: a key that does not open gives a random one, with which the content is tried.
  ///
  /// - Parameters:
  ///   - keys: Ours; those that the header's `kid` excludes are not tried.
  ///   - allowed: The algorithms of which the header may name one.
  ///   - exceptions: The legacy algorithms that are allowed by name.
  /// - Throws: `encryption.no-key`, `encryption.not-allowed`, `algorithm.legacy`, `encryption.key-mismatch`,
  ///   `encryption.failed`.
  package func content(
    _ keys: [DecryptionKey], _ allowed: EncryptionAlgorithms, exceptions: Set<LegacyException>,
    _ limits: Limits
  ) throws(TokenError) -> [UInt8] {
    guard !keys.isEmpty else { throw TokenError(.noDecryptionKey) }
    try check(allowed, exceptions)
    let named = keys.filter { ours in
      guard let keyID = header.keyID, let own = ours.keyID else { return true }
      return own.hasSameBytes(as: keyID)
    }
    let fitting = named.filter(key.fits)
    guard !fitting.isEmpty else { throw mismatch(keys, named) }
    var found: [UInt8]?
    let tried = fitting.prefix(limits.privateKeyOperations)
    for key in tried {
      let contentKey = self.key.open(with: key)
      found = header.encryption.decrypt(sealed, key: contentKey, associated: associated)
      if found != nil { break }
    }
    guard let found else { throw failure(tried.count, of: fitting.count) }
    return found
  }

  /// None of our keys is of the name, or of the kind and size, that the cleartext demands.
  private func mismatch(_ keys: [DecryptionKey], _ named: [DecryptionKey]) -> TokenError {
    guard let keyID = header.keyID, named.isEmpty else {
      return TokenError(
        .encryptionKeyMismatch, node: "header.alg", expected: Self.list(named.map(\.kindName)),
        found: key.fittingKey)
    }
    return TokenError(
      .encryptionKeyMismatch, node: "header.kid",
      expected: Self.list(keys.compactMap(\.keyID).map { TokenError.excerpt($0) }),
      found: TokenError.excerpt(keyID))
  }

  /// The first few of different texts.
  private static func list(_ texts: [String]) -> String {
    var shown: [String] = []
    for text in texts where !shown.contains(text) { shown.append(text) }
    return shown.prefix(4).joined(separator: " or ") + (shown.count > 4 ? " or others" : "")
  }

  /// The one error for whatever depends on a key. How many keys fit is known beforehand.
  private func failure(_ tried: Int, of fitting: Int) -> TokenError {
    guard tried < fitting else { return TokenError(.decryptionFailed) }
    return TokenError(
      .decryptionFailed, expected: "one of the first \(tried) decryption keys that fit",
      found: "\(fitting) that fit",
      hint: "only \(tried) of \(fitting) keys were tried: give fewer, have the issuer name the key "
        + "by kid, or raise limits.privateKeyOperations in the trust file")
  }

  /// The content, and the one of our keys that opens it; nil where none does.
  package func opened(
    _ keys: [DecryptionKey], exceptions: Set<LegacyException>
  ) -> (content: [UInt8], key: DecryptionKey)? {
    for key in keys {
      let content = try? content(
        [key], EncryptionAlgorithms(), exceptions: exceptions, Limits())
      if let content { return (content, key) }
    }
    return nil
  }

  private func check(
    _ allowed: EncryptionAlgorithms, _ exceptions: Set<LegacyException>
  ) throws(TokenError) {
    guard allowed.keyManagement.contains(header.algorithm) else {
      throw TokenError(
        .encryptionNotAllowed, node: "header.alg",
        expected: allowed.keyManagement.map(\.name).sorted().joined(separator: ", "),
        found: header.algorithm.name)
    }
    guard allowed.content.contains(header.encryption) else {
      throw TokenError(
        .encryptionNotAllowed, node: "header.enc",
        expected: allowed.content.map(\.name).sorted().joined(separator: ", "),
        found: header.encryption.name)
    }
    if let exception = header.algorithm.exception, !exceptions.contains(exception) {
      throw TokenError(.legacyAlgorithm, node: "header.alg", found: exception.name)
    }
  }

  /// `content` encrypted to `recipient`. Content key, IV and the sender's key are new each time.
  ///
  /// - Parameter contentType: `cty`; nil for none.
  /// - Throws: `policy.mint-encryption`.
  package static func encrypt(
    _ content: [UInt8], contentType: String?, to recipient: JSONWebEncryptionRecipient
  ) throws(TokenError) -> [UInt8] {
    let (algorithm, encryption) = (recipient.algorithm, recipient.encryption)
    guard let (key, protected) = ProtectedContentKey.make(for: recipient.key, algorithm, encryption)
    else { throw TokenError(.mintEncryption, found: algorithm.name) }
    var json = JSONWriter()
    json.object { json in
      json.member("alg", algorithm.name)
      json.member("enc", encryption.name)
      json.member("kid", recipient.keyID)
      json.member("cty", contentType)
      if !protected.iv.isEmpty {
        json.member("iv", Base64.encode(protected.iv, .url))
        json.member("tag", Base64.encode(protected.tag, .url))
      }
      if let ephemeral = protected.ephemeral {
        json.name("epk")
        json.object { json in
          for (name, value) in ephemeral.jsonWebKeyMembers {
            json.member(named: name, value)
          }
        }
      }
    }
    let header = Base64.encode(json.bytes, .url)
    guard let sealed = encryption.encrypt(content, key: key, associated: Array(header.utf8)) else {
      throw TokenError(.mintEncryption, found: encryption.name)
    }
    let parts = [protected.value, sealed.iv, sealed.ciphertext, sealed.tag]
    return Array(([header] + parts.map { Base64.encode($0, .url) }).joined(separator: ".").utf8)
  }
}
