import Octets
import TokenBasics

/// Text from any source as octets of a page.
///
/// Every character with a meaning in HTML, XML or SVG is escaped, in text and attributes alike, so that no context
/// needs a rule of its own. What cannot be seen (controls, marks that turn the direction of text, fillers, spaces
/// other than the usual one, code points without a character) is shown as `\u{…}`, and so are accents in a heap or
/// without a letter of the text under them.
enum PageText {
  /// Appends the text.
  ///
  /// - Parameters:
  ///   - limit: How many characters to show; a longer text is cut, and says how long it is.
  ///   - hidden: Writes an invisible character, given as `\u{…}`.
  static func append(
    _ text: String, limit: Int = .max, to output: inout [UInt8],
    hidden: (String, inout [UInt8]) -> Void = { $1 += Array($0.utf8) }
  ) {
    var count = 0
    var marks = allowedMarks
    for scalar in text.unicodeScalars {
      guard count < limit else {
        output += Array("… (\(text.utf8.count) octets)".utf8)
        return
      }
      count += 1
      marks = isMark(scalar) ? marks + 1 : carriesMarks(scalar) ? 0 : allowedMarks
      let isHidden = isHidden(scalar) || marks > allowedMarks
      if isHidden { marks = allowedMarks }
      append(scalar, isHidden: isHidden, to: &output, hidden: hidden)
    }
  }

  private static func append(
    _ scalar: Unicode.Scalar, isHidden: Bool, to output: inout [UInt8],
    hidden: (String, inout [UInt8]) -> Void
  ) {
    let octet = UInt8(truncatingIfNeeded: scalar.value)
    if scalar.isASCII, MarkupEscaping.Place.page.escapes(octet) {
      output.append(contentsOf: MarkupEscaping.reference(to: octet).description.utf8)
    } else if isHidden {
      hidden(scalar.notation, &output)
    } else {
      output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }

  /// Accents that a letter may carry.
  private static let allowedMarks = 3

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    guard !scalar.isASCII else { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: return true
    default: return false
    }
  }

  /// Whether an accent belongs on the character: quotation marks and brackets may be those of a report.
  private static func carriesMarks(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.isASCII else { return true }
    let octet = UInt8(truncatingIfNeeded: scalar.value)
    return ASCII.isLetter(octet) || ASCII.isDigit(octet)
  }

  /// At most so many characters of a text.
  static func cut(_ text: String, _ limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    let start = text.unicodeScalars.prefix(limit)
    return String(String.UnicodeScalarView(start)) + (start.endIndex == text.endIndex ? "" : "…")
  }

  /// Whether the character is shown by its number; a line feed is not.
  static func isHidden(_ scalar: Unicode.Scalar) -> Bool { scalar != "\n" && scalar.isHidden }
}
