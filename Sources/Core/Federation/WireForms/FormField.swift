import Octets
import TokenErrors

/// The fields of forms, addresses and JSON answers whose value is a token.
enum FormField {
  static let names = [
    "SAMLResponse", "SAMLRequest", "SAMLart", "wresult", "id_token", "access_token",
    "wrap_access_token",
    "logout_token", "assertion", "wrap_assertion", "client_assertion", "subject_token",
    "id_token_hint",
    "securityToken", "refresh_token", "token", "jwt",
  ]

  /// The error for a form body, or an address with a query or fragment; nil for text without such a
  /// field, and for a Simple Web Token.
  static func error(for octets: ArraySlice<UInt8>) -> TokenError? {
    let text = octets.span
    let found = fields(text)
    guard !found.contains("HMACSHA256") else { return nil }
    let known = names.filter(found.contains)
    guard let first = known.first else { return address(text) }
    return TokenError(
      .formFields, expected: "the token alone",
      found: "the field" + (known.count > 1 ? "s " : " ") + known.joined(separator: ", "),
      hint: advice(first))
  }

  private static func advice(_ name: String) -> String {
    switch name {
    case "SAMLart":
      "an artifact only names a message: the issuer's resolution service exchanges it for the token"
    case "SAMLResponse", "SAMLRequest":
      "pass the value of \(name) alone, up to the next &, percent-encoded or not"
    case "wresult": "pass the value of wresult alone, up to the next &, percent-decoded: it is XML"
    case "refresh_token":
      "a refresh token is for its issuer alone; pass the access token or the "
        + "ID token"
    default: "pass the value of \(name) alone, up to the next &"
    }
  }

  private static func address(_ text: Span<UInt8>) -> TokenError? {
    guard
      text.extracting(first: min(8, text.count)).hasPrefix("https://") || text.hasPrefix("http://")
    else { return nil }
    return TokenError(
      .notAToken, expected: "a token", found: "an address without a field that holds one",
      hint: "nothing is fetched: pass what the address gives")
  }

  /// The names before a `=`, each at the start or behind `?`, `&`, `#` or white space.
  private static func fields(_ text: Span<UInt8>) -> Set<String> {
    var found: Set<String> = []
    var start = 0
    var index = 0
    while index < text.count, found.count < 64 {
      switch text[index] {
      case UInt8(ascii: "?"), ASCII.ampersand, UInt8(ascii: "#"), ASCII.space, ASCII.tab,
        ASCII.lineFeed, ASCII.carriageReturn:
        start = index + 1
      case ASCII.equals where start < index && index - start <= 32:
        found.insert(String(decoding: (start..<index).map { text[$0] }, as: UTF8.self))
        start = text.count
      case ASCII.equals: start = text.count
      default: break
      }
      index += 1
    }
    return found
  }
}
