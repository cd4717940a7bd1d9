import Claims
public import Instants
import Octets
import SecurityKeys
import TokenErrors

/// A service identity that signed an assertion about itself, and what says whether the assertion was used before.
public struct AssertedIdentity: Sendable {
  /// The service identity.
  public let identity: ServiceIdentity
  /// Tells the assertion from every other one: its identifier at its issuer, or a digest of what was signed.
  public let assertion: String
  /// When it was issued, if it says so.
  public let issued: Instant?
  /// When the assertion ends.
  public let expires: Instant

  /// - Throws: `time.no-expiry`, `issuing.assertion` for an end that is far away: it would have to be remembered as long.
  init(
    _ identity: ServiceIdentity, _ facts: TokenFacts, signed: [UInt8], at now: Instant
  ) throws(TokenError) {
    guard let expires = facts.expires else { throw TokenError(.noExpiry) }
    guard expires <= now.advanced(bySeconds: Self.longestLifetime) else {
      throw TokenError(
        .issuingAssertion, node: "expiry", expected: "an end within a day", found: expires.rfc3339)
    }
    self.identity = identity
    self.expires = expires
    issued = facts.issued ?? facts.notBefore
    let name = "\(facts.issuer.utf8.count):\(facts.issuer)"
    assertion =
      facts.tokenID.map { name + "id:" + $0 }
      ?? name + "octets:" + Hex.encode(DigestAlgorithm.sha256.digest(of: signed) ?? signed)
  }

  /// Seconds: a day.
  public static let longestLifetime: Int64 = 86_400
}
