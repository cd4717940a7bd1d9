import HTTPExchange
import IssuerRegistry
import JSONWebTokens
import TokenBasics
import XMLOracle

/// What an issuer answers about an opaque token (RFC 7662), and what a set of keys becomes that is written into a trust file.
struct IntrospectionTarget: FuzzTarget {
  /// No issuer is asked.
  private struct NoTransport: HTTPTransport {
    func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
      throw TokenError(.transportUnreachable)
    }
  }

  private static let issuer = "https://as.example"
  private let introspector: TokenIntrospector?

  init() {
    introspector = (try? HTTPURL(Self.issuer + "/introspect")).map { address in
      TokenIntrospector(
        issuer: Self.issuer, address: address, clientID: "api", secret: { nil },
        transport: NoTransport(), observer: NoObserver())
    }
  }

  var seeds: [(name: String, octets: [UInt8])] {
    [
      (
        "active",
        """
        {"active":true,"iss":"https://as.example","sub":"ada","aud":["https://api.example/mcp","urn:b"],"exp":1893500000,
        "nbf":1893499000.5,"scope":"read write","client_id":"c","username":"ada","groups":["a",{"b":[null]}]}
        """
      ),
      ("inactive", "{\"active\":false}"), ("text", "{\"active\":\"true\",\"aud\":7}"),
      (
        "keys",
        """
        {"keys":[{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0","d":"jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"},
        {"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","kid":"e"},{"kty":"oct","k":"c2VjcmV0"}]}
        """
      ),
    ].map { ($0.0, Array($0.1.utf8)) }
  }

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    JSONMutator.mutate(octets, &random)
  }

  func exercise(_ octets: [UInt8]) {
    var response = HTTPResponse(status: 200, body: octets)
    try? response.fields.append("Content-Type", "application/json")
    let json = try? JSONParser.parse(octets)
    do throws(TokenError) {
      if let answer = try introspector?.read(response) {
        require(json?["active"]?.bool == true, "a token that is active")
        require(json?["iss"].map { $0.string == Self.issuer } ?? true, "the issuer's own token")
        require(!answer.audiences.contains("") || json?["aud"] != nil, "an audience that was said")
        for claim in answer.claims {
          require(claim.issuer == Self.issuer, "a claim of the issuer")
          require(claim.originalName != "active", "no member of the protocol")
        }
      }
    } catch {
      require(error.description.utf8.count < 4_096, "an error is short")
    }
    guard let keys = try? JSONWebKeySet.publicKeys(in: octets) else { return }
    for key in keys {
      let written = try? JSONParser.parse(key)
      require(written?["d"] == nil && written?["k"] == nil, "no private member")
      require((try? JSONWebKeySet(parsing: key)) != nil, "a key that is read again")
    }
  }
}
