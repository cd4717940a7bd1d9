public import TokenErrors

/// A token that was parsed and not judged.
///
/// Its claims are what anybody may have written. ``TokenValidator`` turns it into a ``Verified``.
public protocol SecurityToken: Sendable, CustomStringConvertible, CustomReflectable {
  /// The kind of token.
  var format: TokenFormat { get }
  /// The claims as written, without any proof: for display and debugging, never for a decision.
  var unverifiedClaims: ClaimSet { get }
  /// What the token says of itself, without any proof.
  var unverifiedFacts: TokenFacts { get }

  /// The octets that were signed, in a format without identifiers; empty in others. Only
  /// ``TokenIdentity`` asks.
  var _signedOctets: [UInt8] { get }

  /// Checks the token. Only ``TokenValidator`` calls this.
  func _verify(in context: inout VerificationContext) throws(TokenError) -> VerifiedContent
}

extension SecurityToken {
  public var _signedOctets: [UInt8] { [] }

  /// What kind of token it is; its octets are a credential and never show.
  public var description: String { "a \(format) token" }

  /// Nothing: `dump` and interpolation see no more than ``description``.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
