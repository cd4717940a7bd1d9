import Synchronization

/// The result of looking in a ``Trust`` for the entry that vouches for tokens of an issuer.
enum IssuerMatch {
  /// The one entry whose keys vouch for the issuer's tokens of the format.
  case entry(TrustedIssuer)
  /// No entry names the issuer.
  case untrusted
  /// Entries name the issuer, but none has a key for the format.
  case noKey
  /// So many entries of one source vouch for the format.
  case ambiguous(Int)
}

extension Trust {
  /// Looks for the entry that vouches for tokens of `issuer`, a name in UTF-8, in `format`.
  func match(_ issuer: ArraySlice<UInt8>, _ format: TokenFormat) -> IssuerMatch {
    // An empty trust lacks keys; that it lacks the issuer as well is no news.
    var isNamed = issuers.isEmpty
    var vouching: TrustedIssuer?
    var count = 0
    forEachEntry(for: issuer) { entry in
      isNamed = true
      guard entry.vouches(for: format), !entry.keys.isEmpty else { return }
      count += 1
      vouching = vouching ?? entry
    }
    guard isNamed else { return .untrusted }
    guard let vouching else { return .noKey }
    return count == 1 ? .entry(vouching) : .ambiguous(count)
  }
}

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
