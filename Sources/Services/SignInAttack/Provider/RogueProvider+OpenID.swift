import JSONWebTokens
import LocalFiles
import Octets
import Synchronization
import TokenBasics

extension RogueProvider {
  /// The name of the provider's key in its key set.
  static let keyID = "test-key"

  /// An ID token (OpenID Connect Core 1.0, 2).
  func idToken(
    for request: SignInRequest, _ plan: AnswerPlan, at now: Instant
  ) throws(TokenError) -> [UInt8] {
    var draft = draft(for: request, plan, at: now)
    var claims = plan.nonce.values(request.nonce).map { Claim(ClaimType("nonce"), $0) }
    claims += plan.moreClaims.map { name, json in
      Claim(ClaimType(name), json, valueType: Claim.jsonType)
    }
    if configuration.endsSessions {
      claims.append(Claim(ClaimType("sid"), plan.session))
    }
    draft.claims = ClaimSet(Array(draft.claims) + claims)
    let token = try JSONWebToken.mint(draft, key: keys.signing(plan.key), keyID: Self.keyID)
    guard let header = plan.header else { return token }
    return try rewritten(token, header, plan.key)
  }

  /// The redirect with a code, behind which the token waits.
  func openIDAnswer(
    _ token: [UInt8], to request: SignInRequest, _ plan: AnswerPlan
  ) -> MadeAnswer {
    let code = TokenDraft.unpredictableID()
    let grant = IssuedGrants.Grant(
      idToken: token, redirect: request.consumer.text, challenge: request.challenge,
      accessToken: TokenDraft.unpredictableID(), subject: plan.subject,
      backChannel: plan.backChannel, party: plan.party, isReusable: plan.isCodeReusable)
    grants.withLock { $0.add(grant, for: code) }
    var parameters = [(name: "code", value: code)]
    parameters += plan.state.values(request.state).map { (name: "state", value: $0) }
    parameters += plan.issuerParameter.values(configuration.issuer(of: plan.party)).map {
      (name: "iss", value: $0)
    }
    if plan.hasError { parameters.append((name: "error", value: "access_denied")) }
    return MadeAnswer(
      answer: request.isPosted
        ? .post(request.consumer, parameters)
        : .get(request.consumer.adding(parameters.map { ($0.name, $0.value) })),
      shown: token)
  }

  /// `/.well-known/openid-configuration` (OpenID Connect Discovery 1.0, 3).
  func discovery(of party: ProviderParty) -> [UInt8] {
    let lie = self.lie(of: party)
    func address(_ path: String) -> String { configuration.address(path, of: party) }
    let keySet = lie == .keysInAddress ? keySetAddress(.other) : address(Path.keys)
    var json = JSONWriter()
    json.object { json in
      for (name, value) in [
        ("issuer", lie == .otherName ? configuration.another : configuration.issuer(of: party)),
        ("authorization_endpoint", address(Path.signOn)), ("token_endpoint", address(Path.token)),
        ("userinfo_endpoint", address(Path.user)), ("jwks_uri", keySet),
      ] {
        json.member(named: name, value)
      }
      for (name, values) in [
        ("response_types_supported", ["code"]),
        ("response_modes_supported", ["query", "form_post"]),
        ("grant_types_supported", ["authorization_code"]), ("subject_types_supported", ["public"]),
        ("id_token_signing_alg_values_supported", [lie == .unsignedTokens ? "none" : "RS256"]),
        ("scopes_supported", ["openid", "profile", "email"]),
        (
          "token_endpoint_auth_methods_supported",
          ["client_secret_basic", "client_secret_post", "none"]
        ),
        ("code_challenge_methods_supported", ["S256"]),
      ] {
        json.name(text: name)
        json.array { json in values.forEach { json.string($0) } }
      }
      var flags = ["authorization_response_iss_parameter_supported"]
      if configuration.endsSessions {
        flags += [
          "backchannel_logout_supported", "backchannel_logout_session_supported",
          "frontchannel_logout_supported", "frontchannel_logout_session_supported",
        ]
      }
      for name in flags {
        json.name(text: name)
        json.bool(true)
      }
    }
    return json.bytes
  }

  /// The key set of a provider (RFC 7517, 5).
  func keySet(of party: ProviderParty) -> [UInt8] {
    party == .first && publication.withLock({ $0.state == .rolledKeys })
      ? rolledKeySet : keySet(party.key)
  }

  /// A key set of one key.
  func keySet(_ key: ProviderKey) -> [UInt8] { PublishedKey.keySet([publishedKey(key)]) }

  func publishedKey(_ key: ProviderKey) -> PublishedKey {
    PublishedKey(
      keys.pair(key).certificate.publicKey, keyID: Self.keyID, algorithm: .rsaSHA256)
  }

  // MARK: Back channel

  /// `/token` (OpenID Connect Core 1.0, 3.1.3). Any client is taken: what is tested is the service, not this provider.
  func giveToken(_ request: WebRequest, at party: ProviderParty) -> HTTPResponse {
    guard let form = try? request.form(passingOver: .foreignNames), let code = form["code"],
      let grant = grants.withLock({ $0.redeem(code, at: party) }),
      form["redirect_uri"].map({ $0.hasSameBytes(as: grant.redirect) }) ?? true,
      Self.proves(form["code_verifier"], grant.challenge)
    else { return Self.json(400, Array("{\"error\":\"invalid_grant\"}".utf8)) }
    var json = JSONWriter()
    json.object { json in
      json.member("access_token", grant.accessToken)
      json.member("token_type", grant.backChannel == .tokenType ? "unknown" : "Bearer")
      json.name("expires_in")
      json.integer(300)
      let token = String(decoding: grant.idToken, as: UTF8.self)
      if grant.backChannel != .noIDToken { json.member("id_token", token) }
      if grant.backChannel == .repeatedIDToken { json.member("id_token", Self.unsigned(token)) }
    }
    return Self.json(200, json.bytes)
  }

  /// The token without its signature.
  private static func unsigned(_ token: String) -> String {
    token.lastIndex(of: ".").map { String(token[...$0]) } ?? token
  }

  /// RFC 7636, 4.6.
  private static func proves(_ verifier: String?, _ challenge: String?) -> Bool {
    guard let challenge else { return true }
    guard let verifier, let digest = DigestAlgorithm.sha256.digest(of: Array(verifier.utf8)) else {
      return false
    }
    return Base64.encode(digest, .url).hasSameBytes(as: challenge)
  }

  /// `/userinfo` (OpenID Connect Core 1.0, 5.3).
  func showUser(_ request: WebRequest) -> HTTPResponse {
    let token = request.fields["Authorization"].map {
      $0.split(separator: " ").last.map(String.init) ?? ""
    }
    guard let token, let grant = grants.withLock({ $0.user(of: token) }) else {
      return Self.json(401, Array("{\"error\":\"invalid_token\"}".utf8))
    }
    let subject =
      grant.backChannel == .otherUserInfo ? configuration.attacker : grant.subject
    var json = JSONWriter()
    json.object { json in
      json.member("sub", subject)
      for claim in claims(of: subject) where claim.type.name != "sub" {
        json.member(named: claim.type.name, claim.value)
      }
    }
    return Self.json(200, json.bytes)
  }

  static func json(_ status: Int, _ octets: [UInt8]) -> HTTPResponse {
    response(status, "application/json", octets)
  }
}
