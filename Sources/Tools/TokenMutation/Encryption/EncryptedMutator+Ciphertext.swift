import Claims
import SecurityKeys
import TokenBasics
import XMLTree

extension EncryptedMutator {
  /// The value of the encrypted data, changed, cut, and moved.
  func addCiphertexts() {
    guard let place = cipherValue(of: data), let octets = value(of: place) else { return }
    for (label, position) in [
      ("first", 0), ("middle", octets.count / 2), ("last", octets.count - 1),
    ] where octets.indices.contains(position) {
      var changed = octets
      changed[position] ^= 0x40
      add(
        "ciphertext-flip-\(label)", "one bit of the ciphertext is flipped", ["ENC-6", "ENC-9"],
        .decryptionFailed, [filling(place, changed)], isSealed: cipher.isAuthenticated)
    }
    for (label, changed) in [
      ("cut", Array(octets.dropLast(16))), ("cut-by-one", Array(octets.dropLast())),
      ("empty", []), ("longer", octets + [0]),
    ] {
      add(
        "ciphertext-\(label)", "the ciphertext has another length", ["ENC-9", "ENC-10"],
        .decryptionFailed, [filling(place, changed)],
        isSealed: cipher.isAuthenticated || label != "cut")
    }
    add(
      "ciphertext-no-base64", "the ciphertext is no base64 text", ["ENC-15"],
      .encryptionStructure, [text.replacingContent(of: place, with: "*")])
    let prefix = text.elements[place].prefix
    add(
      "ciphertext-elsewhere", "the ciphertext is to be fetched", ["ENC-14"],
      .encryptionReference,
      [
        XMLText.Edit(
          text.elements[place].whole,
          "<\(prefix)CipherReference URI=\"http://127.0.0.1:9/x\"/>")
      ])
  }

  /// Other names of the cipher, and of what is encrypted.
  func addCiphers() {
    guard let method = text.child("EncryptionMethod", of: data) else { return }
    for other in ContentCipher.allCases
    where other.exception == nil && other != cipher && other.keyLength == cipher.keyLength {
      add(
        "cipher-\(other.name)", "the ciphertext is said to be of another cipher", ["ENC-8"],
        .decryptionFailed, [text.settingAttribute("Algorithm", to: other.uri, of: method)])
    }
    if cipher.exception == nil, text.children(of: method).isEmpty {
      add(
        "cipher-3des", "the cipher is too old", ["ENC-11"], .legacyAlgorithm,
        [text.settingAttribute("Algorithm", to: ContentCipher.tripleDES.uri, of: method)])
    }
    add(
      "cipher-unknown", "the cipher is none", ["ENC-11"], .encryptionAlgorithm,
      [
        text.settingAttribute(
          "Algorithm", to: "http://www.w3.org/2001/04/xmldsig-more#arcfour", of: method)
      ])
    add(
      "cipher-unnamed", "no cipher is named", ["ENC-11"], .encryptionAlgorithm,
      [text.removing(method)])
    add(
      "type-content", "the content of an element is said to be encrypted", ["ENC-15"],
      .encryptionStructure,
      [text.settingAttribute("Type", to: Recipient.namespace + "Content", of: data)])
  }

  /// The encrypted keys: algorithms, values and recipients.
  func addEncryptedKeys() {
    let keys = encryptedKeys
    let values = keys.compactMap(cipherValue)
    let methods = keys.compactMap { text.child("EncryptionMethod", of: $0) }
    guard let first = keys.first, values.count == keys.count, methods.count == keys.count else {
      return
    }
    for (label, position) in [("first", 0), ("last", 1)] {
      add(
        "key-flip-\(label)", "one bit of the encrypted key is flipped", ["ENC-7", "ENC-17"],
        .decryptionFailed,
        values.map { place in
          guard var octets = value(of: place), !octets.isEmpty else { return nil }
          octets[position * (octets.count - 1)] ^= 1
          return filling(place, octets)
        })
    }
    add(
      "key-cut", "the encrypted key has another length", ["ENC-17"], .decryptionFailed,
      values.map { place in value(of: place).flatMap { filling(place, Array($0.dropLast())) } })
    add(
      "key-method-unknown", "the way to encrypt the key is none", ["ENC-11"],
      .encryptionAlgorithm, methods.map { text.settingAttribute("Algorithm", to: "urn:x", of: $0) })
    add(
      "key-method-unnamed", "no way to encrypt the key is named", ["ENC-11"],
      .encryptionAlgorithm, methods.map(text.removing))
    let isTransport = methods.allSatisfy {
      text.elements[$0].attribute("Algorithm").map { text.text($0.value).contains("rsa-oaep") }
        ?? false
    }
    if isTransport {
      add(
        "key-rsa-1_5", "the key is said to be encrypted with RSA 1.5", ["ENC-7", "ENC-8"],
        .legacyAlgorithm,
        methods.flatMap { method in
          [
            text.settingAttribute("Algorithm", to: Recipient.namespace + "rsa-1_5", of: method),
            text.elements[method].closesItself
              ? nil : text.replacingContent(of: method, with: ""),
          ].compactMap { $0 }
        })
    }
    let many = String(repeating: message.withoutIdentifiers(first), count: Limits().encryptedKeys)
    add(
      "key-many", "there are more encrypted keys than one token may bring", ["ENC-12", "DOS-13"],
      .tooManyEncryptedKeys,
      [XMLText.Edit(at: text.elements[first].whole.upperBound, many)])
    let names = text.descendants(of: message.assertion).map { text.elements[$0].localName }
    if !names.contains("RetrievalMethod") {
      add(
        "key-none", "there is no encrypted key", ["ENC-13"], .encryptionAlgorithm,
        keys.map(text.removing))
    }
  }

  /// Duplicates of elements that may occur once.
  func addSeveral() {
    if data != message.assertion {
      add(
        "two-data", "there are two ciphertexts", ["ENC-15"], .encryptionStructure,
        [XMLText.Edit(at: text.elements[data].whole.upperBound, message.withoutIdentifiers(data))])
    }
    guard message.response != nil else { return }
    let place = text.elements[message.assertion].whole
    list.add(
      "wrapping/two-encrypted", "the encrypted assertion occurs twice", ["ENC-15", "XSW-22"],
      .severalAssertions,
      text.applying([
        XMLText.Edit(at: place.upperBound, message.withoutIdentifiers(message.assertion))
      ]))
    let forged =
      "<s:Assertion xmlns:s=\"\(MessageText.assertionNamespace)\" ID=\"\(Forgery.identifier)\" "
      + "Version=\"2.0\" IssueInstant=\"2020-01-01T00:00:00Z\"/>"
    for (label, position) in [("first", place.lowerBound), ("second", place.upperBound)] {
      list.add(
        "wrapping/visible-\(label)", "a forged assertion in the clear is beside it", ["ENC-3"],
        .severalAssertions, text.applying([XMLText.Edit(at: position, forged)]))
    }
  }

  private func value(of place: Int) -> [UInt8]? {
    try? Base64.decode(text.octets[text.elements[place].content].span, whiteSpace: .skipped)
  }

  private func filling(_ place: Int, _ octets: [UInt8]) -> XMLText.Edit {
    text.replacingContent(of: place, with: Base64.encode(octets))
  }
}
