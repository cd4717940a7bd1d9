import COpenSSL

/// Comparison whose time does not depend on where two values differ.
package enum ConstantTime {
  /// Whether both are the same bytes. Lengths are public: different ones return at once.
  package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    areEqual(left.span, right.span)
  }

  /// As ``areEqual(_:_:)-([UInt8],_)``.
  package static func areEqual(_ left: Digest, _ right: Digest) -> Bool {
    left.withBytes { left in right.withBytes { right in areEqual(left, right) } }
  }

  private static func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    return unsafe left.withUnsafeBytes { left in
      unsafe right.withUnsafeBytes { right in
        unsafe CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
      }
    }
  }
}
