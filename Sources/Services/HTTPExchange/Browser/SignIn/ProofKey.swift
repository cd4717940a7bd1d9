import Octets
import SecurityKeys

/// A proof key for code exchange (RFC 7636, S256): an intercepted code is useless without the
/// verifier.
public struct ProofKey: Sendable {
  /// 43 unguessable characters, the base64url of 32 random octets; sent with the code.
  public let verifier: Secret

  /// A proof key with a random verifier.
  public init(random: RandomSource = RandomSource()) {
    verifier = Secret(Base64.encode(random.octets(32), .url))
  }

  /// A proof key with a given verifier.
  public init(verifier: Secret) { self.verifier = verifier }

  /// The base64url of the verifier's SHA-256, for the request.
  public var challenge: String {
    Base64.encode(DigestAlgorithm.sha256.digest(of: Array(verifier.revealed.utf8)) ?? [], .url)
  }
}
