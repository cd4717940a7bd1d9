import CByteVectors

/// What a document's bytes are, looked at once, many at a time.
package struct ByteCensus {
  package let hasNUL: Bool
  package let isASCII: Bool
  /// How many `<` there are.
  package let tagCount: Int
  /// At least the bytes from one `<` to the next where they are furthest apart, and at most two runs
  /// of sixty-four more.
  package let longestTag: Int

  /// - Parameter isPlain: Whether to do as on a processor without wide vectors, where one has them.
  package init(_ bytes: Span<UInt8>, isPlain: Bool = false) {
    let census = unsafe bytes.withUnsafeBufferPointer { bytes in
      let count = unsafe isPlain ? cvectors_count_each : cvectors_count
      return unsafe count(bytes.baseAddress, bytes.count, ASCII.lessThan)
    }
    hasNUL = census.has_nul != 0
    isASCII = census.is_ascii != 0
    tagCount = census.marks
    longestTag = census.longest_gap &+ 2 &* 64
  }
}
