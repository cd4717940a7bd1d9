import ClientScript
import FederationClient
import HTTPExchange
import SecurityKeys
import SocialFeeds
import Testing
import TokenBasics

@Suite("Feeds keep secrets")
struct FeedSecrecyTests {
  /// Every spelling of the fixtures' secrets.
  static let forbidden = [
    FeedFixtures.token, FeedFixtures.appSecret, "AAA%7Cuser", "AAA%7cuser", "user+token",
    "secret-4711",
  ]

  @Test("S3 A dry run shows every request with its secrets masked, and sends none")
  func rehearsal() throws {
    let server = ScriptedServer(.answer(500))
    let post = FeedPost("Hello", image: FeedFixtures.image)
    var count = 0
    for service in try FeedFixtures.all() {
      let feed = FeedFixtures.feed(service, server)
      let previews = try feed.rehearsal(
        of: service is HistoricalFacebookWall ? FeedPost("Hello") : post)
      count += previews.count
      for text in previews.map(\.description) {
        for secret in Self.forbidden { #expect(!text.contains(secret), "\(service.name)") }
      }
      #expect(previews.contains { $0.description.contains("***") })
      #expect(previews.contains { $0.description.contains("Hello") })
    }
    #expect(count == 13)
    #expect(server.requests.isEmpty)
  }

  @Test("RP-9 A token that the service echoes is not in the error")
  func echoes() async throws {
    let page = try FeedFixtures.facebook()
    var dumped = ""
    for service in try FeedFixtures.all() {
      for spelled in [
        FeedFixtures.token, "AAA%7Cuser%2Btoken%2F%26%3Dsecret-4711",
        "AAA%7cuser%2btoken%2f%26%3dsecret-4711",
      ] {
        let words = "Token \(spelled)"
        let body =
          service.name == "facebook"
          ? #"{"error":{"code":190,"message":"\#(words)"}}"#
          : #"{"error":"\#(words)","detail":"\#(words)","message":"\#(words)"}"#
        let server = ScriptedServer(.json(body, status: 401))
        let error = await FeedFixtures.error(FeedFixtures.feed(service, server))
        #expect(error?.cause.found?.contains("***") ?? false, "\(service.name)")
        dump(error, to: &dumped)
        dumped += "\(error as Any)"
      }
      dump(service, to: &dumped)
    }
    dump(page, to: &dumped)
    let proof = page.secrets.map(\.revealed).last ?? "none"
    #expect(proof.utf8.count == 64)
    #expect(!dumped.contains(proof))
    for secret in Self.forbidden { #expect(!dumped.contains(secret)) }
  }

  @Test("RP-9 Activities for observers contain no secret")
  func observed() async throws {
    let observer = ScribblingObserver()
    for service in try FeedFixtures.all() {
      for status in [200, 401, 500] {
        let server = ScriptedServer(.json(#"{"error":{"code":190}}"#, status: status))
        let feed = Feed(service, over: server, time: StillTime(), observer: observer)
        _ = await FeedFixtures.error(feed)
      }
    }
    let heard = observer.heard
    #expect(heard.contains("feed.request"))
    for secret in Self.forbidden { #expect(!heard.contains(secret)) }
  }
}
