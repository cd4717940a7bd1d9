import Foundation
public import HTTPExchange
import Instants
public import SimulatedService
import StrictJSON

/// The posts of an account on X, API v2.
public struct XServer: Simulator {
  let board: FeedBoard

  public init(_ board: FeedBoard) { self.board = board }

  public func answer(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    guard request.method == "POST", request.path == "/2/tweets", request.query == nil else {
      throw Refusal(404, "no such endpoint")
    }
    let token = try FeedBoard.bearer(request)
    let json = try request.json()
    guard let members = json.members, Set(members.map(\.name)).isSubset(of: ["text", "media"]),
      let text = json["text"]?.string, !text.isEmpty
    else { return Self.problem(400, "Invalid Request", "text is required") }
    guard board.takes(token) else { return Self.problem(401, "Unauthorized", "Unauthorized") }
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
    if trouble != nil { return Self.problem(500, "Internal Server Error", "Oops") }
    return .json(#"{"data":{"id":"\#(id)","edit_history_tweet_ids":["\#(id)"]}}"#, 201)
  }

  private static func problem(
    _ status: Int, _ title: String, _ detail: String, _ fields: [(String, String)] = []
  ) -> HTTPResponse {
    .answer(
      status, [("Content-Type", "application/problem+json")] + fields,
      #"{"title":"\#(title)","type":"about:blank","status":\#(status),"detail":"\#(detail)"}"#)
  }
}
