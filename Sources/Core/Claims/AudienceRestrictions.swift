import Octets

/// The audience restrictions of a token. Each must name an audience of ours (SAML Core 2.5.1.4); SWT and JWT
/// have one at most.
package struct AudienceRestrictions: Sendable {
  private struct Entry: BitwiseCopyable, Sendable {
    let text: ClaimText
    /// The restriction that names it, from 1.
    let restriction: Int
  }

  private var entries = InlineFirstArray<Entry>()
  /// The number of restrictions.
  package private(set) var count = 0

  /// No restriction.
  package init() {}

  /// One restriction with one audience; none for nil.
  package init(_ audience: ClaimText?) {
    guard let audience else { return }
    beginRestriction()
    append(audience)
  }

  /// Begins the next restriction, which may name no audience at all.
  package mutating func beginRestriction() { count += 1 }

  /// Adds an audience to the restriction that was begun last.
  package mutating func append(_ text: ClaimText) {
    entries.append(Entry(text: text, restriction: count))
  }

  /// The number of audiences in all restrictions.
  var audienceCount: Int { entries.count }

  /// The audience at a position among those of all restrictions, in document order.
  func audience(_ position: Int) -> ClaimText? { entries[position]?.text }

  /// The first restriction that names none of `ours`; nil when each names one.
  func firstUnmet(by ours: [String], in texts: borrowing some ClaimTexts & ~Copyable) -> Int? {
    // Entries are in the order of their restrictions, so the ones after a gap do not count.
    var met = 0
    for position in 0..<entries.count {
      guard let entry = entries[position], entry.restriction == met + 1 else { continue }
      // A name that is empty, as of a variable that is not set, names nobody.
      for name in ours where !name.isEmpty && texts.hasBytes(entry.text, of: name) {
        met += 1
        break
      }
    }
    return met == count ? nil : met + 1
  }

  /// The audiences of a restriction as texts.
  func strings(
    of restriction: Int, in texts: borrowing some ClaimTexts & ~Copyable
  ) -> [String] {
    var strings: [String] = []
    for position in 0..<entries.count {
      guard let entry = entries[position], entry.restriction == restriction else { continue }
      strings.append(texts.string(entry.text))
    }
    return strings
  }
}
