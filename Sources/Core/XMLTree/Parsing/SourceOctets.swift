/// The octets that are being parsed, and the position of the parser's output in them.
@safe struct SourceOctets {
  private let octets: UnsafeBufferPointer<UInt8>

  /// - Parameter octets: They stay where they are for as long as this is used.
  init(_ octets: UnsafeBufferPointer<UInt8>) { unsafe self.octets = octets }

  /// It is empty.
  static var none: SourceOctets { unsafe SourceOctets(UnsafeBufferPointer(start: nil, count: 0)) }

  var count: Int { unsafe octets.count }

  subscript(range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(rebasing: octets[range])
  }

  /// How many octets before this one there are.
  func offset(of address: UnsafePointer<UInt8>?) -> Int {
    let offset = unsafe UInt(bitPattern: address) &- UInt(bitPattern: octets.baseAddress)
    return offset < UInt(count) ? Int(bitPattern: offset) : count
  }

  /// The position of these octets, if they are in the source.
  @inline(__always)
  func place(of bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    let start = unsafe offset(of: bytes.baseAddress)
    guard start < count, bytes.count <= count &- start else { return nil }
    return start..<start &+ bytes.count
  }

  /// Whether the octet at `place` is this one.
  @inline(__always)
  func has(_ byte: UInt8, at place: Int) -> Bool {
    unsafe UInt(bitPattern: place) < UInt(bitPattern: count) && octets[place] == byte
  }
}
