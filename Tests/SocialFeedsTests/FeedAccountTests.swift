import ClientScript
import FederationClient
import HTTPExchange
import SecrecyTesting
import SocialFeeds
import TestSupport
import Testing
import TokenBasics

@Suite("Accounts of feeds")
struct FeedAccountTests {
  static let api = "https://api.example.org/2"

  @Test("Bluesky signs in with an app password, and renews with the refresh token")
  func bluesky() async throws {
    let answer =
      #"{"did":"did:plc:abc","handle":"mia.example.org","accessJwt":"a2","refreshJwt":"r2"}"#
    let server = ScriptedServer(.json(answer))
    let pds = try HTTPURL("https://pds.example.org")
    let session = try await BlueskySession.signIn(
      server: pds, identifier: "mia.example.org", appPassword: Secret("abcd-efgh"), over: server)
    #expect(session.did == "did:plc:abc")
    let renewed = try await session.renewed(server: pds, over: server)
    #expect(renewed.accessToken.revealed == "a2")
    let requests = server.requests
    #expect(
      requests.map(\.url.path) == [
        "/xrpc/com.atproto.server.createSession", "/xrpc/com.atproto.server.refreshSession",
      ])
    #expect(requests[0].text == #"{"identifier":"mia.example.org","password":"abcd-efgh"}"#)
    #expect(requests[1].fields["Authorization"] == "Bearer r2")
    #expect(requests[1].body.isEmpty)
  }

  @Test(
    "Bluesky's sign-in distinguishes a wrong app password, a rate limit with its end and a failure",
    arguments: [
      (
        HTTPResponse.json(
          #"{"error":"AuthenticationRequired","message":"Invalid identifier or abcd-efgh"}"#,
          status: 401),
        TokenError.Code.feedCredentials, #""AuthenticationRequired: Invalid identifier or ***""#
      ),
      (
        .json(
          #"{"error":"RateLimitExceeded","message":"Rate Limit Exceeded"}"#, status: 429,
          [("ratelimit-reset", "1893499260")]), .feedRateLimited,
        #""RateLimitExceeded: Rate Limit Exceeded""#
      ),
      (.html("<h1>Sorry</h1>", status: 502), .feedUnavailable, "status 502"),
    ])
  func blueskyRefusals(answer: HTTPResponse, code: TokenError.Code, words: String) async throws {
    let error = await expect(throws: TokenError(code)) {
      try await BlueskySession.signIn(
        server: HTTPURL("https://pds.example.org"), identifier: "mia.example.org",
        appPassword: Secret("abcd-efgh"), over: ScriptedServer(answer), now: StillTime().now)
    }
    #expect(error?.found == words)
    let isLimit = code == .feedRateLimited
    #expect(error?.expected == (isLimit ? "no request before 2030-01-01T12:01:00Z" : nil))
  }

  @Test("A Mastodon instance that accepts no requests for now is a rate limit with its end")
  func mastodonLimit() async throws {
    let error = await expect(throws: TokenError(.feedRateLimited)) {
      try await MastodonLimits.limits(
        of: HTTPURL("https://social.example.org"),
        over: ScriptedServer(
          .json(
            #"{"error":"Too many requests"}"#, status: 429,
            [("X-RateLimit-Reset", "2030-01-01T12:01:00Z")])), now: StillTime().now)
    }
    #expect(error?.expected == "no post before 2030-01-01T12:01:00Z")
    await expect(throws: TokenError(.feedUnavailable)) {
      try await MastodonLimits.limits(
        of: HTTPURL("https://social.example.org"), over: ScriptedServer(.answer(503)))
    }
  }

  @Test("X renews with a refresh token that works once")
  func x() async throws {
    let server = ScriptedServer(
      .json(#"{"token_type":"bearer","access_token":"a2","refresh_token":"r2","expires_in":7200}"#))
    let now = StillTime().now
    let tokens = try await XTokens.renewed(
      api: HTTPURL(Self.api), clientID: "c", refreshToken: Secret("r1"), over: server, now: now)
    #expect(tokens.refreshToken?.revealed == "r2")
    #expect(tokens.expires == now.advanced(bySeconds: 7200))
    let request = try #require(server.requests.first)
    #expect(request.url.path == "/2/oauth2/token")
    #expect(
      request.form == ["grant_type": "refresh_token", "refresh_token": "r1", "client_id": "c"])
  }

  @Test(
    "RP-18 A token response that violates its protocol is rejected",
    arguments: [
      #"{"token_type":"mac","access_token":"a"}"#,
      #"{"token_type":"bearer","access_token":"a","access_token":"b"}"#,
      #"{"token_type":"bearer","access_token":"a","expires_in":-1}"#,
      #"{"token_type":"bearer","access_token":"a","expires_in":99999999999999999999}"#,
      #"{"token_type":"bearer","access_token":"a","expires_in":1e9}"#,
      #"{"token_type":"bearer","access_token":7}"#, #"{"access_token":"a"}"#, "[]", "<html>",
    ])
  func strict(body: String) async throws {
    let error = await expect(throws: TokenError.self) {
      try await XTokens.renewed(
        api: HTTPURL(Self.api), clientID: "c", refreshToken: Secret("r1"),
        over: ScriptedServer(.json(body)), now: StillTime().now)
    }
    #expect(["transport", "input"].contains(error?.code.family))
  }

  @Test("RP-18 JSON under the name of HTML is refused")
  func html() async throws {
    let answer = HTTPResponse.html(#"{"token_type":"bearer","access_token":"a"}"#)
    await expect(throws: TokenError(.transportMalformedResponse)) {
      try await XTokens.renewed(
        api: HTTPURL(Self.api), clientID: "c", refreshToken: Secret("r1"),
        over: ScriptedServer(answer), now: StillTime().now)
    }
  }

  @Test("Facebook lists the pages of a person with their tokens")
  func pages() async throws {
    let server = ScriptedServer(
      .json(
        #"{"data":[{"id":"1","name":"P","access_token":"pt","tasks":["CREATE_CONTENT"]}],"paging":{}}"#
      ))
    let pages = try await FacebookPageAccess.pages(
      graph: HTTPURL("https://graph.example.org"), version: "v99.0", userToken: Secret("ut"),
      over: server)
    #expect(pages.map(\.accessToken.revealed) == ["pt"])
    #expect(pages.first?.tasks == ["CREATE_CONTENT"])
    #expect(server.requests.first?.url.text == "https://graph.example.org/v99.0/me/accounts")
  }

  @Test("LinkedIn names the author, Mastodon its limits")
  func authorAndLimits() async throws {
    let author = try await LinkedIn.author(
      api: HTTPURL("https://linked.example.org"), accessToken: Secret("t"),
      over: ScriptedServer(.json(#"{"sub":"AbC123"}"#)))
    #expect(author == "urn:li:person:AbC123")
    let limits = try await MastodonLimits.limits(
      of: HTTPURL("https://social.example.org"),
      over: ScriptedServer(
        .json(#"{"configuration":{"statuses":{"max_characters":5000}}}"#)))
    #expect(limits.characters == 5_000)
    #expect(limits.charactersPerLink == 23)
  }
}
