import IssuerRegistry
import SignIn
import Testing

@Suite("OpenID Connect: the discovery document")
struct OpenIDConfigurationTests {
  private let issuer = "https://idp.example/tenant"

  private func refusal(
    _ changes: [String: String?], issuer: String = "https://idp.example/tenant"
  ) async -> (code: TokenError.Code?, node: String?) {
    var members = ScriptedProvider.discovery(issuer)
    for (name, value) in changes { members[name] = value }
    do throws(TokenError) {
      _ = try OpenIDConfiguration(parsing: Array(object(members).utf8), issuer: issuer)
      return (nil, nil)
    } catch {
      return (error.code, error.node)
    }
  }

  @Test("META-15: A document of another issuer is refused, byte for byte")
  func issuerMismatch() async throws {
    for other in [
      "https://idp.example/tenant/", "https://idp.example/Tenant", "https://evil.example/",
    ] {
      #expect(await refusal(["issuer": quoted(other)]).code == .registryEntityMismatch)
    }
    #expect(await refusal(["issuer": nil]).code == .jsonMember)
    #expect(await refusal([:]).code == nil)
  }

  @Test("An HTML page in place of the document is called one")
  func page() {
    #expect(throws: TokenError(.htmlPage)) {
      try OpenIDConfiguration(parsing: Array("<!DOCTYPE html><html></html>".utf8), issuer: issuer)
    }
  }

  @Test(
    "A member that is missing or of another type is named",
    arguments: [
      ("jwks_uri", nil), ("token_endpoint", "7"), ("jwks_uri", "7"),
      ("authorization_endpoint", "\"\""),
      ("response_types_supported", "\"code\""), ("scopes_supported", "[1]"),
      ("authorization_response_iss_parameter_supported", "\"true\""),
      ("backchannel_logout_supported", "1"), ("userinfo_endpoint", "{}"),
    ])
  func members(_ member: (name: String, value: String?)) async {
    let found = await refusal([member.name: member.value])
    #expect(found.code == .jsonMember && found.node == member.name)
    #expect(await refusal(["userinfo_endpoint": "null", "scopes_supported": nil]).code == nil)
  }

  @Test(
    "An issuer of tokens alone has no endpoints for it, or a name in their place, and keys",
    arguments: [nil, "null", "\"urn:kubernetes:programmatic_authorization\"", "\"URN:x\""])
  func issuerOfTokens(value: String?) throws {
    var members = ScriptedProvider.discovery(issuer)
    for name in ["authorization_endpoint", "token_endpoint"] { members[name] = value }
    let found = try OpenIDConfiguration(parsing: Array(object(members).utf8), issuer: issuer)
    #expect(found.authorizationEndpoint == nil && found.tokenEndpoint == nil)
    #expect(found.keySetAddress.text == issuer + "/keys")
  }

  @Test("A name in place of the keys' address is no address")
  func keysByName() async {
    let found = await refusal(["jwks_uri": "\"urn:keys\""])
    #expect(found.code == .transportMalformedAddress && found.node == "jwks_uri")
  }

  @Test(
    "RP-6: Endpoints are https, and lead to no loopback or bare address; host names do not hurt")
  func endpoints() async {
    let cases: [(String, TokenError.Code)] = [
      ("http://idp.example/token", .transportInsecureAddress),
      ("file:///etc/passwd", .transportMalformedAddress),
      ("https://user@idp.example/", .transportMalformedAddress),
      ("https://127.0.0.1/token", .registryEndpointAddress),
      ("http://localhost:8080/token", .registryEndpointAddress),
      ("https://app.localhost/token", .registryEndpointAddress),
      ("https://localhost./token", .registryEndpointAddress),
      ("https://[::1]/token", .registryEndpointAddress),
      ("https://[::ffff:169.254.169.254]/token", .registryEndpointAddress),
      ("https://169.254.169.254/token", .registryEndpointAddress),
      ("https://2130706433/token", .registryEndpointAddress),
      ("https://0x7f.1/token", .registryEndpointAddress),
      ("https://0x7f000001/token", .registryEndpointAddress),
    ]
    for (address, expected) in cases {
      for name in ["token_endpoint", "jwks_uri", "userinfo_endpoint"] {
        let found = await refusal([name: quoted(address)])
        #expect(found.code == expected && found.node == name)
      }
    }
    #expect(await refusal(["jwks_uri": "\"https://keys.other.example/v1\""]).code == nil)
  }

  @Test("A provider on loopback may have its endpoints there")
  func development() async {
    let local = "http://127.0.0.1:9000"
    #expect(await refusal([:], issuer: local).code == nil)
    let other = ["token_endpoint": "\"http://localhost:9001/token\""]
    #expect(await refusal(other, issuer: local).code == nil)
  }

  @Test("An issuer is an https address without a query")
  func issuers() throws {
    #expect(throws: TokenError(.transportInsecureAddress)) {
      try OpenIDSource(issuer: "http://idp.example/")
    }
    for text in ["idp.example", "https://idp.example/?a=b", "https://idp.example/#a"] {
      #expect(throws: TokenError(.transportMalformedAddress)) { try OpenIDSource(issuer: text) }
    }
    for (text, path) in [
      ("https://idp.example", "/.well-known/openid-configuration"),
      ("https://idp.example/", "/.well-known/openid-configuration"),
      ("https://idp.example/a/", "/a/.well-known/openid-configuration"),
    ] {
      #expect(try OpenIDSource(issuer: text).url.path == path)
    }
  }
}
