import AccessControl
import HTTPExchange
import SignIn
import TokenBasics
import XMLOracle

/// Requests of token exchange, with the tokens and the actors in them.
struct ExchangeTarget: FuzzTarget {
  let seeds: [(name: String, octets: [UInt8])] = [
    (
      "saml",
      Array(
        ("grant_type=urn%3aietf%3aparams%3aoauth%3agrant-type%3atoken-exchange&subject_token=PHNhbWw-"
          + "&subject_token_type=urn%3aietf%3aparams%3aoauth%3atoken-type%3asaml2&audience=urn%3aapi&scope=read+write"
          + "&requested_token_type=urn%3aietf%3aparams%3aoauth%3atoken-type%3aaccess_token").utf8)
    ),
    (
      "actor",
      Array(
        ("subject_token=a.b.c&subject_token_type=urn%3aietf%3aparams%3aoauth%3atoken-type%3ajwt&actor_token=a.b.c"
          + "&actor_token_type=urn%3aietf%3aparams%3aoauth%3atoken-type%3aid_token&resource=https%3a%2f%2fapi.example%2f")
          .utf8)
    ),
    ("chain", Array("{\"sub\":\"a\",\"iss\":\"b\",\"act\":{\"sub\":\"c\"}}".utf8)),
    ("allowed", Array("{\"sub\":\"a\",\"client_id\":\"b\"}".utf8)),
  ]

  func exercise(_ octets: [UInt8]) {
    exerciseChain(octets)
    guard let form = try? FormReader(octets), let request = try? ExchangeRequest(form) else {
      return
    }
    require(request.subject.type.uri == form["subject_token_type"], "the type that was named")
    require(
      request.target.audience != nil || request.target.resource != nil, "a request with a target")
    require(Set(request.scopes).count == request.scopes.count, "each scope once")
    require(request.scopes.allSatisfy { !$0.isEmpty }, "no empty scope")
    guard let kind = request.subject.type.presented,
      let token = try? request.subject.type.octets(of: request.subject.text)
    else { return }
    let presented = try? PresentedToken(
      parsing: token, as: kind, audiences: [], recipients: [])
    require(
      presented.map { $0.token.format == kind.format } ?? true, "a token of the format of its type")
  }

  /// What was read of a chain of actors is written so that it is read alike.
  private func exerciseChain(_ octets: [UInt8]) {
    guard let json = try? JSONParser.parse(octets) else { return }
    _ = try? AllowedActor(json, of: "https://op.example")
    guard let chain = try? ActorChain(json, issuer: nil) else { return }
    require((1...ActorChain.most).contains(chain.actors.count), "a chain with an end")
    let again = (try? JSONParser.parse(chain.json)).flatMap {
      try? ActorChain($0, issuer: nil)
    }
    require(again == chain, "a chain that reads as it was written")
  }

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    octets.first == UInt8(ascii: "{") ? JSONMutator.mutate(octets, &random) : nil
  }
}
