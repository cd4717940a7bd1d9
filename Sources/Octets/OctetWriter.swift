#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A growing run of bytes that is written once and read once.
///
/// Appending to an `Array` pays for uniqueness and bounds at every call; here a run of bytes costs one
/// comparison and one copy. The buffer never shrinks, so one writer serves many documents.
@safe package struct OctetWriter: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// Bytes written so far.
  package private(set) var count = 0

  package init(capacity: Int = 4096) {
    self.capacity = max(capacity, 64)
    unsafe start = .allocate(capacity: self.capacity)
  }

  deinit { unsafe start.deallocate() }

  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    if count == capacity { grow(by: 1) }
    unsafe start[count] = byte
    count &+= 1
  }

  @inline(__always)
  package mutating func append(_ bytes: Span<UInt8>) {
    let added = bytes.count
    if added > capacity &- count { grow(by: added) }
    unsafe bytes.withUnsafeBufferPointer { source in
      guard let base = source.baseAddress else { return }
      unsafe memcpy(start + count, base, added)
    }
    count &+= added
  }

  /// Appends a part of `bytes`.
  @inline(__always)
  package mutating func append(_ bytes: [UInt8], _ range: Range<Int>) {
    append(bytes.span.extracting(range))
  }

  @inline(__always)
  package mutating func append(_ text: StaticString) {
    let added = text.utf8CodeUnitCount
    if added > capacity &- count { grow(by: added) }
    unsafe memcpy(start + count, text.utf8Start, added)
    count &+= added
  }

  package mutating func append(_ text: String) {
    let bytes = text.utf8.span
    append(bytes)
  }

  /// Forgets what was written, keeps the memory.
  package mutating func removeAll() { count = 0 }

  /// What was written so far.
  package var bytes: [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: start, count: count))
  }

  /// Lends what was written so far.
  package borrowing func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let buffer = unsafe UnsafeBufferPointer(start: UnsafePointer(start), count: count)
    return try unsafe body(buffer.span)
  }

  private mutating func grow(by added: Int) {
    var wanted = capacity
    repeat { wanted *= 2 } while wanted - count < added
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
    unsafe memcpy(larger, start, count)
    unsafe start.deallocate()
    unsafe start = larger
    capacity = wanted
  }
}
