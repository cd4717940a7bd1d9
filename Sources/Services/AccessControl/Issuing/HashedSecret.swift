import HTTPExchange
import Octets
import SecurityKeys
import Synchronization
import TokenBasics

/// A secret that is kept as a digest (RFC 7914): `scrypt:COST:SALT:DIGEST`, salt and digest in base64url.
public struct HashedSecret: Sendable {
  private let scrypt: Scrypt
  private let digest: [UInt8]

  /// Whether a text says that it is one.
  static func isMeant(by text: String) -> Bool { text.hasPrefix(prefix) }

  /// Whether a text is a secret as it is, or its whole digest.
  public static func isReadable(_ text: String) -> Bool {
    !isMeant(by: text) || Self(text) != nil
  }

  /// What a digest is, for errors.
  public static let expected =
    "scrypt:COST:SALT:DIGEST as acs secret prints it, at a cost of 131072 at most"

  /// Reads one of a text by which one is meant; nil for a text that is none all the same.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 4, let cost = Int(parts[1]),
      String(cost) == parts[1], cost <= Self.highestCost,
      let salt = try? Base64.decode(Array(parts[2].utf8), .url),
      let digest = try? Base64.decode(Array(parts[3].utf8), .url), digest.count == Self.length,
      let scrypt = Scrypt(cost: cost, salt: salt)
    else { return nil }
    self.scrypt = scrypt
    self.digest = digest
  }

  /// The text for a secret, to be written into the file of a service.
  ///
  /// - Returns: nil for a secret of more than 1,024 octets, and where OpenSSL refuses.
  public static func text(of secret: String) -> String? {
    guard secret.utf8.count <= mostOctets, let scrypt = Scrypt(cost: usualCost),
      let digest = scrypt.derive(length, from: secret)
    else { return nil }
    return prefix + "\(scrypt.cost):" + Base64.encode(scrypt.salt, .url) + ":"
      + Base64.encode(digest, .url)
  }

  /// Whether it is the digest of that text.
  func isDigest(of text: String) -> Bool {
    guard text.utf8.count <= Self.mostOctets,
      let derived = scrypt.derive(Self.length, from: text)
    else { return false }
    return ConstantTime.areEqual(derived, digest)
  }

  private static let prefix = "scrypt:"
  private static let length = 32
  /// 2^14: 16 MiB and some forty milliseconds. What is in the file are random secrets and passwords whose guesses are
  /// limited, and a program sends its own with every request.
  private static let usualCost = 1 << 14
  /// 2^17: 128 MiB, for each request at once.
  private static let highestCost = 1 << 17
  private static let mostOctets = 1_024
}

extension Secret {
  /// Whether ``isSame(as:)`` derives a digest of a text, which takes tens of milliseconds: this one is a digest, and the
  /// text was not right before.
  func isDerived(for text: String) -> Bool {
    HashedSecret.isMeant(by: revealed) && !RightSecrets.shared.isKnown(text, for: revealed)
  }

  /// Compares in a time that does not depend on where they differ. Where this one is a digest, the text is digested; one
  /// that was right is known by a keyed digest from then on, since programs send theirs with every request.
  func isSame(as text: String) -> Bool {
    guard HashedSecret.isMeant(by: revealed) else {
      return ConstantTime.areEqual(Array(revealed.utf8), Array(text.utf8))
    }
    if RightSecrets.shared.isKnown(text, for: revealed) { return true }
    guard let hashed = HashedSecret(revealed), hashed.isDigest(of: text) else { return false }
    RightSecrets.shared.remember(text, for: revealed)
    return true
  }
}

/// Texts that were right for a digest, as digests under a key of this process alone.
private final class RightSecrets: Sendable {
  static let shared = RightSecrets()

  private let key = SymmetricKey.random
  private let known = Mutex<[String: [UInt8]]>([:])

  func isKnown(_ text: String, for hashed: String) -> Bool {
    guard let kept = known.withLock({ $0[hashed] }), let code = code(text) else { return false }
    return ConstantTime.areEqual(kept, code)
  }

  func remember(_ text: String, for hashed: String) {
    guard let code = code(text) else { return }
    known.withLock { known in
      if known.count >= Self.most { known.removeAll() }
      known[hashed] = code
    }
  }

  private func code(_ text: String) -> [UInt8]? {
    key?.authenticate(Array(text.utf8).span, with: .sha256)
  }

  private static let most = 10_000
}

extension SymmetricKey {
  fileprivate static var random: SymmetricKey? {
    try? SymmetricKey(bytes: SystemRandom.octets(32))
  }
}
