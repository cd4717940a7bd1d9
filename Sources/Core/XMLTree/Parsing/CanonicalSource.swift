import Octets

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

/// How far back the source of the parsed nodes is in canonical form, without a gap.
///
/// The source of such an element is digested instead of a rewritten copy: the octets that the
/// parser read are the octets that were signed.
///
/// What breaks the run breaks it for every element that is open, so one depth tells which ones hold
/// nothing else.
struct CanonicalRun {
  /// Behind what was last found to be canonical.
  private(set) var end = 0
  /// Open elements up to this depth hold something that canonical form writes in another way.
  private var brokenDepth = 0

  /// Adds the node at `range`, inside the element at `depth`.
  mutating func add(_ range: Range<Int>, at depth: Int) {
    if range.lowerBound != end { brokenDepth = depth }
    end = range.upperBound
  }

  /// The element at `depth`, the innermost, holds something else.
  mutating func breakOff(at depth: Int) { brokenDepth = depth }

  /// Whether the innermost element, at `depth`, has held nothing else so far.
  func isWhole(at depth: Int) -> Bool { depth > brokenDepth }

  /// The innermost element closes, with an end tag that ends there and is next in the run.
  mutating func close(end: Int) { self.end = end }
}

/// Follows a start tag through its source, to see whether canonical form writes it unchanged.
///
/// The parser found it well-formed. So a tag that is no longer than its names and values make it has no
/// white space but the one byte before each attribute; and the only `<` in it is its first byte.
struct OpenTag {
  private let nameCount: Int
  /// Where the tag begins.
  private(set) var start = 0
  /// Behind the last value and its quote; 0 before the first.
  private var end = 0
  private(set) var isBroken = false

  /// - Parameter nameCount: Bytes of the element's name, with its prefix.
  init(nameCount: Int) { self.nameCount = nameCount }

  /// Adds an attribute.
  ///
  /// - Parameters:
  ///   - count: Bytes of its name.
  ///   - value: The range of its value; past the source where the source has another form.
  @inline(__always)
  mutating func add(_ count: Int, _ value: Range<Int>, hasPrefix: Bool, _ source: SourceOctets) {
    let space = value.lowerBound &- count &- 3
    if end == 0 {
      start = space &- nameCount &- 1
    } else if space != end {
      isBroken = true
    }
    if hasPrefix || !source.has(ASCII.space, at: space)
      || !source.has(UInt8(ascii: "\""), at: value.lowerBound &- 1)
    {
      isBroken = true
    }
    end = value.upperBound &+ 1
  }

  /// The `>` or `/>` of the tag is at `place`.
  @inline(__always)
  mutating func close(at place: Int, _ source: SourceOctets) {
    if end == 0 {
      start = place &- nameCount &- 1
    } else if place != end {
      isBroken = true
    }
    if !source.has(ASCII.lessThan, at: start) { isBroken = true }
  }
}
