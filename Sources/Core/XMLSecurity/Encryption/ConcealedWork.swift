import Octets
package import Instants
package import SecurityKeys
package import TokenErrors
import XMLTree

/// The work that a plaintext caused before it was refused, so that what it did not cause is done for nothing.
///
/// Where an unauthenticated cipher decrypted and nothing has proved the author of the plaintext yet, time must not
/// tell more than the one error does: bad padding, no XML, half of it and a wrong signature inside cost alike (Jager
/// and Somorovsky 2011).
package struct ConcealedWork: Sendable {
  /// Octets of the ciphertext, which anybody can count.
  private let size: Int
  /// Octets of XML that were parsed.
  package var parsedCount = 0
  /// Whether keys were tried on a signature, and whether a digest was made of what it covers.
  private var isTried = false
  private var isDigested = false

  package init(of data: EncryptedData) { size = data.size }

  /// Notes how far the signature inside came.
  package mutating func note(_ failure: TokenError) {
    isDigested = failure.code == .digestMismatch
    isTried = isDigested || failure.code == .signatureInvalid
  }

  /// Does the rest of the work of a plaintext without a signature.
  package func settle() {
    // Plaintext that uses prefixes of the message is parsed twice.
    var rest = 2 * size - parsedCount
    while rest >= DecoyText.leastCount {
      let octets = DecoyText.octets(count: min(rest, size))
      rest -= octets.count
      guard let document = try? Document(parsing: octets, limits: Self.decoyLimits) else { return }
      _ = try? IdentifierIndex(document)
    }
  }

  /// Does the rest of the work of a plaintext that should be signed by one of `keys`.
  package func settle(_ keys: KeyRing, at now: Instant, _ limits: Limits) {
    settle()
    if !isTried { DecoySignature.refuse(keys, at: now, limits) }
    if !isDigested { _ = DigestAlgorithm.sha256.digest(of: DecoyText.octets(count: size)) }
  }

  /// The text is ours, whatever the limits of tokens are.
  private static let decoyLimits: Limits = {
    var limits = Limits()
    limits.bytes = Limits.hardByteLimit
    limits.elements = .max
    return limits
  }()
}
