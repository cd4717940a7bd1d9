/// A growing run of bytes that is written once and read once.
///
/// Appending to an `Array` checks uniqueness and bounds at every call; here a run of bytes takes one
/// comparison and one copy, inlined across modules.
/// The buffer never shrinks, so one writer serves many documents.
@safe public struct OctetWriter: ~Copyable {
  @usableFromInline var start: UnsafeMutablePointer<UInt8>
  @usableFromInline var capacity: Int
  @usableFromInline var written = 0

  /// Bytes written so far.
  @inlinable public var count: Int { written }

  /// An empty writer with room for `capacity` octets.
  public init(capacity: Int = 4096) {
    self.capacity = max(capacity, 64)
    unsafe start = .allocate(capacity: self.capacity)
  }

  deinit { unsafe start.deallocate() }

  /// Appends an octet.
  @inlinable @inline(__always)
  public mutating func append(_ byte: UInt8) {
    if written == capacity { grow(by: 1) }
    unsafe start[written] = byte
    written &+= 1
  }

  /// Appends octets.
  @inlinable @inline(__always)
  public mutating func append(_ bytes: Span<UInt8>) {
    let added = bytes.count
    if added > capacity &- written { grow(by: added) }
    unsafe bytes.withUnsafeBufferPointer { source in
      guard let base = source.baseAddress else { return }
      unsafe (start + written).update(from: base, count: added)
    }
    written &+= added
  }

  /// Appends what `body` writes, at most `count` bytes.
  @inlinable
  public mutating func append(upTo count: Int, _ body: (inout OutputSpan<UInt8>) -> Void) {
    if count > capacity &- written { grow(by: count) }
    let room = unsafe UnsafeMutableBufferPointer(start: start + written, count: count)
    var output = unsafe OutputSpan(buffer: room, initializedCount: 0)
    body(&output)
    written &+= unsafe output.finalize(for: room)
  }

  /// Appends a part of `bytes`.
  @inlinable @inline(__always)
  public mutating func append(_ bytes: [UInt8], _ range: Range<Int>) {
    let whole = bytes.span
    let part = whole.extracting(range)
    // A short part saves a call where 32 bytes may be copied for it.
    guard part.count <= 32, whole.count &- range.lowerBound >= 32, capacity &- written >= 32 else {
      return append(part)
    }
    let output = unsafe UnsafeMutableRawPointer(start + written)
    unsafe output.storeBytes(
      of: ByteVector.load(whole, at: range.lowerBound), as: SIMD16<UInt8>.self)
    unsafe output.storeBytes(
      of: ByteVector.load(whole, at: range.lowerBound &+ 16), toByteOffset: 16,
      as: SIMD16<UInt8>.self)
    written &+= part.count
  }

  /// Appends `bytes` unless any of them is special. Returns whether it did.
  ///
  /// - Parameter special: Which of sixteen bytes are special, as ``ByteVector`` tests. A space is not.
  @inlinable @inline(__always)
  public mutating func append(
    _ bytes: Span<UInt8>, unless special: (SIMD16<UInt8>) -> SIMD16<UInt8>
  ) -> Bool {
    let added = bytes.count
    if added > capacity &- written { grow(by: added) }
    let output = unsafe UnsafeMutableRawPointer(start + written)
    var found = SIMD16<UInt8>()
    if added >= 16 {
      var index = 0
      while index &+ 16 <= added {
        let lanes = ByteVector.load(bytes, at: index)
        found |= special(lanes)
        unsafe output.storeBytes(of: lanes, toByteOffset: index, as: SIMD16<UInt8>.self)
        index &+= 16
      }
      // The last sixteen, of which some may be there already.
      let lanes = ByteVector.load(bytes, at: added &- 16)
      found |= special(lanes)
      unsafe output.storeBytes(of: lanes, toByteOffset: added &- 16, as: SIMD16<UInt8>.self)
    } else if added >= 8 {
      let first = SWAR.word(bytes, at: 0)
      let last = SWAR.word(bytes, at: added &- 8)
      found = special(ByteVector.lanes(first, last))
      unsafe output.storeBytes(of: first, as: UInt64.self)
      unsafe output.storeBytes(of: last, toByteOffset: added &- 8, as: UInt64.self)
    } else {
      let spaces = SWAR.ones &* UInt64(ASCII.space)
      var word = spaces
      for index in 0..<added {
        let byte = bytes[index]
        word = word &<< 8 | UInt64(byte)
        unsafe output.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
      }
      found = special(ByteVector.lanes(word, spaces))
    }
    guard ByteVector.isNowhere(found) else { return false }
    written &+= added
    return true
  }

  /// Appends the UTF-8 of a literal.
  @inlinable @inline(__always)
  public mutating func append(literal text: StaticString) {
    let added = text.utf8CodeUnitCount
    if added > capacity &- written { grow(by: added) }
    unsafe (start + written).update(from: text.utf8Start, count: added)
    written &+= added
  }

  /// Appends the UTF-8 of a text.
  public mutating func append(_ text: String) {
    let bytes = text.utf8.span
    append(bytes)
  }

  /// Forgets what was written, keeps the memory.
  public mutating func removeAll() { written = 0 }

  /// What was written so far.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(written)
    append(to: &bytes)
    return bytes
  }

  /// Appends what was written so far to an array.
  public borrowing func append(to array: inout [UInt8]) {
    guard written > 0 else { return }
    unsafe array.append(contentsOf: UnsafeBufferPointer(start: start, count: written))
  }

  /// Lends what was written so far.
  public borrowing func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let buffer = unsafe UnsafeBufferPointer(start: UnsafePointer(start), count: written)
    return try unsafe body(buffer.span)
  }

  @usableFromInline mutating func grow(by added: Int) {
    var wanted = capacity
    repeat { wanted *= 2 } while wanted - written < added
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
    unsafe larger.update(from: start, count: written)
    unsafe start.deallocate()
    unsafe start = larger
    capacity = wanted
  }
}
