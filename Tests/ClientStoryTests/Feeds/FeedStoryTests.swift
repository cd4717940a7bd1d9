#if Client
  import FederationNetwork
  import Federation
  import FederationClient
  import SocialFeeds
  import Foundation
  import HTTPExchange
  import SecrecyTesting
  import SimulatedService
  import Simulators
  import SimulatorHost
  import TestSupport
  import Testing

  /// One of the five services, at its strict server.
  enum FeedKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case facebook
    case x
    case linkedin
    case mastodon
    case bluesky

    var testDescription: String { rawValue }

    static let appPassword = "abcd-efgh-ijkl-mnop"
    static let token = "feed-token-secret+/|1"

    func simulator(_ board: FeedBoard) throws -> any Simulator {
      switch self {
      case .facebook:
        FacebookServer(
          board, version: "v23.0", page: "4711",
          appSecret: try SymmetricKey(bytes: Array("app-secret-for-docs".utf8)))
      case .x: XServer(board)
      case .linkedin:
        LinkedInServer(board, version: "202601", author: "urn:li:person:AbC123")
      case .mastodon: MastodonServer(board)
      case .bluesky: BlueskyServer(board, appPassword: Self.appPassword)
      }
    }

    func service(
      at base: HTTPURL, token: String, over transport: any HTTPTransport
    ) async throws -> any FeedService {
      switch self {
      case .facebook:
        try FacebookPage(
          graph: base, version: "v23.0", page: "4711", accessToken: Secret(token),
          appSecret: try SymmetricKey(bytes: Array("app-secret-for-docs".utf8)))
      case .x: XService(api: try base.at(path: "/2"), accessToken: Secret(token))
      case .linkedin:
        LinkedIn(
          api: base, version: "202601", author: "urn:li:person:AbC123",
          accessToken: Secret(token))
      case .mastodon: Mastodon(instance: base, accessToken: Secret(token))
      case .bluesky:
        Bluesky(
          server: base,
          session: BlueskySession(
            did: BlueskyServer.did, handle: "mia.example.org", accessToken: Secret(token),
            refreshToken: Secret("feed-refresh-secret")))
      }
    }

    /// Whether a repeated request cannot post twice, so that the client may repeat it.
    var isIdempotent: Bool { self == .mastodon || self == .bluesky }

    /// One more letter than the service accepts.
    var tooLong: String {
      let limit =
        switch self {
        case .facebook: 63_206
        case .x: 280
        case .linkedin: 3_000
        case .mastodon: 500
        case .bluesky: 300
        }
      return String(repeating: "a", count: limit + 1)
    }
  }

  @Suite("Feeds, against strict servers over sockets")
  struct FeedStoryTests {
    struct Stage: Sendable {
      let kind: FeedKind
      let board: FeedBoard
      let host: SimulatorHost
      let transport: AsyncHTTPClientTransport
      let time: ManualTime
      let evidence: Evidence

      func feed(_ token: String = FeedKind.token) async throws -> Feed {
        Feed(
          try await kind.service(at: host.base, token: token, over: transport), over: transport,
          time: LeapingTime(clock: time), observer: evidence.observer)
      }

      /// The reason for which a post was rejected.
      func refusal(
        _ post: FeedPost, _ attempt: PostAttempt? = nil, token: String = FeedKind.token
      ) async throws -> FeedError.Reason? {
        let feed = try await feed(token)
        do throws(FeedError) {
          _ = try await feed.post(post, attempt: attempt)
          return nil
        } catch {
          evidence.add(error)
          return error.reason
        }
      }
    }

    static func stage(
      _ kind: FeedKind, _ play: @escaping @Sendable (Stage) async throws -> Void
    ) async throws {
      let time = ManualTime()
      let board = FeedBoard(time: time)
      board.allow(FeedKind.token, until: time.now.advanced(bySeconds: 86_400))
      try await SimulatorHost.serving { _ in
        try kind.simulator(board)
      } _: { host in
        let transport = try AsyncHTTPClientTransport()
        let evidence = Evidence()
        evidence.hide(
          FeedKind.token, "feed-refresh-secret", "app-secret-for-docs", FeedKind.appPassword)
        let stage = Stage(
          kind: kind, board: board, host: host, transport: transport, time: time,
          evidence: evidence)
        try await play(stage)
        #expect(host.journal.refusals == [])
        evidence.search("feed \(kind.rawValue)")
        await transport.shutdown()
      }
    }

    @Test("Text arrives as it was written, once", arguments: FeedKind.allCases)
    func post(kind: FeedKind) async throws {
      try await Self.stage(kind) { stage async throws in
        let text = "I'll be at \"Swift & Days\" (100% + more) #swift, [Zoë] \\o/ 𝄞"
        let receipt = try await stage.feed().post(FeedPost(text))
        stage.evidence.add(receipt)
        #expect(stage.board.posts == [text])
        #expect(stage.host.journal.requests.count == 1)
      }
    }

    @Test("A rehearsal sends nothing and shows no secret", arguments: FeedKind.allCases)
    func rehearsal(kind: FeedKind) async throws {
      try await Self.stage(kind) { stage async throws in
        let previews = try await stage.feed().rehearsal(of: FeedPost("Not yet"))
        stage.evidence.add(previews)
        #expect(previews.count == 1)
        #expect(stage.host.journal.requests.isEmpty)
      }
    }

    @Test("The same post again is published once", arguments: FeedKind.allCases)
    func duplicate(kind: FeedKind) async throws {
      try await Self.stage(kind) { stage async throws in
        let attempt = PostAttempt(at: stage.time.now)
        let post = FeedPost("Twice")
        let feed = try await stage.feed()
        let first = try await feed.post(post, attempt: attempt)
        if kind == .mastodon {
          // The same key returns the same status.
          #expect(try await feed.post(post, attempt: attempt) == first)
        } else if kind == .bluesky {
          // The record key exists already.
          #expect(try await stage.refusal(post, attempt) == .rejected)
        } else {
          #expect(try await stage.refusal(post, attempt) == .duplicate)
        }
        #expect(stage.board.posts == ["Twice"])
      }
    }

    @Test(
      "An expired token posts nothing, and a renewed one posts once", arguments: FeedKind.allCases)
    func expired(kind: FeedKind) async throws {
      try await Self.stage(kind) { stage async throws in
        #expect(
          try await stage.refusal(FeedPost("Late"), token: "feed-token-expired") == .tokenExpired)
        #expect(stage.board.posts == [])
        let renewals = Mutexed(0)
        let feed = Feed(
          try await kind.service(
            at: stage.host.base, token: "feed-token-expired", over: stage.transport),
          over: stage.transport, time: stage.time, observer: stage.evidence.observer
        ) { _ throws(TokenError) in
          renewals.withLock { $0 += 1 }
          do {
            return try await kind.service(
              at: stage.host.base, token: FeedKind.token, over: stage.transport)
          } catch {
            throw TokenError(.transportUnreachable)
          }
        }
        _ = try await feed.post(FeedPost("Late"))
        #expect(renewals.current == 1)
        #expect(stage.board.posts == ["Late"])
        stage.evidence.hide("feed-token-expired")
      }
    }

    @Test("A rate limit has its end, and nothing is sent before", arguments: FeedKind.allCases)
    func rateLimit(kind: FeedKind) async throws {
      try await Self.stage(kind) { stage async throws in
        let until = stage.time.now.advanced(bySeconds: 900)
        stage.board.expect(.rateLimit(until: until))
        #expect(
          try await stage.refusal(FeedPost("Again")) == .rateLimited(until: until))
        #expect(stage.host.journal.requests.count == 1)
        #expect(stage.board.posts == [])
        stage.time.advance(bySeconds: 900)
        #expect(try await stage.refusal(FeedPost("Again")) == nil)
        #expect(stage.board.posts == ["Again"])
      }
    }

    @Test("A text that is too long is not sent", arguments: FeedKind.allCases)
    func oversize(kind: FeedKind) async throws {
      try await Self.stage(kind) { stage async throws in
        #expect(try await stage.refusal(FeedPost(kind.tooLong)) == .tooLong)
        #expect(stage.host.journal.requests.isEmpty)
        let fits = String(kind.tooLong.dropLast())
        #expect(try await stage.refusal(FeedPost(fits)) == nil)
        #expect(stage.board.posts == [fits])
      }
    }

    @Test("The instance makes the final check of length")
    func instanceLimit() async throws {
      try await Self.stage(.mastodon) { stage async throws in
        var limits = MastodonLimits()
        limits.characters = 5_000
        let feed = Feed(
          Mastodon(
            instance: stage.host.base, accessToken: Secret(FeedKind.token), limits: limits),
          over: stage.transport, time: stage.time)
        await expect(throws: FeedError.self) {
          try await feed.post(FeedPost(FeedKind.mastodon.tooLong))
        }
        let asked = try await MastodonLimits.limits(of: stage.host.base, over: stage.transport)
        #expect(asked.characters == 500)
        #expect(stage.board.posts == [])
      }
    }

    @Test("A missing permission is an error of its own", arguments: FeedKind.allCases)
    func permission(kind: FeedKind) async throws {
      try await Self.stage(kind) { stage async throws in
        stage.board.expect(.permission)
        #expect(try await stage.refusal(FeedPost("May I?")) == .permission)
        #expect(stage.board.posts == [])
      }
    }

    @Test(
      "A failed request is repeated only where that cannot post twice",
      arguments: FeedKind.allCases, [false, true])
    func breakdown(kind: FeedKind, stands: Bool) async throws {
      try await Self.stage(kind) { stage async throws in
        stage.board.expect(stands ? .breakdownAfterPosting : .breakdown)
        let attempt = PostAttempt(at: stage.time.now)
        let first = try await stage.refusal(FeedPost("Once"), attempt)
        #expect(first == (kind.isIdempotent ? nil : .unknownOutcome))
        #expect(stage.host.journal.requests.count == (kind.isIdempotent ? 2 : 1))
        if !kind.isIdempotent {
          // The person looks, and posts once more.
          #expect(
            try await stage.refusal(FeedPost("Once"), attempt) == (stands ? .duplicate : nil))
        }
        #expect(stage.board.posts == ["Once"])
        let requests = stage.host.journal.requests.count
        print(
          "\(kind.rawValue), broken \(stands ? "after" : "before") posting: \(requests) requests, \(stage.board.posts.count) post"
        )
      }
    }

    @Test("A Bluesky session signs in with an app password and is renewed; the old one is invalid")
    func bluesky() async throws {
      try await Self.stage(.bluesky) { stage async throws in
        let session = try await BlueskySession.signIn(
          server: stage.host.base, identifier: "mia.example.org",
          appPassword: Secret(FeedKind.appPassword), over: stage.transport)
        let renewed = try await session.renewed(server: stage.host.base, over: stage.transport)
        stage.evidence.add(renewed)
        await stage.evidence.expect(.feedTokenExpired) {
          try await session.renewed(server: stage.host.base, over: stage.transport)
        }
        let feed = Feed(
          Bluesky(server: stage.host.base, session: renewed), over: stage.transport,
          time: stage.time)
        _ = try await feed.post(FeedPost("Signed in"))
        #expect(stage.board.posts == ["Signed in"])
        await stage.evidence.expect(.feedCredentials) {
          try await BlueskySession.signIn(
            server: stage.host.base, identifier: "mia.example.org",
            appPassword: Secret("wrong-password"), over: stage.transport)
        }
        stage.evidence.hide("access-jwt-secret", "refresh-jwt-secret", "wrong-password")
      }
    }
  }
#endif
