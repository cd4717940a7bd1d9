import Octets

/// The value of a message digest, stored inline: a signature needs several, and none allocates.
package struct Digest: Sendable {
  private let octets: InlineArray<64, UInt8>
  package let count: Int

  /// A digest of `count` bytes, which `body` writes; nil when `body` returns false.
  init?(count: Int, _ body: (inout MutableSpan<UInt8>) -> Bool) {
    guard count <= 64 else { return nil }
    var octets = InlineArray<64, UInt8>(repeating: 0)
    var room = octets.mutableSpan
    guard body(&room) else { return nil }
    self.octets = octets
    self.count = count
  }

  /// A digest computed elsewhere; nil for more bytes than any has.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count <= 64 else { return nil }
    var octets = InlineArray<64, UInt8>(repeating: 0)
    var room = octets.mutableSpan
    Bytes.copy(bytes, to: &room)
    self.octets = octets
    count = bytes.count
  }

  /// Lends the bytes.
  package func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    body(octets.span.extracting(first: count))
  }

  /// The bytes as an array.
  package var bytes: [UInt8] { withBytes { bytes in bytes.indices.map { bytes[$0] } } }
}
