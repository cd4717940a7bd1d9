package import Octets
package import TokenErrors

/// The members in which the token endpoints of all services agree (RFC 6749, 5.1).
package struct BearerTokens: Sendable {
  /// The token for requests.
  package let accessToken: Secret
  /// Obtains the next access token, if the service issues one; null is none.
  package let refreshToken: Secret?
  /// Seconds; nil where the answer says none.
  package let lifetime: Int64?

  /// - Parameters:
  ///   - json: The body of the answer.
  ///   - type: The `token_type` that it must name, in any case; nil where the caller reads it.
  /// - Throws: `transport.malformed-response`.
  package init(_ json: JSONValue, type: String? = "bearer") throws(TokenError) {
    if let type {
      let given = try JSONAnswer.string("token_type", in: json)
      guard given.utf8.span.equalsIgnoringCase(type.utf8.span) else {
        throw JSONAnswer.malformed("token_type \(type)", found: TokenError.excerpt(given))
      }
    }
    accessToken = Secret(try JSONAnswer.string("access_token", in: json))
    switch json["refresh_token"]?.kind {
    case nil, .null: refreshToken = nil
    default: refreshToken = Secret(try JSONAnswer.string("refresh_token", in: json))
    }
    // oPRO writes `false` for a token without an end.
    let end = json["expires_in"]
    lifetime = try JSONAnswer.lifetime(end?.bool == false ? nil : end)
  }
}
