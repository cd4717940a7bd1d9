extension Span where Element == UInt8 {
  /// The first place that is not UTF-8; nil where all is.
  ///
  /// A byte of ASCII ends every sequence: the others are validated run by run, and ASCII, which is nearly all of most
  /// texts, is passed sixteen bytes at a time.
  package var firstNotUTF8: Int? {
    var start = firstBeyondASCII(from: 0)
    while start < count {
      var end = start
      while end < count, self[end] >= 0x80 { end &+= 1 }
      do {
        _ = try UTF8Span(validating: extracting(start..<end))
      } catch {
        return start + error.byteOffsets.lowerBound
      }
      start = firstBeyondASCII(from: end)
    }
    return nil
  }

  /// The first place at or after `start` of a byte beyond ASCII, or the end.
  private func firstBeyondASCII(from start: Int) -> Int {
    var index = start
    while count &- index >= 16, ByteVector.isNowhere(ByteVector.load(self, at: index)) {
      index &+= 16
    }
    while index < count, self[index] < 0x80 { index &+= 1 }
    return index
  }
}
