import AccessControl
import HTTPExchange
import SignIn
import TestSupport
import Testing

@Suite("The file of the local Access Control Service")
struct ServiceFileTests {
  private static let whole = """
    {
      "issuer": "https://acs.example/",
      "listen": "127.0.0.1:8090", "testPeople": "public",
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

  @Test("A list that is missing is named, and what is to be registered is known all the same")
  func draft() throws {
    let text = """
      {"issuer": "https://acs.example/", "listen": "127.0.0.1:8090",
       "providers": [{"id": "op", "openID": {"issuer": "https://op.example", "clientID": "c"}}]}
      """
    let (file, errors) = read(text)
    #expect(file == nil && errors.map(\.code) == [.issuingFileMember])
    #expect(errors.first?.expected == "relyingParties")
    #expect(ServiceFile.draft(Array(text.utf8))?.upstream.count == 1)
    #expect(ServiceFile.draft(Array("{".utf8)) == nil)
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
    #expect(file.recipientFileByRealm == ["uri:talks": "talks.pem"])
    #expect(file.certificateFileByName == ["uploader": "up.pem"])
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
      ("\"lifetime\": 300", "\"signing\": \"HS256\"", "line 19"),
      ("\"lifetime\": 300", "\"backChannelLogout\": \"http://t.example/\"", "line 19"),
      ("\"lifetime\": 300", "\"encryption\": \"A256GCM\"", "line 19"),
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

  @Test("Test people are for loopback: of the issuer and of the listener")
  func loopback() {
    let inside = Self.whole.replacing(" \"testPeople\": \"public\",", with: "")
      .replacing("https://acs.example/", with: "http://127.0.0.1:8090/")
    #expect(read(inside).errors == [])
    let outside = inside.replacing(
      "127.0.0.1:8090\",",
      with: "0.0.0.0:8090\", \"tls\": {\"certificate\": \"c\", \"key\": \"k\"},")
    #expect(read(outside).errors.map(\.code) == [.issuingFileValue], "\(read(outside).errors)")
  }

  @Test("Test people have the claims of their provider, with a given name that is one word")
  func people() throws {
    let text = Self.whole.replacing("\"upn\"", with: "\"givenname\", \"surname\"")
    guard case .testPeople(let people) = try #require(read(text).file).providers[2].kind else {
      throw TokenError(.noKey)
    }
    #expect(people[0].claims.single(.givenName) == "Mia")
    #expect(people[0].claims.single(.surname) == "Example")
  }

  @Test("A real provider has one protocol and no test people")
  func upstream() throws {
    let real = """
      "openID": {"issuer": "https://op.example/", "clientID": "acs"}}
      """
    let text = Self.whole.replacing("\"emailSuffixes\": [\"example.org\"]}", with: real)
    let file = try #require(read(text).file)
    #expect(file.upstream.count == 1)
    // The id is a URI: its digest stands in addresses, and the place in the file did.
    guard case .upstream("id-1e43425616606fa1") = file.providers[2].kind else {
      throw TokenError(.noKey)
    }
    #expect(file.upstream[0].formerIDs == ["provider-1"])
    for (part, other) in [
      ("\"clientID\": \"acs\"", "\"client\": \"acs\""),
      (real, "\"people\": [], " + real), (real, "\"saml\": {\"metadata\": \"a.xml\"}, " + real),
    ] {
      let changed = text.replacing(part, with: other)
      #expect(changed != text && read(changed).file == nil, "\(other)")
    }
  }

  private static func openID(_ entries: [(id: String, more: String)]) -> String {
    let list = entries.map {
      "{\"id\": \"\($0.id)\", \"openID\": {\"issuer\": \"https://op.example/\", \"clientID\": \"acs\"}\($0.more)}"
    }
    return whole.replacing(
      "\"emailSuffixes\": [\"example.org\"]}",
      with: "\"emailSuffixes\": [\"example.org\"]}, " + list.joined(separator: ", "))
  }

  @Test(
    "A provider above is addressed by its id; a name that earlier versions gave by place is another's only where none has it"
  )
  func addresses() throws {
    let plain = try #require(read(Self.openID([("work", ""), ("home", "")])).file)
    #expect(plain.upstream.map(\.id) == ["work", "home"])
    #expect(plain.upstream.map(\.formerIDs) == [["provider-1"], ["provider-2"]])
    let moved = try #require(
      read(Self.openID([("new", ""), ("work", ", \"address\": \"provider-1\"")])).file)
    #expect(moved.upstream.map(\.address) == [nil, "provider-1"])
    #expect(moved.upstream.map(\.formerIDs) == [[], ["provider-1", "provider-2"]])
  }

  @Test("An address is of one OpenID provider, and is a name that stands in addresses")
  func refusedAddresses() {
    let good = Self.openID([("work", ", \"address\": \"a.b\"")])
    #expect(read(good).errors == [])
    for text in [
      Self.openID([("work", ", \"address\": \"a/b\"")]),
      Self.openID([("work", ", \"address\": \"any\"")]),
      Self.openID([("work", ""), ("home", ", \"address\": \"work\"")]),
      Self.openID([("work", ", \"address\": \"home\""), ("home", "")]),
      Self.whole.replacing("\"offers\": [\"upn\"]", with: "\"address\": \"corp\""),
    ] {
      #expect(read(text).errors.map(\.code) == [.issuingFileValue], "\(read(text).errors)")
    }
  }

  @Test("proxy.peers names addresses and networks, and not everybody")
  func proxies() throws {
    func proxy(_ peers: String) -> String {
      Self.whole.replacing(
        "\"testPeople\"", with: "\"proxy\": {\"peers\": [\(peers)]}, \"testPeople\"")
    }
    let file = try #require(read(proxy("\"127.0.0.1\", \"10.0.0.0/8\", \"2001:db8::/32\"")).file)
    for (peer, forwarded, sender) in [
      ("127.0.0.1", ["192.0.2.1"], "192.0.2.1"), ("192.0.2.9", ["192.0.2.1"], "192.0.2.9"),
      ("127.0.0.1", [], "127.0.0.1"), ("127.0.0.1", ["192.0.2.1, 192.0.2.2"], "192.0.2.2"),
      ("127.0.0.1", ["192.0.2.1", "192.0.2.2, 10.1.2.3"], "192.0.2.2"),
      ("127.0.0.1", ["10.1.2.3, unknown"], "127.0.0.1"),
      ("127.0.0.1", ["192.0.2.1:4711"], "192.0.2.1"),
      ("2001:db8::1", ["[2001:db9::1]:443"], "2001:db9::1"),
      ("127.0.0.1", ["2001:db9::1"], "2001:db9::1"), ("127.0.0.1", ["10.1.2.3"], "10.1.2.3"),
    ] as [(String, [String], String)] {
      var fields = HTTPFields()
      for text in forwarded { try fields.append("X-Forwarded-For", text) }
      #expect(file.proxy.sender(fields, from: peer) == sender, "\(peer) \(forwarded)")
    }
    #expect(try #require(read(Self.whole).file).proxy.sender(HTTPFields(), from: "::1") == "::1")
    for peers in ["", "\"host\"", "\"10.0.0.1/8\"", "\"0.0.0.0/1\", \"128.0.0.0/1\""] {
      #expect(read(proxy(peers)).errors.map(\.code) == [.issuingFileValue], "\(peers)")
    }
  }

  @Test("A key in the file never shows in an error")
  func secrets() {
    let short = Self.whole.replacing("\"lifetime\": 300", with: "\"key\": \"c2VjcmV0\"")
    let errors = read(short).errors
    #expect(errors.map(\.code) == [.issuingFileValue])
    #expect(!"\(errors)".contains("c2VjcmV0"))
  }

  @Test(
    "What fails open is an error with its line",
    arguments: [
      ("\"testPeople\": \"public\",", "", "line 4"), ("\"public\"", "\"yes\"", "line 3"),
      ("\"rules\": [\"default\"],", "", "line 18"), ("[\"default\"],", "[],", "line 19"),
      ("\"providers\": [\"Google\"]", "\"providers\": []", "line 20"),
      ("\"password\": \"p\", \"certificate\": \"up.pem\", ", "", "line 23"),
      ("\"id\": \"http://fs.example.org/trust\"", "\"id\": \"acs\"", "line 7"),
      ("https://t.example/in", "https://T.example/in", "line 18"),
      ("https://t.example/in", "https://t.example:443/in", "line 18"),
      (
        "\"lifetime\": 300",
        "\"key\": \"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"",
        "line 19"
      ),
      ("\"lifetime\": 300", "\"identifiers\": \"secret\"", "line 19"),
      ("\"value\": \"post\"", "\"to\": \"services\"", "line 14"),
      ("\"value\": \"post\"", "\"to\": \"everybody\"", "line 14"),
      ("\"name\": \"Corp\"", "\"authoritativeFor\": [\"a b\"]", "line 7"),
      ("\"name\": \"Corp\"", "\"subjectFrom\": \"uid\"", "line 7"),
      (
        "\"issuer\": \"https://acs.example/\"", "\"issuer\": \"http://127.0.0.1:8091/\"", "line 3"
      ),
      ("https://acs.example/", "https://acs.example/a/", "line 2"),
      ("https://acs.example/", "https://acs.example/?a=/", "line 2"),
      ("\"listen\":", "\"requestsPerSecond\": 0, \"listen\":", "line 3"),
      ("\"listen\":", "\"requestsPerSecond\": 1000001, \"listen\":", "line 3"),
      ("\"listen\":", "\"requestsPerSecond\": {\"perAddress\": 0}, \"listen\":", "line 3"),
      ("\"listen\":", "\"operations\": \"127.0.0.1:8090\", \"listen\":", "line 3"),
      ("\"listen\":", "\"operations\": \"0.0.0.0:9000\", \"listen\":", "line 3"),
      ("\"listen\":", "\"admin\": \"operations\", \"listen\":", "line 3"),
      ("\"listen\":", "\"admin\": \"here\", \"listen\":", "line 3"),
      ("\"listen\":", "\"admins\": [{\"name\": \"a\"}], \"listen\":", "line 3"),
      (
        "\"listen\":",
        "\"admins\": [{\"name\": \"a\", \"password\": \"p\", \"role\": \"x\"}], \"listen\":",
        "line 3"
      ),
      ("\"listen\":", "\"registration\": {\"relyingParty\": \"uri:talks\"}, \"listen\":", "line 3"),
      (
        "\"listen\":",
        "\"registration\": {\"relyingParty\": \"uri:talks\", \"open\": true, \"token\": \"t\"}, \"listen\":",
        "line 3"
      ),
      (
        "\"listen\":",
        "\"registration\": {\"relyingParty\": \"uri:none\", \"open\": true}, \"listen\":",
        "line 3"
      ),
      (
        "\"listen\":",
        "\"registration\": {\"relyingParty\": \"uri:talks\", \"open\": true, \"clients\": 0}, \"listen\":",
        "line 3"
      ),
      ("\"id\": \"http://fs.example.org/trust\"", "\"id\": \"Google\"", "line 7"),
      ("\"ruleGroups\": [", "\"ruleGroups\": [{\"name\": \"default\"},", "line 11"),
      (
        "\"encryptTo\": \"talks.pem\"}",
        "\"encryptTo\": \"talks.pem\"}, {\"realm\": \"uri:talks\", \"format\": \"SWT\", \"rules\": [\"default\"]}",
        "line 20"
      ),
      ("\"SAML 2.0\"", "\"SAML 1.1\", \"metadata\": \"sp.xml\"", "line 18"),
      (
        "\"redirect\": [\"https://u.example/c\"]}",
        "\"redirect\": []}, {\"name\": \"uploader\", \"password\": \"q\"}", "line 23"
      ),
      ("\"providers\": [\n", "\"providers\": [], \"old\": [\n", "line 4"),
      ("\"relyingParties\": [", "\"relyingParties\": [], \"old\": [", "line 17"),
    ])
  func strict(part: String, other: String, line: String) {
    let changed = Self.whole.replacing(part, with: other)
    #expect(changed != Self.whole)
    let (file, errors) = read(changed)
    #expect(file == nil, "\(other)")
    #expect(
      errors.contains { $0.code == .issuingFileValue && $0.node?.hasPrefix(line + ",") == true },
      "\(other): \(errors)")
  }

  @Test("What the file says of addresses, domains, identifiers and limits is what the service has")
  func values() throws {
    let text = Self.whole
      .replacing(
        "\"listen\":", with: "\"requestsPerSecond\": 5, \"state\": \"memory\", \"listen\":"
      )
      .replacing("\"lifetime\": 300", with: "\"identifiers\": \"public\"")
      .replacing(
        "\"name\": \"Corp\"",
        with:
          "\"name\": \"Corp\", \"authoritativeFor\": [\"corp.example\"], \"image\": \"https://c.example/i\""
      )
    let (read, errors) = read(text)
    #expect(errors == [])
    let file = try #require(read)
    #expect(file.operations == nil && file.adminPlace == .public && file.registration == nil)
    #expect(file.rates == RequestRates(all: 5) && file.state == nil)
    let party = file.relyingParties[0]
    #expect(party.hasPublicIdentifiers && party.errorAddress?.text == "https://t.example/error")
    #expect(file.identities[0].redirectAddresses.map(\.text) == ["https://u.example/c"])
    let corp = file.providers[2]
    #expect(corp.emailSuffixes == ["example.org"] && corp.mailDomains == ["corp.example"])
    #expect(corp.image?.text == "https://c.example/i")
    let pairwise = Self.whole.replacing(
      "\"lifetime\": 300", with: "\"identifiers\": \"pairwise\"")
    #expect(try #require(self.read(pairwise).file).relyingParties[0].hasPublicIdentifiers == false)
  }

  @Test("A secret may be in a file of its own, wherever one is")
  func files() throws {
    let text = Self.whole.replacing("\"password\": \"p\"", with: "\"password\": \"file:a\"")
      .replacing("\"certificate\": \"up.pem\"", with: "\"key\": \"file:b\"")
      .replacing("\"lifetime\": 300", with: "\"key\": \"file:c\", \"clientSecret\": \"file:d\"")
    let file = try #require(read(text).file)
    #expect(
      file.secretFiles == [
        .password("uploader"): "a", .identityKey("uploader"): "b", .partyKey("uri:talks"): "c",
        .clientSecret("uri:talks"): "d",
      ])
    #expect(file.identities[0].password == nil && file.relyingParties[0].clientSecret == nil)
    #expect(read(text.replacing("file:a", with: "file:")).file == nil)
    #expect(ServiceFile.symmetricKey(String(repeating: "ab", count: 32)) == nil)
    #expect(ServiceFile.symmetricKey("MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=") != nil)
  }

  @Test(
    "A rule that gives what tokens keep for themselves is a fault with its line, in the format that keeps it"
  )
  func reserved() throws {
    for (format, type, isReserved) in [
      ("SWT", "Audience", true), ("SWT", "audience", true), ("SWT", "iss", false),
      ("JWT", "iss", true), ("JWT", "sub", true), ("JWT", "auth_time", true),
      ("JWT", "email_verified", true), ("JWT", "Audience", false),
      ("SAML 2.0", "authenticationinstant", true), ("SAML 2.0", "urn:can", false),
      (
        "SWT", "http://schemas.microsoft.com/accesscontrolservice/2010/07/claims/identityprovider",
        true
      ),
    ] {
      let text = Self.whole.replacing("\"urn:can\"", with: "\"\(type)\"")
        .replacing("\"SAML 2.0\"", with: "\"\(format)\"")
        .replacing(", \"encryptTo\": \"talks.pem\"", with: "")
      let (file, errors) = read(text)
      #expect(errors == [])
      let faults = try #require(file).faults
      #expect(
        faults.map(\.code) == (isReserved ? [.issuingReservedClaim] : []), "\(format) \(type)")
      if isReserved { #expect(faults[0].node?.hasPrefix("line 14,") == true) }
    }
  }

  @Test(
    "What SAML says of the sign-in is passed on there and reserved elsewhere, in the groups of a party alone"
  )
  func passed() throws {
    let rule = "{\"if\": {\"from\": \"Google\", \"type\": \"authenticationinstant\"}}"
    func faults(_ format: String, group: String = "default", rule: String = rule) throws -> Int {
      let other = "{\"name\": \"other\", \"rules\": [\(rule)]}"
      let text = Self.whole
        .replacing("\"SAML 2.0\"", with: "\"\(format)\"")
        .replacing(", \"encryptTo\": \"talks.pem\"", with: "")
        .replacing("\"ruleGroups\": [", with: "\"ruleGroups\": [\(other),")
        .replacing("\"rules\": [\"default\"]", with: "\"rules\": [\"\(group)\"]")
      let (file, errors) = read(text)
      #expect(errors == [])
      return try #require(file).faults.count
    }
    #expect(try faults("SAML 2.0", group: "other") == 0)
    let named = rule.replacing("}}", with: "}, \"type\": \"authenticationinstant\"}")
    #expect(try faults("SAML 2.0", group: "other", rule: named) == 1)
    #expect(try faults("SAML 2.0", rule: named) == 0)
    let audience = "{\"if\": {\"from\": \"Google\", \"type\": \"Audience\"}}"
    #expect(try faults("SWT", group: "other", rule: audience) == 1)
    #expect(try faults("SAML 1.1", group: "other", rule: audience) == 0)
  }

  @Test("A member that comes twice, and a byte order mark, are named as what they are")
  func syntax() {
    for text in ["{\"a\": 1, \"a\": 2}", "\u{FEFF}{}"] {
      let error = read(text).errors.first
      #expect(error?.code == .issuingFileSyntax && error?.found?.isEmpty == false)
    }
  }

  @Test("A key of its own is needed for each algorithm that a relying party has, beside RS256")
  func webAlgorithms() throws {
    for (member, algorithms) in [
      ("\"lifetime\": 300", []), ("\"signing\": \"RS256\"", []),
      ("\"signing\": \"ES256\"", [.ecdsaSHA256]),
    ] as [(String, [SignatureAlgorithm])] {
      let text = Self.whole.replacing("\"lifetime\": 300", with: member)
        .replacing("SAML 2.0", with: "JWT")
      let (file, errors) = read(text)
      #expect(file?.webAlgorithms == algorithms, "\(errors)")
    }
  }

  @Test("An encryption is for JSON Web Tokens that are encrypted")
  func encryption() {
    let jwt = Self.whole.replacing("SAML 2.0", with: "JWT")
      .replacing("\"lifetime\": 300", with: "\"encryption\": \"A256GCM\"")
    #expect(read(jwt).errors == [])
    let unencrypted = jwt.replacing(", \"encryptTo\": \"talks.pem\"", with: "")
    #expect(read(unencrypted).errors.map(\.code) == [.issuingFileValue])
  }

  @Test("Operations in a network are for a file whose admin pages are elsewhere")
  func operationsPlace() {
    for (admin, isGood) in [("operations", false), ("public", true), ("off", true)] {
      let text = Self.whole.replacing(
        "\"listen\"",
        with: "\"operations\": \"192.0.2.1:8091\", \"admin\": \"\(admin)\", \"listen\"")
      #expect(read(text).errors.isEmpty == isGood, "\(admin): \(read(text).errors)")
    }
  }
  @Test("Metadata of a party is a file, or an address with a key and a copy")
  func partyMetadata() throws {
    func location(_ members: String) -> (MetadataLocation?, [TokenError]) {
      let (file, errors) = read(
        Self.whole.replacing("\"lifetime\": 300", with: "\"lifetime\": 300, " + members))
      return (file?.metadataByRealm["uri:talks"], errors)
    }
    let (file, none) = location("\"metadata\": \"sp.xml\"")
    #expect(none == [] && file?.fileName == "sp.xml")
    for (members, key, copy) in [
      ("\"metadata\": \"https://sp.example/md\"", nil, nil),
      (
        "\"metadata\": \"http://127.0.0.1:80/md\", \"metadataKey\": \"k.crt\", \"copy\": \"c\"",
        "k.crt", "c"
      ),
    ] as [(String, String?, String?)] {
      let (found, errors) = location(members)
      guard case .address(let url, let foundKey, "uri:talks", let foundCopy) = found else {
        Issue.record("\(members): \(errors)")
        continue
      }
      #expect(url.path == "/md" && foundKey == key && foundCopy == copy)
    }
    for members in [
      "\"metadata\": \"http://sp.example/md\"", "\"copy\": \"c\"", "\"metadataKey\": \"k.crt\"",
      "\"metadata\": \"sp.xml\", \"copy\": \"c\"",
      "\"metadata\": \"sp.xml\", \"metadataKey\": \"k\"",
    ] {
      let (_, errors) = location(members)
      #expect(errors.map(\.code) == [.issuingFileValue], "\(members)")
    }
    let web = Self.whole.replacing(
      "\"lifetime\": 300", with: "\"metadata\": \"https://sp.example/md\""
    )
    .replacing("SAML 2.0", with: "JWT")
    #expect(read(web).errors.first?.code == .issuingFileValue)
  }
}
