/// How much of a token a page shows: enough for any real one, and bounded for the others. The page says what it
/// leaves out.
enum PageLimits {
  /// Characters of one text.
  static let characters = 1_000
  /// Elements of one document.
  static let elements = 4_000
  /// Nodes inside of one element.
  static let children = 500
  /// Octets of page that one part may take: hostile text grows tenfold where it is escaped.
  static let sectionOctets = 1 << 20
  /// Octets of input that are shown as they are.
  static let inputOctets = 1_000
  /// Rows of one table.
  static let rows = 500
  /// Lines about a failure.
  static let remarks = 100
  /// Texts of a token that are looked for in messages.
  static let knownValues = 2_000
}
