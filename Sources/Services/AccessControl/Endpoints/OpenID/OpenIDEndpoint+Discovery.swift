import HTTPExchange
import JSONWebTokens
import SecurityKeys
import TokenBasics

extension OpenIDEndpoint {
  /// `/.well-known/openid-configuration` (OpenID Connect Discovery 1.0, 3), and the same for OAuth 2.0 (RFC 8414, 2).
  func showConfiguration(_ request: WebRequest) -> HTTPResponse {
    var json = JSONWriter()
    json.object { json in
      json.member("issuer", service.namespace.issuer)
      for (name, path) in Self.addresses {
        json.member(named: name, service.address(path))
      }
      if service.register != nil {
        json.member("registration_endpoint", service.address(RegistrationEndpoint.path))
        json.name("client_id_metadata_document_supported")
        json.bool(true)
      }
      for (name, values) in lists {
        json.name(text: name)
        json.array { json in values.forEach { json.string($0) } }
      }
      // Absent would mean that a request object at an address is taken (OpenID Connect Discovery 1.0, 3).
      for (name, value) in [
        ("request_parameter_supported", false), ("request_uri_parameter_supported", false),
        ("claims_parameter_supported", false),
        ("authorization_response_iss_parameter_supported", true),
        ("require_pushed_authorization_requests", false),
        ("backchannel_logout_supported", service.transport != nil),
        ("backchannel_logout_session_supported", service.transport != nil),
      ] {
        json.name(text: name)
        json.bool(value)
      }
    }
    return service.responder.response(200, "application/json", json.bytes)
  }

  private static let addresses: [(name: String, path: String)] = [
    ("authorization_endpoint", "/v2/openid/authorize"),
    ("token_endpoint", tokenPath),
    ("jwks_uri", "/v2/openid/keys"),
    ("end_session_endpoint", "/v2/openid/logout"),
    ("userinfo_endpoint", "/v2/openid/userinfo"),
    ("introspection_endpoint", "/v2/openid/introspect"),
    ("revocation_endpoint", "/v2/openid/revoke"),
    ("pushed_authorization_request_endpoint", "/v2/openid/par"),
  ]

  private var lists: [(name: String, values: [String])] {
    let signing: [String] = service.namespace.keys.webAlgorithms.map(\.nameInJOSE)
    let ciphers: [String] = ContentEncryption.allCases.map(\.name)
    return Self.fixedLists + [
      ("id_token_signing_alg_values_supported", signing),
      ("id_token_encryption_alg_values_supported", Self.keyManagement),
      ("id_token_encryption_enc_values_supported", ciphers),
    ]
  }

  private static let fixedLists: [(name: String, values: [String])] = [
    ("response_types_supported", ["code"]),
    ("response_modes_supported", ["query", "form_post"]),
    ("grant_types_supported", GrantType.allCases.map(\.rawValue)),
    ("subject_types_supported", ["pairwise", "public"]),
    ("scopes_supported", ScopedClaims.scopes),
    ("token_endpoint_auth_methods_supported", authentication + ["none"]),
    ("introspection_endpoint_auth_methods_supported", authentication),
    ("revocation_endpoint_auth_methods_supported", authentication + ["none"]),
    ("prompt_values_supported", ["none", "login", "consent", "select_account"]),
    ("claims_supported", claimNames),
    ("code_challenge_methods_supported", ["S256"]),
  ]

  private static let claimNames = [
    "sub", "iss", "aud", "exp", "iat", "auth_time", "acr", "amr", "nonce", "name", "given_name",
    "family_name", "email", "email_verified", "identityprovider",
  ]

  /// How ID tokens may be encrypted to a public key.
  private static let keyManagement: [String] =
    KeyManagement.allCases.filter(\.isOfPublicKeys).map(\.name)

  /// How clients prove who they are.
  private static let authentication = ["client_secret_basic", "client_secret_post"]

  /// `/v2/openid/keys`: the keys, current and next, as a JWK set (RFC 7517, 5).
  func showKeys(_ request: WebRequest) -> HTTPResponse {
    var response = service.responder.response(
      200, "application/jwk-set+json", PublishedKey.keySet(service.namespace.keys.published))
    // The next key is published long before it signs, so a copy that is an hour old knows it.
    try? response.fields.set("Cache-Control", "public, max-age=3600")
    return response
  }
}
