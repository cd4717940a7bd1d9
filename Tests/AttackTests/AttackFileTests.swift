import SignInAttack
import TestSupport
import Testing

@Suite("The file of the driver")
struct AttackFileTests {
  private static let good = #"""
    {"protocol": "saml20", "listen": "127.0.0.1:9400", "public": "http://127.0.0.1:9400",
     "start": "http://127.0.0.1:8080/login",
     "probe": {"url": "http://127.0.0.1:8080/me", "status": 200, "contains": "PERSON"},
     "person": {"subject": "alice", "claims": {"email": "PERSON@example.org"}},
     "attacker": {"subject": "admin"}, "entity": "urn:app"}
    """#

  /// The errors of the file with a text replaced.
  private func errors(_ old: String, _ new: String) -> [TokenError] {
    let text = Self.good.replacing(old, with: new)
    return AttackConfiguration.read(Array(text.utf8)).errors
  }

  @Test("A good file is read")
  func read() throws {
    let configuration = try #require(AttackConfiguration.read(Array(Self.good.utf8)).configuration)
    #expect(configuration.protocolName == .saml20)
    #expect(configuration.issuer == "http://127.0.0.1:9400")
    #expect(configuration.attacker == "admin" && configuration.entity == "urn:app")
    #expect(configuration.person.claims(of: "bob").map(\.value) == ["bob@example.org"])
    #expect(configuration.usesCanaries && configuration.perSecond == 5)
  }

  @Test("Every member that can be there is taken")
  func whole() throws {
    let more = #"""
      "consumer": "http://127.0.0.1:8080/acs", "logout": "http://127.0.0.1:8080/slo", "token": "saml20",
      "frontChannelLogout": "http://127.0.0.1:8080/out", "second": "http://127.0.0.1:8080/login2",
      "reread": {"url": "http://127.0.0.1:9500/reread", "seconds": 7},
      "authorized": "the owner", "login": {"user": "a"}, "canaries": false, "keys": "k",
      "signIns": {"most": 10, "perSecond": 1}, "timeout": 5, "skip": ["replay/"], "$schema": "s", "entity"
      """#
    let text = Self.good.replacing("\"entity\"", with: more)
    let (configuration, errors) = AttackConfiguration.read(Array(text.utf8))
    #expect(errors == [])
    let read = try #require(configuration)
    #expect(read.mostSignIns == 10 && read.perSecond == 1 && read.timeout == 5)
    #expect(!read.usesCanaries && read.login.map(\.name) == ["user"] && read.skipped == ["replay/"])
    #expect(read.consumer?.path == "/acs" && read.logout?.path == "/slo")
    #expect(read.frontChannelLogout?.path == "/out" && read.second?.path == "/login2")
    #expect(read.rereading?.url?.path == "/reread" && read.rereading?.seconds == 7)
  }

  @Test("What is not JSON is told")
  func syntax() {
    #expect(AttackConfiguration.read(Array("{".utf8)).errors == [TokenError(.attackSyntax)])
  }

  @Test(
    "A member that is missing or unknown is told with its line",
    arguments: [
      ("\"start\"", "\"begin\""), ("\"subject\": \"alice\"", "\"name\": \"alice\""),
      ("\"entity\"", "\"entities\""),
    ])
  func members(old: String, new: String) throws {
    let errors = errors(old, new)
    #expect(errors.contains(TokenError(.attackMember)))
    #expect(errors.allSatisfy { $0.node?.hasPrefix("line ") == true })
  }

  @Test(
    "A value that is none is told",
    arguments: [
      ("saml20", "saml11"), ("127.0.0.1:9400\", \"public", "9400\", \"public"),
      ("\"http://127.0.0.1:9400\"", "\"http://127.0.0.1:9400/path\""),
      ("http://127.0.0.1:8080/me", "ftp://a/"),
      ("200", "700"), ("\"admin\"", "\"alice\""), ("\"entity\": \"urn:app\"", "\"timeout\": 0"),
      ("\"entity\": \"urn:app\"", "\"signIns\": {\"perSecond\": 6}"),
      ("\"entity\": \"urn:app\"", "\"signIns\": {\"most\": 0}"),
      ("\"entity\": \"urn:app\"", "\"token\": \"jwt\""),
      ("\"entity\": \"urn:app\"", "\"login\": [1]"),
      ("\"entity\": \"urn:app\"", "\"consumer\": \"http://127.0.0.1:1/acs\""),
      ("\"entity\": \"urn:app\"", "\"second\": \"http://127.0.0.1:1/login\""),
      ("\"entity\": \"urn:app\"", "\"reread\": {\"seconds\": 601}"),
    ])
  func values(old: String, new: String) {
    #expect(errors(old, new) == [TokenError(.attackValue)])
  }

  @Test(
    "An address beyond loopback needs the name of the person who allowed the test",
    arguments: [
      ("http://127.0.0.1:8080/login", "https://192.0.2.1/login"),
      ("http://127.0.0.1:8080/me", "https://[2001:db8::1]/me"),
      ("\"127.0.0.1:9400\"", "\"0.0.0.0:9400\""),
      (
        "\"entity\": \"urn:app\"",
        "\"entity\": \"urn:app\", \"reread\": {\"url\": \"https://192.0.2.1/\"}"
      ),
    ])
  func consent(old: String, new: String) {
    #expect(errors(old, new) == [TokenError(.attackConsent)])
    let allowed = Self.good.replacing(old, with: new)
      .replacing("\"entity\":", with: "\"authorized\": \"the owner\", \"entity\":")
    #expect(AttackConfiguration.read(Array(allowed.utf8)).errors == [])
  }

  @Test(
    "A provider that listens at a name beyond localhost needs it too",
    arguments: [("host.example", false), ("localhost", true), ("[::1]", true)])
  func listening(host: String, isLoopback: Bool) throws {
    let errors = errors("\"127.0.0.1:9400\"", "\"\(host):9400\"")
    #expect(errors == (isLoopback ? [] : [TokenError(.attackConsent)]))
    if let error = errors.first {
      #expect(error.expected == "an address of loopback or localhost, or authorized")
    }
  }

  @Test(
    "A name that no one can see allows nothing", arguments: [" ", "\\t\\n", "\u{00A0}", "\u{200B}"])
  func invisible(name: String) {
    let text = Self.good.replacing("http://127.0.0.1:8080/me", with: "https://192.0.2.1/me")
      .replacing("\"entity\":", with: "\"authorized\": \"\(name)\", \"entity\":")
    #expect(
      AttackConfiguration.read(Array(text.utf8)).errors == [
        TokenError(.attackConsent), TokenError(.attackValue),
      ])
  }

  @Test(
    "A password in an address is not shown",
    arguments: ["http://tester:hunter2@127.0.0.1:8080/login", "http://a@hunter2@127.0.0.1:8080?x"])
  func password(address: String) throws {
    let error = try #require(errors("http://127.0.0.1:8080/login", address).first)
    #expect(error == TokenError(.attackValue))
    #expect(error.expected == "an address without user and password")
    #expect(error.found?.contains("http://127.0.0.1:8080") == true)
    #expect(!error.description.contains("hunter2") && !error.description.contains("tester"))
  }

  @Test("An @ in the path or the query of an address is none of a user")
  func atSign() {
    #expect(errors("8080/login", "8080/@login?mail=a@b") == [])
  }

  @Test("All that is wrong is told at once, also beside a member that is missing")
  func all() {
    let errors = errors(
      "\"start\": \"http://127.0.0.1:8080/login\",",
      "\"timeout\": 0, \"signIns\": {\"most\": 0}, \"token\": \"jwt\", \"skip\": [1],")
    #expect(
      errors.map(\.code) == [
        .attackMember, .attackValue, .attackValue, .attackValue, .attackValue,
      ])
  }

  @Test("Each variant names a person of its own, and an address stays one")
  func canaries() throws {
    var configuration = try AttackFixture.configuration()
    #expect(configuration.subject(of: "a") != configuration.subject(of: "b"))
    #expect(configuration.subject(of: "a") == configuration.subject(of: "a"))
    #expect(configuration.subject(of: "a").hasPrefix("alice-"))
    configuration.usesCanaries = false
    #expect(configuration.subject(of: "a") == "alice")
    let text = Self.good.replacing("\"alice\"", with: "\"alice@example.org\"")
    let mail = try #require(AttackConfiguration.read(Array(text.utf8)).configuration)
    #expect(
      mail.subject(of: "a").hasPrefix("alice-") && mail.subject(of: "a").hasSuffix("@example.org"))
  }
}
