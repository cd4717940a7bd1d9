import Foundation
public import HTTPExchange
public import SimulatedService
import Synchronization
import TokenBasics

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
    case "/xrpc/com.atproto.repo.uploadBlob": return try upload(request)
    case "/xrpc/com.atproto.repo.createRecord": return try write(request, replacing: false)
    case "/xrpc/com.atproto.repo.putRecord": return try write(request, replacing: true)
    default: throw Refusal(404, "no such endpoint")
    }
  }

  private func createSession(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    guard request["Authorization"] == nil else { throw Refusal(400, "no credential yet") }
    let json = try request.json()
    guard request.query == nil, Self.names(json).isSubset(of: Self.sessionMembers) else {
      throw Refusal(400, "unknown member")
    }
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

  /// Accepts octets of any type; the size of an image is checked with the record that contains it.
  private func upload(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let token = try FeedBoard.bearer(request)
    guard let type = request["Content-Type"], type.hasPrefix("image/"), !request.body.isEmpty else {
      throw Refusal(415, "the octets of an image, with their type, are wanted")
    }
    guard board.takes(token) else {
      return Self.error(400, "ExpiredToken", "Token has expired")
    }
    // The server takes the type from the octets rather than the field.
    let found = ImageShelf.type(of: request.body) ?? "application/octet-stream"
    let id = board.images.put(found, request.body)
    return .json(#"{"blob":\#(Self.blob(id, found, request.body.count))}"#)
  }

  private static func blob(_ id: String, _ type: String, _ size: Int) -> String {
    #"{"$type":"blob","ref":{"$link":"bafkrei\#(id)"},"mimeType":"\#(type)","size":\#(size)}"#
  }

  /// The image of a record, if it has one; rejects any other embed.
  private func image(of record: JSONValue, _ body: [UInt8]) -> (id: String?, refusal: HTTPResponse?)
  {
    guard let embed = record["embed"], embed["$type"]?.string == "app.bsky.embed.images" else {
      return (nil, nil)
    }
    guard let images = embed["images"]?.array, images.count == 1,
      let alt = images[0]["alt"]?.string,
      let image = images[0]["image"],
      let link = image["ref"]?["$link"]?.string, link.hasPrefix("bafkrei")
    else { return (nil, Self.error(400, "InvalidRequest", "Invalid app.bsky.embed.images")) }
    let id = String(link.dropFirst(7))
    guard let known = board.images.all.first(where: { $0.id == id }),
      String(decoding: body[image.range], as: UTF8.self)
        == Self.blob(id, known.type, known.octets.count)
    else { return (nil, Self.error(400, "BlobNotFound", "Could not find blob: \(link)")) }
    guard known.type.hasPrefix("image/") else {
      return (nil, Self.error(400, "InvalidMimeType", "Wrong mimetype. It is \(known.type)"))
    }
    guard !board.images.isTooLarge(known.octets) else {
      return (nil, Self.error(400, "BlobTooLarge", "This file is too large"))
    }
    _ = board.images.describe(id, alt)
    return (id, nil)
  }

  private func write(
    _ request: ServerRequest, replacing: Bool
  ) throws(Refusal) -> HTTPResponse {
    let token = try FeedBoard.bearer(request)
    let json = try request.json()
    guard board.takes(token) else {
      return Self.error(400, "ExpiredToken", "Token has expired")
    }
    guard Self.names(json).isSubset(of: Self.writeMembers),
      Self.names(json["record"]).isSubset(of: Self.postMembers)
    else { throw Refusal(400, "unknown member") }
    guard json["repo"]?.string == Self.did, json["collection"]?.string == "app.bsky.feed.post",
      let key = json["rkey"]?.string,
      key.wholeMatch(of: /[2-7a-j][2-7a-z]{12}/) != nil, let record = json["record"],
      record["$type"]?.string == "app.bsky.feed.post", let text = record["text"]?.string,
      let created = record["createdAt"]?.string, created.hasSuffix("Z"),
      (try? Instant(dateTime: created)) != nil, record["langs"]?.array?.count ?? 0 <= 3,
      (record["facets"]?.array ?? []).allSatisfy({ Self.isFacet($0, of: text) })
    else { return Self.error(400, "InvalidRequest", "Invalid app.bsky.feed.post record") }
    guard text.count <= 300, text.utf8.count <= 3_000 else {
      return Self.error(
        400, "InvalidRequest", "Record/text must not be longer than 300 graphemes")
    }
    let (image, refusal) = image(of: record, request.body)
    if let refusal { return refusal }
    if board.number(ofKey: key) != nil {
      return replacing
        ? Self.record(key) : Self.error(400, "InvalidRequest", "Record already exists")
    }
    let trouble = board.nextTrouble()
    switch trouble {
    case .rateLimit(let until):
      return .json(
        #"{"error":"RateLimitExceeded","message":"Rate Limit Exceeded"}"#, status: 429,
        [
          ("ratelimit-limit", "100"), ("ratelimit-remaining", "0"),
          ("ratelimit-reset", "\(until.seconds)"),
        ])
    case .breakdown: return .html("<h1>502</h1>", status: 502)
    case .permission: return Self.error(403, "Forbidden", "Not allowed")
    case .breakdownAfterPosting, nil: break
    }
    _ = board.put(text, key: key)
    board.images.show(image)
    if trouble != nil { return .html("<h1>502</h1>", status: 502) }
    return Self.record(key)
  }

  private static let sessionMembers: Set = ["identifier", "password", "authFactorToken"]
  private static let writeMembers: Set = [
    "repo", "collection", "rkey", "validate", "record", "swapCommit", "swapRecord",
  ]
  private static let postMembers: Set = [
    "$type", "text", "createdAt", "langs", "facets", "embed", "reply", "labels", "tags",
  ]

  private static func names(_ json: JSONValue?) -> Set<String> {
    Set(json?.members?.map(\.name) ?? [])
  }

  /// Whether it is a range of the text's octets at character boundaries.
  private static func isFacet(_ facet: JSONValue, of text: String) -> Bool {
    guard let start = facet["index"]?["byteStart"]?.integer,
      let end = facet["index"]?["byteEnd"]?.integer, start >= 0, start < end,
      end <= text.utf8.count, facet["features"]?.array?.isEmpty == false
    else { return false }
    let octets = Array(text.utf8)[start..<end]
    return octets.elementsEqual(String(decoding: octets, as: UTF8.self).utf8)
  }

  private static func record(_ key: String) -> HTTPResponse {
    .json(
      #"{"uri":"at://\#(did)/app.bsky.feed.post/\#(key)","cid":"bafy","validationStatus":"valid"}"#)
  }

  private static func error(_ status: Int, _ error: String, _ text: String) -> HTTPResponse {
    .json(#"{"error":"\#(error)","message":"\#(text)"}"#, status: status)
  }
}
