import GateService
import Testing

/// A subject is a name at a provider (SVC-2).
@Suite("People at the gate")
struct PeopleTests {
  private func subject(
    _ name: String, at provider: String, _ people: GatePeople, claims: [Claim] = [],
    keepsUnconfirmed: Bool = true
  ) -> GateSubject {
    GateSubject(
      subject: name, claims: ClaimSet(claims), provider: provider, issuer: "https://\(provider)/",
      people: people, keepsUnconfirmed: keepsUnconfirmed)
  }

  private func verdict(_ rule: GateRule, _ subject: GateSubject) -> Bool {
    if case .allow = GateRules([rule]).decide("/a", method: "GET", subject: subject).verdict {
      true
    } else {
      false
    }
  }

  @Test(
    "By provider a subject is PROVIDER:SUBJECT, in which only the colon between them is one",
    arguments: [
      ("alice", "campus", "campus:alice"), ("a:b", "campus", "campus:a%3Ab"),
      ("alice@corp.example", "op", "op:alice@corp.example"), ("ä %,", "op", "op:%C3%A4%20%25%2C"),
      ("op:alice", "ev", "ev:op%3Aalice"), ("-._~", "p~1", "p~1:-._~"),
    ])
  func shape(name: String, provider: String, expected: String) throws {
    let headers = IdentityHeaders([HeaderRule(name: "X-Remote-User", claims: [GateClaim.subject])])
    #expect(
      try headers.fields(subject(name, at: provider, .byProvider))["X-Remote-User"] == expected)
    #expect(subject(name, at: provider, .shared).subject == name)
  }

  @Test("Provider and issuer are those of the session, never a claim of that name")
  func reserved() throws {
    let claims = ["subject", "provider", "issuer"].map { Claim(ClaimType($0), "admin") }
    let headers = IdentityHeaders([
      HeaderRule(name: "X-User", claims: [GateClaim.subject]),
      HeaderRule(name: "X-Provider", claims: [GateClaim.provider]),
      HeaderRule(name: "X-Issuer", claims: [GateClaim.issuer]),
    ])
    let fields = try headers.fields(subject("ada", at: "campus", .shared, claims: claims))
    #expect(fields.list.map(\.value) == ["ada", "campus", "https://campus/"])
    let path = try RequestTarget("/a")
    for type in [GateClaim.subject, GateClaim.provider, GateClaim.issuer] {
      let rule = GateRule(path: path, claims: [type], values: ["admin"])
      #expect(!verdict(rule, subject("ada", at: "campus", .shared, claims: claims)))
    }
    let own = GateRule(path: path, claims: [GateClaim.provider], values: ["campus"])
    #expect(verdict(own, subject("ada", at: "campus", .shared, claims: claims)))
  }

  @Test("A rule that names a provider is met by its people alone")
  func providers() throws {
    let path = try RequestTarget("/a")
    let admin = [Claim("role", "admin")]
    let rule = GateRule(path: path, claims: ["role"], values: ["admin"], providers: ["campus"])
    #expect(verdict(rule, subject("ada", at: "campus", .shared, claims: admin)))
    #expect(!verdict(rule, subject("ada", at: "other", .shared, claims: admin)))
    let whole = GateRule(path: path, providers: ["campus", "work"])
    #expect(verdict(whole, subject("ada", at: "work", .shared)))
    #expect(!verdict(whole, subject("ada", at: "CAMPUS", .shared)))
    let denial = GateRule(
      path: path, claims: ["role"], values: ["admin"], denies: true, providers: ["campus"])
    #expect(!verdict(denial, subject("ada", at: "campus", .shared, claims: admin)))
    #expect(verdict(denial, subject("ada", at: "campus", .shared)))
    #expect(!verdict(denial, subject("ada", at: "other", .shared)), "only people of campus pass")
  }

  @Test(
    "Somebody without a name is refused where a header carries the subject, and passes elsewhere")
  func nameless() throws {
    let user = IdentityHeaders([HeaderRule(name: "X-Remote-User", claims: [GateClaim.subject])])
    for people in [GatePeople.shared, .byProvider] {
      let error = #expect(throws: TokenError.self) {
        try user.fields(subject("", at: "campus", people))
      }
      #expect(error?.code == .gateSubjectMissing)
    }
    let mail = IdentityHeaders([HeaderRule(name: "X-Remote-User", claims: ["mail"])])
    #expect(try mail.fields(subject("", at: "campus", .shared))["X-Remote-User"] == "")
    #expect(try user.fields(nil)["X-Remote-User"] == "")
  }

  @Test(
    "GATE-13: An e-mail address that nobody calls verified lets nobody in, and keeps out all the same"
  )
  func unconfirmedMail() throws {
    let path = try RequestTarget("/a")
    let mark = [Claim.propertyPrefix + "emailunconfirmed": "true"]
    let doubtful = [Claim("email", "ceo@corp.example", properties: mark)]
    let verified = [Claim("email", "ceo@corp.example")]
    let letsIn = GateRule(path: path, claims: ["email"], values: ["ceo@corp.example"])
    let keepsOut = GateRule(
      path: path, claims: ["email"], values: ["ceo@corp.example"], denies: true)
    #expect(!verdict(letsIn, subject("a", at: "op", .shared, claims: doubtful)))
    #expect(verdict(letsIn, subject("a", at: "op", .shared, claims: verified)))
    #expect(!verdict(keepsOut, subject("a", at: "op", .shared, claims: doubtful)))
    let headers = IdentityHeaders([HeaderRule(name: "X-Mail", claims: ["email"])])
    for (keeps, expected) in [(true, "ceo@corp.example"), (false, "")] {
      let fields = try headers.fields(
        subject("a", at: "op", .shared, claims: doubtful, keepsUnconfirmed: keeps))
      #expect(fields["X-Mail"] == expected)
    }
  }
}
