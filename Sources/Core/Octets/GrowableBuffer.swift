/// A buffer of plain values that grows at its end: a parser appends to it, readers index it.
///
/// Like ``OctetWriter`` for an array of bytes: appending checks no uniqueness and calls no function,
/// and reading counts no references. The buffer alone owns the memory, and every index is checked.
@safe public struct GrowableBuffer<Element: BitwiseCopyable>: ~Copyable {
  /// Nothing while there is room for nothing.
  @usableFromInline var memory: UnsafeMutableBufferPointer<Element>
  @usableFromInline var used = 0

  /// An empty buffer with room for `capacity` values.
  @inlinable
  public init(capacity: Int = 16) {
    unsafe memory = UnsafeMutableBufferPointer(start: nil, count: 0)
    if capacity > 0 { unsafe memory = .allocate(capacity: capacity) }
  }

  /// A buffer of `count` equal values.
  @inlinable
  public init(repeating value: Element, count: Int) {
    self.init(capacity: count)
    unsafe memory.initialize(repeating: value)
    used = unsafe memory.count
  }

  @inlinable deinit { unsafe memory.deallocate() }

  /// The number of values.
  @inlinable public var count: Int { used }

  /// The positions of the values.
  @inlinable public var indices: Range<Int> { 0..<used }

  /// The value at a position, which is checked.
  @inlinable @inline(__always)
  public subscript(index: Int) -> Element {
    get {
      let values = unsafe UnsafeBufferPointer(start: memory.baseAddress, count: used).span
      return values[index]
    }
    set {
      var values = unsafe UnsafeMutableBufferPointer(start: memory.baseAddress, count: used)
        .mutableSpan
      values[index] = newValue
    }
  }

  /// Appends a value.
  @inlinable @inline(__always)
  public mutating func append(_ value: Element) {
    if unsafe used == memory.count { grow() }
    unsafe memory.initializeElement(at: used, to: value)
    used &+= 1
  }

  @usableFromInline
  mutating func grow() {
    let larger = unsafe UnsafeMutableBufferPointer<Element>.allocate(
      capacity: max(memory.count * 2, 4))
    for index in 0..<used { unsafe larger.initializeElement(at: index, to: memory[index]) }
    unsafe memory.deallocate()
    unsafe memory = larger
  }
}

// The buffer owns its memory, and nothing else points into it.
extension GrowableBuffer: @unchecked Sendable where Element: Sendable {}
