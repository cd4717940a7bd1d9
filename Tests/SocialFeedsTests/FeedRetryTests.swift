import ClientScript
import FederationClient
import HTTPExchange
import SecrecyTesting
import SocialFeeds
import Synchronization
import TestSupport
import Testing
import TokenBasics

/// A feed that counts its posts, with servers that fail after they have posted.
@Suite("Posting again")
struct FeedRetryTests {
  /// Posts every request, but fails after the first `failures` ones. Supports idempotency keys and
  /// record keys.
  final class BreakingServer: Sendable {
    let posts = Mutex<[String]>([])
    let failures: Int
    let failure: TokenError?

    init(failures: Int, failure: TokenError? = nil) {
      self.failures = failures
      self.failure = failure
    }

    var transport: ScriptedServer {
      ScriptedServer { [self] request, number throws(TokenError) in
        let key =
          request.fields["Idempotency-Key"]
          ?? (request.url.path.hasSuffix("Record") ? request.text : "\(number)")
        posts.withLock { posts in
          if request.url.path.hasSuffix("createRecord") || !posts.contains(key) {
            posts.append(key)
          }
        }
        guard number < failures else {
          return .json(
            #"{"id":"1","data":{"id":"1"},"uri":"at://1"}"#, status: 200, [("x-restli-id", "1")])
        }
        if let failure { throw failure }
        return .answer(503)
      }
    }
  }

  static let failures: [TokenError?] = [
    nil, TokenError(.transportTimeout), TokenError(.transportUnreachable),
    TokenError(.transportTooLarge),
  ]

  @Test("S3 A request that could post twice is not repeated", arguments: failures)
  func never(failure: TokenError?) async throws {
    let services: [any FeedService] = [
      try FeedFixtures.facebook(), try FeedFixtures.x(), try FeedFixtures.linkedIn(),
      try FeedFixtures.wall(),
    ]
    for service in services {
      let server = BreakingServer(failures: 1, failure: failure)
      let transport = server.transport
      let error = await FeedFixtures.error(FeedFixtures.feed(service, transport))
      #expect(error?.reason == .unknownOutcome)
      #expect(transport.requests.count == 1)
      #expect(server.posts.withLock { $0.count } == 1)
    }
  }

  @Test(
    "S3 If the service recognises the post, it is repeated and published once",
    arguments: failures)
  func again(failure: TokenError?) async throws {
    for service in [try FeedFixtures.mastodon(), try FeedFixtures.bluesky()] as [any FeedService] {
      let server = BreakingServer(failures: 2, failure: failure)
      let transport = server.transport
      let time = StillTime()
      _ = try await FeedFixtures.feed(service, transport, time).post(FeedPost("Hello"))
      #expect(transport.requests.count == 3)
      #expect(server.posts.withLock { $0.count } == 1, "\(service.name)")
      #expect(time.waits == [.seconds(1), .seconds(2)])
    }
  }

  @Test("Without a connection nothing was posted, and the error has the cause")
  func nothingSent() async throws {
    for service in try FeedFixtures.all() {
      let transport = ScriptedServer { (_, _) throws(TokenError) in
        throw TokenError(.transportNoConnection, found: "connection refused")
      }
      let error = await FeedFixtures.error(FeedFixtures.feed(service, transport))
      #expect(error?.reason == .unavailable, "\(service.name)")
      #expect(error?.cause.code == .transportNoConnection, "\(service.name)")
      #expect(error?.cause.found == "connection refused")
    }
  }

  @Test("An attempt that may have posted stays unknown if the next ones find no connection")
  func doubt() async throws {
    let transport = ScriptedServer { (_, number) throws(TokenError) in
      throw TokenError(number == 0 ? .transportTimeout : .transportNoConnection)
    }
    let error = await FeedFixtures.error(FeedFixtures.feed(try FeedFixtures.mastodon(), transport))
    #expect(transport.requests.count == 3)
    #expect(error?.reason == .unknownOutcome)
  }

  @Test("After three tries the outcome is unknown, and the same attempt may be posted later")
  func later() async throws {
    let server = BreakingServer(failures: 3)
    let transport = server.transport
    let feed = FeedFixtures.feed(try FeedFixtures.mastodon(), transport)
    let attempt = PostAttempt(at: StillTime().now)
    let reason = await expect(throws: FeedError.self) {
      try await feed.post(FeedPost("Hello"), attempt: attempt)
    }?.reason
    #expect(reason == .unknownOutcome)
    _ = try await feed.post(FeedPost("Hello"), attempt: attempt)
    #expect(server.posts.withLock { $0.count } == 1)
  }

  @Test(
    "An attempt as text is the same attempt, and Bluesky overwrites the record that it may have made"
  )
  func repeated() async throws {
    let attempt = PostAttempt(
      at: Instant(secondsSinceEpoch: 1_893_499_200, nanoseconds: 123_456_789))
    let same = try #require(PostAttempt(attempt.text))
    #expect(same.key == attempt.key && same.text == attempt.text)
    #expect(same.startedAt == Instant(secondsSinceEpoch: 1_893_499_200, nanoseconds: 123_456_000))
    for text in [
      "", "-", attempt.key, "1-2", "x-" + attempt.key, attempt.text + "0", "+" + attempt.text,
    ] {
      #expect(PostAttempt(text) == nil, "\(text)")
    }
    let server = BreakingServer(failures: 3)
    let transport = server.transport
    let feed = FeedFixtures.feed(try FeedFixtures.bluesky(), transport)
    let error = await expect(throws: FeedError.self) {
      try await feed.post(FeedPost("Hello"), attempt: attempt, isFirst: true)
    }
    #expect(error?.reason == .unknownOutcome)
    _ = try await feed.post(FeedPost("Hello"), attempt: same, isFirst: false)
    #expect(server.posts.withLock { $0.count } == 1)
    #expect(transport.requests.last?.url.path.hasSuffix("putRecord") == true)
  }

  @Test("S3 A rate limit is reported, not waited out")
  func rateLimit() async throws {
    let server = ScriptedServer(.json("{}", status: 429))
    let time = StillTime()
    for service in try FeedFixtures.all() where service.name != "facebook" {
      _ = await FeedFixtures.error(FeedFixtures.feed(service, server, time))
    }
    #expect(time.waits.isEmpty)
    #expect(server.requests.count == 4)
  }

  @Test("S3 An expired token is renewed once and the post is sent once")
  func renewed() async throws {
    for make in [FeedFixtures.facebook, FeedFixtures.x, FeedFixtures.linkedIn]
      as [@Sendable (String) throws -> any FeedService]
    {
      let server = ScriptedServer { request, _ in
        request.fields["Authorization"] == "Bearer fresh"
          ? .json(#"{"id":"1","data":{"id":"1"}}"#, status: 201, [("x-restli-id", "1")])
          : .json(#"{"error":{"code":190,"message":"expired"}}"#, status: 401)
      }
      let fresh = try make("fresh")
      let feed = FeedFixtures.feed(try make("stale"), server) { _ in fresh }
      _ = try await feed.post(FeedPost("Hello"))
      #expect(server.requests.count == 2)
    }
  }

  @Test("A renewal that returns another expired token ends after one more attempt")
  func renewedInVain() async throws {
    let server = ScriptedServer(.json("{}", status: 401))
    let stale = try FeedFixtures.x("stale")
    let feed = FeedFixtures.feed(stale, server) { _ in stale }
    #expect(await FeedFixtures.error(feed)?.reason == .tokenExpired)
    #expect(server.requests.count == 2)
  }

  @Test("A renewal of the application may throw an error of its own")
  func ownError() async throws {
    struct Offline: Error {}
    let server = ScriptedServer(.json("{}", status: 401))
    let feed = FeedFixtures.feed(try FeedFixtures.x("stale"), server) { _ in throw Offline() }
    let error = await FeedFixtures.error(feed)
    #expect(error?.reason == .tokenExpired)
    #expect(error?.cause.underlying is Offline)
  }

  @Test("A failed upload is repeated; nothing is published before it is complete")
  func upload() async throws {
    let server = ScriptedServer { request, number in
      request.url.path.hasSuffix("upload") && number < 2
        ? .answer(500) : .json(#"{"data":{"id":"1"}}"#)
    }
    let feed = FeedFixtures.feed(try FeedFixtures.x(), server)
    _ = try await feed.post(FeedPost("Hello", image: FeedFixtures.image))
    #expect(server.requests.map(\.url.path).count { $0 == "/2/tweets" } == 1)
    #expect(server.requests.map(\.url.path).count { $0 == "/2/media/upload" } == 3)
  }
}
