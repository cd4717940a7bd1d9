extension String {
  /// Whether the text contains ASCII `words`, letters compared without case.
  package func mentions(_ words: StaticString) -> Bool {
    let wanted = String(describing: words).utf8.map { $0 | 0x20 }
    let text = utf8.map { $0 | 0x20 }
    guard text.count >= wanted.count else { return false }
    return (0...text.count - wanted.count).contains { text[$0...].starts(with: wanted) }
  }
}
