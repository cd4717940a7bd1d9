import JSONWebTokens
import SecurityKeys
import TestSupport
import Testing

@testable import GateService

/// A claim means something only together with the provider that stated it.
@Suite("Whose word a claim is")
struct CountedProviderTests {
  private static let one =
    #"{"id": "a", "openID": {"issuer": "https://a.example", "clientID": "c"}}"#
  private static let two =
    one + #", {"id": "b", "openID": {"issuer": "https://b.example", "clientID": "c"}}"#

  private func read(
    _ members: String, _ providers: String = two
  ) -> (configuration: GateConfiguration?, errors: [TokenError]) {
    GateConfiguration.read(
      Array(
        """
        {"public": "https://app.example", "listen": "127.0.0.1:1", "people": "by provider",
         "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]}, "providers": [\(providers)], \(members)}
        """.utf8))
  }

  private static let silent = [
    #""headers": {"X-Mail": "email"}"#, #""headers": {"X-Mail": {"claim": "email"}}"#,
    #""rules": [{"path": "/a", "claim": "role", "oneOf": ["x"]}]"#,
    #""rules": [{"path": "/a", "claim": "role", "noneOf": ["x"]}]"#,
    #""identityToken": {"header": "X-I", "keys": ["k"], "claims": {"mail": "email"}}"#,
    #""applications": [{"origin": "https://w.example", "rules": [], "headers": {"X-Mail": "email"}}]"#,
  ]

  @Test("With several providers silence is an error with the text to write", arguments: silent)
  func silence(member: String) {
    let errors = read(member).errors
    #expect(errors.map(\.code) == [.gateClaimProvider], "\(errors)")
    #expect(errors.first?.expected?.contains("\"provider\": \"a\"") == true)
    #expect(errors.first?.node?.hasPrefix("line 2") == true)
  }

  @Test("With one provider silence is no error", arguments: silent)
  func single(member: String) { #expect(read(member, Self.one).errors.isEmpty) }

  @Test("A default of the file says it for all", arguments: silent)
  func standard(member: String) throws {
    for provider in ["\"any\"", "\"a\"", "[\"a\", \"b\"]"] {
      #expect(read(member + ", \"provider\": \(provider)").errors.isEmpty)
    }
    #expect(read(member + ", \"provider\": \"nobody\"").errors.first?.code == .gateValue)
  }

  @Test("Subject, provider and issuer come from the session and need no provider")
  func exempt() {
    let headers = #""headers": {"X-A": "subject", "X-B": "provider", "X-C": "issuer"}"#
    let rule = #""rules": [{"path": "/a", "claim": "subject", "oneOf": ["a:ada"]}]"#
    #expect(read(headers + ", " + rule).errors.isEmpty)
    let wrong = #""headers": {"X-A": {"claim": "subject", "provider": "a"}}"#
    #expect(read(wrong).errors.map(\.code) == [.gateValue])
  }

  private func subject(_ provider: String, _ claims: [Claim]) -> GateSubject {
    GateSubject(
      subject: "ada", claims: ClaimSet(claims), provider: provider,
      issuer: "https://\(provider).example", people: .byProvider)
  }

  @Test("A header is empty, and a rule not met, for people of another provider")
  func decides() throws {
    let gate = try #require(
      read(
        """
        "headers": {"X-Mail": {"claim": "email", "provider": "a"}, "X-Any": {"claim": "email", "provider": "any"}},
        "rules": [{"path": "/one", "claim": "email", "provider": "a", "oneOf": ["m"]},
                  {"path": "/none", "claim": "email", "provider": "a", "noneOf": ["x"]}]
        """
      ).configuration)
    let headers = IdentityHeaders(gate.headers)
    for (provider, mail, passes) in [("a", "m", true), ("b", "", false)] {
      let subject = subject(provider, [Claim("email", "m")])
      let fields = try headers.fields(subject)
      #expect(fields["X-Mail"] == mail && fields["X-Any"] == "m")
      for path in ["/one", "/none"] {
        let verdict = gate.rules.decide(path, method: "GET", subject: subject).verdict
        let isAllowed = if case .allow = verdict { true } else { false }
        #expect(isAllowed == passes, "\(provider) at \(path)")
      }
    }
  }

  @Test(
    "A login name is refused where it is missing, and names its provider where it may be of several"
  )
  func loginName() throws {
    func headers(_ counted: CountedProviders, also: [HeaderRule] = []) -> IdentityHeaders {
      IdentityHeaders(
        [HeaderRule(name: "X-User", claims: ["preferred_username"], of: counted)] + also)
    }
    let named = subject("b", [Claim("preferred_username", "ada")])
    #expect(try headers(.only(["b"])).fields(named)["X-User"] == "ada")
    #expect(try headers(.any).fields(named)["X-User"] == "b:ada")
    let error = #expect(throws: TokenError.self) {
      try headers(.any).fields(subject("b", []))
    }
    #expect(error?.code == .gateSubjectMissing)
    let beside = HeaderRule(name: "X-Subject", claims: [GateClaim.subject])
    #expect(try headers(.any, also: [beside]).fields(subject("b", []))["X-User"] == "")
  }

  @Test("A member of the signed identity is missing for people of another provider")
  func signed() throws {
    let origin = try HTTPURL("https://app.example/").origin
    let token = try IdentityToken(
      header: "X-I",
      keys: [try SigningKey(PrivateKey(pemOrDER: TestVector.bytes("keys/idp-ec256.key")))],
      settings: SiteSettings(origin: origin, prefix: "/.gate/"), audience: origin,
      members: [IdentityToken.Member("mail", ["email"], of: .only(["a"]))])
    for (provider, expected) in [("a", ["m"]), ("b", [])] {
      let text = try token.token(
        for: subject(provider, [Claim("email", "m")]), at: Instant(secondsSinceEpoch: 1_000))
      let facts = try JSONWebToken(parsing: Array(text.utf8)).unverifiedFacts
      #expect(facts.claims["mail"] == expected)
    }
  }
}
