import CByteVectors

/// Statistics of a document's bytes, gathered in one vectorised pass.
package struct ByteStatistics {
  package let hasNUL: Bool
  package let isASCII: Bool
  /// How many `<` there are.
  package let tagCount: Int
  /// At least the bytes from one `<` to the next where they are furthest apart, and at most two runs
  /// of sixty-four more.
  package let longestTag: Int

  /// - Parameter isPlain: Whether to do as on a processor without wide vectors, where one has them.
  package init(_ bytes: Span<UInt8>, isPlain: Bool = false) {
    let statistics = unsafe bytes.withUnsafeBufferPointer { bytes in
      let count = unsafe isPlain ? cvectors_count_each : cvectors_count
      return unsafe count(bytes.baseAddress, bytes.count, ASCII.lessThan)
    }
    hasNUL = statistics.has_nul != 0
    isASCII = statistics.is_ascii != 0
    tagCount = statistics.marks
    longestTag = statistics.longest_gap &+ 2 &* 64
  }
}
