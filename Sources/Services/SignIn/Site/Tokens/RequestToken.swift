import Octets

/// The token that a request carries in its header, read and not verified.
public struct RequestToken: Sendable {
  let octets: [UInt8]

  /// Reads `Authorization: Bearer` (RFC 6750, 2.1), `Authorization: WRAP access_token="…"` (OAuth WRAP 0.9.7.2, 4)
  /// or `X-ZUMO-AUTH` (Azure Mobile Services). Nil where a request has none; tokens in queries and bodies are not
  /// read (RP-1).
  ///
  /// - Throws: `client.duplicate-parameter` for two tokens, `client.parameter` for a malformed one.
  public init?(_ fields: HTTPFields) throws(TokenError) {
    try self.init(
      authorization: fields.values("Authorization"), mobile: fields.values("X-ZUMO-AUTH"))
  }

  /// Reads the values of `Authorization` and of `X-ZUMO-AUTH`, as ``init(_:)``.
  package init?(authorization: [String], mobile: [String]) throws(TokenError) {
    guard authorization.count + mobile.count <= 1 else {
      throw TokenError(.clientDuplicateParameter, node: "Authorization")
    }
    if let token = mobile.first {
      octets = Array(token.utf8)
      return
    }
    // The whole, which is one copy, and what comes before the token taken out of it; a token may be long.
    var octets = Array((authorization.first ?? "").utf8)
    guard let space = octets.firstIndex(of: ASCII.space) else { return nil }
    let isBearer = octets[..<space].equalsIgnoringCase("bearer")
    guard isBearer || octets[..<space].equalsIgnoringCase("wrap") else { return nil }
    octets.removeFirst(octets[space...].firstIndex { $0 != ASCII.space } ?? octets.count)
    if !isBearer {
      let name = "access_token=\""
      guard octets.starts(with: name.utf8), octets.last == UInt8(ascii: "\""),
        octets.count > name.utf8.count + 1
      else {
        throw TokenError(.clientParameter, node: "Authorization", expected: "access_token=\"…\"")
      }
      octets.removeLast()
      octets.removeFirst(name.utf8.count)
    }
    guard !octets.isEmpty else {
      throw TokenError(.clientParameter, node: "Authorization", expected: "a token")
    }
    self.octets = octets
  }
}
