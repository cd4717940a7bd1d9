import Octets
package import TokenBasics
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

  /// The token is XML with `<`, `"` and `&` escaped once more, by name.
  private static func unescaped(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var rest = text[...]
    while let mark = rest.firstIndex(of: ASCII.ampersand) {
      result += rest[..<mark]
      rest = rest[mark...]
      // A number is left to the parser of the XML.
      let escape = rest.dropFirst().first == UInt8(ascii: "#") ? nil : Escape.reference(rest)
      result += escape?.meaning ?? [ASCII.ampersand]
      rest = rest.dropFirst(escape?.length ?? 1)
    }
    return result + rest
  }

  /// Removes the declaration, which names UTF-16: the text no longer is.
  private static func withoutDeclaration(_ xml: [UInt8]) -> [UInt8] {
    guard xml.starts(with: Array("<?xml ".utf8)),
      let end = xml.prefix(256).firstIndex(of: UInt8(ascii: ">")), xml[end - 1] == UInt8(ascii: "?")
    else { return xml }
    return Array(xml[(end + 1)...])
  }
}
