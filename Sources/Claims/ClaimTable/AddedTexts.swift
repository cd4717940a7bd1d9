import Octets

/// Texts of claims that are not in the octets of the token, after the constants that many claims share.
///
/// Empty until a text is added: a reference to the constants would be retained for every token, by all
/// threads.
struct AddedTexts: Sendable {
  private var own: [UInt8] = []

  /// All of them.
  var octets: [UInt8] { own.isEmpty ? ClaimTable.constants.octets : own }

  /// Adds what `body` appends.
  mutating func add(_ body: (inout [UInt8]) -> Void) -> ClaimText {
    if own.isEmpty { own = ClaimTable.constants.octets }
    let start = own.count
    body(&own)
    return ClaimText(start..<own.count, isAdded: true)
  }
}
