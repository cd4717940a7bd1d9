import Foundation
public import HTTPExchange
import Octets
public import SecurityKeys
import Instants
public import SimulatedService
import StrictJSON

/// The feed of a page on Facebook's Graph.
public struct FacebookServer: Simulator {
  let board: FeedBoard
  let version: String
  let page: String
  let appSecret: SymmetricKey?

  public init(_ board: FeedBoard, version: String, page: String, appSecret: SymmetricKey? = nil) {
    self.board = board
    self.version = version
    self.page = page
    self.appSecret = appSecret
  }

  public func answer(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    switch (request.method, request.path) {
    case ("POST", "/\(version)/\(page)/feed"):
      return try post(request, token: try FeedBoard.bearer(request), try request.form())
    case ("POST", "/me/feed"):
      // The way of 2011, with the token among the fields.
      let form = try request.form()
      guard request["Authorization"] == nil, let token = form["access_token"] else {
        throw Refusal(400, "the token among the fields is wanted")
      }
      return try post(request, token: token, form)
    default: throw Refusal(404, "no such endpoint")
    }
  }

  private func post(
    _ request: ServerRequest, token: String, _ form: [String: String]
  ) throws(Refusal) -> HTTPResponse {
    let known: Set = [
      "message", "link", "published", "appsecret_proof", "access_token", "attached_media[0]",
    ]
    guard Set(form.keys).isSubset(of: known) else { throw Refusal(400, "unknown field") }
    guard board.takes(token) else {
      return Self.error(400, 190, 463, "Error validating access token: Session has expired")
    }
    if let appSecret {
      let proof = appSecret.authenticate(token.utf8.span, with: .sha256).map(Hex.encode)
      guard let proof, form["appsecret_proof"] == proof else {
        return Self.error(400, 100, nil, "Invalid appsecret_proof provided")
      }
    }
    guard form["message"] != nil || form["link"] != nil else {
      return Self.error(400, 100, nil, "A message or a link is required")
    }
    let text = [form["message"], form["link"]].compactMap(\.self).joined(separator: "\n")
    let trouble = board.nextTrouble()
    switch trouble {
    case .rateLimit(let until):
      let minutes = (until.seconds - board.time.now.seconds) / 60
      return Self.error(
        400, 32, nil, "Page request limit reached",
        [
          (
            "X-Business-Use-Case-Usage",
            #"{"1":[{"type":"pages","call_count":100,"estimated_time_to_regain_access":\#(minutes)}]}"#
          )
        ])
    case .breakdown: return .html("<h1>Sorry</h1>", 503)
    case .permission: return Self.error(403, 200, nil, "Permissions error")
    case .breakdownAfterPosting, nil: break
    }
    guard !board.has(text: text) else {
      return Self.error(400, 506, nil, "Duplicate status message")
    }
    let number = board.put(text)
    if trouble != nil { return .html("<h1>Sorry</h1>", 502) }
    return .json(#"{"id":"\#(page)_\#(number)"}"#)
  }

  private static func error(
    _ status: Int, _ code: Int, _ subcode: Int?, _ message: String,
    _ fields: [(String, String)] = []
  ) -> HTTPResponse {
    let sub = subcode.map { #","error_subcode":\#($0)"# } ?? ""
    return .json(
      #"{"error":{"message":"\#(message)","type":"OAuthException","code":\#(code)\#(sub),"fbtrace_id":"A1"}}"#,
      status, fields)
  }
}
