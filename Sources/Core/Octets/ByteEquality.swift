#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension String {
  /// Whether both strings are the same UTF-8 bytes.
  ///
  /// Swift's `==` calls canonically equivalent strings equal (`"K"` and U+212A KELVIN SIGN), which
  /// is never right for an issuer, an audience or an ID.
  package func hasSameBytes(as other: String) -> Bool {
    Bytes.areEqual(utf8.span, other.utf8.span)
  }
}

extension [String] {
  /// Whether one of the strings is the same UTF-8 bytes as `text`.
  package func containsBytes(of text: String) -> Bool {
    contains { $0.hasSameBytes(as: text) }
  }
}

extension String? {
  /// Whether both are nil, or the same UTF-8 bytes.
  package func hasSameBytes(as other: String?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.hasSameBytes(as: other)
  }
}

extension [String: String] {
  /// Whether both have the same names with the same values, by their UTF-8 bytes.
  package func hasSameBytes(as other: Self) -> Bool {
    guard count == other.count else { return false }
    return allSatisfy { name, value in
      guard let found = other.index(forKey: name) else { return false }
      return other[found].key.hasSameBytes(as: name) && other[found].value.hasSameBytes(as: value)
    }
  }
}

/// Runs of bytes inside arrays.
package enum Bytes {
  /// Whether both runs are the same bytes.
  package static func areEqual(
    _ left: [UInt8], _ leftRange: Range<Int>, _ right: [UInt8], _ rightRange: Range<Int>
  ) -> Bool {
    areEqual(left.span.extracting(leftRange), right.span.extracting(rightRange))
  }

  /// Whether the run is the UTF-8 of `text`.
  package static func areEqual(_ left: [UInt8], _ range: Range<Int>, _ text: String) -> Bool {
    areEqual(left.span.extracting(range), text.utf8.span)
  }

  /// Whether the run is the UTF-8 of `text`.
  package static func areEqual(_ left: [UInt8], _ range: Range<Int>, _ text: StaticString) -> Bool {
    left.span.extracting(range).hasBytes(of: text)
  }

  /// The run as text.
  package static func string(_ bytes: [UInt8], _ range: Range<Int>) -> String {
    string(bytes.span.extracting(range))
  }

  /// The bytes as text.
  package static func string(_ bytes: Span<UInt8>) -> String {
    unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// Whether both runs are the same bytes.
  package static func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    return unsafe left.withUnsafeBufferPointer { left in
      unsafe right.withUnsafeBufferPointer { right in
        guard let one = left.baseAddress, let two = right.baseAddress else { return true }
        return unsafe memcmp(one, two, left.count) == 0
      }
    }
  }
}

extension Bytes {
  /// Lends a run.
  package static func lend<Result, Failure: Error>(
    _ bytes: [UInt8], _ range: Range<Int>, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(bytes.span.extracting(range))
  }

  /// Copies `bytes` to the start of `room`, as many as fit.
  package static func copy(_ bytes: Span<UInt8>, to room: inout MutableSpan<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe room.withUnsafeMutableBufferPointer { room in
        guard let from = bytes.baseAddress, let to = room.baseAddress else { return }
        unsafe to.update(from: from, count: min(bytes.count, room.count))
      }
    }
  }
}

extension ArraySlice where Element == UInt8 {
  /// Whether the bytes are the UTF-8 of `text`.
  package func hasBytes(of text: String) -> Bool {
    Bytes.areEqual(span, text.utf8.span)
  }
}

extension Span where Element == UInt8 {
  /// Whether the bytes are those of `text`.
  package func hasBytes(of text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && hasPrefix(text)
  }

  /// Whether the bytes begin with those of `text`.
  package func hasPrefix(_ text: StaticString) -> Bool {
    guard count >= text.utf8CodeUnitCount else { return false }
    return unsafe withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress, text.utf8CodeUnitCount > 0 else { return true }
      // Most different texts differ here, without a call.
      return unsafe base[0] == text.utf8Start[0]
        && memcmp(base, text.utf8Start, text.utf8CodeUnitCount) == 0
    }
  }

  /// Whether the bytes of `text` are somewhere among them.
  package func hasPart(_ text: StaticString) -> Bool {
    guard count >= text.utf8CodeUnitCount else { return false }
    return (0...count - text.utf8CodeUnitCount).contains { extracting($0...).hasPrefix(text) }
  }
}

extension StaticString {
  /// Whether both are the same octets.
  package func hasSameBytes(as other: StaticString) -> Bool {
    guard utf8CodeUnitCount == other.utf8CodeUnitCount else { return false }
    return unsafe memcmp(utf8Start, other.utf8Start, utf8CodeUnitCount) == 0
  }
}

extension Array where Element == UInt8 {
  /// The first position of `byte` at or after `start`, by the vectorised search of the C library.
  package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    guard start >= 0, start < count else { return nil }
    return unsafe withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress,
        let hit = unsafe memchr(base + start, Int32(byte), buffer.count - start)
      else { return nil }
      return unsafe UnsafeRawPointer(hit) - UnsafeRawPointer(base)
    }
  }
}

extension ArraySlice where Element == UInt8 {
  /// The first place of `byte` at or after `start`.
  package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    guard start >= startIndex, start < endIndex else { return nil }
    return unsafe withUnsafeBufferPointer { buffer in
      let skipped = start &- startIndex
      guard let base = buffer.baseAddress,
        let hit = unsafe memchr(base + skipped, Int32(byte), buffer.count - skipped)
      else { return nil }
      return startIndex + (unsafe UnsafeRawPointer(hit) - UnsafeRawPointer(base))
    }
  }
}

extension Span where Element == UInt8 {
  /// The first position of `byte` at or after `start`, by the vectorised search of the C library.
  package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    start < count ? firstIndex(of: byte, in: start..<count) : nil
  }

  /// The first place of `byte` in `range`.
  package func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
    unsafe extracting(range).withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress,
        let hit = unsafe memchr(base, Int32(byte), buffer.count)
      else { return nil }
      return range.lowerBound + (unsafe UnsafeRawPointer(hit) - UnsafeRawPointer(base))
    }
  }
}
