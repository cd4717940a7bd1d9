/// Base 16 (RFC 4648, section 8).
package enum Hex {
  /// The letters among the digits.
  package enum Letters: Sendable {
    case lowercase
    case uppercase
  }

  /// `bytes` in lower-case hexadecimal digits.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    encode(bytes, .lowercase)
  }

  /// `bytes` in hexadecimal digits.
  package static func encode(_ bytes: some Sequence<UInt8>, _ letters: Letters) -> String {
    var digits: [UInt8] = []
    for byte in bytes { append(byte, letters, to: &digits) }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Appends the two digits of `byte`.
  package static func append(
    _ byte: UInt8, _ letters: Letters = .lowercase, to digits: inout [UInt8]
  ) {
    digits.append(digit(byte >> 4, letters))
    digits.append(digit(byte & 15, letters))
  }

  /// The value of one hexadecimal digit of either case.
  package static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit &- UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit &- UInt8(ascii: "A") &+ 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit &- UInt8(ascii: "a") &+ 10
    default: nil
    }
  }

  /// Whether a byte is a digit of either case.
  package static func isDigit(_ byte: UInt8) -> Bool { value(byte) != nil }

  /// Whether a byte is a digit as ``encode(_:_:)`` writes it without another word.
  package static func isLowercaseDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) && ASCII.lowercased(byte) == byte
  }

  /// The value of each byte that is a digit of either case, 255 for any other.
  package static let values: [UInt8] = (UInt8.min...UInt8.max).map { value($0) ?? .max }

  /// The number that all of `digits` are, one to seven of them so that it cannot overflow, in base 16 or 10.
  package static func number(_ digits: some Collection<UInt8>, radix: UInt32 = 16) -> UInt32? {
    guard (1...7).contains(digits.count) else { return nil }
    var number: UInt32 = 0
    for digit in digits {
      guard let next = value(digit), next < radix else { return nil }
      number = number * radix + UInt32(next)
    }
    return number
  }

  /// The digit of a value below 16.
  package static func digit(_ value: UInt8, _ letters: Letters = .lowercase) -> UInt8 {
    value < 10 ? value &+ 0x30 : value &- 10 &+ (letters == .lowercase ? 0x61 : 0x41)
  }
}
