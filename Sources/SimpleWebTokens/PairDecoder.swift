import Octets
import TokenErrors

/// Writes what a token's octets stand for, sixty-four after sixty-four. `&` and `=` are copied.
@safe struct PairDecoder: ~Copyable {
  private let output: UnsafeMutableBufferPointer<UInt8>
  /// The block that was decoded last, and where it begins when it is decoded.
  private(set) var block = FormBlock()
  private(set) var decodedPlace = 0
  /// Whether there was an octet that may not stand in a token.
  private(set) var hasRefused = false

  private let capacity: Int

  private init(_ output: UnsafeMutableBufferPointer<UInt8>) {
    unsafe self.output = output
    capacity = output.count
  }

  /// What `body` decodes of a token of `count` octets; it answers how many octets these are.
  static func decode(
    _ count: Int, _ body: (inout PairDecoder) throws(TokenError) -> Int
  ) throws(TokenError) -> [UInt8] {
    var octets: [UInt8] = []
    // Decoding makes nothing longer; the last block is written as a whole.
    try octets.append(addingCapacity: count + FormBlock.room) { output throws(TokenError) in
      try unsafe output.withUnsafeMutableBufferPointer { buffer, written throws(TokenError) in
        var decoder = unsafe PairDecoder(buffer)
        written = try body(&decoder)
      }
    }
    return octets
  }

  /// Decodes the block at the start of `octets`, behind the one before. What is written of the octets
  /// behind it does not count.
  mutating func decode(_ octets: Span<UInt8>) {
    let place = decodedPlace &+ block.decodedCount
    guard octets.count >= FormBlock.room, capacity &- place >= FormBlock.room else { return }
    decodedPlace = place
    let overhang = block.overhang
    unsafe octets.withUnsafeBufferPointer { octets in
      guard let octets = octets.baseAddress, let output = unsafe output.baseAddress else { return }
      unsafe block = FormBlock(decoding: octets, overhang: overhang, to: output + place)
    }
    if block.hasOthers { hasRefused = true }
  }

  /// Lends a part of what was decoded.
  func withDecoded(
    _ range: Range<Int>, _ body: (Span<UInt8>) throws(TokenError) -> Void
  ) throws(TokenError) {
    let written = unsafe output.extracting(..<(decodedPlace &+ block.decodedCount))
    try unsafe body(written.span.extracting(range))
  }
}
