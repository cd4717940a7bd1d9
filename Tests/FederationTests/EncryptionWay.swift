import Federation
import TestSupport

/// One way to encrypt, to the key of a file.
struct EncryptionWay: Sendable, CustomStringConvertible {
  let keyName: String
  let cipher: ContentCipher
  let keyEncryption: KeyEncryption

  var description: String { "\(cipher) \(keyEncryption) \(keyName)" }

  func recipient() throws -> EncryptionRecipient {
    try EncryptionRecipient(
      Self.certificate(keyName), cipher: cipher, keyEncryption: keyEncryption)
  }

  static let all: [Self] = ContentCipher.allCases.filter { $0 != .tripleDES }.flatMap { cipher in
    [
      Self(keyName: "rp-rsa", cipher: cipher, keyEncryption: .rsaOAEP),
      Self(keyName: "rp-rsa", cipher: cipher, keyEncryption: .rsaOAEPSHA256),
      Self(keyName: "rp-ec256", cipher: cipher, keyEncryption: .ecdhES),
      Self(keyName: "rp-ec384", cipher: cipher, keyEncryption: .ecdhES),
      Self(keyName: "rp-ec521", cipher: cipher, keyEncryption: .ecdhES),
    ]
  }
  static let usual = Self(keyName: "rp-rsa", cipher: .aes256GCM, keyEncryption: .rsaOAEP)

  /// Every form that can be encrypted.
  static let forms = Minted.forms.filter { $0.version == .v2 || $0.form == .tokenResponse }

  static func certificate(_ name: String) throws -> Certificate {
    let key = try VerificationKey(pemOrDER: TestVector.bytes("keys/\(name).crt"))
    guard case .certificate(let certificate) = key.material else {
      throw TokenError(.unreadableKey)
    }
    return certificate
  }
}
