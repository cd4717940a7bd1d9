public import TokenErrors

/// A bad variant of a good token, and the code that it must be refused with.
public struct Mutation: Sendable {
  /// What was done, unique among the variants of one token: `signature/removed`.
  public let name: String
  /// What was done, as one sentence without a final period.
  public let summary: String
  /// The published attacks or classes of attack that it belongs to, as this project numbers them.
  public let attacks: [String]
  /// The one code that `claims verify` refuses it with.
  public let expected: TokenError.Code
  /// Whether the issuer's own key signed it: nobody else could have made it, but a careless reader
  /// might still take it.
  public let isIssuerSigned: Bool
  /// The variant as it travels, in the form that the good token came in.
  public internal(set) var octets: [UInt8]

  /// What was done to it, without the particulars: the part of ``name`` before the slash.
  public var family: String { String(name.prefix { $0 != "/" }) }
}
