import ClientScript
import FederationClient
import HTTPExchange
import SocialFeeds
import TestSupport
import Testing
import TokenBasics

@Suite("Errors of feeds")
struct FeedErrorTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let service: String
    let answer: HTTPResponse
    let reason: FeedError.Reason

    init(_ service: String, _ answer: HTTPResponse, _ reason: FeedError.Reason) {
      self.service = service
      self.answer = answer
      self.reason = reason
    }

    var testDescription: String {
      "\(service) \(answer.status) \(String(decoding: answer.body, as: UTF8.self)) is \(reason)"
    }
  }

  static func graph(_ code: Int, _ subcode: Int? = nil, status: Int = 400) -> HTTPResponse {
    let sub = subcode.map { #","error_subcode":\#($0)"# } ?? ""
    return .json(
      #"{"error":{"message":"m","type":"OAuthException","code":\#(code)\#(sub)}}"#, status: status)
  }

  static let noon = Instant(secondsSinceEpoch: 1_893_499_200)

  static let rows: [Row] = [
    Row("facebook", graph(190, 463), .tokenExpired),
    Row("facebook", graph(190, 460, status: 401), .tokenExpired),
    Row("facebook", graph(102), .tokenExpired),
    Row("facebook", graph(190, 459), .blocked),
    Row("facebook", graph(368), .blocked),
    Row("facebook", graph(100, 463), .tokenExpired),
    Row("facebook", graph(100), .rejected),
    Row("facebook", graph(10, status: 403), .permission),
    Row("facebook", graph(200, status: 403), .permission),
    Row("facebook", graph(4), .rateLimited(until: nil)),
    Row("facebook", graph(341), .rateLimited(until: nil)),
    Row(
      "facebook",
      .json(
        #"{"error":{"code":80001,"message":"m"}}"#, status: 400,
        [
          (
            "X-Business-Use-Case-Usage",
            #"{"1":[{"type":"pages","estimated_time_to_regain_access":7}]}"#
          )
        ]), .rateLimited(until: noon.advanced(bySeconds: 420))),
    Row("facebook", graph(506), .duplicate),
    Row("x", .json(#"{"title":"Unauthorized","status":401}"#, status: 401), .tokenExpired),
    Row(
      "x",
      .json(
        #"{"detail":"You are not allowed to create a Tweet with duplicate content."}"#, status: 403),
      .duplicate),
    Row("x", .json(#"{"detail":"You are not permitted"}"#, status: 403), .permission),
    Row("x", .json(#"{"detail":"Your Tweet text is too long."}"#, status: 403), .tooLong),
    Row(
      "x",
      .json("{}", status: 429, [("x-rate-limit-reset", "1893499260")]),
      .rateLimited(until: noon.advanced(bySeconds: 60))),
    Row(
      "x",
      .json(
        "{}", status: 429,
        [
          ("x-rate-limit-reset", "1893499260"), ("x-user-limit-24hour-remaining", "0"),
          ("x-user-limit-24hour-reset", "1893502800"),
        ]), .rateLimited(until: noon.advanced(bySeconds: 3600))),
    Row("x", .json("{}", status: 429, [("x-rate-limit-reset", "1")]), .rateLimited(until: nil)),
    Row("x", .json("{}", status: 402), .rejected),
    Row(
      "linkedin",
      .json(#"{"status":401,"serviceErrorCode":65601,"message":"revoked"}"#, status: 401),
      .tokenExpired),
    Row("linkedin", .json(#"{"code":"ACCESS_DENIED","message":"no"}"#, status: 403), .permission),
    Row("linkedin", .json(#"{"message":"Duplicate post"}"#, status: 422), .duplicate),
    Row("linkedin", .json(#"{"message":"bad"}"#, status: 422), .rejected),
    Row(
      "linkedin", .json("{}", status: 429, [("Retry-After", "30")]),
      .rateLimited(until: noon.advanced(bySeconds: 30))),
    Row(
      "linkedin", .json("{}", status: 429, [("Retry-After", "Tue, 01 Jan 2030 12:00:30 GMT")]),
      .rateLimited(until: noon.advanced(bySeconds: 30))),
    Row(
      "linkedin", .json("{}", status: 429, [("Retry-After", "Tue, 01 Jan 2030 11:00:30 GMT")]),
      .rateLimited(until: nil)),
    Row(
      "linkedin", .json("{}", status: 429, [("Retry-After", "-30")]), .rateLimited(until: nil)),
    Row("linkedin", .json("{}", status: 429), .rateLimited(until: nil)),
    Row("linkedin", .json(#"{"code":"NONEXISTENT_VERSION"}"#, status: 426), .rejected),
    Row("mastodon", .json(#"{"error":"The access token is invalid"}"#, status: 401), .tokenExpired),
    Row("mastodon", .json(#"{"error":"outside the authorized scopes"}"#, status: 403), .permission),
    Row(
      "mastodon",
      .json(#"{"error":"Validation failed: Text character limit of 500 exceeded"}"#, status: 422),
      .tooLong),
    Row("mastodon", .json(#"{"error":"Validation failed"}"#, status: 422), .rejected),
    Row(
      "mastodon",
      .json(
        #"{"error":"Too many requests"}"#, status: 429,
        [("X-RateLimit-Reset", "2030-01-01T12:05:00.000Z")]),
      .rateLimited(until: noon.advanced(bySeconds: 300))),
    Row("mastodon", .html("<h1>nope</h1>", status: 404), .rejected),
    Row("bluesky", .json(#"{"error":"ExpiredToken","message":"m"}"#, status: 400), .tokenExpired),
    Row("bluesky", .json(#"{"error":"InvalidToken"}"#, status: 400), .tokenExpired),
    Row("bluesky", .json(#"{"error":"AuthMissing"}"#, status: 401), .tokenExpired),
    Row("bluesky", .json(#"{"error":"InvalidRequest"}"#, status: 400), .rejected),
    Row(
      "bluesky",
      .json(
        #"{"error":"RateLimitExceeded"}"#, status: 429, [("ratelimit-reset", "1893499230")]),
      .rateLimited(until: noon.advanced(bySeconds: 30))),
    Row("bluesky", .json(#"{"error":"AccountTakedown"}"#, status: 401), .blocked),
  ]

  static func service(_ name: String) throws -> any FeedService {
    try #require(try FeedFixtures.all().first { $0.name == name })
  }

  @Test("S3 Every service's refusal is one of the same few reasons", arguments: rows)
  func classified(row: Row) async throws {
    let server = ScriptedServer(row.answer)
    let error = await FeedFixtures.error(FeedFixtures.feed(try Self.service(row.service), server))
    #expect(error?.reason == row.reason)
    #expect(server.requests.count == 1)
  }

  static let codes: [(HTTPResponse, FeedPost, TokenError.Code?)] = [
    (.json(#"{"data":{"id":"1"}}"#, status: 201), FeedPost("Hello"), nil),
    (.answer(401), FeedPost("Hello"), .feedTokenExpired),
    (.answer(403), FeedPost("Hello"), .feedPermission),
    (.answer(429), FeedPost("Hello"), .feedRateLimited),
    (.json(#"{"detail":"duplicate content"}"#, status: 403), FeedPost("Hello"), .feedDuplicate),
    (.answer(413), FeedPost("Hello"), .feedTooLong),
    (.answer(400), FeedPost("Hello"), .feedRejected),
    (.json(#"{"detail":"account suspended"}"#, status: 403), FeedPost("Hello"), .feedBlocked),
    // A 503 to the upload: nothing is posted. A 503 to the post: the outcome is unknown.
    (.answer(503), FeedPost("Hello", image: FeedFixtures.image), .feedUnavailable),
    (.answer(503), FeedPost("Hello"), .feedUnknownOutcome),
  ]

  @Test("Each reason is an error of its own code", arguments: codes)
  func code(answer: HTTPResponse, post: FeedPost, code: TokenError.Code?) async throws {
    let server = ScriptedServer(answer)
    let error = await FeedFixtures.error(FeedFixtures.feed(try FeedFixtures.x(), server), post)
    #expect(error?.cause.code == code)
    #expect(error?.cause.node == code.map { _ in "x" })
    // An upload is not visible, so it is repeated.
    #expect(server.requests.count == (code == .feedUnavailable ? 3 : 1))
  }

  @Test("S3 Text that is too long is refused before anything is sent")
  func tooLong() async throws {
    let server = ScriptedServer(.answer(200))
    let texts = [
      "facebook": String(repeating: "a", count: 63_207), "x": String(repeating: "a", count: 281),
      "linkedin": String(repeating: "a", count: 3_001),
      "mastodon": String(repeating: "a", count: 501), "bluesky": String(repeating: "a", count: 301),
    ]
    for (name, text) in texts {
      let feed = FeedFixtures.feed(try Self.service(name), server)
      #expect(await FeedFixtures.error(feed, FeedPost(text))?.reason == .tooLong)
    }
    let heavy = String(repeating: "👨‍👩‍👧‍👦", count: 121)
    let bluesky = FeedFixtures.feed(try FeedFixtures.bluesky(), server)
    #expect(await FeedFixtures.error(bluesky, FeedPost(heavy))?.reason == .tooLong)
    #expect(server.requests.isEmpty)
  }

  @Test("An empty post is rejected before anything is sent")
  func empty() async throws {
    let server = ScriptedServer(.answer(200))
    let feed = FeedFixtures.feed(try FeedFixtures.x(), server)
    #expect(await FeedFixtures.error(feed, FeedPost(" \n"))?.reason == .rejected)
    #expect(server.requests.isEmpty)
  }

  @Test("A success that cannot be read is an unknown outcome, never a second post (RP-18)")
  func unreadable() async throws {
    let answers: [HTTPResponse] = [
      .html(), .json("{}"), .json(#"{"id":"1","id":"2","data":{"id":"1","id":"2"}}"#),
      .json(#"{"id":7,"data":{"id":7},"uri":7}"#), .answer(200),
    ]
    for service in try FeedFixtures.all() {
      for answer in answers {
        let server = ScriptedServer(answer)
        let error = await FeedFixtures.error(FeedFixtures.feed(service, server))
        #expect(error?.reason == .unknownOutcome, "\(service.name) \(answer)")
        #expect(server.requests.count == 1)
      }
    }
  }

  @Test("RP-2 A redirect is not followed")
  func redirect() async throws {
    for service in try FeedFixtures.all() {
      let server = ScriptedServer(.answer(302, [("Location", "https://evil.example/")]))
      let error = await FeedFixtures.error(FeedFixtures.feed(service, server))
      #expect(error?.cause == TokenError(.transportRedirect))
      #expect(server.requests.count == 1)
    }
  }
}
