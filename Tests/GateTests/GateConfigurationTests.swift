import Foundation
import GateService
import Testing

@Suite("The gate's file")
struct GateConfigurationTests {
  static let example = """
    {
      "public": "https://app.example",
      "listen": "127.0.0.1:4180", "operations": "127.0.0.1:4181",
      "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]},
      "prefix": "/.gate/",
      "entityID": "https://app.example/saml",
      "signingKey": "gate.key", "certificate": "gate.crt", "decryptKeys": ["gate.key"],
      "people": "by provider", "providers": [
        {"id": "campus", "name": "Campus", "saml": {"metadata": "idp.xml", "metadataKey": "signer.crt"}},
        {"id": "adfs", "name": "Work", "wsFederation": {"metadata": "adfs.xml", "realm": "urn:app"}},
        {"id": "entra", "name": "Entra", "openID": {"issuer": "https://issuer.example/v2.0", "clientID": "abc", "clientSecret": "file:secret"}}
      ],
      "session": {"store": "sqlite:gate.db", "lifetime": 28800, "idle": 1800},
      "headers": {"X-Remote-User": "subject", "X-Remote-Groups": {"claim": "groups", "provider": ["campus", "entra"], "only": ["a"]}},
      "rules": [{"path": "/admin/", "provider": "any", "claim": "role", "oneOf": ["admin"]}]
    }
    """

  @Test("The documented example is read")
  func reads() throws {
    let (configuration, errors) = GateConfiguration.read(Array(Self.example.utf8))
    #expect(errors.isEmpty)
    let gate = try #require(configuration)
    #expect(gate.providers.map(\.id) == ["campus", "adfs", "entra"])
    #expect(gate.store == .sqlite(path: "gate.db") && gate.listen.port == 4180)
    #expect(gate.rules.rules.count == 1 && gate.headers.count == 2)
  }

  @Test("A Unix socket is a place to listen at, and its peer counts only where it is listed")
  func unixSocket() throws {
    func read(_ listen: String, _ peers: String = "\"127.0.0.1\"") -> GateConfiguration? {
      let file = Self.example.replacing("127.0.0.1:4180", with: listen)
        .replacing("\"127.0.0.1\"", with: peers)
      return GateConfiguration.read(Array(file.utf8)).configuration
    }
    let gate = try #require(read("unix:/run/gate.sock"))
    #expect(gate.listen.socket == "/run/gate.sock" && gate.listen.isLoopback)
    #expect(gate.warnings.contains { $0.contains("proxy.peers") })
    #expect(!gate.peers.contains { $0.contains("unix:") })
    let listed = try #require(read("unix:/run/gate.sock", "\"unix:\", \"10.0.0.0/8\""))
    #expect(!listed.warnings.contains { $0.contains("proxy.peers") })
    #expect(listed.peers.contains { $0.contains("unix:") && !$0.contains("10.0.0.1") })
    #expect(listed.peers.contains { !$0.contains("unix:") && $0.contains("10.0.0.1") })
    for bad in ["unix:", "unix:gate.sock", "unix:/" + String(repeating: "a", count: 103)] {
      let file = Self.example.replacing("127.0.0.1:4180", with: bad)
      #expect(
        GateConfiguration.read(Array(file.utf8)).errors.map(\.code) == [.gateValue], "\(bad)")
    }
  }

  @Test("Other origins that read answers are written as browsers write them")
  func readers() throws {
    func codes(_ origins: String) -> [TokenError.Code] {
      let file = Self.example.replacing(
        "\"prefix\"",
        with:
          "\"applications\": [{\"origin\": \"https://b.example\", \"origins\": \(origins)}], \"prefix\""
      )
      return GateConfiguration.read(Array(file.utf8)).errors.map(\.code)
    }
    #expect(codes("[\"https://inspector.example\", \"http://localhost:6274\"]").isEmpty)
    for bad in ["[]", "[\"*\"]", "[\"https://a.example/\"]", "[\"https://A.example\"]", "[1]"] {
      #expect(codes(bad) == [.gateValue], "\(bad)")
    }
  }

  @Test("Metadata is in a file, at an address, or at a query server")
  func metadata() throws {
    func read(_ text: String) -> MetadataLocation? {
      let file = Self.example.replacing("\"metadata\": \"idp.xml\"", with: text)
      let provider = GateConfiguration.read(Array(file.utf8)).configuration?.providers.first
      return (provider?.exchange as? SAMLConfiguration)?.metadata
    }
    let name = "\"entityID\": \"urn:idp\", \"copy\": \"idp.copy\""
    let address = read("\"metadata\": \"https://idp.example/md\", " + name)
    let query = read("\"query\": \"https://mdq.example/\", " + name)
    guard case .address(let url, "signer.crt"?, "urn:idp", "idp.copy"?) = address,
      case .query(let base, "signer.crt", "urn:idp", "idp.copy"?) = query,
      case .file("idp.xml", "signer.crt"?, nil) = read("\"metadata\": \"idp.xml\"")
    else {
      Issue.record("\(String(describing: address)) \(String(describing: query))")
      return
    }
    #expect(url.path == "/md" && base.origin.host == "mdq.example")
  }

  @Test("A gate for tokens alone needs no provider; a gate for nobody is an error")
  func tokensAlone() throws {
    let text = """
      {"public": "https://api.example", "listen": "127.0.0.1:4180", "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]}
      """
    let tokens = GateConfiguration.read(Array((text + ", \"tokens\": \"trust.json\"}").utf8))
    #expect(tokens.errors == [] && tokens.configuration?.providers.isEmpty == true)
    for more in ["}", ", \"providers\": []}", ", \"providers\": [], \"tokens\": \"trust.json\"}"] {
      #expect(GateConfiguration.read(Array((text + more).utf8)).errors.map(\.code) == [.gateValue])
    }
  }

  @Test(
    "What an OpenID provider does in its own way stands in its entry",
    arguments: [
      ("\"configuration\": \"https://login.example/p/.well-known/openid-configuration\"", true),
      ("\"configuration\": \"http://login.example/c\"", false), ("\"configuration\": 7", false),
      ("\"otherAudiences\": \"any\"", true), ("\"otherAudiences\": []", true),
      ("\"otherAudiences\": [\"a\"]", true), ("\"otherAudiences\": \"a\"", false),
      ("\"otherAudiences\": [7]", false),
    ])
  func ownWays(member: String, isRead: Bool) throws {
    let text = Self.example.replacing(
      "\"clientID\": \"abc\"", with: "\"clientID\": \"abc\", \(member)")
    let errors = GateConfiguration.read(Array(text.utf8)).errors
    #expect(errors.map(\.code) == (isRead ? [] : [.gateValue]), "\(errors)")
  }

  @Test("The address of the configuration is no issuer: the error says where it belongs")
  func configurationAsIssuer() throws {
    let address = "https://issuer.example/v2.0/.well-known/openid-configuration"
    let text = Self.example.replacing("https://issuer.example/v2.0", with: address)
    let error = try #require(GateConfiguration.read(Array(text.utf8)).errors.first)
    #expect(error.code == .gateValue && error.expected?.contains("\"configuration\": ") == true)
  }

  @Test(
    "The clock of a provider may differ by as many seconds as its entry says",
    arguments: [
      ("0", 0), ("180", 180), ("600", 600), ("601", nil), ("-1", nil), ("\"180\"", nil),
    ] as [(String, Int?)])
  func skew(value: String, expected: Int?) throws {
    let text = Self.example.replacing(
      "\"id\": \"adfs\"", with: "\"id\": \"adfs\", \"skew\": \(value)")
    let (configuration, errors) = GateConfiguration.read(Array(text.utf8))
    #expect(configuration?.providers.map(\.skew) == expected.map { [60, $0, 60] })
    #expect(errors.map(\.code) == (expected == nil ? [.gateValue] : []))
  }

  @Test(
    "A mistake is an error with its line",
    arguments: [
      ("\"prefix\": \"/.gate/\"", "\"prefix\": \"/\"", TokenError.Code.gateValue, "line 5"),
      ("\"prefix\"", "\"prefx\"", .gateMember, "line 5"),
      ("[\"127.0.0.1\"]", "[]", .gateNoPeers, "line 4"),
      ("https://app.example\"", "http://app.example\"", .gateValue, "line 2"),
      ("127.0.0.1:4181", "127.0.0.1:4180", .gateValue, "line 3"),
      ("\"nginx\"", "\"apache\"", .gateValue, "line 4"),
      ("\"/admin/\"", "\"/admin/../\"", .gateValue, "line 15"),
      ("\"oneOf\": [\"admin\"]", "\"oneOf\": []", .gateValue, "line 15"),
      ("\"X-Remote-Groups\"", "\"x_remote_user\"", .gateValue, "line 14"),
      ("\"lifetime\": 28800", "\"lifetime\": 1", .gateValue, "line 13"),
      ("\"adfs\"", "\"campus\"", .gateValue, "line 10"),
      ("\"rules\"", "rules", .gateSyntax, "line 15"),
      ("\"idp.xml\"", "\"https://idp.example/metadata\"", .gateMember, "line 9"),
      ("\"idp.xml\"", "\"http://idp.example/metadata\"", .gateValue, "line 9"),
      ("\"metadata\": \"idp.xml\"", "\"query\": \"https://mdq.example/\"", .gateMember, "line 9"),
    ])
  func mistakes(
    from: String, to: String, code: TokenError.Code, line: String
  ) throws {
    let text = try #require(
      Self.example.firstRange(of: from).map { range in
        Self.example.replacingCharacters(in: range, with: to)
      })
    let (configuration, errors) = GateConfiguration.read(Array(text.utf8))
    #expect(configuration == nil)
    let error = try #require(errors.first)
    #expect(error.code == code && error.node?.hasPrefix(line) == true, "\(errors)")
  }

  @Test("Two mistakes are two errors")
  func several() {
    let (_, errors) = GateConfiguration.read(Array("{\"a\":1,\"b\":2}".utf8))
    #expect(errors.count { $0.code == .gateMember } > 3)
  }
}
