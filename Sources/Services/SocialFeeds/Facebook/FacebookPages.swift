public import HTTPExchange
public import SecurityKeys
public import TokenBasics

/// A page that a person manages, and the token to post to it.
public struct FacebookPageAccess: Sendable {
  /// The page's identifier.
  public let id: String
  /// The page's name for display.
  public let name: String
  /// The page token for ``FacebookPage``.
  public let accessToken: Secret
  /// The person's tasks on the page; posting needs `CREATE_CONTENT`.
  public let tasks: [String]

  /// Whether ``tasks`` contains `CREATE_CONTENT`.
  public var canPost: Bool { tasks.contains("CREATE_CONTENT") }

  /// The pages of the owner of a user token (`GET /{version}/me/accounts`, first page of the list).
  ///
  /// - Parameters:
  ///   - graph: The host, such as `https://graph.facebook.com`.
  ///   - version: Such as `v23.0`.
  ///   - userToken: A token of the owner.
  ///   - appSecret: Adds `appsecret_proof`.
  ///   - transport: Reaches the host.
  ///   - now: The clock, read once by the caller.
  /// - Throws: `feed.*` as for a post, `transport.*`, `input.json-*`.
  public static func pages(
    graph: HTTPURL, version: String, userToken: Secret, appSecret: SymmetricKey? = nil,
    over transport: any HTTPTransport, now: Instant = SystemTime().now
  ) async throws(TokenError) -> [Self] {
    var url = try graph.appending([version, "me", "accounts"])
    var secrets = [userToken]
    if let appSecret {
      let proof = try FacebookProof.proof(of: userToken, appSecret)
      secrets.append(Secret(proof))
      url = url.adding([("appsecret_proof", proof)])
    }
    let response = try await transport.response(
      to: HTTPRequest(
        .get, url, fields: try HTTPFields([("Authorization", "Bearer " + userToken.revealed)])))
    guard response.isSuccess else {
      throw FacebookRefusal.read(response, FeedAnswer("facebook", hiding: secrets), now).cause
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
