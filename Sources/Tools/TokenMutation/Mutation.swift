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

/// Passes variants on, one at a time: those of a large token are too many to hold.
struct MutationList {
  private let original: [UInt8]
  private let receive: (Mutation) -> Void

  init(original: [UInt8], _ receive: @escaping (Mutation) -> Void) {
    self.original = original
    self.receive = receive
  }

  /// Passes a variant on, unless it could not be made or is the good token itself.
  func add(
    _ name: String, _ summary: String, _ attacks: [String], _ expected: TokenError.Code,
    issuerSigned: Bool = false, _ octets: [UInt8]?
  ) {
    guard let octets, octets != original else { return }
    receive(
      Mutation(
        name: name, summary: summary, attacks: attacks, expected: expected,
        isIssuerSigned: issuerSigned, octets: octets))
  }
}
