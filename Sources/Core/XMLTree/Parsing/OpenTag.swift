import Octets

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
