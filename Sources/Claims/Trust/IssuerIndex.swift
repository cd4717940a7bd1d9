import Synchronization

/// The positions of entries by the issuer that they name, built for the first token: a file of metadata has
/// thousands of entries, and each token names one.
final class IssuerIndex: Sendable {
  /// By octets: strings of different octets can be equal.
  private let places = Mutex<[ArraySlice<UInt8>: [Int]]?>(nil)

  /// The positions of the entries for `issuer`, a name in UTF-8, and of those for any issuer, in order.
  func places(of issuer: ArraySlice<UInt8>, in entries: [TrustedIssuer]) -> [Int] {
    places.withLock { places in
      let known = places ?? Self.places(entries)
      places = known
      let named = known[issuer, default: []]
      // No issuer has an empty name.
      let any = known[[], default: []]
      return any.isEmpty ? named : (named + any).sorted()
    }
  }

  private static func places(_ entries: [TrustedIssuer]) -> [ArraySlice<UInt8>: [Int]] {
    var places: [ArraySlice<UInt8>: [Int]] = [:]
    for (place, entry) in entries.enumerated() {
      switch entry.name {
      case .exactly(let name): places[Array(name.utf8)[...], default: []].append(place)
      case .any: places[[], default: []].append(place)
      }
    }
    return places
  }
}
