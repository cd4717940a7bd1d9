import Octets
public import TokenBasics

/// A path on this site to open after sign-in. It cannot lead to another site.
public struct ReturnPath: Hashable, Sendable {
  /// Path and query, percent-encoded.
  public let text: String

  /// Checks a path and query.
  /// - Throws: `client.return-target` unless the text begins with exactly one `/`, is visible ASCII, and
  ///   has no backslash, second slash at its beginning or control character, also not percent-encoded.
  public init(_ text: String) throws(TokenError) {
    let octets = Array(text.utf8)
    let isPlain = octets.allSatisfy {
      $0 > 0x20 && $0 < 0x7F && !"\"<>^`{|}#".utf8.contains($0)
    }
    guard octets.first == UInt8(ascii: "/"), isPlain, octets.count <= 2048,
      let decoded = try? FormEncoding.decode(octets[...], plus: .isPlus),
      decoded.dropFirst().first != UInt8(ascii: "/"),
      decoded.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") })
    else { throw TokenError(.clientReturnTarget) }
    self.text = text
  }

  private init(safe text: String) { self.text = text }

  /// The front page, `/`.
  package static let front = Self(safe: "/")
}
