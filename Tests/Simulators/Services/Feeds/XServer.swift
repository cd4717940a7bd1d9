import Foundation
public import HTTPExchange
public import SimulatedService
import TokenBasics

/// The posts of an account on X, API v2.
public struct XServer: Simulator {
  let board: FeedBoard

  public init(_ board: FeedBoard) { self.board = board }

  public func answer(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    guard request.method == "POST", request.query == nil else {
      throw Refusal(404, "no such endpoint")
    }
    switch request.path {
    case "/2/tweets": return try post(request)
    case "/2/media/upload": return try upload(request)
    case "/2/media/metadata": return try describe(request)
    default: throw Refusal(404, "no such endpoint")
    }
  }

  /// An image in one piece: of these types only; animated ones need several.
  private func upload(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let token = try FeedBoard.bearer(request)
    let form = try request.multipart()
    guard Set(form.keys).isSubset(of: ["media", "media_category", "media_type"]),
      form["media_category"]?.text == "tweet_image", let media = form["media"],
      let type = media.type, ["image/jpeg", "image/png", "image/webp"].contains(type),
      form["media_type"].map({ $0.text == type }) ?? true
    else { throw Refusal(400, "media and media_category tweet_image are wanted") }
    guard board.takes(token) else { return Self.problem(401, "Unauthorized", "Unauthorized") }
    guard ImageShelf.type(of: media.body) == type else {
      return Self.problem(400, "Invalid Request", "media type unrecognized")
    }
    guard !board.images.isTooLarge(media.body) else {
      return Self.problem(400, "Invalid Request", "media file is larger than allowed")
    }
    let id = board.images.put(type, media.body)
    return .json(
      #"{"data":{"id":"\#(id)","media_key":"3_\#(id)","size":\#(media.body.count),"expires_after_secs":86400}}"#
    )
  }

  private func describe(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let token = try FeedBoard.bearer(request)
    let json = try request.json()
    guard json.members?.map(\.name) == ["id", "metadata"], let id = json["id"]?.string,
      let text = json["metadata"]?["alt_text"]?["text"]?.string, !text.isEmpty
    else { throw Refusal(400, "id and metadata.alt_text.text are wanted") }
    guard board.takes(token) else { return Self.problem(401, "Unauthorized", "Unauthorized") }
    guard text.count <= 1_000, board.images.describe(id, text) else {
      return Self.problem(400, "Invalid Request", "metadata")
    }
    return .json(#"{"data":{"id":"\#(id)"}}"#)
  }

  private func post(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let token = try FeedBoard.bearer(request)
    let json = try request.json()
    guard let members = json.members, Set(members.map(\.name)).isSubset(of: ["text", "media"]),
      let text = json["text"]?.string, !text.isEmpty
    else { return Self.problem(400, "Invalid Request", "text is required") }
    guard board.takes(token) else { return Self.problem(401, "Unauthorized", "Unauthorized") }
    var image: String?
    if let media = json["media"] {
      guard media.members?.map(\.name) == ["media_ids"], let ids = media["media_ids"]?.array,
        ids.count == 1, let id = ids[0].string, board.images.canShow(id)
      else { return Self.problem(400, "Invalid Request", "Your media IDs are invalid.") }
      image = id
    }
    // For texts without links and beyond Latin; the package's own count is tested elsewhere.
    guard text.unicodeScalars.count <= 280 else {
      return Self.problem(
        403, "Forbidden", "Your Tweet text is too long. For more information see the rules.")
    }
    let trouble = board.nextTrouble()
    switch trouble {
    case .rateLimit(let until):
      return Self.problem(
        429, "Too Many Requests", "Too Many Requests",
        [
          ("x-rate-limit-limit", "100"), ("x-rate-limit-remaining", "0"),
          ("x-rate-limit-reset", "\(until.seconds)"),
        ])
    case .breakdown: return Self.problem(503, "Service Unavailable", "Service Unavailable")
    case .permission:
      return Self.problem(403, "Forbidden", "You are not permitted to perform this action.")
    case .breakdownAfterPosting, nil: break
    }
    guard !board.has(text: text) else {
      return Self.problem(
        403, "Forbidden", "You are not allowed to create a Tweet with duplicate content.")
    }
    let id = 1_900_000_000_000_000_000 + board.put(text)
    board.images.show(image)
    if trouble != nil { return Self.problem(500, "Internal Server Error", "Oops") }
    return .json(#"{"data":{"id":"\#(id)","edit_history_tweet_ids":["\#(id)"]}}"#, status: 201)
  }

  private static func problem(
    _ status: Int, _ title: String, _ detail: String, _ fields: [(String, String)] = []
  ) -> HTTPResponse {
    .answer(
      status, [("Content-Type", "application/problem+json")] + fields,
      #"{"title":"\#(title)","type":"about:blank","status":\#(status),"detail":"\#(detail)"}"#)
  }
}
