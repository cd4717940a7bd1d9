import Octets

/// The characters that mean something in XML and HTML, written as text: the one place that writes their escapes.
///
/// Markup is written by ``XMLWriter`` or by the writer of a page; others take a text through here.
package enum MarkupEscaping {
  /// Where a text is put, which decides what is escaped.
  package enum Place: Sendable {
    /// Between tags (Canonical XML 1.0, 2.3): `&`, `<`, `>` and carriage return.
    case text
    /// A value of XML between double quotes, which a reader takes as it was: `&`, `<`, `"`, tab, line feed and
    /// carriage return (Canonical XML 1.0, 2.3).
    case attribute
    /// Anywhere in HTML, XML or SVG, text or attribute, between quotes of either kind.
    case page
    /// XML that is put into a text of JSON, as Access Control Service did it: `&`, `<` and `"`.
    case message

    /// Whether a character is escaped there.
    package func escapes(_ octet: UInt8) -> Bool {
      switch octet {
      case ASCII.ampersand, ASCII.lessThan: true
      case UInt8(ascii: ">"): self == .text || self == .page
      case UInt8(ascii: "\""): self != .text
      case UInt8(ascii: "'"): self == .page
      case ASCII.tab, ASCII.lineFeed: self == .attribute
      case ASCII.carriageReturn: self == .text || self == .attribute
      default: false
      }
    }
  }

  /// The names that XML has without a declaration (XML 1.0, 4.6), and their characters.
  package static let names: [(name: String, octet: UInt8)] = [
    ("amp", ASCII.ampersand), ("lt", ASCII.lessThan), ("gt", UInt8(ascii: ">")),
    ("quot", UInt8(ascii: "\"")), ("apos", UInt8(ascii: "'")),
  ]

  /// What stands for a character that is escaped: by name or, as canonical form has white space and HTML 4 the
  /// apostrophe, by number. For any other the escape of a carriage return.
  package static func reference(to octet: UInt8) -> StaticString {
    switch octet {
    case ASCII.ampersand: "&amp;"
    case ASCII.lessThan: "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "'"): "&#39;"
    case ASCII.tab: "&#x9;"
    case ASCII.lineFeed: "&#xA;"
    default: "&#xD;"
    }
  }

  /// Appends a text, escaped for its place.
  package static func append(
    _ text: some Sequence<UInt8>, for place: Place, to output: inout [UInt8]
  ) {
    for octet in text {
      if place.escapes(octet) {
        output.append(contentsOf: reference(to: octet).description.utf8)
      } else {
        output.append(octet)
      }
    }
  }

  /// A text, escaped for its place.
  package static func escaped(_ text: some Sequence<UInt8>, for place: Place) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.underestimatedCount + text.underestimatedCount / 4)
    append(text, for: place, to: &output)
    return output
  }

  /// A text, escaped for its place.
  package static func escaped(_ text: String, for place: Place) -> String {
    String(decoding: escaped(text.utf8, for: place), as: UTF8.self)
  }
}
