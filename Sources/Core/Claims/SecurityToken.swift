public import TokenBasics

/// A token that is parsed and not verified: its claims prove nothing. ``TokenValidator`` turns it into a
/// ``Verified``.
///
/// Only the formats of this package conform. A type elsewhere can declare the conformance, but cannot verify:
/// a ``VerifiedContent`` is made inside this package alone.
public protocol SecurityToken: Sendable, CustomStringConvertible, CustomReflectable {
  /// The kind of token.
  var format: TokenFormat { get }
  /// The claims as written, without any proof: for display and debugging, never for a decision.
  var unverifiedClaims: ClaimSet { get }
  /// What the token states about itself, without any proof.
  var unverifiedFacts: TokenFacts { get }

  /// The octets that were signed, in a format without identifiers; empty in others. Only
  /// ``TokenIdentity`` asks.
  var _signedOctets: [UInt8] { get }

  /// Checks the token. Only ``TokenValidator`` calls this.
  func _verify(in context: inout VerificationContext) throws(TokenError) -> VerifiedContent
}

extension SecurityToken {
  /// Empty, for formats with identifiers.
  public var _signedOctets: [UInt8] { [] }

  /// The kind of token. Its octets are a credential and are left out.
  public var description: String { "a \(format) token" }

  /// No children, so that `dump` shows no more than ``description``.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A kind of token. An open set: later releases add values.
public struct TokenFormat: Hashable, Sendable, CustomStringConvertible {
  private enum Known: UInt8 {
    case swt
    case saml11
    case saml20
    case jwt
    case sdjwt
  }

  private let known: Known

  /// One bit for each format.
  var bit: UInt8 { 1 << known.rawValue }

  /// The name that the command, the trust file and reports use.
  public var name: String {
    switch known {
    case .swt: "swt"
    case .saml11: "saml11"
    case .saml20: "saml20"
    case .jwt: "jwt"
    case .sdjwt: "sdjwt"
    }
  }

  /// ``name``.
  public var description: String { name }

  /// Simple Web Token.
  public static let swt = Self(known: .swt)
  /// A SAML 1.1 assertion, alone or in a response.
  public static let saml11 = Self(known: .saml11)
  /// A SAML 2.0 assertion, alone or in a response.
  public static let saml20 = Self(known: .saml20)
  /// JSON Web Token in compact form.
  public static let jwt = Self(known: .jwt)

  /// JSON Web Token with selective disclosure (SD-JWT).
  public static let sdjwt = Self(known: .sdjwt)

  /// Every format.
  public static let all: [Self] = [.swt, .saml11, .saml20, .jwt, .sdjwt]

  /// The format of that name.
  public init?(_ name: String) {
    guard let known = Self.all.first(where: { $0.name == name }) else { return nil }
    self = known
  }

  private init(known: Known) { self.known = known }
}
