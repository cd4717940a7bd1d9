import GateService
import TestSupport
import Testing
import TokenBasics

@Suite("An error in gate.json names the member")
struct ConfigurationMessageTests {
  private static let good = """
    {"public": "https://app.example", "listen": "127.0.0.1:4180",
     "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]},
     "providers": [{"id": "op", "openID": {
      "issuer": "https://op.example", "clientID": "wiki"}}],
     "session": {"lifetime": 28800}}
    """

  private func messages(_ old: String, _ new: String) -> [String] {
    GateConfiguration.read(Array(Self.good.replacing(old, with: new).utf8)).errors.map {
      $0.inFile("gate.json").description
    }
  }

  @Test("A good file has no error")
  func good() { #expect(messages("wiki", "other") == []) }

  @Test("A lifetime that is not a number of seconds is told with its place and path")
  func value() {
    #expect(
      messages("28800", "\"8h\"") == [
        #"gate.json:5:26: session.lifetime must be a number of seconds from 60 to 2592000, not "8h" (gate.file-value)"#
      ])
  }

  @Test("A misspelt member and the missing one are two errors")
  func misspelt() {
    let messages = messages("clientID", "clientId")
    #expect(
      messages.contains(
        "gate.json:4:35: unknown member `clientId`; did you mean `clientID`? (gate.file-member)"))
    #expect(
      messages.contains {
        $0.hasSuffix(": providers[0].openID.clientID is missing (gate.file-member)")
      })
    #expect(messages.count == 2)
  }

  @Test(
    "A setting that can never do what it seems to is refused with its member",
    arguments: [
      ("\"wiki\"}", "\"wiki\", \"refresh\": 28800}", "providers[0].openID.refresh"),
      ("[\"127.0.0.1\"]", "[\"0.0.0.0/1\", \"128.0.0.0/1\"]", "proxy.peers"),
      ("[\"127.0.0.1\"]", "[\"::1\", \"8000::/1\", \"4000::/2\", \"::/2\"]", "proxy.peers"),
      ("https://app.example\"", "https://app.example.\"", "public"),
      (
        "\"session\"", "\"headers\": {\"traceparent\": \"subject\"}, \"session\"",
        "headers.traceparent"
      ),
    ])
  func vain(old: String, new: String, member: String) {
    let messages = messages(old, new)
    let names = messages.first?.contains(": \(member) must be ") == true
    #expect(messages.count == 1 && names, "\(messages)")
  }

  @Test(
    "Its twin is taken",
    arguments: [
      ("\"wiki\"}", "\"wiki\", \"refresh\": 28799}"),
      ("[\"127.0.0.1\"]", "[\"0.0.0.0/1\", \"128.0.0.0/2\"]"),
      ("[\"127.0.0.1\"]", "[\"::1\", \"8000::/1\", \"4000::/2\"]"),
      ("\"session\"", "\"headers\": {\"X-Trace\": \"subject\"}, \"session\""),
    ])
  func sensible(old: String, new: String) { #expect(messages(old, new) == []) }

  @Test(
    "A public rule for exactly the path of a resource is refused, one above it is not",
    arguments: [("/mcp", false), ("/mcp/", false), ("/", true), ("/mcp/open", true)])
  func publicResource(path: String, isGood: Bool) {
    let more = """
      "tokens": "trust.json", "applications": [{"origin": "https://api.example", "rules": [
       {"path": "\(path)", "public": true}], "resource": {"identifier": "https://api.example/mcp",
       "authorizationServers": ["https://as.example"]}}], "session"
      """
    #expect(messages("\"session\"", more).isEmpty == isGood)
  }
}
