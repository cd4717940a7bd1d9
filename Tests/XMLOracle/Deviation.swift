import Foundation

/// The deviations of libxml2 from Canonical XML.
///
/// - 1.0, 2.3: an `&` in the name of a namespace is written `&amp;`; libxml2 writes `&#38;`, as its parser
///   passes it on.
///
/// All else is about `xml:base` in 1.1, 2.4:
///
/// - "Fixup is only performed if an element with an xml:base attribute is removed", and only then is
///   an empty result not written; libxml2 drops every `xml:base=""`, even of a whole document.
/// - It joins values by RFC 3986 and not as that section changes it.
enum Deviation {
  /// The text without the deviating parts: empty values, and the apex's value where values were
  /// joined that are not plain.
  static func remove(from whole: String, joining bases: [String]) -> String {
    var text = whole
    let isJoined = bases.count > 1 && !bases.allSatisfy(RandomDocument.plainBases.contains)
    if isJoined, let value = text.firstRange(of: #/ xml:base="[^"]*"/#),
      value.lowerBound < endOfTag(text)
    {
      text.removeSubrange(value)
    }
    return text.replacing(" xml:base=\"\"", with: "")
  }

  /// The octets with `&` in canonical form: no canonical form has `&#38;`, except in comments and
  /// instructions, whose text is literal.
  static func unescape(_ octets: [UInt8]) -> String {
    String(decoding: octets, as: UTF8.self).replacing("&#38;", with: "&amp;")
  }

  /// The end of the first start tag: values are quoted and may hold a `>`.
  private static func endOfTag(_ text: String) -> String.Index {
    var isQuoted = false
    return text.firstIndex { character in
      if character == "\"" { isQuoted.toggle() }
      return character == ">" && !isQuoted
    } ?? text.endIndex
  }
}
