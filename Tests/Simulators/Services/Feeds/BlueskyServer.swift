import Foundation
public import HTTPExchange
import Instants
public import SimulatedService
import StrictJSON
import Synchronization

/// A Bluesky server with one account.
public final class BlueskyServer: Simulator {
  public static let did = "did:plc:abc"

  let board: FeedBoard
  let appPassword: String
  private let refreshTokens = Mutex<(current: String?, number: Int)>((nil, 0))

  public init(_ board: FeedBoard, appPassword: String) {
    self.board = board
    self.appPassword = appPassword
  }

  public func answer(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    guard request.method == "POST" else { throw Refusal(405, "POST is wanted") }
    switch request.path {
    case "/xrpc/com.atproto.server.createSession": return try createSession(request)
    case "/xrpc/com.atproto.server.refreshSession": return try refreshSession(request)
    case "/xrpc/com.atproto.repo.createRecord": return try write(request, replacing: false)
    case "/xrpc/com.atproto.repo.putRecord": return try write(request, replacing: true)
    default: throw Refusal(404, "no such endpoint")
    }
  }

  private func createSession(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    guard request["Authorization"] == nil else { throw Refusal(400, "no credential yet") }
    let json = try request.json()
    guard json["identifier"]?.string == "mia.example.org",
      json["password"]?.string == appPassword
    else { return Self.error(401, "AuthenticationRequired", "Invalid identifier or password") }
    return session()
  }

  private func refreshSession(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    guard request.body.isEmpty else { throw Refusal(400, "an empty body is wanted") }
    let token = try FeedBoard.bearer(request)
    guard token == refreshTokens.withLock({ $0.current }) else {
      return Self.error(400, "ExpiredToken", "Token has been revoked")
    }
    return session()
  }

  private func session() -> HTTPResponse {
    let number = refreshTokens.withLock { state in
      state.number += 1
      state.current = "refresh-jwt-secret-\(state.number)"
      return state.number
    }
    let access = "access-jwt-secret-\(number)"
    board.allow(access, until: board.time.now.advanced(bySeconds: 7200))
    return .json(
      #"{"did":"\#(Self.did)","handle":"mia.example.org","accessJwt":"\#(access)","refreshJwt":"refresh-jwt-secret-\#(number)","active":true}"#
    )
  }

  private func write(
    _ request: ServerRequest, replacing: Bool
  ) throws(Refusal) -> HTTPResponse {
    let token = try FeedBoard.bearer(request)
    let json = try request.json()
    guard board.takes(token) else {
      return Self.error(400, "ExpiredToken", "Token has expired")
    }
    guard json["repo"]?.string == Self.did, json["collection"]?.string == "app.bsky.feed.post",
      let key = json["rkey"]?.string, key.utf8.count == 13, let record = json["record"],
      record["$type"]?.string == "app.bsky.feed.post", let text = record["text"]?.string,
      let created = record["createdAt"]?.string, (try? Instant(dateTime: created)) != nil
    else { return Self.error(400, "InvalidRequest", "Invalid app.bsky.feed.post record") }
    guard text.count <= 300, text.utf8.count <= 3_000 else {
      return Self.error(
        400, "InvalidRequest", "Record/text must not be longer than 300 graphemes")
    }
    if board.number(ofKey: key) != nil {
      return replacing
        ? Self.record(key) : Self.error(400, "InvalidRequest", "Record already exists")
    }
    let trouble = board.nextTrouble()
    switch trouble {
    case .rateLimit(let until):
      return .json(
        #"{"error":"RateLimitExceeded","message":"Rate Limit Exceeded"}"#, 429,
        [
          ("ratelimit-limit", "100"), ("ratelimit-remaining", "0"),
          ("ratelimit-reset", "\(until.seconds)"),
        ])
    case .breakdown: return .html("<h1>502</h1>", 502)
    case .permission: return Self.error(403, "Forbidden", "Not allowed")
    case .breakdownAfterPosting, nil: break
    }
    _ = board.put(text, key: key)
    if trouble != nil { return .html("<h1>502</h1>", 502) }
    return Self.record(key)
  }

  private static func record(_ key: String) -> HTTPResponse {
    .json(
      #"{"uri":"at://\#(did)/app.bsky.feed.post/\#(key)","cid":"bafy","validationStatus":"valid"}"#)
  }

  private static func error(_ status: Int, _ error: String, _ text: String) -> HTTPResponse {
    .json(#"{"error":"\#(error)","message":"\#(text)"}"#, status)
  }
}
