import Claims
public import HTTPExchange
import Octets
public import SecurityKeys
public import TokenBasics

/// An account of a program, which gets tokens without a person; also a client of the OAuth endpoint.
public struct ServiceIdentity: Sendable {
  /// Its name.
  public let name: String
  /// Its password; nil for none.
  public var password: Secret?
  /// The key with which it signs assertions about itself; nil for none.
  public var key: SymmetricKey?
  /// The certificate with whose key it signs assertions about itself; nil for none.
  public var certificate: Certificate?
  /// Where the authorization codes of its users may go.
  public var redirectAddresses: [HTTPURL] = []
  /// By which names it gets tokens that it exchanges.
  public var clientNames = ClientNames()

  /// An account.
  public init(name: String, password: Secret? = nil, key: SymmetricKey? = nil) {
    self.name = name
    self.password = password
    self.key = key
  }
}

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
    let name = PrefixedTexts.text(facts.issuer)
    assertion =
      facts.tokenID.map { name + "id:" + $0 }
      ?? name + "octets:" + Hex.encode(DigestAlgorithm.sha256.digest(of: signed) ?? signed)
  }

  /// Seconds: a day.
  public static let longestLifetime: Int64 = 86_400
}
