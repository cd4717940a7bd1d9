import Octets
import SecurityKeys

/// A proof key for code exchange (RFC 7636, S256): a code that somebody intercepts is of no use without
/// the verifier.
public struct ProofKey: Sendable {
  /// 43 characters that nobody can guess.
  public let verifier: Secret

  /// A new key of 32 random octets.
  public init(random: RandomOctets = RandomOctets()) {
    verifier = Secret(Base64.encode(random.octets(32), .url))
  }

  /// A verifier that was made elsewhere.
  public init(verifier: Secret) { self.verifier = verifier }

  /// The base64url of the verifier's SHA-256, for the request.
  public var challenge: String {
    Base64.encode(DigestAlgorithm.sha256.digest(of: Array(verifier.revealed.utf8)) ?? [], .url)
  }
}
