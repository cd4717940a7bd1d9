public import BrowserExchange
public import HTTPExchange
import StrictJSON
public import TokenErrors

extension LinkedIn {
  /// The author of a user token: `urn:li:person:` and the `sub` of `GET /v2/userinfo`.
  ///
  /// - Throws: `feed.token-expired`; `transport.*`, `input.json-*`.
  public static func author(
    api: HTTPURL, accessToken: Secret, over transport: any HTTPTransport
  ) async throws(TokenError) -> String {
    let response = try await transport.response(
      to: HTTPRequest(
        .get, try api.appending(["v2", "userinfo"]),
        fields: try HTTPFields([("Authorization", "Bearer " + accessToken.revealed)])))
    guard response.isSuccess else {
      throw TokenError(
        response.status == 401 ? .feedTokenExpired : .transportStatus, node: "linkedin",
        found: "status \(response.status)")
    }
    return "urn:li:person:" + (try JSONAnswer.string("sub", in: try JSONAnswer.read(response)))
  }
}
