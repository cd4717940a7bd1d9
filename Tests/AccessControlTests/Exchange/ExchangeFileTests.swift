import AccessControl
import Testing

@Suite("Who may exchange tokens, in the file of the local Access Control Service")
struct ExchangeFileTests {
  private func read(
    party: String = "", identity: String = "", provider: String = "", more: String = ""
  ) -> (file: ServiceFile?, errors: [TokenError]) {
    ServiceFile.read(
      Array(
        """
        {"issuer": "http://127.0.0.1:8090/", "listen": "127.0.0.1:8090", "state": "memory",
         "providers": [{"kind": "google"\(provider)},
           {"id": "op", "grants": "reuse", "contexts": {"urn:mfa": "2"}, "openID": {"issuer": "https://op.example", "clientID": "acs"}}],
         "ruleGroups": [{"name": "all", "generate": ["Google", "op"]}],
         "relyingParties": [
           {"realm": "urn:api", "format": "JWT", "rules": ["all"]\(party)},
           {"realm": "client", "format": "JWT", "rules": ["all"], "clientSecret": "file:secret"},
           {"realm": "open", "format": "JWT", "rules": ["all"]},
           {"realm": "both", "format": "JWT", "rules": ["all"], "clientSecret": "s"}],
         "serviceIdentities": [{"name": "agent", "password": "p"\(identity)}, {"name": "both", "password": "p"}]
         \(more)}
        """.utf8))
  }

  @Test(
    "exchangeFor, mayActFor, scopes, audiences, recipients, grants and authorizationServers are read into types"
  )
  func members() throws {
    let (file, errors) = read(
      party: """
        , "exchangeFor": ["agent", "client"], "mayActFor": ["agent"], "scopes": ["read", "write"],
          "resourceFor": ["client", "open"]
        """,
      identity: """
        , "audiences": ["https://agent.example/saml"], "recipients": ["https://agent.example/acs"]
        """,
      more: """
        , "authorizationServers": [{"issuer": "https://as.example", "clients": {"agent": "theirs"},
          "relyingParty": "urn:api", "scopes": ["orders"], "resources": ["https://as.example/mcp"]}]
        """)
    #expect(errors.isEmpty, "\(errors)")
    let read = try #require(file)
    let api = try #require(read.relyingParties.first)
    #expect(api.exchange.clients == ["agent", "client"] && api.exchange.actingClients == ["agent"])
    #expect(api.exchange.scopes == ["read", "write"])
    #expect(read.identities.first?.clientNames.audiences == ["https://agent.example/saml"])
    #expect(
      read.identities.first?.clientNames.recipients.first?.text == "https://agent.example/acs")
    #expect(read.providers.map(\.grants) == [nil, .reuse])
    #expect(read.providers.last?.contexts == [ContextName("urn:mfa", theirs: "2")])
    #expect(api.exchange.resourceClients == ["client", "open"])
    let server = try #require(read.authorizationServers.first)
    #expect(server.clients == [.init("agent", theirs: "theirs")])
    #expect(server.relyingParty == "urn:api" && server.scopes == ["orders"])
    // None by default.
    let (plain, none) = self.read()
    #expect(none.isEmpty && plain?.relyingParties.first?.exchange == ExchangePolicy())
  }

  @Test("What can never be is refused with its line")
  func refusals() {
    for (party, provider, more, line) in [
      (", \"exchangeFor\": [\"nobody\"]", "", "", 6),
      (", \"exchangeFor\": [\"open\"]", "", "", 6),
      (", \"exchangeFor\": [\"both\"]", "", "", 6),
      (", \"exchangeFor\": [\"agent\"], \"mayActFor\": [\"client\"]", "", "", 6),
      (", \"scopes\": [\"a b\"]", "", "", 6),
      (", \"recipients\": [\"http://x.example/\"]", "", "", 6),
      (", \"resourceFor\": [\"agent\"]", "", "", 6), (", \"signResponse\": true", "", "", 6),
      ("", ", \"contexts\": {\"a\": \"x\", \"b\": \"x\"}", "", 2),
      ("", ", \"grants\": \"once\"", "", 2), ("", ", \"grants\": \"twice\"", "", 2),
      ("", "", ", \"authorizationServers\": [{\"issuer\": \"https://as.example\"}]", 11),
      (
        "", "",
        ", \"authorizationServers\": [{\"issuer\": \"x\", \"clients\": {\"nobody\": \"y\"}}]", 11
      ),
      (
        "", "",
        ", \"authorizationServers\": [{\"issuer\": \"x\", \"clients\": {\"agent\": \"y\"}, \"relyingParty\": \"z\"}]",
        11
      ),
    ] {
      let (file, errors) = read(party: party, provider: provider, more: more)
      #expect(file == nil, "\(party)\(provider)\(more)")
      #expect(
        errors.first?.node?.contains("line \(line)") == true,
        "\(party)\(provider)\(more): \(errors)")
      #expect(errors.allSatisfy { $0.code == .issuingFileValue }, "\(errors)")
    }
  }
}
