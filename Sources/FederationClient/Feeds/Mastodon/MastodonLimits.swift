public import HTTPExchange
import StrictJSON
public import TokenErrors

/// How long a status may be; every instance decides for itself.
public struct MastodonLimits: Hashable, Sendable {
  /// Characters of a status: 500 unless the instance says otherwise.
  public var characters = 500
  /// What a link counts, however long it is: 23.
  public var charactersPerLink = 23

  public init() {}

  /// What an instance says (`GET /api/v2/instance`); the usual numbers where it says nothing.
  ///
  /// - Throws: `transport.*`, `input.json-*`.
  public static func limits(
    of instance: HTTPURL, over transport: any HTTPTransport
  ) async throws(TokenError) -> Self {
    let response = try await transport.response(
      to: HTTPRequest(.get, try instance.appending(["api", "v2", "instance"])))
    guard response.isSuccess else {
      throw TokenError(.transportStatus, node: "/api/v2/instance", found: "\(response.status)")
    }
    let statuses = try JSONAnswer.read(response)["configuration"]?["statuses"]
    var limits = Self()
    if let characters = statuses?["max_characters"]?.integer, characters > 0 {
      limits.characters = characters
    }
    if let link = statuses?["characters_reserved_per_url"]?.integer, link > 0 {
      limits.charactersPerLink = link
    }
    return limits
  }
}
