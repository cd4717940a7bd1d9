#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

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
