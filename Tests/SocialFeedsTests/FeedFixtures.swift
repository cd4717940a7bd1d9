import ClientScript
import FederationClient
import HTTPExchange
import SecurityKeys
import SocialFeeds
import TestSupport
import TokenBasics

/// Fixtures of the feeds. None of the secrets here may appear in any output.
enum FeedFixtures {
  static let token = "AAA|user+token/&=secret-4711"
  static let appSecret = "app-secret-for-docs-0123456789abcdef"

  static func url(_ text: String) throws -> HTTPURL { try HTTPURL(text) }

  static func facebook(_ token: String = token) throws -> FacebookPage {
    try FacebookPage(
      graph: url("https://graph.example.org"), version: "v99.0", page: "100004711",
      accessToken: Secret(token), appSecret: SymmetricKey(bytes: Array(appSecret.utf8)))
  }

  static func x(_ token: String = token) throws -> XService {
    XService(api: try url("https://api.example.org/2"), accessToken: Secret(token))
  }

  static func linkedIn(_ token: String = token) throws -> LinkedIn {
    LinkedIn(
      api: try url("https://linked.example.org"), version: "209901",
      author: "urn:li:person:AbC123", accessToken: Secret(token))
  }

  static func mastodon(_ token: String = token) throws -> Mastodon {
    Mastodon(
      instance: try url("https://social.example.org"), accessToken: Secret(token),
      visibility: .unlisted)
  }

  static func bluesky(_ token: String = token) throws -> Bluesky {
    Bluesky(
      server: try url("https://pds.example.org"),
      session: BlueskySession(
        did: "did:plc:abc", handle: "mia.example.org", accessToken: Secret(token),
        refreshToken: Secret("refresh-" + token)))
  }

  static func all(_ token: String = token) throws -> [any FeedService] {
    [
      try facebook(token), try x(token), try linkedIn(token), try mastodon(token),
      try bluesky(token), try wall(token),
    ]
  }

  static func wall(_ token: String = token) throws -> HistoricalFacebookWall {
    try HistoricalFacebookWall(
      graph: url("https://graph.example.org"), accessToken: Secret(token))
  }

  /// A feed over a scripted server, with a still clock.
  static func feed(
    _ service: any FeedService, _ server: ScriptedServer, _ time: StillTime = StillTime(),
    renewal: Feed.Renewal? = nil
  ) -> Feed {
    Feed(
      service, over: server, time: time, observer: SecrecyObserver(),
      random: RandomSource { [UInt8](repeating: 0xAB, count: $0) },
      renewal: renewal)
  }

  static let image = FeedImage(
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3], describedAs: "A slide")

  /// The error of a post, if it fails.
  static func error(_ feed: Feed, _ post: FeedPost = FeedPost("Hello")) async -> FeedError? {
    Secrecy.hide(token)
    Secrecy.hide(appSecret)
    Secrecy.see(feed)
    do throws(FeedError) {
      Secrecy.see(try await feed.post(post))
      return nil
    } catch {
      Secrecy.see(error: error)
      return error
    }
  }
}
