/// A buffer of plain values that grows at its end: a parser appends to it, readers index it.
///
/// Like ``OctetWriter`` for an array of bytes: appending checks no uniqueness and calls no function,
/// and reading counts no references. The buffer alone owns the memory, and every index is checked.
@safe package struct GrowableBuffer<Element: BitwiseCopyable>: ~Copyable {
  /// Nothing while there is room for nothing.
  @usableFromInline var memory: UnsafeMutableBufferPointer<Element>
  @usableFromInline var used = 0

  @inlinable
  package init(capacity: Int = 16) {
    unsafe memory = UnsafeMutableBufferPointer(start: nil, count: 0)
    if capacity > 0 { unsafe memory = .allocate(capacity: capacity) }
  }

  /// A buffer of `count` equal values.
  @inlinable
  package init(repeating value: Element, count: Int) {
    self.init(capacity: count)
    unsafe memory.initialize(repeating: value)
    used = unsafe memory.count
  }

  @inlinable deinit { unsafe memory.deallocate() }

  @inlinable package var count: Int { used }

  @inlinable package var indices: Range<Int> { 0..<used }

  @inlinable @inline(__always)
  package subscript(index: Int) -> Element {
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

  @inlinable @inline(__always)
  package mutating func append(_ value: Element) {
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
