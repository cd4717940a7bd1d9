import Octets

/// What a text looks like that may be a token, by its structure alone.
package enum TokenShape: Sendable, Hashable {
  case jwt
  case sdjwt
  case encryptedJWT
  case swt
  case xml
  case base64OfXML

  /// The shape of a whole text; nil for one that is no token as it travels.
  package init?(_ octets: ArraySlice<UInt8>) {
    guard let first = octets.first else { return nil }
    if first == ASCII.lessThan {
      guard MarkupShape.isToken(octets), MarkupShape.isClosed(octets) else { return nil }
      self = .xml
      return
    }
    if let shape = Self.compact(octets) {
      self = shape
    } else if Self.isSimple(octets) {
      self = .swt
    } else if let decoded = TextSample.decoded(octets), decoded.first == ASCII.lessThan,
      MarkupShape.isClosed(decoded[...])
    {
      self = .base64OfXML
    } else {
      return nil
    }
  }

  /// A compact serialization: a header in base64url of a JSON object with `alg`, and two or four more parts; with four, the
  /// header has `enc` (RFC 7516, 4.1.2).
  static func compact(_ octets: ArraySlice<UInt8>) -> TokenShape? {
    guard octets.starts(with: "ey".utf8) else { return nil }
    let tilde = octets.firstIndex(of: UInt8(ascii: "~"))
    let signed = octets[..<(tilde ?? octets.endIndex)]
    let parts = signed.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 || parts.count == 5 && tilde == nil,
      parts.allSatisfy({ $0.allSatisfy { TextSample.isDigit($0) || $0 == ASCII.equals } }),
      isHeader(parts[0], isEncrypted: parts.count == 5)
    else { return nil }
    if tilde != nil { return .sdjwt }
    return parts.count == 5 ? .encryptedJWT : .jwt
  }

  /// Whether a part is the header of a JWS or JWE.
  ///
  /// - Parameter isEncrypted: Whether it has to be that of a JWE.
  static func isHeader(_ part: ArraySlice<UInt8>, isEncrypted: Bool = false) -> Bool {
    guard let decoded = TextSample.decoded(part),
      let json = try? JSONParser.parse(decoded)
    else { return false }
    return json["enc"] != nil || !isEncrypted && json["alg"] != nil
  }

  private static func isSimple(_ octets: ArraySlice<UInt8>) -> Bool {
    guard !octets.contains(where: { ASCII.isWhiteSpace($0) || $0 == UInt8(ascii: "\"") }) else {
      return false
    }
    let name = Array("HMACSHA256=".utf8)
    return octets.split(separator: ASCII.ampersand).contains { $0.starts(with: name) }
      && octets.contains(ASCII.ampersand)
  }
}

/// What XML is by its first tag, read without a parser: it only chooses words.
enum MarkupShape {
  /// The local name of the first element; nil where there is none.
  static func root(_ octets: ArraySlice<UInt8>) -> String? {
    qualifiedRoot(octets).map { String($0.split(separator: ":").last ?? "") }
  }

  /// The name of the first element, with its prefix.
  static func qualifiedRoot(_ octets: ArraySlice<UInt8>) -> String? {
    let text = octets.prefix(1 << 14)
    var index = text.startIndex
    while let start = text[index...].firstIndex(of: ASCII.lessThan), start + 1 < text.endIndex {
      let next = text[start + 1]
      if ASCII.isLetter(next) || next == UInt8(ascii: "_") {
        let name = text[(start + 1)...].prefix {
          !ASCII.isWhiteSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
        }
        return String(decoding: name, as: UTF8.self)
      }
      index = start + 1
    }
    return nil
  }

  /// Whether the first element is one that holds or is a token.
  static func isToken(_ octets: ArraySlice<UInt8>) -> Bool {
    guard let root = root(octets) else { return false }
    return tokens.contains(root)
  }

  static let tokens = [
    "Response", "Assertion", "EncryptedAssertion", "EncryptedData", "Envelope",
    "RequestSecurityTokenResponse", "RequestSecurityTokenResponseCollection",
    "LogoutRequest", "LogoutResponse", "AuthnRequest", "ArtifactResponse",
  ]

  /// Whether the first element is closed somewhere.
  static func isClosed(_ octets: ArraySlice<UInt8>) -> Bool {
    guard let root = qualifiedRoot(octets) else { return false }
    if octets.firstRange(ofBytes: "</\(root)") != nil { return true }
    var text = octets
    while let last = text.last, ASCII.isWhiteSpace(last) { text.removeLast() }
    return text.hasSuffix("/>") && text.count { $0 == ASCII.lessThan } == 1
  }
}

extension ArraySlice where Element == UInt8 {
  /// Whether the bytes end so.
  func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
