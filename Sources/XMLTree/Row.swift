/// A row of plain values that grows at its end: what a parser appends to and readers index.
///
/// As ``OctetWriter`` is to an array of bytes: appending asks for no unique reference and calls nothing,
/// and reading counts no references. The memory belongs to the row alone, and every index is checked.
@safe struct Row<Element: BitwiseCopyable>: ~Copyable {
  private var start: UnsafeMutablePointer<Element>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 16) {
    self.capacity = max(capacity, 1)
    unsafe start = .allocate(capacity: self.capacity)
  }

  /// A row of so many equal values.
  init(repeating value: Element, count: Int) {
    self.init(capacity: count)
    unsafe start.initialize(repeating: value, count: count)
    self.count = count
  }

  deinit { unsafe start.deallocate() }

  var indices: Range<Int> { 0..<count }

  @inline(__always)
  subscript(index: Int) -> Element {
    get {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      return unsafe start[index]
    }
    set {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      unsafe start[index] = newValue
    }
  }

  @inline(__always)
  mutating func append(_ value: Element) {
    if count == capacity { grow() }
    unsafe (start + count).initialize(to: value)
    count &+= 1
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
    unsafe larger.initialize(from: start, count: count)
    unsafe start.deallocate()
    unsafe start = larger
    capacity *= 2
  }
}

// The row owns its memory, and nothing but the row points there.
extension Row: @unchecked Sendable where Element: Sendable {}
