import Foundation
public import HTTPExchange
public import SimulatedService
import TokenBasics

/// LinkedIn's posts.
public struct LinkedInServer: Simulator {
  let board: FeedBoard
  let version: String
  let author: String

  public init(_ board: FeedBoard, version: String, author: String) {
    self.board = board
    self.version = version
    self.author = author
  }

  public func answer(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    switch (request.method, request.path, request.query) {
    case ("POST", "/rest/posts", nil): return try post(request)
    case ("POST", "/rest/images", "action=initializeUpload"): return try announce(request)
    case ("PUT", let path, nil) where path.hasPrefix("/dms-uploads/"):
      return try upload(request, id: String(path.dropFirst(13)))
    default: throw Refusal(404, "no such endpoint")
    }
  }

  /// The error for a call without the API's required fields; nil if it has them.
  private func refusal(of request: ServerRequest) throws(Refusal) -> HTTPResponse? {
    let token = try FeedBoard.bearer(request)
    guard request["LinkedIn-Version"] == version else {
      return Self.error(426, 0, "NONEXISTENT_VERSION", "Requested version is not active")
    }
    guard request["X-Restli-Protocol-Version"] == "2.0.0" else {
      throw Refusal(400, "X-Restli-Protocol-Version: 2.0.0 is wanted")
    }
    guard board.takes(token) else {
      return Self.error(401, 65_602, "EXPIRED_ACCESS_TOKEN", "The token has expired")
    }
    return nil
  }

  private func announce(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let json = try request.json()
    if let refusal = try refusal(of: request) { return refusal }
    guard json.members?.map(\.name) == ["initializeUploadRequest"],
      json["initializeUploadRequest"]?.members?.map(\.name) == ["owner"]
    else { throw Refusal(400, "initializeUploadRequest.owner is wanted") }
    guard json["initializeUploadRequest"]?["owner"]?.string == author else {
      return Self.error(403, 100, "ACCESS_DENIED", "Not enough permissions to access: owner")
    }
    let id = board.images.announce()
    let ends = board.time.now.advanced(bySeconds: 3600).seconds * 1000
    return .json(
      #"{"value":{"uploadUrlExpiresAt":\#(ends),"uploadUrl":"http://\#(request["Host"] ?? "")/dms-uploads/\#(id)","image":"urn:li:image:\#(id)"}}"#
    )
  }

  /// Receives the octets at the announced address, which is no part of the API.
  private func upload(_ request: ServerRequest, id: String) throws(Refusal) -> HTTPResponse {
    guard board.takes(try FeedBoard.bearer(request)) else { return .answer(401) }
    guard let type = request["Content-Type"],
      ["image/jpeg", "image/png", "image/gif"].contains(type),
      ImageShelf.type(of: request.body) == type
    else { throw Refusal(415, "JPEG, PNG or GIF is wanted") }
    guard !board.images.isTooLarge(request.body) else { return .answer(413) }
    guard board.images.fill(id, type, request.body) else { throw Refusal(404, "not announced") }
    return .answer(201)
  }

  private func post(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let json = try request.json()
    if let refusal = try refusal(of: request) { return refusal }
    guard json["author"]?.string == author else {
      return Self.error(403, 100, "ACCESS_DENIED", "Not enough permissions to access: author")
    }
    guard json["visibility"]?.string == "PUBLIC", json["lifecycleState"]?.string == "PUBLISHED",
      json["isReshareDisabledByAuthor"]?.bool == false,
      json["distribution"]?["feedDistribution"]?.string == "MAIN_FEED",
      json["distribution"]?["targetEntities"]?.array?.isEmpty == true,
      json["distribution"]?["thirdPartyDistributionChannels"]?.array?.isEmpty == true,
      let commentary = json["commentary"]?.string
    else { return Self.error(422, 0, "MISSING_FIELD", "A field is missing") }
    let text = try Self.plain(commentary)
    guard text.count <= 3_000 else {
      return Self.error(422, 0, "FIELD_LENGTH_TOO_LONG", "commentary is too long")
    }
    var image: String?
    if let media = json["content"]?["media"] {
      guard let urn = media["id"]?.string, urn.hasPrefix("urn:li:image:"),
        board.images.canShow(String(urn.dropFirst(13)))
      else { return Self.error(422, 0, "INVALID_CONTENT", "The image is not available") }
      image = String(urn.dropFirst(13))
    }
    let trouble = board.nextTrouble()
    switch trouble {
    case .rateLimit(let until):
      return Self.error(
        429, 101, "TOO_MANY_REQUESTS", "Resource level throttle limit reached",
        [("Retry-After", "\(until.seconds - board.time.now.seconds)")])
    case .breakdown: return Self.error(503, 0, "SERVICE_UNAVAILABLE", "Try later")
    case .permission: return Self.error(403, 100, "ACCESS_DENIED", "Not enough permissions")
    case .breakdownAfterPosting, nil: break
    }
    guard !board.has(text: text) else {
      return Self.error(422, 0, "DUPLICATE_POST", "Content is a duplicate of urn:li:share:1")
    }
    let number = board.put(text)
    if let image {
      _ = board.images.describe(image, json["content"]?["media"]?["altText"]?.string ?? "")
      board.images.show(image)
    }
    if trouble != nil { return Self.error(500, 0, "INTERNAL_SERVER_ERROR", "Oops") }
    return .answer(201, [("x-restli-id", "urn:li:share:\(7_000_000_000 + number)")])
  }

  /// Little text without its escapes; a reserved character without one would cut the text.
  private static func plain(_ text: String) throws(Refusal) -> String {
    var plain = ""
    var isEscaped = false
    for character in text {
      if isEscaped {
        plain.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        guard !"|{}@[]()<>#*_~".contains(character) else {
          throw Refusal(422, "an unescaped \(character)")
        }
        plain.append(character)
      }
    }
    guard !isEscaped else { throw Refusal(422, "a lonely backslash") }
    return plain
  }

  private static func error(
    _ status: Int, _ number: Int, _ code: String, _ message: String,
    _ fields: [(String, String)] = []
  ) -> HTTPResponse {
    .json(
      #"{"status":\#(status),"serviceErrorCode":\#(number),"code":"\#(code)","message":"\#(message)"}"#,
      status: status, fields)
  }
}
