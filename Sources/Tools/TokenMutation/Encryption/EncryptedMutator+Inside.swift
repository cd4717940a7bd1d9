import SecurityKeys
import TokenErrors
import XMLTree

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
