/// An ECDSA signature as DER of the SEQUENCE of r and s (RFC 3279, 2.2.3).
enum ECDSASequence {
  /// Whether `octets` are such a SEQUENCE of two INTEGERs and nothing else. OpenSSL checks their
  /// values.
  static func isSequence(_ octets: Span<UInt8>) -> Bool {
    var index = 0
    guard let length = contentLength(octets, 0x30, &index), length == octets.count - index,
      let first = contentLength(octets, 0x02, &index)
    else { return false }
    index += first
    guard let second = contentLength(octets, 0x02, &index) else { return false }
    return index + second == octets.count
  }

  /// The length of the content after a tag; `index` moves to the start of the content. The numbers of
  /// the largest curve take less than 256 bytes.
  private static func contentLength(
    _ octets: Span<UInt8>, _ tag: UInt8, _ index: inout Int
  ) -> Int? {
    guard index + 1 < octets.count, octets[index] == tag else { return nil }
    var length = Int(octets[index + 1])
    index += 2
    if length == 0x81 {
      guard index < octets.count else { return nil }
      length = Int(octets[index])
      index += 1
      guard length >= 0x80 else { return nil }
    } else if length >= 0x80 {
      return nil
    }
    return length > 0 && length <= octets.count - index ? length : nil
  }
}
