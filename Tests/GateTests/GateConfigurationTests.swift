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
