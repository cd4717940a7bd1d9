import Federation
import SecurityKeys
import TokenBasics
import XMLSecurity
import XMLTree

/// Makes the variants of a SAML message whose assertion is encrypted.
struct EncryptedMutator {
  let message: MessageText
  let endpoint: Endpoint
  let keys: [PrivateKey]
  /// Signs as the issuer, when its key is given.
  let sealer: Sealer?
  let cipher: ContentCipher
  let plaintext: [UInt8]
  /// The `EncryptedData`.
  let data: Int
  let list: MutationList
  private let receive: (Mutation) -> Void

  /// - Throws: `encryption.*` where the assertion cannot be decrypted.
  init(
    _ message: MessageText, _ endpoint: Endpoint, _ sealer: Sealer?, _ keys: [PrivateKey],
    _ receive: @escaping (Mutation) -> Void
  ) throws(TokenError) {
    let text = message.text
    let nodes = try Document(parsing: text.octets).root.descendants { _ in true }
    let isBare = text.elements[message.assertion].localName == "EncryptedData"
    guard nodes.count == text.elements.count,
      let data = isBare ? message.assertion : text.child("EncryptedData", of: message.assertion)
    else { throw TokenError(.encryptionStructure, expected: "EncryptedData") }
    let place = nodes[message.assertion]
    let encrypted =
      isBare
      ? try EncryptedData(reading: place, Limits()) : try EncryptedData(inside: place, Limits())
    var decryptor = Decryptor(
      keys: keys, exceptions: Set(LegacyException.all), limits: Limits())
    let decrypted = try decryptor.decrypt(encrypted)
    self.message = message
    self.endpoint = endpoint
    self.sealer = sealer
    self.keys = keys
    self.data = data
    cipher = decrypted.cipher
    plaintext = decrypted.octets
    list = MutationList(original: text.octets, receive)
    self.receive = receive
  }

  var text: XMLText { message.text }

  func all() {
    addCiphertexts()
    addCiphers()
    addEncryptedKeys()
    addSeveral()
    addInside()
    let receive = receive
    let around = SAMLMutator(message, endpoint, sealer) { variant in
      // Without the outer signature, that of the inner assertion is enough.
      if variant.name != "signature/removed" { receive(variant) }
    }
    around.aroundEncryption()
  }

  /// Adds a variant that is rejected with `code`: if the message is signed around the ciphertext,
  /// with the digest's code first, and with `code` where the issuer signs it anew.
  ///
  /// - Parameter isSealed: Whether to add the second; what the issuer signs might be valid.
  func add(
    _ name: String, _ summary: String, _ attacks: [String], _ code: TokenError.Code,
    _ edits: [XMLText.Edit?], isSealed: Bool = true
  ) {
    let known = edits.compactMap { $0 }
    guard !known.isEmpty, known.count == edits.count else { return }
    let octets = text.applying(known)
    guard message.responseSignature != nil else {
      list.add("encryption/\(name)", summary, attacks, code, octets)
      return
    }
    list.add("encryption/\(name)", summary, attacks, .digestMismatch, octets)
    guard isSealed else { return }
    list.add(
      "encryption/\(name)-signed", summary + ", and signed anew by the issuer", attacks, code,
      issuerSigned: true, sealer?.seal(octets))
  }

  /// The `EncryptedKey`s, inside the data or beside it.
  var encryptedKeys: [Int] {
    text.descendants(of: message.assertion).filter {
      text.elements[$0].localName == "EncryptedKey"
    }
  }

  /// The `CipherValue` of encrypted data or of an encrypted key.
  func cipherValue(of index: Int) -> Int? {
    text.child("CipherData", of: index).flatMap { text.child("CipherValue", of: $0) }
  }
}

/// Encrypts to a public RSA key, which needs no certificate.
struct Recipient {
  private let key: PublicKey

  /// The recipient with the first RSA key of these.
  init?(_ keys: [PrivateKey]) {
    guard let key = keys.map(\.publicKey).first(where: \.isRSA) else { return nil }
    self.key = key
  }

  /// An `EncryptedData` that declares every prefix that it uses.
  func encryptedData(_ plaintext: [UInt8], _ cipher: ContentCipher) -> String? {
    let content = cipher.newKey()
    let sha1 = DigestAlgorithm.sha1
    guard let value = cipher.encrypt(plaintext, key: content),
      let encrypted = key.encrypt(content, .oaep(digest: sha1, mask: sha1, label: []))
    else { return nil }
    return "<e:EncryptedData xmlns:e=\"\(Self.namespace)\" Type=\"\(Self.namespace)Element\">"
      + "<e:EncryptionMethod Algorithm=\"\(cipher.uri)\"/>"
      + "<d:KeyInfo xmlns:d=\"\(MessageText.signatureNamespace)\"><e:EncryptedKey>"
      + "<e:EncryptionMethod Algorithm=\"\(Self.namespace)rsa-oaep-mgf1p\">"
      + "<d:DigestMethod Algorithm=\"\(sha1.uri)\"/></e:EncryptionMethod>"
      + Self.data(encrypted) + "</e:EncryptedKey></d:KeyInfo>" + Self.data(value)
      + "</e:EncryptedData>"
  }

  private static func data(_ octets: [UInt8]) -> String {
    "<e:CipherData><e:CipherValue>\(Base64.encode(octets))</e:CipherValue></e:CipherData>"
  }

  static let namespace = "http://www.w3.org/2001/04/xmlenc#"
}

extension EncryptedMutator {
  /// Other plaintexts, encrypted to the endpoint, which needs no secret, and to another recipient.
  func addInside() {
    addWrongRecipient()
    guard cipher.exception == nil, let recipient = Recipient(keys),
      let inner = MessageText(plaintext)
    else { return }
    let isSigned = message.responseSignature != nil
    if let signature = inner.assertionSignature, !isSigned {
      addInside(
        recipient, "signature/removed-inside", "the encrypted assertion is not signed", ["ENC-1"],
        cipher.isAuthenticated ? .signatureMissing : .decryptionFailed,
        inner.text.applying([inner.text.removing(signature)]))
    }
    let encryptor = self
    let mutator = SAMLMutator(inner, endpoint, sealer) { variant in
      encryptor.addInside(recipient, variant, isSigned)
    }
    mutator.insideEncryption()
  }

  /// Adds a variant of what is inside.
  private func addInside(_ recipient: Recipient, _ variant: Mutation, _ isSigned: Bool) {
    // Until something authenticates a plaintext of CBC, every failure is the same error.
    let isOpaque = !cipher.isAuthenticated && !isSigned && !variant.isIssuerSigned
    if isSigned, !cipher.isAuthenticated, variant.family == "issuer" { return }
    addInside(
      recipient, variant.name + "-inside", variant.summary + ", and encrypted",
      variant.attacks + ["ENC-1"],
      isOpaque ? .decryptionFailed : variant.expected, variant.octets,
      issuerSigned: variant.isIssuerSigned)
  }

  /// Under a signature around the ciphertext only the issuer can make these.
  private func addInside(
    _ recipient: Recipient, _ name: String, _ summary: String, _ attacks: [String],
    _ code: TokenError.Code, _ octets: [UInt8], issuerSigned: Bool = false
  ) {
    guard let edit = replacing(recipient.encryptedData(octets, cipher)) else { return }
    let changed = text.applying([edit])
    let isSigned = message.responseSignature != nil
    list.add(
      name, summary, attacks, code, issuerSigned: issuerSigned || isSigned,
      isSigned ? sealer?.seal(changed) : changed)
  }

  private func addWrongRecipient() {
    guard cipher.exception == nil, let other = AttackerKey.key else { return }
    let hasRSA = keys.contains { $0.publicKey.isRSA }
    let edit = replacing(Recipient([other])?.encryptedData(plaintext, cipher))
    add(
      "other-recipient", "the assertion is encrypted to another recipient", ["ENC-16"],
      hasRSA ? .decryptionFailed : .encryptionAlgorithm, [edit])
  }

  /// Other encrypted data, without its siblings.
  private func replacing(_ encrypted: String?) -> XMLText.Edit? {
    guard let encrypted else { return nil }
    let isBare = data == message.assertion
    return isBare
      ? XMLText.Edit(text.elements[data].whole, encrypted)
      : text.replacingContent(of: message.assertion, with: encrypted)
  }
}
