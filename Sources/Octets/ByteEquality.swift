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
    let left = utf8.span
    let right = other.utf8.span
    guard left.count == right.count else { return false }
    return unsafe left.withUnsafeBufferPointer { left in
      unsafe right.withUnsafeBufferPointer { right in
        guard let one = left.baseAddress, let two = right.baseAddress else { return true }
        return unsafe memcmp(one, two, left.count) == 0
      }
    }
  }
}

extension [String] {
  /// Whether one of the strings is the same UTF-8 bytes as `text`.
  package func containsBytes(of text: String) -> Bool {
    contains { $0.hasSameBytes(as: text) }
  }
}

/// Runs of bytes inside arrays.
package enum Bytes {
  /// Whether both runs are the same bytes.
  package static func areEqual(
    _ left: [UInt8], _ leftRange: Range<Int>, _ right: [UInt8], _ rightRange: Range<Int>
  ) -> Bool {
    let left = left.span.extracting(leftRange)
    let right = right.span.extracting(rightRange)
    guard left.count == right.count else { return false }
    return unsafe left.withUnsafeBufferPointer { left in
      unsafe right.withUnsafeBufferPointer { right in
        guard let one = left.baseAddress, let two = right.baseAddress else { return true }
        return unsafe memcmp(one, two, left.count) == 0
      }
    }
  }
}

extension ArraySlice where Element == UInt8 {
  /// Whether the bytes are the UTF-8 of `text`.
  package func hasBytes(of text: String) -> Bool {
    let left = span
    let right = text.utf8.span
    guard left.count == right.count else { return false }
    return unsafe left.withUnsafeBufferPointer { left in
      unsafe right.withUnsafeBufferPointer { right in
        guard let one = left.baseAddress, let two = right.baseAddress else { return true }
        return unsafe memcmp(one, two, left.count) == 0
      }
    }
  }
}
