public import TokenErrors

/// A bad variant of a good token, and the code that it must be rejected with.
public struct Mutation: Sendable {
  /// The change, unique among the variants of one token: `signature/removed`.
  public let name: String
  /// The change, as one sentence without a final period.
  public let summary: String
  /// The published attacks or classes of attack that it belongs to, by this project's numbers.
  public let attacks: [String]
  /// The one code that `claims verify` rejects it with.
  public let expected: TokenError.Code
  /// Whether the issuer's own key signed it: no one else could have made it, but a careless reader
  /// might still accept it.
  public let isIssuerSigned: Bool
  /// The variant as sent, in the wire form of the good token.
  public internal(set) var octets: [UInt8]

  /// The kind of change: the part of ``name`` before the slash.
  public var family: String { String(name.prefix { $0 != "/" }) }
}
