import Octets

/// Base64 whose plus signs became spaces or whose padding is wrong: mended for the capture, which is damaged
/// in the same way.
struct DamagedBase64 {
  let mended: [UInt8]
  private let hasSpaces: Bool
  /// How many equals signs there are more than belong; negative where they are missing.
  private let excess: Int

  /// Nil for a text that is not damaged, or in another way.
  init?(_ source: [UInt8]) {
    hasSpaces = source.contains(ASCII.space) && !source.contains(ASCII.plus)
    let hasSpaces = hasSpaces
    let digits = source.filter { $0 != ASCII.equals }.map {
      hasSpaces && $0 == ASCII.space ? ASCII.plus : $0
    }
    let count = digits.count { !ASCII.isWhiteSpace($0) }
    guard count % 4 != 1, digits.allSatisfy({ Self.isDigit($0) || ASCII.isWhiteSpace($0) }) else {
      return nil
    }
    let padding = (4 - count % 4) % 4
    excess = source.count - digits.count - padding
    mended = digits + [UInt8](repeating: ASCII.equals, count: padding)
    guard mended != source else { return nil }
  }

  /// Nil for base64 that has nothing to damage.
  func damaging(_ base64: [UInt8]) -> [UInt8]? {
    let made = hasSpaces ? base64.map { $0 == ASCII.plus ? ASCII.space : $0 } : base64
    let damaged =
      excess < 0
      ? made.filter { $0 != ASCII.equals }
      : made + [UInt8](repeating: ASCII.equals, count: excess)
    return damaged == base64 ? nil : damaged
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.plus || byte == UInt8(ascii: "/")
  }
}
