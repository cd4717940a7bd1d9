import Octets

extension Trust {
  /// The entries that speak for `issuer`, a name in UTF-8. Only the highest-ranking source counts, so that
  /// a name in metadata does not add keys to an issuer that the configuration pins.
  package func entries(for issuer: ArraySlice<UInt8>) -> [TrustedIssuer] {
    var entries: [TrustedIssuer] = []
    forEachEntry(for: issuer) { entries.append($0) }
    return entries
  }

  /// Calls `body` with each of ``entries(for:)``, without a list of them.
  func forEachEntry(for issuer: ArraySlice<UInt8>, _ body: (TrustedIssuer) -> Void) {
    let issuers = issuers
    let places = places(naming: issuer)
    var best = Rank.any
    for place in places { best = max(best, Rank(issuers[place])) }
    for place in places where Rank(issuers[place]) == best { body(issuers[place]) }
  }

  /// The names that metadata describes although the configuration pins them: their metadata is not used.
  package var namesPinnedAgainstMetadata: [String] {
    let pinned = Set(
      issuers.compactMap { entry -> [UInt8]? in
        guard entry.source == .configuration, case .exactly(let name) = entry.name else {
          return nil
        }
        return Array(name.utf8)
      })
    guard !pinned.isEmpty else { return [] }
    return issuers.compactMap { entry in
      guard entry.source == .metadata, case .exactly(let name) = entry.name,
        pinned.contains(Array(name.utf8))
      else { return nil }
      return name
    }
  }

  /// How an entry ranks among those that speak for one issuer.
  private enum Rank: Int, Comparable {
    case any
    case metadata
    case pinned

    init(_ entry: TrustedIssuer) {
      switch (entry.name, entry.source) {
      case (.any, _): self = .any
      case (.exactly, .metadata): self = .metadata
      case (.exactly, .configuration): self = .pinned
      }
    }

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }
}
