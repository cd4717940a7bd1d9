import BrowserExchange
import Federation
import HTTPExchange
import StrictJSON

/// The response of the OAuth endpoint. As the service varies, the lifetime may be a string or a number.
struct OAuthAnswer {
  let token: [UInt8]
  let format: TokenFormat
  let lifetime: Int64?
  let refreshToken: Secret?

  /// - Throws: `client.content-type`, `transport.malformed-response`, `input.json-*`.
  init(_ response: HTTPResponse) throws(TokenError) {
    guard response.fields["Content-Type"] != nil else {
      throw TokenError(.clientContentType, expected: "application/json", found: "nothing")
    }
    let json = try JSONAnswer.read(response)
    let type = try JSONAnswer.string("token_type", in: json)
    guard let format = TokenTypeURI.format(type) else {
      throw JSONAnswer.malformed("a known token_type", found: TokenError.excerpt(type))
    }
    self.format = format
    let tokens = try BearerTokens(json, type: nil)
    token = Array(tokens.accessToken.revealed.utf8)
    lifetime = tokens.lifetime
    refreshToken = tokens.refreshToken
  }
}
