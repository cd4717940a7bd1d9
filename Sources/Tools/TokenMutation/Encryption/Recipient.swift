import Octets
import SecurityKeys

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
