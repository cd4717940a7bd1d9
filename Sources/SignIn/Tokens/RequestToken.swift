import Octets
public import SingleSignOn

/// The token that a request carries in its header, read and not verified.
public struct RequestToken: Sendable {
  let octets: [UInt8]

  /// Reads `Authorization: Bearer` (RFC 6750, 2.1), `Authorization: WRAP access_token="…"` (OAuth WRAP 0.9.7.2, 4)
  /// or `X-ZUMO-AUTH` (Azure Mobile Services). Nil where a request has none; tokens in queries and bodies are not
  /// read (RP-1).
  ///
  /// - Throws: `client.duplicate-parameter` for two tokens, `client.parameter` for a malformed one.
  public init?(_ fields: HTTPFields) throws(TokenError) {
    let authorization = fields.values("Authorization")
    let mobile = fields.values("X-ZUMO-AUTH")
    guard authorization.count + mobile.count <= 1 else {
      throw TokenError(.clientDuplicateParameter, node: "Authorization")
    }
    if let token = mobile.first {
      octets = Array(token.utf8)
      return
    }
    // The whole as an array, which is one copy; a token may be long.
    let value = Array((authorization.first ?? "").utf8)
    guard let space = value.firstIndex(of: ASCII.space) else { return nil }
    let scheme = value[..<space].map(ASCII.lowercased)
    let rest = value[(space + 1)...].drop { $0 == ASCII.space }
    if scheme.elementsEqual("bearer".utf8) {
      octets = Array(rest)
    } else if scheme.elementsEqual("wrap".utf8) {
      let name = Array("access_token=\"".utf8)
      guard rest.starts(with: name), rest.last == UInt8(ascii: "\""), rest.count > name.count + 1
      else {
        throw TokenError(.clientParameter, node: "Authorization", expected: "access_token=\"…\"")
      }
      octets = Array(rest.dropFirst(name.count).dropLast())
    } else {
      return nil
    }
    guard !octets.isEmpty else {
      throw TokenError(.clientParameter, node: "Authorization", expected: "a token")
    }
  }
}
