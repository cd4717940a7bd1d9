import Octets

/// What a document's bytes are, looked at once, many at a time.
struct ByteCensus {
  private(set) var hasNUL = false
  private(set) var isASCII = true
  /// How many `<` there are.
  private(set) var tagCount = 0
  /// At least the bytes from one `<` to the next where they are furthest apart, and at most two blocks
  /// more.
  private(set) var longestTag = 0

  private static let blockCount = 4 * ByteLanes.count

  init(_ bytes: Span<UInt8>) {
    var all: UInt64 = 0
    var nulBytes: UInt64 = 0
    var emptyRun = 0
    var index = 0
    while bytes.count &- index >= Self.blockCount {
      // Each lane counts for itself; four words cannot make one overflow.
      var tags: UInt64 = 0
      for word in 0..<4 {
        let word = ByteLanes.word(bytes, at: index &+ word &* ByteLanes.count)
        all |= word
        nulBytes |= ByteLanes.equal(0, word)
        tags &+= ByteLanes.exactlyEqual(ASCII.lessThan, word) &>> 7
      }
      note(Int((tags &* ByteLanes.ones) &>> 56), &emptyRun)
      index &+= Self.blockCount
    }
    var tags = 0
    while index < bytes.count {
      let byte = bytes[index]
      all |= UInt64(byte)
      nulBytes |= byte == 0 ? 1 : 0
      tags &+= byte == ASCII.lessThan ? 1 : 0
      index &+= 1
    }
    note(tags, &emptyRun)
    hasNUL = nulBytes != 0
    isASCII = all & ByteLanes.highBits == 0
  }

  private mutating func note(_ tags: Int, _ emptyRun: inout Int) {
    tagCount &+= tags
    emptyRun = tags == 0 ? emptyRun &+ Self.blockCount : 0
    longestTag = max(longestTag, emptyRun &+ 2 &* Self.blockCount)
  }
}
