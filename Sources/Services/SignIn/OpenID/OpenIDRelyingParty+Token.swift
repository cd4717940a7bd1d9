import Federation
import HTTPExchange
import IssuerRegistry
import JSONWebTokens
import TokenBasics

extension OpenIDRelyingParty {
  /// Exchanges a code for tokens (OpenID Connect Core 1.0, 3.1.3.1; RFC 7636, 4.5).
  ///
  /// - Parameter redirect: The redirect URI of the authorization request.
  func tokens(
    for code: Secret, sentTo redirect: String, _ key: ProofKey, _ found: OpenIDConfiguration,
    at now: Instant
  ) async throws(TokenError) -> TokenAnswer {
    try await tokens(
      for: [
        ("grant_type", "authorization_code"), ("code", code.revealed),
        ("redirect_uri", redirect), ("code_verifier", key.verifier.revealed),
      ], found, at: now)
  }

  /// Asks the token endpoint with these parameters, authenticated as registered.
  ///
  /// - Throws: `signin.no-endpoint`, and as for an answer.
  func tokens(
    for grant: [(String, String)], _ found: OpenIDConfiguration, at now: Instant
  ) async throws(TokenError) -> TokenAnswer {
    guard let endpoint = found.tokenEndpoint else {
      throw TokenError(.signInNoEndpoint, node: "token_endpoint")
    }
    var form = (grant + resourceParameters).map { (name: $0.0, value: $0.1) }
    var fields = [("Accept", "application/json")]
    try authenticate(&form, &fields, at: endpoint, found, now)
    let request = try HTTPRequest.form(form, to: endpoint, fields: fields)
    return try TokenAnswer(
      try await transport.response(to: request),
      without: form.filter { Self.secretNames.contains($0.name) }.map { Secret($0.value) } + secrets
    )
  }

  /// The parameters of a request that no log shows.
  private static let secretNames = [
    "code", "code_verifier", "refresh_token", "client_secret", "client_assertion",
  ]

  private var secrets: [Secret] {
    switch configuration.authentication {
    case .basic(let secret), .post(let secret): [secret]
    case .privateKey, .none: []
    }
  }

  /// Adds what proves that this is the registered client.
  private func authenticate(
    _ form: inout [(name: String, value: String)], _ fields: inout [(String, String)],
    at endpoint: HTTPURL, _ found: OpenIDConfiguration, _ now: Instant
  ) throws(TokenError) {
    let client = configuration.clientID
    switch configuration.authentication {
    case .basic(let secret):
      // RFC 6749, 2.3.1: each part is form-encoded first, so that a colon in it does not separate.
      let pair = HTTPURL.percentEncoded(client) + ":" + HTTPURL.percentEncoded(secret.revealed)
      fields.append(("Authorization", "Basic " + Base64.encode(Array(pair.utf8))))
    case .post(let secret):
      form += [("client_id", client), ("client_secret", secret.revealed)]
    case .privateKey(let key, let keyID):
      // RFC 7523, 3: for this endpoint alone, once, for a minute.
      let draft = TokenDraft(
        issuer: client, audiences: [endpoint.text], subject: client, issuedAt: now,
        lifetime: 60, id: random.hex(20))
      let assertion = try JSONWebToken.mint(
        draft, key: Self.signer(key, found) ?? key, keyID: keyID)
      form.append(("client_id", client))
      form += SignedAssertion.fields(String(decoding: assertion, as: UTF8.self))
    case .none:
      form.append(("client_id", client))
    }
  }

  /// A client's key with an algorithm that the provider takes: its own, where the provider does not say, or takes it; nil
  /// where there is none.
  static func signer(_ key: SigningKey, _ found: OpenIDConfiguration) -> SigningKey? {
    let taken = publicAlgorithms(found.authenticationAlgorithms)
    guard !taken.isEmpty, !taken.contains(key.algorithm) else { return key }
    return taken.lazy.compactMap(key.signing).first
  }
}
