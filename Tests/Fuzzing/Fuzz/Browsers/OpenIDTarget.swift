import HTTPExchange
import IssuerRegistry
import SignIn
import TestSupport
import TokenBasics
import XMLOracle

/// What an OpenID provider publishes of itself, and what its UserInfo endpoint answers.
struct OpenIDTarget: FuzzTarget {
  /// No provider is asked.
  private struct NoTransport: HTTPTransport {
    func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
      throw TokenError(.transportUnreachable)
    }
  }

  private static let issuer = "https://idp.example/tenant"
  private let party: OpenIDRelyingParty?

  init() {
    let transport = NoTransport()
    party = try? {
      var client = OpenIDClient(
        clientID: "client", authentication: .none,
        redirectURI: try HTTPURL("https://app.example/callback"))
      client.contexts = ["mfa"]
      client.prompt = "login"
      client.userInfo = .always
      return try OpenIDRelyingParty(
        client,
        provider: OpenIDRegistry(try OpenIDSource(issuer: Self.issuer), transport: transport),
        transport: transport)
    }()
  }

  var seeds: [(name: String, octets: [UInt8])] {
    let documents = ["keycloak", "entra", "auth0", "okta", "google", "kanidm"].map { name in
      (name: name, octets: TestVector.bytes("discovery/\(name).json"))
    }
    return documents + [
      (
        "discovery",
        Array(
          """
          {"issuer":"\(Self.issuer)","authorization_endpoint":"\(Self.issuer)/a?x=1","token_endpoint":"\(Self.issuer)/t",
          "jwks_uri":"https://keys.example/","userinfo_endpoint":null,"id_token_signing_alg_values_supported":["ES256","none"],
          "acr_values_supported":["mfa"],"prompt_values_supported":["login"],"response_types_supported":["code"]}
          """.utf8)
      ),
      (
        "userinfo",
        Array(
          """
          {"sub":"alice","email":"a@b.example","email_verified":"true","groups":["a",{"b":[1.5e3,null]}],"auth_time":1,
          "address":{"locality":"Zürich"}}
          """.utf8)
      ),
    ]
  }

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    JSONMutator.mutate(octets, &random)
  }

  func exercise(_ octets: [UInt8]) {
    do throws(TokenError) {
      let found = try OpenIDConfiguration(parsing: octets, issuer: Self.issuer)
      require(found.issuer == Self.issuer, "the configured issuer")
      let addresses = [found.authorizationEndpoint, found.tokenEndpoint, found.keySetAddress]
      for address in addresses.compactMap(\.self) {
        require(address.origin.scheme == "https", "an endpoint of https")
        require(!address.origin.isLoopback, "no endpoint in this network")
      }
      for doubt in party?.incompatibilities(found) ?? [] {
        require(doubt.error.description.utf8.count < 4_096, "an error is short")
      }
    } catch {
      require(error.description.utf8.count < 4_096, "an error is short")
    }
    guard let json = try? JSONParser.parse(octets), let party else { return }
    for claim in party.userInfoClaims(json, in: octets) {
      require(
        !["iss", "sub", "aud", "acr", "auth_time", "nonce"].contains(claim.originalName),
        "UserInfo says nothing of the sign-in")
      require(
        claim.properties[OpenIDSignIn.sourceProperty] == OpenIDSignIn.userInfo,
        "what nothing signs says so")
    }
  }
}
