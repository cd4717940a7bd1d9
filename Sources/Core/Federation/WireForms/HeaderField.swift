import Octets
import TokenErrors

/// HTTP header fields that carry a token.
enum HeaderField {
  /// The error for a header field or the value of one; nil for other text.
  static func error(for octets: ArraySlice<UInt8>) -> TokenError? {
    let text = octets.drop { ASCII.isWhiteSpace($0) || $0 == UInt8(ascii: "\"") }
    for name: StaticString in fields where begins(text, name) {
      return TokenError(
        .headerField, expected: "the token alone", found: "the header field \(shown(name))",
        hint: "pass the token alone: what stands behind the scheme, such as Bearer")
    }
    for scheme: StaticString in schemes where begins(text, scheme) {
      return TokenError(
        .headerField, expected: "the token alone", found: shown(scheme),
        hint: "pass the token without \(shown(scheme)) before it")
    }
    return nil
  }

  private static let fields: [StaticString] = [
    "Authorization:", "Proxy-Authorization:", "X-Forwarded-Access-Token:", "X-Amzn-Oidc-Data:",
    "X-Amzn-Oidc-Accesstoken:", "Cookie:", "Set-Cookie:",
  ]

  private static let schemes: [StaticString] = [
    "Bearer ", "Bearer\t", "DPoP ", "WRAP ", "OAuth ", "JWT ", "SAML ", "Token ", "Bearer:",
    "Bearer%20",
  ]

  private static func begins(_ text: ArraySlice<UInt8>, _ name: StaticString) -> Bool {
    text.prefix(name.utf8CodeUnitCount).equalsIgnoringCase(name)
  }

  private static func shown(_ name: StaticString) -> String {
    String(name.description.prefix { $0 != " " && $0 != "\t" && $0 != ":" && $0 != "%" })
  }
}
