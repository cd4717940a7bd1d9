import AccessControl
import SecurityKeys
import Synchronization
import TestSupport

/// Key pairs of RSA with a certificate each. One is made once in a run, since that takes longer than most tests.
enum KeyPairs {
  private static let made = Mutex<[String: (PrivateKey, SigningKey)]>([:])

  /// The pair of a name: the same one for all tests.
  static func pair(_ name: String) throws -> (private: PrivateKey, signing: SigningKey) {
    try made.withLock { made in
      if let pair = made[name] { return pair }
      let key = try PrivateKey(generating: .rsa2048)
      let certificate = try Certificate(
        selfSigning: key, name: name, notBefore: Instant(secondsSinceEpoch: 0),
        notAfter: Instant(secondsSinceEpoch: 2_000_000_000))
      let pair = (key, try SigningKey(key, certificate: certificate))
      made[name] = pair
      return pair
    }
  }
}
