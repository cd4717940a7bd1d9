import Claims

/// The audiences of an assertion, by the restriction that names each.
struct AudienceTexts {
  private struct Entry {
    let text: ClaimText
    let restriction: Int
  }

  // As a rule there is one, which then needs no array.
  private var firstEntry: Entry?
  private var otherEntries: [Entry] = []
  private(set) var restrictionCount = 0

  var first: ClaimText? { firstEntry?.text }
  var others: [ClaimText] { otherEntries.map(\.text) }

  /// Begins the next restriction, which may name nobody.
  mutating func beginRestriction() { restrictionCount += 1 }

  /// Adds an audience of the restriction that was begun last.
  mutating func append(_ text: ClaimText) {
    let entry = Entry(text: text, restriction: restrictionCount)
    if firstEntry == nil { firstEntry = entry } else { otherEntries.append(entry) }
  }

  /// Whether there are restrictions, and each names one of `ours`.
  func areMet(by ours: [String], _ claims: borrowing ClaimTableBuilder) -> Bool {
    // How many restrictions, from the first on, are met: one behind a gap does not count.
    var met = 0
    func note(_ entry: Entry) {
      guard entry.restriction == met + 1 else { return }
      if ours.contains(where: { claims.hasBytes(entry.text, of: $0) }) { met += 1 }
    }
    if let firstEntry { note(firstEntry) }
    otherEntries.forEach(note)
    return restrictionCount > 0 && met == restrictionCount
  }

  /// The audiences as texts, one list for each restriction.
  func restrictions(_ claims: borrowing ClaimTableBuilder) -> [[String]] {
    var lists = [[String]](repeating: [], count: restrictionCount)
    for entry in [firstEntry].compactMap({ $0 }) + otherEntries {
      lists[entry.restriction - 1].append(claims.string(entry.text))
    }
    return lists
  }
}
