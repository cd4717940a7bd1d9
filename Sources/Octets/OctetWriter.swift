/// A growing run of bytes that is written once and read once.
///
/// Appending to an `Array` pays for uniqueness and bounds at every call; here a run of bytes costs one
/// comparison and one copy, inlined across modules (which is why it is public; no product exports it).
/// The buffer never shrinks, so one writer serves many documents.
@safe public struct OctetWriter: ~Copyable {
  @usableFromInline var start: UnsafeMutablePointer<UInt8>
  @usableFromInline var capacity: Int
  @usableFromInline var written = 0

  /// Bytes written so far.
  @inlinable public var count: Int { written }

  public init(capacity: Int = 4096) {
    self.capacity = max(capacity, 64)
    unsafe start = .allocate(capacity: self.capacity)
  }

  deinit { unsafe start.deallocate() }

  @inlinable @inline(__always)
  public mutating func append(_ byte: UInt8) {
    if written == capacity { grow(by: 1) }
    unsafe start[written] = byte
    written &+= 1
  }

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

  /// Appends a part of `bytes`.
  @inlinable @inline(__always)
  public mutating func append(_ bytes: [UInt8], _ range: Range<Int>) {
    append(bytes.span.extracting(range))
  }

  /// Appends `bytes` unless any of them is special; answers whether it did.
  ///
  /// - Parameter special: Not 0 for a word of eight bytes that has a special one. A space is not special.
  @inlinable @inline(__always)
  public mutating func append(_ bytes: Span<UInt8>, unless special: (UInt64) -> UInt64) -> Bool {
    let added = bytes.count
    if added > capacity &- written { grow(by: added) }
    let output = unsafe UnsafeMutableRawPointer(start + written)
    var found: UInt64 = 0
    if added >= ByteLanes.count {
      var index = 0
      while index &+ ByteLanes.count <= added {
        let word = ByteLanes.word(bytes, at: index)
        found |= special(word)
        unsafe output.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
        index &+= ByteLanes.count
      }
      // The last eight, of which some may be there already.
      let last = added &- ByteLanes.count
      let word = ByteLanes.word(bytes, at: last)
      found |= special(word)
      unsafe output.storeBytes(of: word, toByteOffset: last, as: UInt64.self)
    } else {
      var word = ByteLanes.ones &* UInt64(ASCII.space)
      for index in 0..<added {
        let byte = bytes[index]
        word = word &<< 8 | UInt64(byte)
        unsafe output.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
      }
      found = special(word)
    }
    guard found == 0 else { return false }
    written &+= added
    return true
  }

  @inlinable @inline(__always)
  public mutating func append(literal text: StaticString) {
    let added = text.utf8CodeUnitCount
    if added > capacity &- written { grow(by: added) }
    unsafe (start + written).update(from: text.utf8Start, count: added)
    written &+= added
  }

  public mutating func append(_ text: String) {
    let bytes = text.utf8.span
    append(bytes)
  }

  /// Forgets what was written, keeps the memory.
  public mutating func removeAll() { written = 0 }

  /// What was written so far.
  public var bytes: [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: start, count: written))
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
