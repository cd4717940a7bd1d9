#if Client
  import Federation
  import FederationClient
  import SocialFeeds
  import HTTPExchange
  import SecrecyTesting
  import SimulatedService
  import Simulators
  import SimulatorHost
  import TestSupport
  import Testing

  @Suite("Images in feeds, against strict servers over sockets")
  struct FeedImageStoryTests {
    static let png: [UInt8] =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(0...255) + Array("\r\n--x\r\n".utf8)

    static func image(_ octets: [UInt8] = png) throws -> FeedImage {
      try #require(FeedImage(octets, describedAs: "A slide: \"Zoë & friends\""))
    }

    @Test("An image is uploaded, described and published in one post", arguments: FeedKind.allCases)
    func post(kind: FeedKind) async throws {
      try await FeedStoryTests.stage(kind) { stage async throws in
        let post = FeedPost("With a slide", image: try Self.image())
        let receipt = try await stage.feed().post(post)
        stage.evidence.add(post)
        stage.evidence.add(receipt)
        #expect(stage.board.posts == ["With a slide"])
        let shown = stage.board.images.shown
        #expect(shown.map(\.octets) == [Self.png])
        #expect(shown.map(\.type) == ["image/png"])
        #expect(shown.map(\.description) == ["A slide: \"Zoë & friends\""])
        // The image first, the post last.
        let paths = stage.host.journal.requests.map(\.path)
        let wanted: [String] =
          switch kind {
          case .facebook: ["/v23.0/4711/photos", "/v23.0/4711/feed"]
          case .x: ["/2/media/upload", "/2/media/metadata", "/2/tweets"]
          case .linkedin: ["/rest/images", "/dms-uploads/4001", "/rest/posts"]
          case .mastodon: ["/api/v2/media", "/api/v1/statuses"]
          case .bluesky:
            ["/xrpc/com.atproto.repo.uploadBlob", "/xrpc/com.atproto.repo.createRecord"]
          }
        #expect(paths == wanted)
      }
    }

    @Test("An image too large for the service is not published", arguments: FeedKind.allCases)
    func oversize(kind: FeedKind) async throws {
      try await FeedStoryTests.stage(kind) { stage async throws in
        stage.board.images.limit(bytes: Self.png.count - 1)
        let post = FeedPost("Too large", image: try Self.image())
        let reason = try await stage.refusal(post)
        #expect(reason == (kind == .linkedin ? .tooLong : .rejected))
        #expect(stage.board.posts == [] && stage.board.images.shown.isEmpty)
        stage.board.images.limit(bytes: Self.png.count)
        #expect(try await stage.refusal(post) == nil)
        #expect(stage.board.posts == ["Too large"] && stage.board.images.shown.count == 1)
      }
    }

    @Test(
      "A type that a service does not accept is not sent",
      arguments: [
        (FeedKind.x, Array("GIF89a".utf8)),
        (.linkedin, Array("RIFF....WEBPVP8 ".utf8)),
      ])
    func type(kind: FeedKind, octets: [UInt8]) async throws {
      try await FeedStoryTests.stage(kind) { stage async throws in
        let post = FeedPost("See", image: try Self.image(octets))
        #expect(try await stage.refusal(post) == .rejected)
        #expect(stage.host.journal.requests.isEmpty)
        #expect(
          try await stage.refusal(FeedPost("See", image: try Self.image([0xFF, 0xD8, 0xFF, 0xE0])))
            == nil)
        #expect(stage.board.images.shown.map(\.type) == ["image/jpeg"])
      }
    }

    @Test(
      "An upload with an expired token or a broken service posts nothing, and once in the end",
      arguments: FeedKind.allCases)
    func expired(kind: FeedKind) async throws {
      try await FeedStoryTests.stage(kind) { stage async throws in
        let post = FeedPost("Late", image: try Self.image())
        #expect(try await stage.refusal(post, token: "feed-token-expired") == .tokenExpired)
        #expect(stage.board.posts == [] && stage.board.images.shown.isEmpty)
        #expect(try await stage.refusal(post) == nil)
        #expect(stage.board.posts == ["Late"] && stage.board.images.shown.count == 1)
        stage.evidence.hide("feed-token-expired")
      }
    }

    @Test("Mastodon is polled once a second until it has processed an image, for half a minute")
    func processing() async throws {
      try await FeedStoryTests.stage(.mastodon) { stage async throws in
        stage.board.images.process(looks: 3)
        let before = stage.time.now
        let post = FeedPost("Slowly", image: try Self.image())
        #expect(try await stage.refusal(post) == nil)
        #expect(stage.host.journal.requests.count { $0.path.hasPrefix("/api/v1/media/") } == 4)
        #expect(stage.time.now.seconds - before.seconds == 4)
        #expect(stage.board.images.shown.count == 1)
        stage.board.images.process(looks: 1_000)
        #expect(
          try await stage.refusal(FeedPost("Never", image: try Self.image())) == .unavailable)
        #expect(stage.board.posts == ["Slowly"])
      }
    }

    @Test("An instance's limits for images are checked before anything is sent")
    func instanceLimit() async throws {
      try await FeedStoryTests.stage(.mastodon) { stage async throws in
        let limits = try await MastodonLimits.limits(of: stage.host.base, over: stage.transport)
        #expect(limits.imageBytes == 2_000)
        let feed = Feed(
          Mastodon(
            instance: stage.host.base, accessToken: Secret(FeedKind.token), limits: limits),
          over: stage.transport, time: stage.time)
        let asked = stage.host.journal.requests.count
        let large = Self.png + [UInt8](repeating: 0, count: 2_001 - Self.png.count)
        let error = await expect(throws: FeedError.self) {
          try await feed.post(FeedPost("Large", image: try Self.image(large)))
        }
        #expect(error?.reason == .rejected)
        #expect(stage.host.journal.requests.count == asked)
        _ = try await feed.post(FeedPost("Fits", image: try Self.image(Array(large.dropLast()))))
        #expect(stage.board.posts == ["Fits"])
      }
    }
  }
#endif
