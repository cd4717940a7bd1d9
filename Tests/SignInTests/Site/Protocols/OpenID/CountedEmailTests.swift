import HTTPExchange
import SignIn
import TestSupport
import Testing

/// Which e-mail addresses are an identity (OpenID Connect Core 1.0, 5.1; GATE-13).
@Suite("OpenID Connect: e-mail addresses")
struct CountedEmailTests {
  private let fixture: OpenIDFixture

  init() throws { fixture = try OpenIDFixture() }

  private func mail(
    _ members: [String: String], domains: [String] = [], userInfo: [String: String]? = nil
  ) async throws -> (values: [String], isMarked: Bool, warnings: [String]) {
    let party = try fixture.party {
      $0.emailDomains = domains
      $0.userInfo = userInfo == nil ? .never : .always
    }
    let signIn = try await fixture.signIn(party, code: "code-\(members.count)-\(domains.count)") {
      $0.payload = { payload in payload.merge(members) { $1 } }
      if let userInfo { $0.userInfo = userInfo }
    }
    let claims = signIn.principal.claims.filter { $0.type == "email" }
    return (
      claims.map(\.value), claims.contains { $0.properties[Claim.unconfirmedEmail] != nil },
      signIn.principal.warnings
    )
  }

  @Test("An address is one by its type or by its name in the document")
  func kinds() {
    var renamed = Claim("urn:mail", "a@corp.example")
    renamed.originalName = "email"
    let claims = [
      Claim("email", "a@corp.example"), Claim(.emailAddress, "a@corp.example"), renamed,
      Claim("email", "a@corp.example", originalName: "mail"),
    ]
    for claim in claims {
      #expect(CountedEmail.without([claim]).isEmpty)
      let marked = CountedEmail.filter([claim], domains: []).claims
      #expect(marked.first?.properties[Claim.unconfirmedEmail] == "true", "\(claim.type)")
      let counted = CountedEmail.filter([claim], domains: ["corp.example"]).claims
      #expect(counted.first?.properties[Claim.unconfirmedEmail] == nil)
    }
    #expect(CountedEmail.without([Claim("name", "a@corp.example")]).count == 1)
  }

  @Test(
    "An address that the token calls anything but verified is no identity",
    arguments: ["false", "\"false\"", "\"TRUE\"", "1", "null ", "\"yes\"", "[true,false]"])
  func unverified(value: String) async throws {
    let found = try await mail([
      "email": quoted("ceo@corp.example"), "email_verified": value,
    ])
    // `null` is absence: then nobody has said anything.
    guard value != "null " else {
      #expect(found.values == ["ceo@corp.example"] && found.isMarked)
      return
    }
    #expect(found.values.isEmpty && found.warnings.contains { $0.hasPrefix("email: ") })
  }

  @Test(
    "An address that the token calls verified counts, as a boolean or as text",
    arguments: ["true", "\"true\""])
  func verified(value: String) async throws {
    let found = try await mail(["email": quoted("a@corp.example"), "email_verified": value])
    #expect(found.values == ["a@corp.example"] && !found.isMarked && found.warnings.isEmpty)
  }

  @Test(
    "Where nobody says anything, only the provider's own domains count",
    arguments: [
      ("a@corp.example", ["corp.example"], true), ("a@CORP.example", ["corp.example"], true),
      ("a@corp.example", [], false), ("a@sub.corp.example", ["corp.example"], false),
      ("a@evil@corp.example", ["corp.example"], false), ("@corp.example", ["corp.example"], false),
      ("corp.example", ["corp.example"], false), ("a@notcorp.example", ["corp.example"], false),
      ("a@corq.example", ["corp.example"], false),
    ])
  func silent(address: String, domains: [String], counts: Bool) async throws {
    let found = try await mail(["email": quoted(address)], domains: domains)
    #expect(found.values == [address] && found.isMarked == !counts)
  }

  @Test("A domain of the provider's does not make verified what it calls unverified")
  func domainAgainstWord() async throws {
    let found = try await mail(
      ["email": quoted("a@corp.example"), "email_verified": "false"], domains: ["corp.example"])
    #expect(found.values.isEmpty)
  }

  @Test("An address is one by its type or by the name that its issuer gave it; nothing else is")
  func names() async throws {
    let claims = [
      Claim("email", "a@corp.example"), Claim(.emailAddress, "a@corp.example"),
      Claim("urn:mail", "a@corp.example", originalName: "email"), Claim("name", "Ada"),
    ]
    #expect(CountedEmail.without(claims).map(\.value) == ["Ada"])
    let (marked, isDropped) = CountedEmail.filter(claims, domains: [])
    #expect(
      !isDropped
        && marked.map { $0.properties[Claim.unconfirmedEmail] } == ["true", "true", "true", nil])
    // Without an address there is nothing to drop, and no word about one.
    let none = try await mail(["email_verified": "false"])
    #expect(none.values.isEmpty && none.warnings.isEmpty)
  }

  @Test(
    "An address of which the ID token says nothing is confirmed by UserInfo that calls the same one verified",
    arguments: [
      ("a@corp.example", "true", nil, true), ("a@corp.example", "\"true\"", nil, true),
      ("a@corp.example", nil, nil, false), ("a@corp.example", "false", nil, false),
      ("A@corp.example", "true", nil, false), ("b@corp.example", "true", nil, false),
      ("a@corp.example", "true", "false", nil),
    ] as [(String, String?, String?, Bool?)])
  func confirmed(
    address: String, word: String?, signed: String?, counts: Bool?
  ) async throws {
    let types: [ClaimType] = ["email", .emailAddress]
    for use in [UserInfoUse.always, .forMissing([types])] {
      let fixture = try OpenIDFixture()
      let signIn = try await fixture.signIn(fixture.party { $0.userInfo = use }) {
        $0.payload = {
          $0["email"] = quoted("a@corp.example")
          $0["email_verified"] = signed
        }
        $0.userInfo = ["sub": quoted("alice"), "email": quoted(address)]
        $0.userInfo["email_verified"] = word
      }
      let found = signIn.principal.claims.filter { $0.type == "email" }
      // One that the ID token calls unverified is no identity, whatever UserInfo says of it.
      #expect(found.map(\.value) == (counts == nil ? [] : ["a@corp.example"]))
      let marks = found.map { $0.properties[Claim.unconfirmedEmail] == nil }
      #expect(marks == (counts.map { [$0] } ?? []))
    }
  }

  @Test("Another claim with the text of an address takes nothing from it")
  func otherClaim() async throws {
    let found = try await mail(
      ["email": quoted("a@corp.example")],
      userInfo: ["sub": quoted("alice"), "preferred_username": quoted("a@corp.example")])
    #expect(found.values == ["a@corp.example"] && found.isMarked)
  }

  @Test("UserInfo is not asked for an address that the ID token calls verified")
  func notAsked() async throws {
    let party = try fixture.party { $0.userInfo = .forMissing([["email"]]) }
    _ = try await fixture.signIn(party) {
      $0.payload = {
        $0["email"] = quoted("a@corp.example")
        $0["email_verified"] = "true"
      }
    }
    #expect(!fixture.transport.requests.contains { $0.url.path.hasSuffix("/userinfo") })
  }

  @Test("An address counts by what its own document says: UserInfo by UserInfo")
  func documents() async throws {
    let base = ["sub": quoted("alice"), "email": quoted("u@corp.example")]
    let good = try await mail(
      ["email_verified": "false"], userInfo: base.merging(["email_verified": "true"]) { $1 })
    #expect(good.values == ["u@corp.example"] && !good.isMarked)
    let bad = try await mail(
      ["email_verified": "true", "x": "1"],
      userInfo: base.merging(["email_verified": "false"]) { $1 })
    #expect(bad.values.isEmpty && bad.warnings.contains { $0.hasPrefix("email: ") })
  }
}
