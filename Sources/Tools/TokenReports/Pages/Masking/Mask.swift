import Octets

/// The shape of a value without its content: each letter and digit is a dot, ASCII punctuation stays.
///
/// A value without letters and digits is dots alone.
enum Mask {
  static let dot = "•"
  /// Longer shapes are cut; the number of octets says the rest.
  private static let length = 48

  static func shape(of text: String) -> String {
    let isMere = !text.unicodeScalars.contains(where: isContent)
    var shape = ""
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < length else {
        shape += "…"
        break
      }
      count += 1
      if isMere || isContent(scalar) {
        shape += dot
      } else {
        shape.unicodeScalars.append(scalar)
      }
    }
    return shape
  }

  /// The shape of octets that may be anything, with line ends.
  static func shape(of octets: ArraySlice<UInt8>) -> String {
    var shape = ""
    for octet in octets {
      if octet >= 0x80 || ASCII.isLetter(octet) || ASCII.isDigit(octet) {
        shape += dot
      } else {
        shape.unicodeScalars.append(Unicode.Scalar(octet))
      }
    }
    return shape
  }

  private static func isContent(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.isASCII else { return true }
    let octet = UInt8(truncatingIfNeeded: scalar.value)
    return ASCII.isLetter(octet) || ASCII.isDigit(octet)
  }
}
