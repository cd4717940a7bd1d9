import TokenErrors

/// The variants made so far.
struct MutationList {
  private(set) var mutations: [Mutation] = []
  private let original: [UInt8]

  init(original: [UInt8]) { self.original = original }

  /// Adds a variant, unless it could not be made or is the good token itself.
  mutating func add(
    _ name: String, _ summary: String, _ attacks: [String], _ expected: TokenError.Code,
    issuerSigned: Bool = false, _ octets: [UInt8]?
  ) {
    guard let octets, octets != original else { return }
    mutations.append(
      Mutation(
        name: name, summary: summary, attacks: attacks, expected: expected,
        isIssuerSigned: issuerSigned, octets: octets))
  }
}
