import HTTPExchange
import SecurityKeys
import SignIn
import TestSupport
import TokenBasics

extension ScriptedProvider {
  /// The token endpoint (RFC 6749, 4.1.3; RFC 7636, 4.6; OpenID Connect Core 1.0, 3.1.3.2).
  func token(_ request: HTTPRequest) -> HTTPResponse {
    guard request.method == .post, request.url.query == nil,
      request.fields["Content-Type"] == "application/x-www-form-urlencoded",
      Self.namesOnce(request.parameters.map(\.name))
    else { return refuse("invalid_request") }
    guard isClient(request) else { return refuse("invalid_client", 401) }
    switch request.parameter("grant_type") {
    case "authorization_code": return tokens(forCode: request)
    case "refresh_token": return tokens(forRefreshToken: request)
    default: return refuse("unsupported_grant_type")
    }
  }

  /// OpenID Connect Core 1.0, 12.1; each refresh token is good for one use (RFC 9700, 4.14.2).
  private func tokens(forRefreshToken request: HTTPRequest) -> HTTPResponse {
    let next = state.withLock { state -> Int? in
      guard request.parameter("refresh_token") == "refresh-\(state.refreshes + 1)" else {
        return nil
      }
      state.refreshes += 1
      return state.refreshes + 1
    }
    guard let next, let idToken = try? idToken(nil) else { return refuse("invalid_grant") }
    var answer = [
      "access_token": quoted("access-\(next)"), "token_type": quoted("Bearer"),
      "refresh_token": quoted("refresh-\(next)"), "id_token": quoted(idToken),
    ]
    state.current.answer(&answer)
    return .json(object(answer))
  }

  /// RFC 6749, 4.1.3; RFC 7636, 4.6.
  private func tokens(forCode request: HTTPRequest) -> HTTPResponse {
    guard let code = request.parameter("code"), let verifier = request.parameter("code_verifier"),
      (43...128).contains(verifier.utf8.count)
    else { return refuse("invalid_request") }
    let digest = DigestAlgorithm.sha256.digest(of: Array(verifier.utf8)) ?? []
    let challenge = Base64.encode(digest, .url)
    let grant = state.withLock { state -> Grant? in
      guard let grant = state.grants[code], !grant.isUsed || state.mayReuseCodes,
        grant.challenge == challenge, grant.redirectURI == request.parameter("redirect_uri")
      else { return nil }
      state.grants[code]?.isUsed = true
      return grant
    }
    guard let grant, let idToken = try? idToken(grant.nonce) else {
      return refuse("invalid_grant")
    }
    var answer = [
      "access_token": quoted("access-1"), "token_type": quoted("Bearer"), "expires_in": "300",
      "refresh_token": quoted("refresh-1"), "id_token": quoted(idToken),
    ]
    state.current.answer(&answer)
    return .json(object(answer))
  }

  /// The ID token of a sign-in now.
  func idToken(_ nonce: String?) throws -> String {
    let state = state.current
    var payload = [
      "iss": quoted(issuer), "aud": quoted(Self.clientID), "sub": quoted("alice"),
      "iat": "\(time.now.seconds)", "exp": "\(time.now.seconds + 300)",
      "sid": quoted("session-1"), "name": quoted("Alice"),
    ]
    payload["nonce"] = nonce.map(quoted)
    state.payload(&payload)
    return try state.signer.token(
      payload, type: state.type, keyID: state.namedKey ?? state.signer.keyID,
      algorithm: state.algorithm)
  }

  /// RFC 6749, 3.2: no parameter twice, but for `resource` (RFC 8707, 2).
  private static func namesOnce(_ names: [String]) -> Bool {
    let once = names.filter { $0 != "resource" }
    return Set(once).count == once.count
  }

  private func refuse(_ error: String, _ status: Int = 400) -> HTTPResponse {
    state.withLock { $0.complaints.append(error) }
    return .json("{\"error\":\"\(error)\",\"error_description\":\"no\"}", status: status)
  }

  /// Exactly the registered method, and no other beside it.
  private func isClient(_ request: HTTPRequest) -> Bool {
    let header = request.fields["Authorization"]
    let secret = request.parameter("client_secret")
    let assertion = request.parameter("client_assertion")
    let client = request.parameter("client_id")
    switch state.current.registration {
    case .basic(let registered):
      return secret == nil && assertion == nil && client == nil
        && header.flatMap(Self.credentials).map { $0 == (Self.clientID, registered) } == true
    case .post(let registered):
      return header == nil && assertion == nil && client == Self.clientID && secret == registered
    case .privateKey(let key):
      return header == nil && secret == nil && client == Self.clientID
        && request.parameter("client_assertion_type")
          == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
        && assertion.map { isAssertion($0, key) } == true
    case .none:
      return header == nil && secret == nil && assertion == nil && client == Self.clientID
    }
  }

  /// RFC 6749, 2.3.1.
  private static func credentials(_ header: String) -> (String, String)? {
    guard header.hasPrefix("Basic "), let octets = try? Base64.decode(header.dropFirst(6).utf8),
      octets.count(where: { $0 == UInt8(ascii: ":") }) == 1
    else { return nil }
    let parts = octets.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    let texts = parts.compactMap { try? FormEncoding.decode($0) }
      .map { String(decoding: $0, as: UTF8.self) }
    return texts.count == 2 ? (texts[0], texts[1]) : nil
  }

  /// RFC 7523, 3: issuer and subject are the client, the audience is this endpoint, once, for a minute.
  private func isAssertion(_ text: String, _ key: PublicKey) -> Bool {
    let trust = Trust(
      issuers: [TrustedIssuer(Self.clientID, keys: [.publicKey(key)], formats: [.jwt])],
      audiences: .oneOf([issuer + "/token"]))
    guard let token = try? JSONWebToken(parsing: Array(text.utf8)),
      let verified = try? TokenValidator(trust).validate(token, at: time.now),
      verified.facts.subject == Self.clientID, let id = verified.facts.tokenID,
      let end = verified.facts.expires, end.seconds - time.now.seconds <= 60
    else { return false }
    return state.withLock { $0.assertions.insert(id).inserted }
  }
}
