import Claims
import JSONWebTokens
import SecurityKeys
import TokenBasics

/// Captures a JSON Web Token that is encrypted: decrypted, captured, and encrypted again to a test key.
struct EncryptedJWTCapture {
  private let session: CaptureSession

  init(_ session: CaptureSession) { self.session = session }

  /// Nil for what cannot be decrypted, which is captured as octets.
  func capture(_ octets: [UInt8]) throws(TokenError) -> [UInt8]? {
    guard JSONWebEncryption.hasParts(octets.span) else { return nil }
    guard let read = try? JSONWebEncryption(parsing: octets, limits: session.trust.limits),
      let (content, key) = read.opened(session.trust.decryptionKeys, exceptions: []),
      let recipient = try? JSONWebEncryptionRecipient(testKey(for: key), like: read)
    else {
      session.note("a ciphertext that the keys do not decrypt is random octets of its length")
      return nil
    }
    session.note("the header of the encryption is a new one, with the same algorithms")
    let made = try JWTCapture(session).capture(content)
    session.surfaces.append(made)
    return try JSONWebEncryption.encrypt(made, contentType: read.contentType, to: recipient)
  }

  private func testKey(for key: DecryptionKey) throws(TokenError) -> DecryptionKey {
    switch key.material {
    case .privateKey(let key):
      guard let made = try session.keys.recipients(for: [key]).first else {
        throw TokenError(.unsupportedKey)
      }
      return DecryptionKey(made)
    case .secret(let secret):
      return DecryptionKey(try session.keys.secret(for: secret).key)
    }
  }
}
