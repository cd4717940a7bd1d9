import Octets
import TokenErrors

/// Identifiers of issued elements: `xs:ID`, an NCName (XML Schema Part 2, 3.3.8), here of ASCII alone.
enum XMLIdentifier {
  /// - Throws: `policy.mint-identifier`.
  static func check(_ id: String, _ node: String) throws(TokenError) {
    let bytes = Array(id.utf8)
    guard let first = bytes.first, ASCII.isLetter(first) || first == underscore,
      bytes.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || marks.contains($0) }),
      bytes.count <= longest
    else {
      throw TokenError(.mintIdentifier, node: node, found: TokenError.excerpt(id))
    }
  }

  /// Readers take 256; the identifier of a response is longer than its assertion's.
  private static let longest = 200
  private static let underscore = UInt8(ascii: "_")
  private static let marks = Array("_-.".utf8)
}
