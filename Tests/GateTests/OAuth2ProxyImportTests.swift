import Testing

@testable import GateService

@Suite("A configuration of oauth2-proxy becomes a gate's file")
struct OAuth2ProxyImportTests {
  private static let common = """
    http_address = "127.0.0.1:4180"
    redirect_url = "https://app.example/oauth2/callback"
    oidc_issuer_url = "https://login.example/"
    client_id = "app" # the client
    client_secret = 'secret'
    email_domains = [ "*" ]

    """

  private static func made(_ text: String, emails: [String]? = nil) -> OAuth2ProxyImport {
    OAuth2ProxyImport(common + text) { _ in emails }
  }

  private static func configuration(_ made: OAuth2ProxyImport) throws -> GateConfiguration {
    let (configuration, errors) = GateConfiguration.read(Array(made.text.utf8))
    #expect(errors.isEmpty, "\(errors)")
    return try #require(configuration)
  }

  @Test("Addresses, provider and session are carried over, and the gate reads the file")
  func carried() throws {
    let made = Self.made(
      """
      upstreams = [
        "http://127.0.0.1:8080/"
      ]
      cookie_expire = "168h0m0s"
      scope = "openid email"
      """)
    let configuration = try Self.configuration(made)
    #expect(configuration.origin.description == "https://app.example")
    #expect(configuration.listen.description == "127.0.0.1:4180")
    #expect(configuration.prefix == "/oauth2/")
    #expect(made.secret == "secret" && !made.text.contains("\"secret\""))
    #expect(made.application?.port == 8080)
    #expect(made.text.contains("\"lifetime\": 604800"))
    #expect(made.notes.isEmpty, "\(made.notes)")
  }

  @Test("A setting without a counterpart is named with its line")
  func named() {
    let made = Self.made("cookie_secret = \"x\"\nfrobnicate = true\nnonsense")
    #expect(made.notes.map(\.setting) == ["cookie_secret", "frobnicate", ""])
    #expect(made.notes.map(\.line) == [7, 8, 9])
  }

  @Test("Groups and addresses become a rule")
  func rules() throws {
    let groups = Self.made("allowed_groups = [ \"staff\", \"admins\" ]")
    #expect(groups.text.contains(#""claim": "groups", "oneOf": ["staff", "admins"]"#))
    #expect(!groups.text.contains("nobody: "))
    let emails = Self.made("authenticated_emails_file = \"list\"", emails: ["ada@app.example"])
    #expect(emails.text.contains(#""claim": "email", "oneOf": ["ada@app.example"]"#))
    _ = try (Self.configuration(groups), Self.configuration(emails))
  }

  @Test(
    "A restriction that cannot be carried over closes the gate",
    arguments: [
      "email_domains = [ \"app.example\" ]", "authenticated_emails_file = \"missing\"",
      "authenticated_emails_file = \"missing\"\nallowed_groups = [ \"staff\" ]",
    ])
  func closed(text: String) throws {
    let made = Self.made(text)
    #expect(made.text.contains(#"{"path": "/", "claim": "email", "oneOf": ["nobody: "#))
    #expect(!made.notes.isEmpty)
    _ = try Self.configuration(made)
  }

  @Test("A prefix of a path is opened, an expression is not")
  func routes() throws {
    let made = Self.made(
      "skip_auth_routes = [ \"GET=^/health\", \"^/assets/.*\", \"^/a(b|c)$\", \".*\" ]")
    #expect(made.text.contains(#"{"path": "/health", "method": "GET", "public": true}"#))
    #expect(made.text.contains(#"{"path": "/assets", "public": true}"#))
    #expect(made.notes.count == 2)
    _ = try Self.configuration(made)
  }

  @Test(
    "Durations of Go are read", arguments: [("168h0m0s", 604_800), ("90m", 5_400), ("45s", 45)])
  func durations(text: String, seconds: Int) {
    #expect(OAuth2ProxyImport.seconds(text) == seconds)
  }

  @Test("A text that is no duration is none", arguments: ["", "h", "1d", "10"])
  func noDurations(text: String) { #expect(OAuth2ProxyImport.seconds(text) == nil) }
}
