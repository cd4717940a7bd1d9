import HTTPExchange
import TokenBasics

/// The challenge loop as a value: makes requests from answers until the checks of a scope are satisfied.
struct Preauthorization: Sendable {
  /// One reply of the server.
  struct Reply: Sendable {
    var successes: [SecurityCheckSuccess] = []
    var failures: [SecurityCheckFailure] = []
    var challenges: [SecurityChallenge] = []
    /// The server's time, if the reply has it.
    var serverTime: Instant?
    var isAuthorized = false
  }

  let scope: String
  private(set) var answers: [(check: String, credentials: SecurityCheckCredentials)]
  private(set) var rounds = 0

  /// - Parameter answers: Credentials to send before any challenge.
  init(
    scope: String, answers: [(check: String, credentials: SecurityCheckCredentials)] = []
  ) {
    self.scope = scope
    self.answers = answers
  }

  /// Sets the answers to the challenges of the last reply.
  mutating func answer(_ answers: [(check: String, credentials: SecurityCheckCredentials)]) {
    self.answers = answers
  }

  mutating func request(
    _ base: HTTPURL, _ application: MobileApplication, clientID: String
  ) throws(TokenError) -> HTTPRequest {
    rounds += 1
    // Stops a program that repeats the same wrong answer; a person gives up long before.
    guard rounds <= Self.limit else {
      throw TokenError(.clientSecurityCheck, expected: "success within \(Self.limit) answers")
    }
    var json = JSONWriter()
    json.object { json in
      json.member("scope", scope)
      json.member("client_id", clientID)
      if !answers.isEmpty {
        json.name("challengeResponse")
        json.object { json in
          for (check, credentials) in answers {
            json.name(text: check)
            credentials.write(&json)
          }
        }
      }
    }
    return HTTPRequest(
      .post, try base.appending(["preauth", "v1", "preauthorize"]),
      fields: try MobileFields.json(application), body: json.bytes)
  }

  /// - Throws: `client.unknown-client`, after which the client registers anew;
  ///`transport.malformed-response`, `transport.status`.
  func read(_ answer: HTTPResponse) throws(TokenError) -> Reply {
    // The server sends 222 instead of an error that a browser would handle itself.
    switch answer.status {
    case 200, 222, 403: break
    case 401:
      guard Self.isChallenge(answer) else {
        throw TokenError(.transportStatus, node: "preauthorize", found: "401 without a challenge")
      }
    default: throw MobileRefusal.read(answer, "preauthorize")
    }
    let json = try JSONAnswer.read(answer)
    guard json.members != nil else { throw JSONAnswer.malformed("an object", found: json.kindName) }
    var reply = Reply()
    for (name, value) in try Self.members("successes", of: json) {
      if name == "clockSynchronization" {
        reply.serverTime = value["serverTimeStamp"]?.integer.flatMap(Instant.init(milliseconds:))
      } else {
        reply.successes.append(SecurityCheckSuccess(name, value, answer.body))
      }
    }
    reply.failures = try Self.members("failures", of: json).map { name, value in
      SecurityCheckFailure(name, value, answer.body)
    }
    reply.challenges = try Self.members("challenges", of: json).map { name, value in
      SecurityChallenge(name, value, answer.body)
    }
    reply.isAuthorized = reply.failures.isEmpty && reply.challenges.isEmpty
    guard reply.isAuthorized == (answer.status == 200) || answer.status == 222 else {
      throw JSONAnswer.malformed(
        "challenges with 401, failures with 403, neither with 200",
        found: "status \(answer.status)")
    }
    return reply
  }

  private static let limit = 50

  private static func isChallenge(_ answer: HTTPResponse) -> Bool {
    answer.fields.values("WWW-Authenticate").contains { $0.mentions("MFP-Challenge") }
  }

  private static func members(
    _ name: String, of json: JSONValue
  ) throws(TokenError) -> [(name: String, value: JSONValue)] {
    guard let member = json[name] else { return [] }
    if case .null = member.kind { return [] }
    guard let members = member.members else {
      throw JSONAnswer.malformed("an object \(name)", found: member.kindName)
    }
    return members
  }
}

/// Runs one flow at a time; the others wait in a queue, each with the scope that it requests.
struct FlowQueue {
  typealias Turn = CheckedContinuation<Result<Void, TokenError>, Never>

  private(set) var isTaken = false
  private var line: [(scope: String, turn: Turn)] = []

  mutating func take() { isTaken = true }

  mutating func wait(for scope: String, _ turn: Turn) { line.append((scope, turn)) }

  /// Ends a flow and resumes the next one. Waiting flows that could only fail the same way fail now:
  /// all of them after a cancellation, those with the same scope after a failed check.
  mutating func end(_ scope: String, _ error: TokenError?) {
    if let error, error.code == .sessionCancelled || error.code == .clientSecurityCheck {
      let isForAll = error.code == .sessionCancelled
      for (waiting, turn) in line where isForAll || waiting == scope {
        turn.resume(returning: .failure(error))
      }
      line.removeAll { isForAll || $0.scope == scope }
    }
    guard !line.isEmpty else {
      isTaken = false
      return
    }
    line.removeFirst().turn.resume(returning: .success(()))
  }
}
