import Octets

/// Texts of claims that do not stand in the octets of the token, behind those that many claims share.
///
/// Where nothing was added there is nothing: a copy of the shared ones would be counted with every token, by
/// all threads.
struct AddedTexts: Sendable {
  private var own: [UInt8] = []

  /// All of them.
  var octets: [UInt8] { own.isEmpty ? ClaimTable.constants : own }

  /// Adds what `body` appends.
  mutating func add(_ body: (inout [UInt8]) -> Void) -> ClaimText {
    if own.isEmpty { own = ClaimTable.constants }
    let start = own.count
    body(&own)
    return ClaimText(start..<own.count, isAdded: true)
  }
}
