import Claims
import Testing

@Suite("Claims and their projections")
struct ClaimTests {
  static let claims = ClaimSet([
    Claim(.name, "Mia"), Claim(.role, "editor"), Claim(.name, "Mia M."),
    Claim(.facebookAccessToken, "AAAB1+x/y="),
  ])

  @Test("Values keep their order and nothing is merged")
  func order() {
    #expect(Self.claims[.name] == ["Mia", "Mia M."])
    #expect(Self.claims.single(.name) == nil)
    #expect(Self.claims.single(.role) == "editor")
    #expect(Self.claims.grouped.map(\.type) == [.name, .role, .facebookAccessToken])
    #expect(Self.claims.dictionary.count == 3)
  }

  @Test(
    "Types of one length and one ending are different, be they few or many", arguments: [3, 40])
  func similarTypes(count: Int) {
    let types = (10..<10 + count).map { ClaimType("http://example.test/\($0)/the-same-ending") }
    let claims = ClaimSet((types + types).enumerated().map { Claim($1, "\($0)") })
    #expect(claims.grouped.map(\.type) == types)
    for (number, type) in types.enumerated() {
      #expect(claims[type] == ["\(number)", "\(number + count)"])
    }
  }

  @Test("The master branch of the iOS toolkit saw identity claims under short names")
  func master() {
    let seen = Self.claims.projected(.identityShortNames)
    #expect(seen.map(\.type.name) == ["name", "name"])
    #expect(seen["name"] == ["Mia", "Mia M."])
  }

  @Test("The develop branch saw everything under full names")
  func develop() {
    #expect(Self.claims.projected(.all) == Self.claims)
  }

  @Test("TRUST-3: one prefix is cut off; several select claims and cut nothing off")
  func prefixes() {
    let claims = ClaimSet([Claim("urn:a:b", "1"), Claim("urn:c", "2"), Claim("x", "3")])
    #expect(claims.projected(.stripping("urn:")).map(\.type.name) == ["a:b", "c"])
    #expect(
      claims.projected(ClaimProjection(prefixes: ["urn:", "urn:a:"])).map(\.type.name) == [
        "urn:a:b", "urn:c",
      ])
    #expect(
      claims.projected(ClaimProjection(prefixes: ["urn:"])).map(\.type.name) == [
        "urn:a:b", "urn:c",
      ])
  }

  @Test("Whoever decides by claims sees the marks of left-out groups, whatever the projection")
  func marks() {
    let link = "http://schemas.microsoft.com/claims/groups.link"
    let claims = ClaimSet([
      Claim("hasgroups", "true"), Claim("_claim_names", "{\"groups\":\"src1\"}"),
      Claim(ClaimType(link), "x"),
      Claim("hasgroups", "false"), Claim("_claim_names", "{\"address\":\"src1\"}"), Claim("y", "z"),
    ])
    for projection in [
      ClaimProjection(prefixes: ["groups"]), .stripping("http://schemas.microsoft.com/claims/"),
    ] {
      let seen = ClaimSet(projection.deciding(claims))
      #expect(seen.map(\.type.name) == ["hasgroups", "_claim_names", link])
      #expect(seen.lacksGroups)
      #expect(!claims.projected(projection).lacksGroups)
    }
    #expect(!ClaimSet(claims.suffix(3)).lacksGroups)
  }

  @Test("Types that look alike are different types")
  func lookAlikes() {
    #expect(ClaimType("K") != ClaimType("\u{212A}"))
    #expect(Set([ClaimType("é"), ClaimType("e\u{301}")]).count == 2)
  }

  @Test("A provider's access token is known to be a credential")
  func credentials() {
    #expect(ClaimType.facebookAccessToken.isCredential)
    #expect(ClaimType("urn:x:access_token").isCredential)
    #expect(!ClaimType.name.isCredential)
  }
}
