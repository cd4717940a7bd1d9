import AccessControl
import TestSupport
import Testing

@Suite("The file of the local Access Control Service")
struct ServiceFileTests {
  private static let whole = """
    {
      "issuer": "https://acs.example/",
      "listen": "127.0.0.1:8090",
      "providers": [
        {"kind": "facebook", "application": "42"},
        {"kind": "google", "people": [{"name": "Ada", "claims": {"name": "Ada", "role": ["a", "b"]}}]},
        {"id": "http://fs.example.org/trust", "name": "Corp", "offers": ["upn"],
         "emailSuffixes": ["example.org"]}
      ],
      "ruleGroups": [
        {"name": "default", "generate": ["Facebook-42", "Google"],
         "rules": [
           {"if": {"from": "Google", "type": "role", "value": "a"},
            "and": {"from": "acs", "type": "name"}, "type": "urn:can", "value": "post"}
         ]}
      ],
      "relyingParties": [
        {"realm": "uri:talks", "name": "Talks", "format": "SAML 2.0", "return": ["https://t.example/in"],
         "error": "https://t.example/error", "lifetime": 300, "rules": ["default"],
         "providers": ["Google"], "encryptTo": "talks.pem"}
      ],
      "serviceIdentities": [
        {"name": "uploader", "password": "p", "certificate": "up.pem", "redirect": ["https://u.example/c"]}
      ]
    }
    """

  private func read(_ text: String) -> (file: ServiceFile?, errors: [TokenError]) {
    ServiceFile.read(Array(text.utf8))
  }

  @Test("A whole file reads as it says")
  func whole() throws {
    let (read, errors) = read(Self.whole)
    #expect(errors == [])
    let file = try #require(read)
    #expect(file.issuer.text == "https://acs.example/" && file.listen.port == 8090)
    #expect(file.keys == "acs.keys" && file.state == "acs.db")
    #expect(file.providers.map(\.id) == ["Facebook-42", "Google", "http://fs.example.org/trust"])
    guard case .testPeople(let people) = file.providers[1].kind else { throw TokenError(.noKey) }
    #expect(people.map(\.name) == ["Ada"] && people[0].claims[.role] == ["a", "b"])
    guard case .testPeople(let standard) = file.providers[0].kind else { throw TokenError(.noKey) }
    #expect(standard.count == 2 && standard[0].claims.single(.facebookAccessToken) != nil)
    #expect(file.ruleGroups[0].rules.count == 5 + 3 + 1)
    let rule = try #require(file.ruleGroups[0].rules.last)
    #expect(rule.input.type == .role && rule.second?.issuer == .service)
    let party = file.relyingParties[0]
    #expect(party.lifetime == 300 && party.providers == ["Google"] && party.requiresEncryption)
    #expect(file.recipients == ["uri:talks": "talks.pem"])
    #expect(file.certificates == ["uploader": "up.pem"])
  }

  @Test(
    "Each mistake has its line and its code",
    arguments: [
      ("\"issuer\": \"https://acs.example/\"", "\"issuer\": \"https://acs.example\"", "line 2"),
      ("\"issuer\": \"https://acs.example/\"", "\"issuer\": \"http://acs.example/\"", "line 2"),
      ("127.0.0.1:8090", "0.0.0.0:8090", "line 3"), ("127.0.0.1:8090", "127.0.0.1", "line 3"),
      ("\"google\"", "\"gogle\"", "line 6"), ("\"Google\"],", "\"Gogle\"],", "line 11"),
      ("\"from\": \"acs\"", "\"from\": \"asc\"", "line 14"),
      ("\"SAML 2.0\"", "\"SAML2\"", "line 18"), ("\"SAML 2.0\"", "\"SWT\"", "line 20"),
      ("\"lifetime\": 300", "\"lifetime\": 90000", "line 19"),
      ("\"default\"],", "\"other\"],", "line 19"),
      ("[\"https://t.example/in\"]", "[\"http://t.example/in\"]", "line 18"),
    ])
  func mistakes(part: String, other: String, line: String) {
    let changed = Self.whole.replacing(part, with: other)
    #expect(changed != Self.whole)
    let (file, errors) = read(changed)
    #expect(file == nil && errors.first?.code == .issuingFileValue, "\(errors)")
    #expect(errors.contains { $0.node?.hasPrefix(line + ",") == true }, "\(errors)")
  }

  @Test("What is missing and what is unknown is named, and text that is no JSON has its place")
  func members() {
    for (part, other) in [
      ("\"issuer\"", "\"isuer\""), ("\"realm\"", "\"Realm\""), ("\"application\"", "\"app\""),
      ("\"if\"", "\"when\""),
    ] {
      let codes = read(Self.whole.replacing(part, with: other)).errors.map(\.code)
      #expect(codes.contains(.issuingFileMember), "\(part)")
    }
    let (_, errors) = read("{\"issuer\": }")
    #expect(errors.map(\.code) == [.issuingFileSyntax] && errors.first?.node != nil)
    let listening = Self.whole.replacing(
      "127.0.0.1:8090\"", with: "0.0.0.0:8090\", \"tls\": {\"certificate\": \"c\", \"key\": \"k\"}")
    #expect(read(listening).errors == [])
  }

  @Test("A real provider has one protocol and no test people")
  func upstream() throws {
    let real = """
      "openID": {"issuer": "https://op.example/", "clientID": "acs"}}
      """
    let text = Self.whole.replacing("\"emailSuffixes\": [\"example.org\"]}", with: real)
    let file = try #require(read(text).file)
    #expect(file.upstream.count == 1)
    guard case .upstream("provider-1") = file.providers[2].kind else { throw TokenError(.noKey) }
    for (part, other) in [
      ("\"clientID\": \"acs\"", "\"client\": \"acs\""),
      (real, "\"people\": [], " + real), (real, "\"saml\": {\"metadata\": \"a.xml\"}, " + real),
    ] {
      let changed = text.replacing(part, with: other)
      #expect(changed != text && read(changed).file == nil, "\(other)")
    }
  }

  @Test("A key in the file never shows in an error")
  func secrets() {
    let short = Self.whole.replacing("\"lifetime\": 300", with: "\"key\": \"c2VjcmV0\"")
    let errors = read(short).errors
    #expect(errors.map(\.code) == [.issuingFileValue])
    #expect(!"\(errors)".contains("c2VjcmV0"))
  }
}
