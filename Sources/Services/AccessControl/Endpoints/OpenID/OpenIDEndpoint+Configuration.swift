import HTTPExchange
import Octets
import SecurityKeys
import SignIn

extension OpenIDEndpoint {
  /// `/.well-known/openid-configuration` (OpenID Connect Discovery 1.0, 3).
  func showConfiguration(_ request: WebRequest) -> HTTPResponse {
    var json = JSONWriter()
    json.object { json in
      for (name, value) in [
        ("issuer", service.namespace.issuer),
        ("authorization_endpoint", service.address("/v2/openid/authorize")),
        ("token_endpoint", service.address("/v2/openid/token")),
        ("jwks_uri", service.address("/v2/openid/keys")),
        ("end_session_endpoint", service.address("/v2/openid/logout")),
      ] {
        json.name(text: name)
        json.string(value)
      }
      for (name, values) in [
        ("response_types_supported", ["code"]),
        ("response_modes_supported", ["query", "form_post"]),
        ("grant_types_supported", ["authorization_code"]),
        ("subject_types_supported", ["pairwise", "public"]),
        ("id_token_signing_alg_values_supported", ["RS256"]),
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
      // Absent would mean that a request object at an address is taken (OpenID Connect Discovery 1.0, 3).
      for (name, value) in [
        ("request_parameter_supported", false), ("request_uri_parameter_supported", false),
        ("claims_parameter_supported", false),
        ("authorization_response_iss_parameter_supported", true),
      ] {
        json.name(text: name)
        json.bool(value)
      }
    }
    return service.responder.response(200, "application/json", json.bytes)
  }

  /// `/v2/openid/keys`: the keys, current and next, as a JWK set (RFC 7517, 5).
  func showKeys(_ request: WebRequest) -> HTTPResponse {
    var json = JSONWriter()
    json.object { json in
      json.name("keys")
      json.array { json in
        for certificate in service.namespace.keys.certificates {
          guard let (modulus, exponent) = certificate.publicKey.rsaComponents else { continue }
          json.object { json in
            for (name, value) in [
              ("kty", "RSA"), ("use", "sig"), ("alg", "RS256"),
              ("kid", ServiceNamespace.keyID(of: certificate)),
              ("n", Base64.encode(modulus, .url)), ("e", Base64.encode(exponent, .url)),
            ] {
              json.name(text: name)
              json.string(value)
            }
          }
        }
      }
    }
    return service.responder.response(200, "application/jwk-set+json", json.bytes)
  }
}
