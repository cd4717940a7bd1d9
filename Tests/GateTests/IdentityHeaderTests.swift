import GateService
import Testing

@Suite("Headers for the application")
struct IdentityHeaderTests {
  private let headers = IdentityHeaders([
    HeaderRule(name: "X-Remote-User", claims: [GateClaim.subject]),
    HeaderRule(name: "X-Remote-Groups", claims: ["groups"], only: ["staff", "a,b"]),
  ])

  @Test("GATE-3: Every header is there, empty where there is nothing to say")
  func always() throws {
    let ada = GateSubject(subject: "ada", claims: ClaimSet())
    #expect(try headers.fields(ada)["X-Remote-User"] == "ada")
    #expect(try headers.fields(ada)["X-Remote-Groups"] == "")
    let nobody = try headers.fields(nil)
    #expect(nobody.list.map(\.name) == ["X-Remote-User", "X-Remote-Groups"])
    #expect(nobody.list.allSatisfy { $0.value.isEmpty })
  }

  @Test("RP-14: A value cannot end a header, nor be taken for two")
  func escaping() throws {
    let subject = GateSubject(
      subject: "a\r\nX: y, %é",
      claims: ClaimSet([Claim("groups", "a,b"), Claim("groups", "staff"), Claim("groups", "x")]))
    let fields = try headers.fields(subject)
    #expect(fields["X-Remote-User"] == "a%0D%0AX:%20y%2C%20%25%C3%A9")
    #expect(fields["X-Remote-Groups"] == "a%2Cb,staff")
  }

  @Test("A claim beyond the limit, and groups that Entra left out, have codes of their own")
  func limits() throws {
    var small = headers
    small.limit = 3
    let long = #expect(throws: TokenError.self) {
      try small.fields(GateSubject(subject: "adas", claims: ClaimSet()))
    }
    #expect(long?.code == .gateHeaderTooLarge)
    _ = try small.fields(GateSubject(subject: "ada", claims: ClaimSet()))
    for claim in [Claim("hasgroups", "true"), Claim("_claim_names", "{\"groups\":\"src1\"}")] {
      let overage = #expect(throws: TokenError.self) {
        try headers.fields(GateSubject(subject: "ada", claims: ClaimSet([claim])))
      }
      #expect(overage?.code == .gateGroupsOverage)
    }
  }

  @Test("GATE-2: Names that an application might take for ours are found")
  func imitations() throws {
    let fields = try HTTPFields([
      ("x-remote-user", "a"), ("X_Remote_User", "b"), ("X.REMOTE.USER", "c"), ("X-Remote", "d"),
      ("X-Remote-User2", "e"),
    ])
    #expect(headers.imitations(in: fields) == ["x-remote-user", "X_Remote_User", "X.REMOTE.USER"])
  }
}
