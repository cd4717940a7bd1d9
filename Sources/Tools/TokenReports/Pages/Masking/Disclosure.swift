import Octets

/// What a page shows of a token's values, and the values that it must not show in messages either.
struct Disclosure {
  /// Whether values are shown.
  let showsValues: Bool
  /// The values that are masked, the longest first.
  private var known: [String] = []

  init(showsValues: Bool) { self.showsValues = showsValues }

  /// Values that messages may repeat. Short ones occur in any text.
  mutating func conceal(_ values: [String]) {
    guard !showsValues else { return }
    var seen: Set<[UInt8]> = []
    known = values.lazy.filter { $0.utf8.count >= 3 }.prefix(PageLimits.knownValues)
      // A message has at most so much of a text.
      .map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(60))) }
      .filter { seen.insert(Array($0.utf8)).inserted }
      .sorted { $0.utf8.count > $1.utf8.count }
  }

  /// A text of the report with dots in place of masked values.
  func message(_ text: String) -> String {
    guard !known.isEmpty else { return text }
    var octets = Array(text.utf8)
    for value in known where value.utf8.count <= octets.count {
      octets = Self.replacing(Array(value.utf8), in: octets)
    }
    return String(decoding: octets, as: UTF8.self)
  }

  private static func replacing(_ value: [UInt8], in text: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var index = 0
    var isChanged = false
    while index < text.count {
      if text[index] == value[0], text[index...].starts(with: value) {
        output += Array(Mask.shape(of: String(decoding: value, as: UTF8.self)).utf8)
        index += value.count
        isChanged = true
      } else {
        output.append(text[index])
        index += 1
      }
    }
    return isChanged ? output : text
  }
}

extension HTMLWriter {
  /// A value of the token: as it is where the page shows values or this one is no secret, its shape otherwise.
  mutating func value(_ text: String, _ disclosure: Disclosure, isPublic: Bool = false) {
    guard !disclosure.showsValues, !isPublic, !text.isEmpty else { return value(text) }
    let count = text.utf8.count
    element(
      .span, .styled("m"), .fixed("role", "img"),
      .label("masked, \(count) \(count == 1 ? "octet" : "octets")"), text: Mask.shape(of: text))
    if count > 48 { self.text(" (\(count) octets)") }
  }
}

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
