import Federation
import TestSupport
import Testing
import XMLTree

@Suite("Issuing encrypted SAML")
struct EncryptedMintingTests {
  @Test(
    "A token encrypted in any way is accepted, with the draft's content",
    arguments: EncryptionWay.all)
  func everyWay(way: EncryptionWay) throws {
    let minted = Minted(.v2, .response(.assertion))
    let octets = try minted.octets(Minted.draft, encryptingTo: way.recipient())
    let verified = try minted.verify(octets, decryptingWith: [way.keyName])
    #expect(verified.facts.subject == Minted.draft.subject)
    #expect(verified.warnings.isEmpty == way.cipher.name.hasSuffix("gcm"))
    for (type, values) in Minted.draft.claims.grouped { #expect(verified.claims[type] == values) }
  }

  @Test(
    "Every form can be encrypted, and reveals nothing of its content",
    arguments: EncryptionWay.forms)
  func everyForm(minted: Minted) throws {
    let octets = try minted.octets(Minted.draft, encryptingTo: EncryptionWay.usual.recipient())
    let text = String(decoding: octets, as: UTF8.self)
    for secret in ["alice", "editor", "Zoë"] { #expect(!text.contains(secret)) }
    let verified = try minted.verify(octets, decryptingWith: ["other-rsa", "rp-rsa"])
    #expect(verified.facts.subject == Minted.draft.subject)
    #expect(verified.facts.tokenID == Minted.draft.id)
    for (type, values) in Minted.draft.claims.grouped { #expect(verified.claims[type] == values) }
  }

  @Test("Without a key, or with another one, nothing is read", arguments: EncryptionWay.forms)
  func keys(minted: Minted) throws {
    let octets = try minted.octets(Minted.draft, encryptingTo: EncryptionWay.usual.recipient())
    #expect(throws: TokenError(.noDecryptionKey)) { try minted.verify(octets) }
    #expect(throws: TokenError(.decryptionFailed)) {
      try minted.verify(octets, decryptingWith: ["other-rsa"])
    }
    #expect(throws: TokenError(.encryptionAlgorithm)) {
      try minted.verify(octets, decryptingWith: ["rp-ec256"])
    }
  }

  @Test("Ciphertext that was changed is refused: by the outer signature, or by the tag")
  func tampered() throws {
    for minted in EncryptionWay.forms {
      let octets = try minted.octets(Minted.draft, encryptingTo: EncryptionWay.usual.recipient())
      let text = String(decoding: octets, as: UTF8.self)
      let value = try #require(text.ranges(of: "<xenc:CipherValue>").last).upperBound
      let index = text.utf8.distance(from: text.startIndex, to: value)
      var changed = octets
      changed[index] = octets[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      let isCovered = minted.form == .response(.response) || minted.form == .response(.both)
      #expect(throws: TokenError(isCovered ? .digestMismatch : .decryptionFailed)) {
        try minted.verify(changed, decryptingWith: ["rp-rsa"])
      }
    }
  }

  @Test("The signature inside is made before encrypting, that of a response after")
  func order() throws {
    let minted = Minted(.v2, .response(.both))
    let octets = try minted.octets(Minted.draft, encryptingTo: EncryptionWay.usual.recipient())
    let root = try Document(parsing: octets).root
    #expect(
      try root.children().map(\.localName)
        == ["Issuer", "Signature", "Status", "EncryptedAssertion"])
    #expect(root.descendants { $0.localName == "SignatureValue" }.count == 1)
    // A message that only encrypts and signs nothing must not be accepted.
    let unsigned = String(decoding: octets, as: UTF8.self)
      .replacing(/<ds:Signature .*<\/ds:Signature>/, with: "", maxReplacements: 1)
    #expect(
      try minted.verify(Array(unsigned.utf8), decryptingWith: ["rp-rsa"]).facts.subject
        == Minted.draft.subject)
    let alone = Minted(.v2, .response(.response))
    let other = try alone.octets(Minted.draft, encryptingTo: EncryptionWay.usual.recipient())
    let bare = String(decoding: other, as: UTF8.self)
      .replacing(/<ds:Signature .*<\/ds:Signature>/, with: "", maxReplacements: 1)
    #expect(throws: TokenError(.signatureMissing)) {
      try alone.verify(Array(bare.utf8), decryptingWith: ["rp-rsa"])
    }
  }

  @Test("No content key, IV or agreement is used twice", arguments: ["rp-rsa", "rp-ec256"])
  func fresh(keyName: String) throws {
    let minted = Minted(.v2, .assertion)
    let recipient = try EncryptionRecipient(EncryptionWay.certificate(keyName))
    var seen: Set<String> = []
    for _ in 0..<50 {
      let text = String(
        decoding: try minted.octets(Minted.draft, encryptingTo: recipient), as: UTF8.self)
      for match in text.matches(of: /<(?:xenc:CipherValue|dsig11:PublicKey)>([^<]{16})/) {
        #expect(seen.insert(String(match.1)).inserted)
      }
    }
    #expect(seen.count == (keyName == "rp-rsa" ? 100 : 150))
  }

  @Test("SAML 1.1 is encrypted in a WS-Trust response only")
  func place() throws {
    let recipient = try EncryptionWay.usual.recipient()
    for minted in Minted.forms where minted.version == .v1 && minted.form != .tokenResponse {
      #expect(throws: TokenError(.mintEncryptionPlace)) {
        try minted.octets(Minted.draft, encryptingTo: recipient)
      }
      #expect(throws: Never.self) { try minted.octets(Minted.draft) }
    }
  }

  @Test(
    "ENC-7, ENC-11 Nothing is encrypted with a weak algorithm, or with another type of key",
    arguments: [
      ("rp-rsa", ContentCipher.tripleDES, nil), ("rp-rsa", .aes256GCM, .ecdhES),
      ("rp-ec256", .aes256GCM, .rsaOAEP), ("rp-ec256", .aes256GCM, .rsaOAEPSHA256),
    ] as [(String, ContentCipher, KeyEncryption?)])
  func algorithms(keyName: String, cipher: ContentCipher, keyEncryption: KeyEncryption?) throws {
    let certificate = try EncryptionWay.certificate(keyName)
    #expect(throws: TokenError(.mintEncryptionAlgorithm)) {
      try EncryptionRecipient(certificate, cipher: cipher, keyEncryption: keyEncryption)
    }
    #expect(throws: Never.self) { try EncryptionRecipient(certificate) }
  }

  @Test("A weak key of a recipient is refused", arguments: ["weak-rsa1024", "weak-exponent"])
  func weak(keyName: String) throws {
    let certificate = try EncryptionWay.certificate(keyName)
    #expect(throws: TokenError(.weakKey)) { try EncryptionRecipient(certificate) }
  }
}
