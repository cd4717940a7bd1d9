import CByteVectors

/// Sixty-four bytes looked at at once.
package enum ByteMarks {
  /// Which of the sixty-four bytes from `start` on, or of those that are left, are one of four, none of
  /// which is 0: a bit each, the first byte lowest.
  package static func bits(
    _ bytes: Span<UInt8>, at start: Int, _ first: UInt8, _ second: UInt8, _ third: UInt8,
    _ fourth: UInt8
  ) -> UInt64 {
    let rest = bytes.extracting(start...)
    guard rest.count < 64 else { return bits(rest, first, second, third, fourth) }
    var last = InlineArray<64, UInt8>(repeating: 0)
    for index in rest.indices { last[index] = rest[index] }
    return bits(last.span, first, second, third, fourth)
  }

  /// Of the first sixty-four bytes, which are there.
  @inline(__always)
  private static func bits(
    _ bytes: Span<UInt8>, _ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8
  ) -> UInt64 {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      guard let bytes = bytes.baseAddress else { return 0 }
      return unsafe cvectors_marks(bytes, first, second, third, fourth)
    }
  }
}
