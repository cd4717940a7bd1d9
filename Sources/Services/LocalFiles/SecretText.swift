import Octets

/// The secret that a file or a variable of the environment holds.
package enum SecretText {
  /// The text without the line ends behind it, which editors add; nil for none, for white space alone, and for octets that
  /// are no UTF-8.
  package static func of(_ octets: [UInt8]) -> String? {
    let end = octets.lastIndex { $0 != 0x0A && $0 != 0x0D }.map { $0 + 1 } ?? 0
    guard octets[..<end].contains(where: { !ASCII.isWhiteSpace($0) }) else { return nil }
    return String(validating: octets[..<end], as: UTF8.self)
  }
}
