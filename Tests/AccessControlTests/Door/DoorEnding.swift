import AccessControl
import TestSupport
import Testing

/// What ends an authorization, or the session of a browser.
enum DoorEnding: String, CaseIterable {
  case revokedRefresh, revokedAccess, refreshTwice, codeTwice, signOut, signOutOffline

  /// What an operator reads.
  var title: String {
    switch self {
    case .revokedRefresh: "The client revokes its refresh token"
    case .revokedAccess: "The client revokes its access token"
    case .refreshTwice: "A refresh token is used twice"
    case .codeTwice: "The code is used twice"
    case .signOut: "The person signs out"
    case .signOutOffline: "The person signs out, with `offline_access`"
    }
  }

  /// The entrances whose tokens it may end.
  var sources: [DoorEntrance] {
    switch self {
    case .revokedRefresh, .refreshTwice, .codeTwice:
      [.openID, .resource, .draft13, .registered, .registeredResource]
    // Services verify other access tokens themselves: they run out.
    case .revokedAccess: [.openID, .registered]
    case .signOut:
      [.federation, .saml, .openID, .resource, .draft13, .registered, .registeredResource]
    // Draft 13 has no such scope, and no client that registered itself gets it.
    case .signOutOffline: [.openID, .resource]
    }
  }

  /// Whether it leaves what was issued.
  var spares: Bool { self == .signOutOffline }
}

extension DoorFixture {
  /// Ends an authorization, and returns its tokens as the client has them then.
  func end(_ tokens: DoorTokens, of source: DoorEntrance, by ending: DoorEnding) async throws
    -> DoorTokens
  {
    let known = source == .resource ? Self.chat : source == .draft13 ? Self.game : Self.shop
    switch ending {
    case .revokedRefresh, .revokedAccess:
      let token = ending == .revokedAccess ? tokens.token : tokens.refresh ?? ""
      let answer = try await post(
        "/v2/openid/revoke",
        [("token", token)] + (tokens.stranger.map { [("client_id", $0)] } ?? []),
        client: tokens.stranger == nil ? known : nil)
      #expect(answer.status == 200, "\(answer.text)")
      return tokens
    case .refreshTwice:
      let use: DoorUse =
        switch source {
        case .resource: .refreshResource
        case .draft13: .refreshDraft13
        case .registered, .registeredResource: .refreshRegistered
        default: .refreshOpenID
        }
      let renewed = try #require(try await self.use(use, tokens).tokens)
      #expect(try await self.use(use, tokens).tokens == nil)
      var latest = tokens
      latest.refresh = renewed.refresh
      return latest
    case .codeTwice:
      let again = try #require(tokens.redeeming)
      #expect(try await send(again).tokens == nil)
      return tokens
    case .signOut, .signOutOffline:
      let page = try await get("/v2/openid/logout", cookies: tokens.cookies)
      let all = [tokens.cookies, page.cookies].filter { !$0.isEmpty }.joined(separator: "; ")
      let done = try await post(
        "/v2/sign-out",
        [("token", PlainPages.field("token", in: page.text)), ("answer", "out")], cookies: all)
      #expect(done.status < 400, "\(done.text)")
      return tokens
    }
  }
}
