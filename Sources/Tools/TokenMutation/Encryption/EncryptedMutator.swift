import Federation
import SecurityKeys
import TokenErrors
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
