import Foundation
import GateService
import Testing

/// What a gate's file says of applications on hosts of their own.
@Suite("Applications in the gate's file")
struct ApplicationFileTests {
  private static let example = """
    {
      "public": "https://app.example", "listen": "127.0.0.1:4180",
      "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]},
      "providers": [{"id": "idp", "saml": {"metadata": "idp.xml"}}],
      "headers": {"X-User": "subject"},
      "rules": [{"path": "/admin/", "claim": "role", "oneOf": ["admin"]}],
      "identityToken": {"header": "X-Token", "keys": ["identity.key"]},
      "tokens": "trust.json",
      "applications": [
        {"origin": "https://wiki.example", "rules": [{"path": "/a", "public": true}], "headers": {"X-Who": "email"}},
        {"origin": "https://talks.example"},
        {"origin": "https://api.example",
         "resource": {"identifier": "https://api.example/mcp", "authorizationServers": ["https://as.example"], "scopes": ["read", "write"]}}
      ]
    }
    """

  private func read(
    _ from: String = "", _ to: String = ""
  ) throws -> (configuration: GateConfiguration?, errors: [TokenError]) {
    var text = Self.example
    if !from.isEmpty {
      text.replaceSubrange(try #require(text.range(of: from)), with: to)
    }
    return GateConfiguration.read(Array(text.utf8))
  }

  @Test("Rules and headers are the application's, else the file's")
  func reads() throws {
    let (found, errors) = try read()
    #expect(errors.isEmpty)
    let configuration = try #require(found)
    #expect(
      configuration.applications.map(\.origin.description) == [
        "https://wiki.example", "https://talks.example", "https://api.example",
      ])
    let wiki = try #require(configuration.viewed(at: HTTPURL("https://wiki.example").origin))
    #expect(wiki.headerNames == ["X-Who", "X-Token"] && wiki.rules.rules.first?.isPublic == true)
    let talks = try #require(configuration.viewed(at: HTTPURL("https://talks.example").origin))
    #expect(talks.headerNames == ["X-User", "X-Token"])
    #expect(talks.rules.rules.map(\.values) == [["admin"]] && talks.resource == nil)
    let api = try #require(configuration.viewed(at: HTTPURL("https://api.example").origin))
    #expect(api.resource?.identifier == "https://api.example/mcp")
    #expect(configuration.viewed(at: try HTTPURL("https://evil.example").origin) == nil)
    // The public origin's are the file's, not those of the first application.
    let file = try #require(configuration.viewed(at: HTTPURL("https://app.example").origin))
    #expect(file.headerNames == ["X-User", "X-Token"] && file.applications.count == 3)
    #expect(file.rules.rules.map(\.values) == [["admin"]])
    #expect(configuration.neededClaims.contains { $0.contains("email") })
    // An entry for the public origin says more of that, and is no other host.
    let own = try #require(try read("https://talks.example", "https://app.example").configuration)
    #expect(own.applications.count == 2)
    let said = try #require(
      try read("https://wiki.example", "https://app.example").configuration)
    #expect(said.headerNames == ["X-Who", "X-Token"] && said.rules.rules.first?.isPublic == true)
    let dotted = try #require(
      try read("https://wiki.example", "https://WIKI.example.").configuration)
    #expect(dotted.applications.first?.origin.description == "https://wiki.example")
  }

  @Test("A file with several hosts says that public has the gate's pages alone, or is warned")
  func pagesOnly() throws {
    let found = try #require(try read().configuration)
    #expect(!found.hasPagesOnly)
    #expect(found.warnings.contains { $0.contains("\"pagesOnly\": true") })
    let alone = try #require(
      try read("\"tokens\":", "\"pagesOnly\": true, \"tokens\":").configuration)
    #expect(alone.hasPagesOnly && !alone.warnings.contains { $0.contains("pagesOnly") })
    // Where an application is named for public itself, the two contradict each other.
    var text = Self.example.replacing("\"tokens\":", with: "\"pagesOnly\": true, \"tokens\":")
    text = text.replacing("https://talks.example", with: "https://app.example")
    let errors = GateConfiguration.read(Array(text.utf8)).errors
    #expect(errors.map(\.code) == [.gateValue])
  }

  @Test(
    "What can never do what it seems to is an error with its line",
    arguments: [
      ("\"https://wiki.example\"", "\"https://wiki.example/a\"", "line 10"),
      ("\"https://wiki.example\"", "\"https://wiki.example/?a=1\"", "line 10"),
      ("\"https://wiki.example\"", "\"http://wiki.example\"", "line 10"),
      ("\"https://wiki.example\"", "\"wiki.example\"", "line 10"),
      ("\"https://wiki.example\"", "\"https://*.example\"", "line 10"),
      ("\"https://talks.example\"", "\"https://wiki.example\"", "line 11"),
      ("\"https://talks.example\"", "\"https://wiki.example:8443\"", "line 11"),
      ("\"https://talks.example\"", "\"https://WIKI.example.\"", "line 11"),
      ("\"https://talks.example\"", "\"https://app.example:444\"", "line 11"),
      ("{\"origin\": \"https://talks.example\"}", "{}", "line 11"),
      (
        "{\"origin\": \"https://talks.example\"}",
        "{\"origin\": \"https://talks.example\", \"prefix\": \"/x/\"}", "line 11"
      ),
      ("\"path\": \"/a\", \"public\"", "\"path\": \"/.gate/a\", \"public\"", "line 10"),
      ("\"path\": \"/a\", \"public\"", "\"path\": \"a\", \"public\"", "line 10"),
      ("\"X-Who\"", "\"Host\"", "line 10"), ("\"X-Who\"", "\"x_token\"", "line 10"),
      ("\"tokens\": \"trust.json\",", "", "line 13"),
      (
        "\"identifier\": \"https://api.example/mcp\"",
        "\"identifier\": \"https://wiki.example/mcp\"", "line 13"
      ),
      (
        "\"identifier\": \"https://api.example/mcp\"",
        "\"identifier\": \"https://api.example/mcp?a\"", "line 13"
      ),
      (
        "\"identifier\": \"https://api.example/mcp\"",
        "\"identifier\": \"https://API.example/mcp\"", "line 13"
      ),
      (
        "\"identifier\": \"https://api.example/mcp\"",
        "\"identifier\": \"https://api.example/a/../mcp\"", "line 13"
      ),
      (
        "\"identifier\": \"https://api.example/mcp\"",
        "\"identifier\": \"https://api.example/.gate/mcp\"", "line 13"
      ),
      ("\"identifier\": \"https://api.example/mcp\", ", "", "line 13"),
      (
        "\"authorizationServers\": [\"https://as.example\"]", "\"authorizationServers\": []",
        "line 13"
      ),
      (
        "\"authorizationServers\": [\"https://as.example\"]",
        "\"authorizationServers\": [\"as.example\"]", "line 13"
      ),
      ("\"authorizationServers\": [\"https://as.example\"], ", "", "line 13"),
      ("[\"read\", \"write\"]", "[]", "line 13"), ("[\"read\", \"write\"]", "[\"a b\"]", "line 13"),
    ])
  func mistakes(from: String, to: String, line: String) throws {
    let (configuration, errors) = try read(from, to)
    #expect(configuration == nil)
    #expect(errors.contains { $0.node?.hasPrefix(line) == true }, "\(errors)")
  }

  @Test(
    "A scope that the resource does not list is one that nobody may have, wherever a rule for it demands it"
  )
  func scopes() throws {
    func errors(_ path: String, _ scope: String) throws -> [TokenError] {
      try read(
        "{\"origin\": \"https://api.example\",",
        "{\"origin\": \"https://api.example\", \"rules\": [{\"path\": \"\(path)\", \"scope\": [\"read\", \"\(scope)\"]}],"
      ).errors
    }
    for path in ["/mcp", "/mcp/admin", "/"] {
      let found = try errors(path, "admin")
      #expect(found.map(\.code) == [.gateValue] && found.first?.node?.hasPrefix("line 13") == true)
      #expect(try errors(path, "write").isEmpty, "\(path)")
    }
    // Beside the resource the scopes are those of other tokens.
    #expect(try errors("/docs", "admin").isEmpty)
  }

  @Test("A list without an application is an error")
  func empty() {
    let text = """
      {"public": "https://app.example", "listen": "127.0.0.1:4180",
       "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]},
       "providers": [{"id": "idp", "saml": {"metadata": "idp.xml"}}], "applications": []}
      """
    #expect(GateConfiguration.read(Array(text.utf8)).errors.map(\.code) == [.gateValue])
  }
}
