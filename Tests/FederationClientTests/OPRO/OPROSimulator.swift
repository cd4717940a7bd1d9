import ClientScript
import FederationClient
import HTTPExchange
import StrictJSON
import Synchronization
import TokenErrors

/// An oPRO server in memory with one person and one application: rotates every token at every exchange,
/// reads the header as the engine's expressions do, and echoes secrets in its errors.
final class OPROSimulator: Sendable {
  struct State {
    var exchanges = 0
    var accessToken: String?
    var refreshToken: String?
    var code: String?
    var canWrite = true
    var isRateLimited = false
    var email = "foo@example.com"
    var expiresIn = "false"
  }

  static let clientID = "3234myClientId5678"
  static let clientSecret = "14321myClientSecret8765"
  static let password = "p4ssw0rd-demo"

  let state = Mutex(State())

  var server: ScriptedServer {
    ScriptedServer { [self] request, _ in state.withLock { answer(request, &$0) } }
  }

  /// A log-in on another device: all tokens are replaced.
  func rotate() { state.withLock { Self.rotate(&$0) } }

  private static func rotate(_ state: inout State) {
    state.exchanges += 1
    state.accessToken = "access\(state.exchanges)a7ca570bbaf2a3d2b"
    state.refreshToken = "refresh\(state.exchanges)73de78e65af06c293"
    state.code = nil
  }

  private func answer(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
    switch (request.method, request.url.path) {
    case (.post, "/oauth/token.json"): exchange(request, &state)
    case (.get, "/oauth_tests/show_me_the_money.json"): test(request, &state)
    case (_, "/users/me.json"): me(request, &state)
    default: .empty(404)
    }
  }

  private func exchange(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
    let form = request.form
    var message = "Could not find a user that belongs to this application"
    let isKnown =
      form["client_id"] == Self.clientID && form["client_secret"] == Self.clientSecret
    if !isKnown {
      message +=
        " based on client_id=\(form["client_id"] ?? "") and client_secret=\(form["client_secret"] ?? "")"
    }
    let isGranted: Bool
    // In the order of the engine, which also evaluates empty fields.
    if let code = form["code"] {
      isGranted = code == state.code
      message += " & has been granted a code=\(code)"
    } else if let token = form["refresh_token"] {
      isGranted = token == state.refreshToken
      message += " & has a refresh_token=\(token)"
    } else {
      isGranted =
        (form["email"] ?? form["username"]) == "foo@example.com"
        && form["password"] == Self.password
      message += " using username and password"
    }
    guard isKnown, isGranted else { return .json(#"{"error":"\#(message)"}"#, status: 401) }
    Self.rotate(&state)
    return .json(
      #"{"access_token":"\#(state.accessToken ?? "")","token_type":"bearer","refresh_token":"\#(state.refreshToken ?? "")","expires_in":\#(state.expiresIn)}"#
    )
  }

  private static func token(_ request: HTTPRequest) -> String? {
    guard let field = request.fields["Authorization"], field.hasPrefix("Token token=\""),
      field.hasSuffix("\"")
    else { return nil }
    return String(field.dropFirst(13).dropLast())
  }

  private func test(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
    let token = Self.token(request)
    guard let token, token == state.accessToken else {
      let why = token == nil ? " - No OAuth token provided!" : ""
      return .json(
        #"{"status":"unauthorized","message":"OAuth did not work :(  \#(why) - OAuth user not found!","params":{"access_token":"\#(token ?? "")"}}"#,
        status: 401)
    }
    return .json(#"{"status":200,"message":"OAuth worked!","params":{},"user_id":1}"#)
  }

  private func me(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
    if state.isRateLimited {
      return .json(#"{"errors":" - OAuth client has been rate limited"}"#, status: 401)
    }
    guard Self.token(request) == state.accessToken, state.accessToken != nil,
      state.canWrite || request.method == .get
    else {
      guard request.fields["Accept"] == "application/json" else {
        return .empty(302, [("Location", "https://opro.example.org/users/sign_in")])
      }
      return .json(
        #"{"error":"You need to sign in or sign up before continuing."}"#, status: 401)
    }
    if request.method == .put {
      guard let user = try? JSONParser.parse(request.body)["user"] else { return .empty(400) }
      state.email = user["email"]?.string ?? state.email
    }
    return .json(#"{"id":1,"email":"\#(state.email)","twitter":"schneems","admin":false}"#)
  }
}
