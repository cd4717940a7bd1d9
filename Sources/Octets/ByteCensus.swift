import CByteVectors

/// What a document's bytes are, looked at once, many at a time.
package struct ByteCensus {
  package private(set) var hasNUL = false
  package private(set) var isASCII = true
  /// How many `<` there are.
  package private(set) var tagCount = 0
  /// At least the bytes from one `<` to the next where they are furthest apart, and at most two blocks
  /// more.
  package private(set) var longestTag = 0

  private typealias Lanes = SIMD16<UInt8>
  private static let blockCount = 4 * Lanes.scalarCount

  package init(_ bytes: Span<UInt8>) {
    let start = unsafe bytes.withUnsafeBufferPointer {
      unsafe cvectors_count($0.baseAddress, $0.count, ASCII.lessThan)
    }
    var all = Lanes()
    var nulBytes = Lanes()
    all[0] = start.any
    nulBytes[0] = start.has_nul == 0 ? 0 : 0x80
    tagCount = start.marks
    longestTag = start.longest_gap &+ 2 &* Self.blockCount
    var emptyRun = start.last_gap
    var index = start.read
    while bytes.count &- index >= Self.blockCount {
      // Each lane counts for itself; four cannot make one overflow.
      var tags = Lanes()
      for part in 0..<4 {
        let lanes = ByteVector.load(bytes, at: index &+ part &* Lanes.scalarCount)
        all |= lanes
        nulBytes |= ByteVector.equal(0, lanes)
        tags &-= ByteVector.mask(ByteVector.equal(ASCII.lessThan, lanes))
      }
      note(Self.sum(tags), &emptyRun)
      index &+= Self.blockCount
    }
    var tags = 0
    while index < bytes.count {
      let byte = bytes[index]
      all[0] |= byte
      nulBytes[0] |= byte == 0 ? 0x80 : 0
      tags &+= byte == ASCII.lessThan ? 1 : 0
      index &+= 1
    }
    note(tags, &emptyRun)
    hasNUL = !ByteVector.isNowhere(nulBytes)
    isASCII = ByteVector.isNowhere(all)
  }

  /// The sum of all lanes, which is below 256.
  @inline(__always)
  private static func sum(_ lanes: Lanes) -> Int {
    let words: SIMD2<UInt64> = ByteVector.same(lanes)
    return Int(((words[0] &+ words[1]) &* ByteLanes.ones) &>> 56)
  }

  private mutating func note(_ tags: Int, _ emptyRun: inout Int) {
    tagCount &+= tags
    emptyRun = tags == 0 ? emptyRun &+ Self.blockCount : 0
    longestTag = max(longestTag, emptyRun &+ 2 &* Self.blockCount)
  }
}
