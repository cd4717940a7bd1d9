import Octets

/// Texts in which originals are looked for, all at once.
///
/// Places that begin with the same four octets are chained, so that a search takes as long as there are such
/// places.
struct SearchedText {
  private var text: [UInt8] = []
  private var heads: [Int32]
  private var next: [Int32]
  private static let bits = 16

  /// - Parameter texts: Nothing is found across two of them.
  init(_ texts: [[UInt8]]) {
    text = Array(texts.joined(separator: [0, 0]))
    heads = Array(repeating: -1, count: 1 << Self.bits)
    next = Array(repeating: -1, count: text.count)
    var four: UInt32 = 0
    for (place, byte) in text.enumerated() {
      four = four << 8 | UInt32(byte)
      guard place >= 3, let start = Int32(exactly: place - 3) else { continue }
      let bucket = Self.bucket(four)
      next[place - 3] = heads[bucket]
      heads[bucket] = start
    }
  }

  private static func bucket(_ four: UInt32) -> Int { Int((four &* 0x9E37_79B1) >> (32 - 16)) }

  /// - Parameter asWord: Whether it counts only where no letter or digit is beside it.
  func contains(_ wanted: some Collection<UInt8>, asWord: Bool) -> Bool {
    let wanted = Array(wanted)
    guard wanted.count >= 4 else { return false }
    var found = Int(heads[Self.bucket(wanted.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })])
    while found >= 0 {
      let end = found + wanted.count
      if end <= text.count, text[found..<end].elementsEqual(wanted), !asWord || isWord(found..<end)
      {
        return true
      }
      found = Int(next[found])
    }
    return false
  }

  private func isWord(_ range: Range<Int>) -> Bool {
    let before = range.lowerBound > 0 && Self.isPart(text[range.lowerBound - 1])
    return !before && !(range.upperBound < text.count && Self.isPart(text[range.upperBound]))
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte >= 0x80
  }
}
