package import Claims
package import HTTPExchange
import JSONWebTokens
import Octets
import SecurityKeys
import Synchronization
import TokenBasics

/// Asks an issuer about its opaque tokens (RFC 7662). An answer counts for a minute at most, and never past the end of the
/// token.
package final class TokenIntrospector: Sendable {
  /// What the issuer says of a token that is active.
  package struct Answer: Sendable {
    /// The subject; empty where the issuer names none.
    package let subject: String
    /// The audiences.
    package let audiences: [String]
    /// Whether the answer has a member `aud`: a list without a text in it names none of ours.
    package let namesAudience: Bool
    /// The rest, as claims of the issuer.
    package let claims: [Claim]
    /// What it is (`token_type`, RFC 7662, 2.2); nil where the issuer does not say.
    package let type: String?
    let expires: Instant?
    let notBefore: Instant?
  }

  /// Answers by the digest of their token.
  private struct Remembered {
    private var answers: [[UInt8]: (answer: Answer?, from: Instant, until: Instant)] = [:]

    /// The answer that counts at `now`. One from a later time was given before the clock was set back.
    func answer(about digest: [UInt8], at now: Instant) -> (answer: Answer?, until: Instant)? {
      guard let known = answers[digest], known.from <= now, now < known.until else { return nil }
      return (known.answer, known.until)
    }

    mutating func keep(
      _ answer: Answer?, _ digest: [UInt8], from now: Instant, until end: Instant
    ) {
      if answers.count >= capacity { answers = answers.filter { now < $0.value.until } }
      if answers.count >= capacity { answers = [:] }
      answers[digest] = (answer, now, end)
    }
  }

  private struct State {
    /// Answers about active tokens, and about others: a stranger's random tokens must not push out those of people.
    var active = Remembered()
    var inactive = Remembered()
    var lastSuccess: Instant?
    var lastAttempt: Instant?
    var failures = 0
    var lastError: TokenError?
  }

  /// The issuer, as its tokens name it.
  package let issuer: String
  private let address: HTTPURL
  private let clientID: String
  private let secret: @Sendable () throws(TokenError) -> Secret?
  private let transport: any HTTPTransport
  private let observer: any ActivityObserver
  private let state = Mutex(State())
  private let questions = SharedQuestions<[UInt8], Answer?>()

  /// - Parameters:
  ///   - secret: Reads the secret by which the issuer knows us; nil for none.
  package init(
    issuer: String, address: HTTPURL, clientID: String,
    secret: @escaping @Sendable () throws(TokenError) -> Secret?, transport: any HTTPTransport,
    observer: any ActivityObserver
  ) {
    self.issuer = issuer
    self.address = address
    self.clientID = clientID
    self.secret = secret
    self.transport = transport
    self.observer = observer
  }

  /// Seconds for which an answer counts: 60.
  package static let memory: Int64 = 60
  private static let capacity = 10_000
  private static let maximumBytes = 1 << 18

  /// What the issuer says of a token; nil for one that is not active.
  ///
  /// - Throws: `registry.introspection` where it cannot be asked, or does not say whether the token is active;
  ///   `issuer.untrusted`, `time.*` for what it says of another issuer or another time.
  package func answer(about token: [UInt8], at now: Instant) async throws(TokenError) -> Answer? {
    let digest = DigestAlgorithm.sha256.digest(of: token) ?? token
    let known = state.withLock { state -> (answer: Answer?, until: Instant)? in
      state.active.answer(about: digest, at: now) ?? state.inactive.answer(about: digest, at: now)
    }
    if let known {
      return try known.answer.map { (answer) throws(TokenError) in
        try Self.check(answer, at: now)
      }
    }
    let answer = try await questions.answer(about: digest) {
      await self.ask(token, digest, at: now)
    }
    return try answer.map { (answer) throws(TokenError) in
      try Self.check(answer, at: now)
    }
  }

  /// How the issuer answers.
  package func health(at now: Instant) -> RegistryHealth {
    state.withLock { state in
      RegistryHealth(
        source: address.description, status: state.failures == 0 ? .good : .failing, issuers: 1,
        lastSuccess: state.lastSuccess, lastAttempt: state.lastAttempt,
        consecutiveFailures: state.failures, lastError: state.lastError, nextRefresh: nil,
        validUntil: nil)
    }
  }

  // MARK: Questions

  private func ask(
    _ token: [UInt8], _ digest: [UInt8], at now: Instant
  ) async -> Result<Answer?, TokenError> {
    let result: Result<Answer?, TokenError>
    do throws(TokenError) {
      result = .success(try await fetched(token))
    } catch {
      result = .failure(
        TokenError(
          .registryIntrospection, node: address.description, found: error.description))
    }
    note(result, digest, at: now)
    return result
  }

  private func fetched(_ token: [UInt8]) async throws(TokenError) -> Answer? {
    var form = [
      (name: "token", value: String(decoding: token, as: UTF8.self)),
      (name: "token_type_hint", value: "access_token"),
    ]
    var fields = [("Accept", "application/json")]
    if let secret = try secret() {
      let pair =
        HTTPURL.percentEncoded(clientID) + ":" + HTTPURL.percentEncoded(secret.revealed)
      fields.append(("Authorization", "Basic " + Base64.encode(Array(pair.utf8))))
    } else {
      form.append((name: "client_id", value: clientID))
    }
    var request = try HTTPRequest.form(form, to: address, fields: fields)
    request.maximumResponseBytes = Self.maximumBytes
    request.timeout = .seconds(10)
    return try read(try await transport.response(to: request))
  }

  /// What an answer says; nil for a token that is not active.
  ///
  /// - Throws: `transport.*`, `registry.*`, `input.*` for what does not say whether the token is active.
  package func read(_ response: HTTPResponse) throws(TokenError) -> Answer? {
    let octets = try FetchedDocument.octets(of: response, upTo: Self.maximumBytes)
    let json = try JSONAnswer.read(response).withoutNulls
    guard let isActive = json["active"]?.bool else {
      throw JSONAnswer.malformed(
        "active, true or false", found: json["active"]?.kindName ?? json.kindName)
    }
    guard isActive else { return nil }
    return try answer(json, octets)
  }

  private func answer(_ json: JSONValue, _ octets: [UInt8]) throws(TokenError) -> Answer {
    if let named = json["iss"], named.string?.hasSameBytes(as: issuer) != true {
      throw TokenError(
        .registryEntityMismatch, node: "iss", expected: TokenError.excerpt(issuer),
        found: named.string.map { TokenError.excerpt($0) } ?? named.kindName)
    }
    func instant(_ name: String) throws(TokenError) -> Instant? {
      guard let value = json[name] else { return nil }
      guard let instant = NumericDate.instant(value) else {
        throw JSONAnswer.malformed("a time in \(name)", found: value.kindName)
      }
      return instant
    }
    if let subject = json["sub"], subject.string == nil {
      throw JSONAnswer.malformed("a string in sub", found: subject.kindName)
    }
    return Answer(
      subject: json["sub"]?.string ?? "",
      audiences: (json["aud"].map { $0.array ?? [$0] } ?? []).compactMap(\.string),
      namesAudience: json["aud"] != nil,
      claims: JSONClaims.claims(
        of: json, in: octets, issuer: issuer, leavingOut: Self.protocolMembers),
      type: json["token_type"]?.string, expires: try instant("exp"), notBefore: try instant("nbf"))
  }

  private static let protocolMembers: Set<String> = [
    "active", "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "token_type",
  ]

  /// The times, which pass while an answer is remembered.
  private static func check(_ answer: Answer, at now: Instant) throws(TokenError) -> Answer {
    if let end = answer.expires, end <= now {
      throw TokenError(.expired, node: "exp", expected: "before \(end.rfc3339)", found: now.rfc3339)
    }
    if let start = answer.notBefore, now < start {
      throw TokenError(.notYetValid, node: "nbf", expected: start.rfc3339, found: now.rfc3339)
    }
    return answer
  }

  private func note(_ result: Result<Answer?, TokenError>, _ digest: [UInt8], at now: Instant) {
    state.withLock { state in
      state.lastAttempt = now
      switch result {
      case .success(let answer):
        state.failures = 0
        state.lastError = nil
        state.lastSuccess = now
        let most = now.advanced(bySeconds: Self.memory)
        let end = min(most, answer?.expires ?? most)
        if answer == nil {
          state.inactive.keep(nil, digest, from: now, until: end)
        } else {
          state.active.keep(answer, digest, from: now, until: end)
        }
      case .failure(let error):
        state.failures += 1
        state.lastError = error
      }
    }
    if case .failure(let error) = result {
      observer.happened(
        Activity(
          "registry.introspection-failed",
          [
            ("source", address.description), ("code", error.code.rawValue),
            ("error", error.description),
          ]))
    }
  }
}
