import Octets
import TokenErrors

/// Writes what a token's octets stand for. Where nothing is to be decoded they are copied as they are,
/// `&` and `=` with them, so one copy does for all that stands between two escapes.
@safe struct PairDecoder: ~Copyable {
  private let start: UnsafeMutablePointer<UInt8>
  private var next: UnsafeMutablePointer<UInt8>
  /// Up to where the token was decoded.
  private var place = 0

  private init(_ start: UnsafeMutablePointer<UInt8>) {
    unsafe self.start = start
    unsafe next = start
  }

  /// What `body` writes of a token of `count` octets.
  static func decode(
    _ count: Int, _ body: (inout PairDecoder) throws(TokenError) -> Void
  ) throws(TokenError) -> [UInt8] {
    var octets: [UInt8] = []
    // Decoding makes nothing longer; a block more lets it copy whole blocks.
    try octets.append(addingCapacity: count + block) { output throws(TokenError) in
      try unsafe output.withUnsafeMutableBufferPointer { buffer, written throws(TokenError) in
        guard let start = buffer.baseAddress else { return }
        var decoder = unsafe PairDecoder(start)
        try body(&decoder)
        written = unsafe decoder.next - start
      }
    }
    return octets
  }

  private static var block: Int { 16 }

  /// Where what stands at `place` comes to stand when all before it is copied.
  @inline(__always)
  func decodedPlace(_ place: Int) -> Int { unsafe next - start + (place &- self.place) }

  /// Copies the octets before `end`.
  @inline(__always)
  mutating func copy(_ token: Span<UInt8>, upTo end: Int) {
    let length = end &- place
    if token.count &- end >= Self.block {
      copyBlocks(token, length)
    } else {
      copyOctets(token, length)
    }
    unsafe next += length
    place = end
  }

  /// Copies whole blocks, mostly one; what is too much is written over.
  @inline(__always)
  private func copyBlocks(_ token: Span<UInt8>, _ length: Int) {
    copyBlock(token, 0)
    var offset = Self.block
    while offset < length {
      copyBlock(token, offset)
      offset &+= Self.block
    }
  }

  @inline(__always)
  private func copyBlock(_ token: Span<UInt8>, _ offset: Int) {
    unsafe UnsafeMutableRawPointer(next).storeBytes(
      of: ByteVector.load(token, at: place &+ offset), toByteOffset: offset,
      as: SIMD16<UInt8>.self)
  }

  private func copyOctets(_ token: Span<UInt8>, _ length: Int) {
    for offset in 0..<length { unsafe next[offset] = token[place &+ offset] }
  }

  /// Writes one octet for the next `length` of the token.
  @inline(__always)
  mutating func replace(_ length: Int, by octet: UInt8) {
    unsafe next.pointee = octet
    unsafe next += 1
    place &+= length
  }

  /// Lends a part of what was written.
  func withDecoded(
    _ range: Range<Int>, _ body: (Span<UInt8>) throws(TokenError) -> Void
  ) throws(TokenError) {
    let written = unsafe UnsafeBufferPointer(start: start, count: next - start)
    try unsafe body(written.span.extracting(range))
  }
}
