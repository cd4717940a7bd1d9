import Foundation
public import HTTPExchange
import Instants
public import SimulatedService
import StrictJSON

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
    guard request.method == "POST", request.path == "/rest/posts", request.query == nil else {
      throw Refusal(404, "no such endpoint")
    }
    let token = try FeedBoard.bearer(request)
    let json = try request.json()
    guard request["LinkedIn-Version"] == version else {
      return Self.error(426, 0, "NONEXISTENT_VERSION", "Requested version is not active")
    }
    guard request["X-Restli-Protocol-Version"] == "2.0.0" else {
      throw Refusal(400, "X-Restli-Protocol-Version: 2.0.0 is wanted")
    }
    guard board.takes(token) else {
      return Self.error(401, 65_602, "EXPIRED_ACCESS_TOKEN", "The token has expired")
    }
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
      status, fields)
  }
}
