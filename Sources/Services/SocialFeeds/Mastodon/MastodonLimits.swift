public import HTTPExchange
public import Instants
import Octets
public import TokenErrors

/// The maximum length of a status and size of an image, which each instance configures.
public struct MastodonLimits: Hashable, Sendable {
  /// Characters of a status; 500 by default.
  public var characters = 500
  /// Characters that a link counts, whatever its length; 23 by default.
  public var charactersPerLink = 23
  /// Bytes of an image; nil if the instance publishes no limit and only rejects larger ones.
  public var imageBytes: Int?

  /// The default limits.
  public init() {}

  /// The limits of an instance (`GET /api/v2/instance`), with the defaults for missing members.
  ///
  /// - Throws: `feed.rate-limited` with the time at which it ends, `feed.unavailable`; `transport.*`,
  ///   `input.json-*`.
  public static func limits(
    of instance: HTTPURL, over transport: any HTTPTransport, now: Instant = SystemTime().now
  ) async throws(TokenError) -> Self {
    let response = try await transport.response(
      to: HTTPRequest(.get, try instance.appending(["api", "v2", "instance"])))
    guard response.isSuccess else {
      if response.status == 429 || response.status >= 500 {
        throw Mastodon(instance: instance, accessToken: Secret("")).refusal(response, now: now)
          .cause
      }
      throw TokenError(.transportStatus, node: "/api/v2/instance", found: "\(response.status)")
    }
    let configuration = try JSONAnswer.read(response)["configuration"]
    let statuses = configuration?["statuses"]
    var limits = Self()
    if let characters = statuses?["max_characters"]?.integer, characters > 0 {
      limits.characters = characters
    }
    if let link = statuses?["characters_reserved_per_url"]?.integer, link > 0 {
      limits.charactersPerLink = link
    }
    let media = configuration?["media_attachments"]
    if let bytes = media?["image_size_limit"]?.integer, bytes > 0 { limits.imageBytes = bytes }
    return limits
  }
}
