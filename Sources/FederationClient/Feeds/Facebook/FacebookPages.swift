public import HTTPExchange
import StrictJSON
public import TokenErrors

/// A page that a person may post to, and the token to do so.
public struct FacebookPageAccess: Sendable {
  public let id: String
  public let name: String
  public let accessToken: Secret
  /// What the person may do on the page; posting needs `CREATE_CONTENT`.
  public let tasks: [String]

  /// The pages of the owner of a user token (`GET /{version}/me/accounts`, first page of the list).
  ///
  /// - Throws: `transport.*`, ``FeedError`` as its cause.
  public static func pages(
    graph: HTTPURL, version: String, userToken: Secret, over transport: any HTTPTransport
  ) async throws(TokenError) -> [Self] {
    let url = try graph.appending([version, "me", "accounts"])
    let response = try await transport.response(
      to: HTTPRequest(
        .get, url, fields: try HTTPFields([("Authorization", "Bearer " + userToken.revealed)])))
    guard response.isSuccess else {
      throw TokenError(.transportStatus, node: "/me/accounts", found: "\(response.status)")
    }
    guard let list = try JSONAnswer.read(response)["data"]?.array else {
      throw JSONAnswer.malformed("an array data")
    }
    return try list.map { page throws(TokenError) in
      Self(
        id: try JSONAnswer.string("id", in: page), name: try JSONAnswer.string("name", in: page),
        accessToken: Secret(try JSONAnswer.string("access_token", in: page)),
        tasks: page["tasks"]?.array?.compactMap(\.string) ?? [])
    }
  }
}
