/// Bytes by their names, and the classes that ASCII-only grammars need.
public enum ASCII {
  /// U+0009.
  @inlinable public static var tab: UInt8 { UInt8(ascii: "\t") }
  /// U+000A.
  @inlinable public static var lineFeed: UInt8 { UInt8(ascii: "\n") }
  /// U+000D.
  @inlinable public static var carriageReturn: UInt8 { UInt8(ascii: "\r") }
  /// U+0020.
  @inlinable public static var space: UInt8 { UInt8(ascii: " ") }
  /// `&`
  @inlinable public static var ampersand: UInt8 { UInt8(ascii: "&") }
  /// `=`
  @inlinable public static var equals: UInt8 { UInt8(ascii: "=") }
  /// `%`
  @inlinable public static var percent: UInt8 { UInt8(ascii: "%") }
  /// `+`
  @inlinable public static var plus: UInt8 { UInt8(ascii: "+") }
  /// `<`
  @inlinable public static var lessThan: UInt8 { UInt8(ascii: "<") }

  /// White space as XML 1.0 and RFC 8259 know it: space, tab, line feed, carriage return.
  @inlinable @inline(__always)
  public static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == space || byte == lineFeed || byte == carriageReturn || byte == tab
  }

  /// Whether the byte is one of `0` to `9`.
  @inlinable @inline(__always)
  public static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// Whether the byte is one of `A` to `Z` or `a` to `z`.
  @inlinable @inline(__always)
  public static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

  /// Whether all bytes are printable: space to tilde.
  package static func isPrintable(_ text: Span<UInt8>) -> Bool {
    // Without an exit, so that the compiler makes a vector loop of it.
    var largest: UInt8 = 0
    for index in text.indices { largest = max(largest, text[index] &- 0x20) }
    return largest < 0x7F - 0x20
  }

  /// Whether any byte is a control character of ASCII.
  package static func hasControl(_ text: Span<UInt8>) -> Bool {
    // Without an exit, as above.
    var smallest = UInt8.max
    var nearest = UInt8.max
    for index in text.indices {
      smallest = min(smallest, text[index])
      nearest = min(nearest, text[index] ^ 0x7F)
    }
    return smallest < 0x20 || nearest == 0
  }

  /// `byte` with A–Z turned into a–z.
  @inlinable @inline(__always)
  public static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }
}

extension ArraySlice where Element == UInt8 {
  /// Whether all bytes are white space (true when there is none).
  package var isAllWhiteSpace: Bool {
    let bytes = span
    var index = 0
    while index < bytes.count, ASCII.isWhiteSpace(bytes[index]) { index += 1 }
    return index == bytes.count
  }
}

extension Span where Element == UInt8 {
  /// Whether the bytes are `text`, letters compared without case. ASCII only.
  package func equalsIgnoringCase(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { unsafe equalsIgnoringCase($0.span) }
  }

  /// Whether the bytes are `other`, letters compared without case. ASCII only.
  package func equalsIgnoringCase(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where ASCII.lowercased(self[index]) != ASCII.lowercased(other[index]) {
      return false
    }
    return true
  }
}

extension ArraySlice where Element == UInt8 {
  /// As for a span.
  package func equalsIgnoringCase(_ text: StaticString) -> Bool { span.equalsIgnoringCase(text) }
}
