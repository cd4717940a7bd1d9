import Octets
import StrictJSON
package import TokenErrors
import XMLTree

/// The JSON that Access Control Service passes to a native application (`javascriptnotify`).
///
/// Only `securityToken` counts: the other members are not signed.
package enum NotifyMessage {
  /// - Throws: `input.json-*`, `xml.*`, `response.token-type`, and what the token throws.
  static func read(_ octets: [UInt8], _ reader: WireReader) throws(TokenError) -> AnyToken {
    let json = try JSONParser.parse(octets, limits: reader.limits)
    guard let text = json["securityToken"]?.string else {
      throw TokenError(
        .jsonMember, node: "securityToken", expected: "a string",
        found: json["securityToken"]?.kindName ?? "nothing")
    }
    let document = try Document(parsing: xml(text), limits: reader.limits)
    let declared = json["tokenType"]?.string.flatMap(TokenTypeURI.format)
    let token = try reader.token(in: document.root, declared: declared)
    if let format = declared, format != token.format {
      throw TokenError(
        .tokenType, node: "tokenType", expected: token.format.name, found: format.name)
    }
    return token
  }

  /// The XML of the token in a message, octet for octet: for a service that does not support such
  /// messages.
  ///
  /// - Throws: `input.json-*`.
  package static func tokenXML(
    _ octets: [UInt8], limits: Limits
  ) throws(TokenError) -> [UInt8] {
    let json = try JSONParser.parse(octets, limits: limits)
    guard let text = json["securityToken"]?.string else {
      throw TokenError(.jsonMember, node: "securityToken", expected: "a string")
    }
    return xml(text)
  }

  private static func xml(_ text: String) -> [UInt8] {
    withoutDeclaration(unescaped(Array(text.utf8)))
  }

  /// The token is XML with `<`, `"` and `&` escaped once more; `&amp;` comes last.
  private static func unescaped(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if text[index] == ASCII.ampersand,
        let (name, character) = escapes.first(where: { text[index...].starts(with: $0.0) })
      {
        result.append(character)
        index += name.count
      } else {
        result.append(text[index])
        index += 1
      }
    }
    return result
  }

  /// Removes the declaration, which names UTF-16: the text no longer is.
  private static func withoutDeclaration(_ xml: [UInt8]) -> [UInt8] {
    guard xml.starts(with: Array("<?xml ".utf8)),
      let end = xml.prefix(256).firstIndex(of: UInt8(ascii: ">")), xml[end - 1] == UInt8(ascii: "?")
    else { return xml }
    return Array(xml[(end + 1)...])
  }

  private static let escapes: [([UInt8], UInt8)] = [
    (Array("&lt;".utf8), UInt8(ascii: "<")), (Array("&gt;".utf8), UInt8(ascii: ">")),
    (Array("&quot;".utf8), UInt8(ascii: "\"")), (Array("&apos;".utf8), UInt8(ascii: "'")),
    (Array("&amp;".utf8), UInt8(ascii: "&")),
  ]
}
