import Claims
import Octets

/// The audiences of an assertion, by the restriction that names each.
struct AudienceTexts {
  private struct Entry: BitwiseCopyable {
    let text: ClaimText
    let restriction: Int
  }

  private var entries = InlineFirstArray<Entry>()
  private(set) var restrictionCount = 0

  /// The audiences, whichever restriction names them.
  var texts: InlineFirstArray<ClaimText> {
    var texts = InlineFirstArray<ClaimText>()
    entries.forEach { texts.append($0.text) }
    return texts
  }

  /// Begins the next restriction, which may name nobody.
  mutating func beginRestriction() { restrictionCount += 1 }

  /// Adds an audience of the restriction that was begun last.
  mutating func append(_ text: ClaimText) {
    entries.append(Entry(text: text, restriction: restrictionCount))
  }

  /// Whether there are restrictions, and each names one of `ours`.
  func areMet(by ours: [String], _ claims: borrowing ClaimTableBuilder) -> Bool {
    // How many restrictions, from the first on, are met: one behind a gap does not count.
    var met = 0
    entries.forEach { entry in
      guard entry.restriction == met + 1 else { return }
      if ours.contains(where: { claims.hasBytes(entry.text, of: $0) }) { met += 1 }
    }
    return restrictionCount > 0 && met == restrictionCount
  }

  /// The audiences as texts, one list for each restriction.
  func restrictions(_ claims: borrowing ClaimTableBuilder) -> [[String]] {
    var lists = [[String]](repeating: [], count: restrictionCount)
    entries.forEach { entry in
      lists[entry.restriction - 1].append(claims.string(entry.text))
    }
    return lists
  }
}
