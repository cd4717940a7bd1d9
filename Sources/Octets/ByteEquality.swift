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

extension Sequence where Element == String {
  /// Whether one of the strings is the same UTF-8 bytes as `text`.
  package func containsBytes(of text: String) -> Bool {
    contains { $0.hasSameBytes(as: text) }
  }
}
