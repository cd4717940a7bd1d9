import Federation
import Octets
import SecurityKeys
import XMLTree

/// A response whose assertion is signed, then encrypted with RSA-OAEP and AES-256-GCM.
extension BenchCase {
  static func encrypted(_ rsa: PrivateKey) throws(TokenError) -> BenchCase {
    let recipient = try PrivateKey(generating: .rsa2048)
    let certificate = try Certificate(
      selfSigning: recipient, name: "rp.example.test", notBefore: now,
      notAfter: now.advanced(bySeconds: 86_400))
    let draft = draft(claims: 20)
    let signing = try SigningKey(rsa)
    let plain = try SAMLIssuer(.v2, key: signing).response(draft)
    let issuer = SAMLIssuer(.v2, key: signing, encryptingTo: try EncryptionRecipient(certificate))
    let octets = try issuer.response(draft)
    var measured = token(
      "saml20 5 KB RSA encrypted", octets, .publicKey(rsa.publicKey), .saml20,
      decryptionKeys: [recipient], SAMLToken.init(parsing:limits:))
    measured.bare = bareDecryption(
      recipient, of: plain, and: bareSignature(rsa, .rsaSHA256, over: plain), octets)
    return measured
  }

  /// One decryption of a content key, one of the content, and a parse of both documents.
  private static func bareDecryption(
    _ recipient: PrivateKey, of plain: [UInt8], and signature: @escaping () -> Void,
    _ octets: [UInt8]
  ) -> () -> Void {
    let transport = KeyTransport.oaep(digest: .sha1, mask: .sha1, label: [])
    let cipher = ContentCipher.aes256GCM
    let key = cipher.newKey()
    let encryptedKey = recipient.publicKey.encrypt(key, transport) ?? []
    let encrypted = cipher.encrypt(plain, key: key) ?? []
    let documents = [octets + [0], plain + [0]]
    let parser = BareParse()
    return {
      _ = recipient.decrypt(encryptedKey, transport, length: key.count)
      _ = cipher.decrypt(encrypted, key: key)
      for document in documents { _ = parser?.parse(document) }
      signature()
    }
  }
}
