import Octets

extension Trust {
  /// The entries that speak for `issuer`, a name in UTF-8. One source alone counts: whoever gets a name
  /// into metadata must not join the keys that the configuration pins to it.
  package func entries(for issuer: ArraySlice<UInt8>) -> [TrustedIssuer] {
    var found: [TrustedIssuer] = []
    var best = Rank.any
    for entry in entries(naming: issuer) {
      let rank = Rank(entry)
      if rank > best { found.removeAll() }
      if rank >= best {
        found.append(entry)
        best = rank
      }
    }
    return found
  }

  /// The names that metadata describes although the configuration pins them: what metadata says about
  /// them is not used.
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
