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

  /// Copies `bytes` from `index` on up to the first that `marks` marks, eight at a time; answers where
  /// that one stands, or the end. `marks` is a quick test of ``ByteLanes``.
  @inlinable @inline(__always)
  public mutating func append(
    _ bytes: Span<UInt8>, from index: Int, until marks: (UInt64) -> UInt64
  ) -> Int {
    var index = index
    let count = bytes.count
    if count &- index &+ ByteLanes.count > capacity &- written {
      grow(by: count &- index &+ ByteLanes.count)
    }
    while count &- index >= ByteLanes.count {
      let word = ByteLanes.word(bytes, at: index)
      let marked = marks(word)
      guard marked == 0 else {
        store(word, ByteLanes.countBeforeFirst(marked), &index)
        return index
      }
      store(word, ByteLanes.count, &index)
    }
    let rest = count &- index
    if rest > 0 {
      let word = ByteLanes.lastWord(bytes, from: index)
      let marked = marks(word) & ~(UInt64.max &<< UInt64(truncatingIfNeeded: 8 &* rest))
      store(word, min(ByteLanes.countBeforeFirst(marked), rest), &index)
    }
    return index
  }

  /// Stores eight bytes, of which `plain` count.
  @inlinable @inline(__always)
  mutating func store(_ word: UInt64, _ plain: Int, _ index: inout Int) {
    unsafe UnsafeMutableRawPointer(start + written).storeBytes(
      of: word.littleEndian, as: UInt64.self)
    written &+= plain
    index &+= plain
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
    append(bytes.span.extracting(range))
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
