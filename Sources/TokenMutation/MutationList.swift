import TokenErrors

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
