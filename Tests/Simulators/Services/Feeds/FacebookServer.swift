import Foundation
public import HTTPExchange
import Octets
public import SecurityKeys
public import SimulatedService
import TokenBasics

/// The feed of a page on Facebook's Graph.
public struct FacebookServer: Simulator {
  let board: FeedBoard
  let version: String
  let page: String
  let appSecret: SymmetricKey?
  /// The pages for a person's token, each with a token of its own. A person's token posts
  /// nowhere.
  let persons: [String: [Page]]

  public struct Page: Sendable {
    let id: String
    let name: String
    let token: String
    let tasks: [String]

    public init(
      _ id: String, _ name: String, token: String, tasks: [String] = ["ANALYZE", "CREATE_CONTENT"]
    ) {
      self.id = id
      self.name = name
      self.token = token
      self.tasks = tasks
    }
  }

  public init(
    _ board: FeedBoard, version: String, page: String, appSecret: SymmetricKey? = nil,
    persons: [String: [Page]] = [:]
  ) {
    self.persons = persons
    self.board = board
    self.version = version
    self.page = page
    self.appSecret = appSecret
  }

  public func answer(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    switch (request.method, request.path) {
    case ("POST", "/\(version)/\(page)/feed"):
      let token = try FeedBoard.bearer(request)
      guard request.query == nil else { throw Refusal(400, "a query where a form is wanted") }
      if let refusal = refusal(of: token, on: page) { return refusal }
      let form = try request.form()
      guard form["access_token"] == nil else { throw Refusal(400, "a token in two places") }
      return try post(request, token: token, form)
    case ("POST", "/\(version)/\(page)/photos"): return try upload(request)
    case ("GET", "/\(version)/me/accounts"): return try accounts(request)
    case ("POST", "/me/feed"):
      // The request of 2011, with the token among the fields.
      let form = try request.form()
      guard request["Authorization"] == nil, let token = form["access_token"] else {
        throw Refusal(400, "the token among the fields is wanted")
      }
      return try post(request, token: token, form)
    default: throw Refusal(404, "no such endpoint")
    }
  }

  /// The pages of a person, for the person's own token only.
  private func accounts(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let token = try FeedBoard.bearer(request)
    let given = try request.parameters()
    guard Set(given.keys).isSubset(of: ["appsecret_proof", "fields", "limit", "after"]) else {
      throw Refusal(400, "unknown parameter")
    }
    let proof = given["appsecret_proof"]
    guard let pages = persons[token] else {
      guard board.takes(token) else {
        return Self.error(400, 190, 463, "Error validating access token: Session has expired")
      }
      return Self.error(400, 100, nil, "Tried accessing nonexisting field (accounts)")
    }
    if let refusal = refusal(of: token, proof: proof) { return refusal }
    let list = pages.map { page in
      let tasks = page.tasks.map { "\"\($0)\"" }.joined(separator: ",")
      return
        #"{"access_token":"\#(page.token)","name":"\#(page.name)","id":"\#(page.id)","tasks":[\#(tasks)]}"#
    }
    return .json(#"{"data":[\#(list.joined(separator: ","))],"paging":{}}"#)
  }

  /// The error for any other token than the page's, from a person who may post there: a
  /// person's, another page's, one for reading only. Without a person, the board decides.
  private func refusal(of token: String, on page: String) -> HTTPResponse? {
    guard !persons.isEmpty else { return nil }
    let own = persons.values.joined().filter { $0.id == page && $0.token == token }
    guard !own.contains(where: { $0.tasks.contains("CREATE_CONTENT") }) else { return nil }
    guard board.takes(token) || persons[token] != nil || !own.isEmpty else {
      return Self.error(400, 190, 463, "Error validating access token: Session has expired")
    }
    return Self.error(403, 200, nil, "A page access token is required to post as the page")
  }

  /// A photo that is not visible until a post contains it.
  private func upload(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
    let token = try FeedBoard.bearer(request)
    guard request.query == nil else { throw Refusal(400, "a query where a form is wanted") }
    if let refusal = refusal(of: token, on: page) { return refusal }
    let form = try request.multipart()
    let known: Set = ["published", "alt_text_custom", "appsecret_proof", "source"]
    guard Set(form.keys).isSubset(of: known), form["published"]?.text == "false" else {
      throw Refusal(400, "an unpublished photo is wanted")
    }
    if let refusal = refusal(of: token, proof: form["appsecret_proof"]?.text) { return refusal }
    guard let photo = form["source"], let type = photo.type,
      ["image/jpeg", "image/png", "image/gif"].contains(type),
      ImageShelf.type(of: photo.body) == type
    else { return Self.error(400, 324, nil, "Missing or invalid image file") }
    guard !board.images.isTooLarge(photo.body) else {
      return Self.error(400, 1_366_046, nil, "Your photos couldn't be uploaded: too large")
    }
    let id = board.images.put(
      type, photo.body, describedAs: form["alt_text_custom"]?.text ?? "")
    return .json(#"{"id":"\#(id)"}"#)
  }

  private func refusal(of token: String, proof: String?) -> HTTPResponse? {
    guard board.takes(token) else {
      return Self.error(400, 190, 463, "Error validating access token: Session has expired")
    }
    guard appSecret != nil || proof == nil else {
      return Self.error(400, 100, nil, "Invalid appsecret_proof provided")
    }
    if let appSecret {
      let wanted = appSecret.authenticate(token.utf8.span, with: .sha256).map { Hex.encode($0) }
      guard let wanted, proof == wanted else {
        return Self.error(400, 100, nil, "Invalid appsecret_proof provided")
      }
    }
    return nil
  }

  private func post(
    _ request: ServerRequest, token: String, _ form: [String: String]
  ) throws(Refusal) -> HTTPResponse {
    let known: Set = [
      "message", "link", "published", "appsecret_proof", "access_token", "attached_media[0]",
    ]
    guard Set(form.keys).isSubset(of: known) else { throw Refusal(400, "unknown field") }
    if let refusal = refusal(of: token, proof: form["appsecret_proof"]) { return refusal }
    var photo: String?
    if let media = form["attached_media[0]"] {
      guard form["link"] == nil,
        let json = try? JSONParser.parse(Array(media.utf8)), json.members?.count == 1,
        let id = json["media_fbid"]?.string, board.images.canShow(id)
      else { return Self.error(400, 100, nil, "Invalid parameter: attached_media") }
      photo = id
    }
    if let link = form["link"], (try? HTTPURL(link)) == nil {
      return Self.error(400, 100, nil, "The url you supplied is invalid")
    }
    guard form["message"] != nil || form["link"] != nil || photo != nil else {
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
    case .breakdown: return .html("<h1>Sorry</h1>", status: 503)
    case .permission: return Self.error(403, 200, nil, "Permissions error")
    case .breakdownAfterPosting, nil: break
    }
    guard !board.has(text: text) else {
      return Self.error(400, 506, nil, "Duplicate status message")
    }
    let number = board.put(text)
    board.images.show(photo)
    if trouble != nil { return .html("<h1>Sorry</h1>", status: 502) }
    return .json(#"{"id":"\#(page)_\#(number)"}"#)
  }

  private static func error(
    _ status: Int, _ code: Int, _ subcode: Int?, _ message: String,
    _ fields: [(String, String)] = []
  ) -> HTTPResponse {
    let sub = subcode.map { #","error_subcode":\#($0)"# } ?? ""
    return .json(
      #"{"error":{"message":"\#(message)","type":"OAuthException","code":\#(code)\#(sub),"fbtrace_id":"A1"}}"#,
      status: status, fields)
  }
}
