import GateService
import Foundation
import XMLOracle

/// The gate's file, and the paths that it judges.
struct GateTarget: FuzzTarget {
  private let rules: GateRules
  private let subject = GateSubject(subject: "a", claims: ClaimSet([Claim("role", "user")]))

  init() {
    let paths = ["/admin", "/admin/help/", "/a/b"].compactMap { try? RequestTarget($0) }
    rules = GateRules(paths.map { GateRule(path: $0, claims: ["role"], values: ["admin"]) })
  }

  var seeds: [(name: String, octets: [UInt8])] {
    [
      ("path", "/admin/help"), ("query", "/a/b/c?x=%2e%2e&y=/admin"), ("dots", "/x/%2e%2e/admin"),
      ("utf8", "/caf%C3%A9/"), ("double", "/%2561dmin"), ("overlong", "/%c0%afadmin"),
      (
        "file",
        """
        {"public":"https://app.example","listen":"127.0.0.1:4180","proxy":{"kind":"nginx","peers":["127.0.0.1"]},
        "providers":[{"id":"a","saml":{"metadata":"idp.xml"}}],"headers":{"X-User":"subject",
        "X-Groups":{"claim":"groups","only":["a"]}},"rules":[{"path":"/a/","claim":"role","oneOf":["b"]}],
        "session":{"store":"sqlite:gate.db","lifetime":600,"idle":60}}
        """
      ),
      (
        "applications",
        """
        {"public":"https://app.example","listen":"127.0.0.1:4180","proxy":{"kind":"caddy","peers":["::1"]},"people":"by provider",
        "providers":[{"id":"a","name":"A","openID":{"issuer":"https://op.example","clientID":"c","clientSecret":"file:s",
        "decryptKeys":["d.key"],"encrypted":"required"}},{"id":"b","wsFederation":{"metadata":"b.xml","realm":"urn:app"}}],
        "headers":{"X-User":"subject","X-From":"provider"},"tokens":"trust.json","signingKeys":["k"],"certificates":["c"],
        "applications":[{"origin":"https://wiki.example","headers":{"X-Who":"email"},"rules":[{"path":"/a/","provider":["a","b"],
        "claim":"role","noneOf":["x"]}]},{"origin":"https://api.example","rules":[{"path":"/mcp","method":"POST","scope":["write"]}],
        "resource":{"identifier":"https://api.example/mcp","authorizationServers":["https://as.example"],"scopes":["read","write"]}}]}
        """
      ),
      (
        "openid",
        """
        {"public":"https://app.example","listen":"127.0.0.1:4180","proxy":{"kind":"nginx","peers":["127.0.0.1"]},
        "providers":[{"id":"a","openID":{"issuer":"https://op.example","clientID":"c","authentication":"privateKey",
        "clientKeys":["a.key"],"scopes":["openid"],"userInfo":true,"algorithms":["ES256"],"prompt":"login","maxAge":60,
        "contexts":["mfa"],"resources":["urn:a"],"responseMode":"form_post","refresh":300,"emails":["a.example"]}}],
        "identityToken":{"header":"X-Id","keys":["b.key"],"lifetime":60,"claims":{"mail":"email"}},"tokens":"trust.json",
        "rules":[{"path":"/s/","public":true},{"path":"/a/","contexts":["mfa"],"maxAge":900},
        {"path":"/b/","scope":["w"],"sessions":false}],"default":"refused"}
        """
      ),
    ].map { ($0.0, Array($0.1.utf8)) }
  }

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    octets.first == UInt8(ascii: "{") ? JSONMutator.mutate(octets, &random) : nil
  }

  func exercise(_ octets: [UInt8]) {
    let (configuration, errors) = GateConfiguration.read(octets)
    require((configuration == nil) == !errors.isEmpty, "a configuration, or errors")
    for error in errors { require(error.description.utf8.count < 4_096, "an error is short") }
    if let configuration { require(!configuration.peers.isEmpty, "a gate without peers") }
    let text = String(decoding: octets, as: UTF8.self)
    guard case .allow = rules.decide(text, method: "GET", subject: subject).verdict else { return }
    // What is allowed is below no protected path in any reading: decoded once more, or without dots.
    let path = text.prefix { $0 != "?" }
    let again: String = path.removingPercentEncoding ?? String(path)
    require(!again.hasPrefix("/admin/") && again != "/admin", "a weaker verdict for \(path)")
    require(!again.split(separator: "/").contains(".."), "a dot segment")
  }
}
