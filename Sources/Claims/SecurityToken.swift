public import TokenErrors

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
