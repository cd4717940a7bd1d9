import Foundation
public import HTTPExchange
public import SimulatedService
import TokenBasics

/// A Mastodon instance.
public struct MastodonServer: Simulator {
  let board: FeedBoard

  public init(_ board: FeedBoard) { self.board = board }

  public func answer(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    switch (request.method, request.path) {
    case ("POST", "/api/v1/statuses"): return try post(request)
    case ("POST", "/api/v2/media"): return try upload(request)
    case ("GET", let path) where path.hasPrefix("/api/v1/media/"):
      return try look(request, String(path.dropFirst(14)))
    case ("GET", "/api/v2/instance"):
      return .json(
        #"{"configuration":{"statuses":{"max_characters":500,"characters_reserved_per_url":23},"media_attachments":{"image_size_limit":2000}}}"#
      )
    default: throw Refusal(404, "no such endpoint")
    }
  }

  private func upload(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let token = try FeedBoard.bearer(request)
    let form = try request.multipart()
    guard Set(form.keys).isSubset(of: ["file", "description"]), let file = form["file"],
      let type = file.type
    else { throw Refusal(400, "file, of a type, is wanted") }
    guard board.takes(token) else { return Self.error(401, "The access token is invalid") }
    guard ImageShelf.type(of: file.body) == type else {
      return Self.error(
        422, "Validation failed: File content type is invalid, File is invalid")
    }
    guard !board.images.isTooLarge(file.body) else {
      return Self.error(422, "Validation failed: File file size must be less than 1 MB")
    }
    let id = board.images.put(type, file.body, describedAs: form["description"]?.text ?? "")
    return board.images.canShow(id) ? Self.media(id, 200) : Self.media(id, 202)
  }

  private func look(_ request: ServerRequest, _ id: String) throws(Refusal) -> HTTPResponse {
    let token = try FeedBoard.bearer(request)
    guard board.takes(token) else { return Self.error(401, "The access token is invalid") }
    guard let isProcessed = board.images.look(at: id) else {
      return Self.error(404, "Record not found")
    }
    return Self.media(id, isProcessed ? 200 : 206)
  }

  private static func media(_ id: String, _ status: Int) -> HTTPResponse {
    let url = status == 200 ? #""http://files.example.org/\#(id).png""# : "null"
    return .json(#"{"id":"\#(id)","type":"image","url":\#(url)}"#, status: status)
  }

  private func post(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let token = try FeedBoard.bearer(request)
    let form = try request.form()
    let known: Set = ["status", "visibility", "language", "media_ids[]"]
    guard Set(form.keys).isSubset(of: known) else { throw Refusal(400, "unknown field") }
    guard let key = request["Idempotency-Key"], key.utf8.count >= 16 else {
      throw Refusal(400, "Idempotency-Key is wanted")
    }
    guard ["public", "unlisted", "private", "direct"].contains(form["visibility"] ?? "") else {
      throw Refusal(422, "visibility is wanted")
    }
    guard board.takes(token) else { return Self.error(401, "The access token is invalid") }
    let media = form["media_ids[]"]
    guard let text = form["status"], !text.isEmpty || media != nil else {
      return Self.error(422, "Validation failed: Text can't be blank")
    }
    guard text.count <= 500 else {
      return Self.error(422, "Validation failed: Text character limit of 500 exceeded")
    }
    if let number = board.number(ofKey: key) { return Self.status(number, request) }
    if let media, !board.images.canShow(media) {
      return Self.error(
        422, "Cannot attach files that have not finished processing. Try again in a moment!")
    }
    let trouble = board.nextTrouble()
    switch trouble {
    case .rateLimit(let until):
      return .json(
        #"{"error":"Too many requests"}"#, status: 429,
        [
          ("X-RateLimit-Limit", "300"), ("X-RateLimit-Remaining", "0"),
          ("X-RateLimit-Reset", until.rfc3339),
        ])
    case .breakdown: return .html("<h1>503</h1>", status: 503)
    case .permission: return Self.error(403, "This action is outside the authorized scopes")
    case .breakdownAfterPosting, nil: break
    }
    let number = board.put(text, key: key)
    board.images.show(media)
    if trouble != nil { return .html("<h1>502</h1>", status: 502) }
    return Self.status(number, request)
  }

  private static func status(_ number: Int, _ request: ServerRequest) -> HTTPResponse {
    let host = request["Host"] ?? ""
    return .json(
      #"{"id":"\#(110 + number)","url":"http://\#(host)/@mia/\#(110 + number)","visibility":"public","content":"<p></p>"}"#
    )
  }

  private static func error(_ status: Int, _ text: String) -> HTTPResponse {
    .json(#"{"error":"\#(text)"}"#, status: status)
  }
}
