import Foundation
import GateService
import Testing

/// What a gate's file says is read into what it can do: a value that can never do what it seems to is an error with
/// its line (SVC-7).
@Suite("Values of the gate's file")
struct TypedConfigurationTests {
  private static let example = """
    {
      "public": "https://app.example",
      "listen": "127.0.0.1:4180", "operations": "127.0.0.1:4181",
      "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]},
      "prefix": "/.gate/",
      "people": "by provider",
      "providers": [
        {"id": "campus", "saml": {"metadata": "idp.xml"}, "acceptsUnsolicited": false},
        {"id": "entra", "openID": {"issuer": "https://issuer.example/v2.0", "clientID": "abc"}}
      ],
      "headers": {"X-Remote-User": "subject"},
      "rules": [{"path": "/admin/", "method": "POST", "provider": "any", "claim": "role", "oneOf": ["admin"]}]
    }
    """

  private func read(
    _ from: String, _ to: String
  ) throws -> (configuration: GateConfiguration?, errors: [TokenError]) {
    let range = try #require(Self.example.range(of: from))
    return GateConfiguration.read(Array(Self.example.replacingCharacters(in: range, with: to).utf8))
  }

  @Test("The file without a mistake is read, without a warning")
  func reads() {
    let (configuration, errors) = GateConfiguration.read(Array(Self.example.utf8))
    #expect(errors.isEmpty && configuration?.warnings == [] && configuration?.people == .byProvider)
  }

  @Test(
    "What can never do what it seems to is an error with its line",
    arguments: [
      // Methods.
      ("\"POST\"", "\"post\"", "line 12"), ("\"POST\"", "\"Post\"", "line 12"),
      ("\"POST\"", "\"*\"", "line 12"), ("\"POST\"", "\"GET,POST\"", "line 12"),
      ("\"POST\"", "\"GET POST\"", "line 12"), ("\"POST\"", "\"PÖST\"", "line 12"),
      ("\"POST\"", "[\"POST\"]", "line 12"),
      // Paths.
      ("\"/admin/\"", "\"/admin*\"", "line 12"), ("\"/admin/\"", "\"/**/admin\"", "line 12"),
      ("\"/admin/\"", "\"/*/admin/*\"", "line 12"),
      ("\"/admin/\"", "\"/admin/{id}\"", "line 12"), ("\"/admin/\"", "\"/[a-z]+/\"", "line 12"),
      ("\"/admin/\"", "\"^/admin\"", "line 12"), ("\"/admin/\"", "\"/admin$\"", "line 12"),
      ("\"/admin/\"", "\"/users/:id/\"", "line 12"), ("\"/admin/\"", "\"/admin/.+\"", "line 12"),
      ("\"/admin/\"", "\"/(a|b)/\"", "line 12"), ("\"/admin/\"", "\"admin\"", "line 12"),
      ("\"/admin/\"", "\"/a?b\"", "line 12"), ("\"/admin/\"", "\"/größe\"", "line 12"),
      ("\"/admin/\"", "\"/.gate/x\"", "line 12"), ("\"/admin/\"", "7", "line 12"),
      // Lists of rules.
      ("\"oneOf\": [\"admin\"]", "\"noneOf\": []", "line 12"),
      ("\"oneOf\": [\"admin\"]", "\"oneOf\": [\"a\"], \"noneOf\": [\"b\"]", "line 12"),
      ("\"claim\": \"role\", \"oneOf\": [\"admin\"]", "\"noneOf\": []", "line 12"),
      ("\"claim\": \"role\", ", "", "line 12"),
      // Providers of rules.
      ("\"any\"", "\"adfs\"", "line 12"), ("\"any\"", "[]", "line 12"),
      ("\"any\"", "[\"campus\", \"any\"]", "line 12"),
      (
        "\"claim\": \"role\", \"oneOf\": [\"admin\"]",
        "\"claim\": \"subject\", \"oneOf\": [\"alice\"]", "line 12"
      ),
      (
        "\"claim\": \"role\", \"oneOf\": [\"admin\"]",
        "\"claim\": \"subject\", \"oneOf\": [\"adfs:alice\"]", "line 12"
      ),
      // Peers.
      ("[\"127.0.0.1\"]", "[\"localhost\"]", "line 4"),
      ("[\"127.0.0.1\"]", "[\"10.0.0.1/8\"]", "line 4"),
      ("[\"127.0.0.1\"]", "[\"0.0.0.0/0\"]", "line 4"), ("[\"127.0.0.1\"]", "[\"::/0\"]", "line 4"),
      ("[\"127.0.0.1\"]", "[\"127.0.0.1:80\"]", "line 4"),
      ("[\"127.0.0.1\"]", "[\"127.0.0.01\"]", "line 4"),
      ("[\"127.0.0.1\"]", "[\"127.1\"]", "line 4"), ("[\"127.0.0.1\"]", "[\"*\"]", "line 4"),
      ("[\"127.0.0.1\"]", "[\"10.0.0.0/33\"]", "line 4"),
      ("[\"127.0.0.1\"]", "[\"[::1]\"]", "line 4"),
      ("[\"127.0.0.1\"]", "[\"10.0.0.0/8/8\"]", "line 4"),
      ("[\"127.0.0.1\"]", "[\"10.0.0.0/+8\"]", "line 4"),
      ("[\"127.0.0.1\"]", "[\"10.0.0.+1\"]", "line 4"),
      ("[\"127.0.0.1\"]", "[\"1:2:3:4:5:6:7:8::9\"]", "line 4"),
      ("[\"127.0.0.1\"]", "[\"::12345\"]", "line 4"),
      ("[\"127.0.0.1\"]", "[\"::00001\"]", "line 4"), ("[\"127.0.0.1\"]", "[\"::g\"]", "line 4"),
      ("[\"127.0.0.1\"]", "[\"::+1\"]", "line 4"),
      ("[\"127.0.0.1\"]", "\"127.0.0.1\"", "line 4"),
      // Listeners.
      ("\"127.0.0.1:4180\"", "\"::1:4180\"", "line 3"),
      ("\"127.0.0.1:4180\"", "\":4180\"", "line 3"),
      ("\"127.0.0.1:4180\"", "\"127.0.0.1\"", "line 3"),
      ("\"127.0.0.1:4180\"", "\"127.0.0.1:0\"", "line 3"),
      ("\"127.0.0.1:4181\"", "\"0.0.0.0:4180\"", "line 3"),
      ("\"127.0.0.1:4181\"", "\"localhost:4180\"", "line 3"),
      ("\"127.0.0.1:4181\"", "\"127.0.0.1:4180\"", "line 3"),
      ("\"127.0.0.1:4180\"", "\"0.0.0.0:4181\"", "line 3"),
      // Headers.
      ("\"X-Remote-User\"", "\"Content-Length\"", "line 11"),
      ("\"X-Remote-User\"", "\"host\"", "line 11"),
      ("\"X-Remote-User\"", "\"x_forwarded_uri\"", "line 11"),
      ("\"X-Remote-User\"", "\"Sec-Fetch-Mode\"", "line 11"),
      ("\"X-Remote-User\"", "\"Proxy\"", "line 11"),
      ("\"X-Remote-User\"", "\"X-Accel-Redirect\"", "line 11"),
      ("\"X-Remote-User\"", "\"Set.Cookie\"", "line 11"),
      ("\"X-Remote-User\"", "\"a b\"", "line 11"),
      ("\"subject\"}", "{\"claim\": \"role\", \"provider\": \"any\", \"only\": []}}", "line 11"),
      // Prefixes.
      ("\"/.gate/\"", "\"/gate?/\"", "line 5"), ("\"/.gate/\"", "\"/../gate/\"", "line 5"),
      ("\"/.gate/\"", "\"//\"", "line 5"), ("\"/.gate/\"", "\"/g%61te/\"", "line 5"),
      ("\"/.gate/\"", "\"/gate*/\"", "line 5"), ("\"/.gate/\"", "\"gate/\"", "line 5"),
      ("\"/.gate/\"", "\"/gate\"", "line 5"),
      // Origins.
      ("\"https://app.example\"", "\"https://app.example/a\"", "line 2"),
      ("\"https://app.example\"", "\"https://app.example/?a=b\"", "line 2"),
      // Booleans, identifiers, people, scopes, domains.
      ("false", "\"yes\"", "line 8"), ("false", "1", "line 8"), ("false", "null", "line 8"),
      ("\"clientID\": \"abc\"}", "\"clientID\": \"abc\"}, \"acceptsUnsolicited\": true", "line 9"),
      ("\"campus\"", "\"any\"", "line 8"), ("\"campus\"", "\"a b\"", "line 8"),
      ("\"campus\"", "\".\"", "line 8"), ("\"campus\"", "\"\"", "line 8"),
      ("\"campus\"", "\"\(String(repeating: "a", count: 65))\"", "line 8"),
      ("\"campus\"", "\"..\"", "line 8"), ("\"campus\"", "\"a/b\"", "line 8"),
      ("\"campus\"", "\"ä\"", "line 8"), ("\"by provider\"", "\"both\"", "line 6"),
      ("\"by provider\"", "true", "line 6"),
      ("\"clientID\": \"abc\"", "\"clientID\": \"abc\", \"scopes\": [\"email\"]", "line 9"),
      (
        "\"clientID\": \"abc\"", "\"clientID\": \"abc\", \"scopes\": [\"openid\", \"a b\"]",
        "line 9"
      ),
      ("\"clientID\": \"abc\"", "\"clientID\": \"abc\", \"scopes\": [\"openid\", \"ä\"]", "line 9"),
      (
        "\"clientID\": \"abc\"", "\"clientID\": \"abc\", \"scopes\": [\"openid\", \"a\\\\b\"]",
        "line 9"
      ),
      ("\"clientID\": \"abc\"", "\"clientID\": \"abc\", \"emails\": [\".corp.example\"]", "line 9"),
      ("\"clientID\": \"abc\"", "\"clientID\": \"abc\", \"emails\": [\"corp.example.\"]", "line 9"),
      ("\"clientID\": \"abc\"", "\"clientID\": \"abc\", \"scopes\": \"openid\"", "line 9"),
      ("\"clientID\": \"abc\"", "\"clientID\": \"abc\", \"scopes\": [\"openid email\"]", "line 9"),
      ("\"clientID\": \"abc\"", "\"clientID\": \"abc\", \"emails\": [\"@corp.example\"]", "line 9"),
    ])
  func mistakes(from: String, to: String, line: String) throws {
    let (configuration, errors) = try read(from, to)
    #expect(configuration == nil)
    let error = try #require(errors.first, "\(to)")
    #expect(error.code == .gateValue && error.node?.hasPrefix(line) == true, "\(to): \(errors)")
  }

  private static let key = "\"authentication\": \"privateKey\", \"clientKey\": \"a\""

  @Test(
    "What is asked of an OpenID provider can be asked, or is an error with its line",
    arguments: [
      "\"clientSecret\": \"s3cret\"", "\"clientSecret\": \"file:\"",
      "\"authentication\": \"jwt\"", "\"authentication\": \"basic\"",
      "\"authentication\": \"post\"",
      "\"authentication\": \"privateKey\"", "\"clientKey\": \"a\"",
      "\"authentication\": \"none\", \"clientSecret\": \"file:a\"",
      "\"authentication\": \"post\", \"clientSecret\": \"file:a\", \"clientKey\": \"a\"",
      key + ", \"clientSecret\": \"file:a\"", key + ", \"clientKeys\": [\"b\"]",
      "\"authentication\": \"privateKey\", \"clientKeys\": []",
      "\"userInfo\": \"yes\"", "\"userInfo\": null", "\"algorithms\": []",
      "\"algorithms\": \"RS256\"",
      "\"algorithms\": [\"HS256\"]", "\"algorithms\": [\"none\"]", "\"algorithms\": [\"rsa-sha1\"]",
      "\"algorithms\": [\"RS256\", \"rs384\"]", "\"prompt\": \"none\"",
      "\"prompt\": \"login none\"",
      "\"prompt\": \"\"", "\"prompt\": \"login  consent\"", "\"prompt\": [\"login\"]",
      "\"maxAge\": -1", "\"maxAge\": \"60\"", "\"maxAge\": 1.5", "\"maxAge\": 315360001",
      "\"contexts\": []", "\"contexts\": [\"a b\"]", "\"contexts\": \"mfa\"", "\"resources\": []",
      "\"resources\": [\"api\"]", "\"resources\": [\"https://a/#b\"]",
      "\"responseMode\": \"fragment\"", "\"responseMode\": true",
    ])
  func openIDMistakes(members: String) throws {
    let (configuration, errors) = try read(
      "\"clientID\": \"abc\"", "\"clientID\": \"abc\", \(members)")
    #expect(configuration == nil)
    let error = try #require(errors.first, "\(members)")
    #expect([.gateValue, .gateMember].contains(error.code), "\(members): \(errors)")
    #expect(error.node?.hasPrefix("line 9") == true, "\(members): \(errors)")
    #expect(!errors.contains { "\($0)".contains("s3cret") }, "a secret in a file is not shown")
  }

  @Test("What is asked of an OpenID provider is read into types")
  func openID() throws {
    func registration(_ members: String) throws -> OpenIDRegistration {
      let (configuration, errors) = try read(
        "\"clientID\": \"abc\"", "\"clientID\": \"abc\", \(members)")
      #expect(errors.isEmpty, "\(errors)")
      let provider = try #require(configuration?.providers.last)
      return try #require(provider.exchange as? OpenIDRegistration)
    }
    let all = try registration(
      """
      "authentication": "privateKey", "clientKeys": ["now", "next"], "userInfo": true,
      "algorithms": ["ES256", "PS256", "EdDSA"], "prompt": "login consent", "maxAge": 0,
      "contexts": ["urn:mfa", "1"], "resources": ["https://api.example", "urn:x"],
      "responseMode": "form_post"
      """)
    #expect(all.authentication == .privateKey(keyFiles: ["now", "next"]) && all.userInfo == true)
    #expect(all.algorithms == [.ecdsaSHA256, .rsaPSSSHA256, .ed25519])
    #expect(all.prompt == "login consent" && all.maxAge == 0 && all.contexts == ["urn:mfa", "1"])
    #expect(all.resources == ["https://api.example", "urn:x"] && all.responseMode == .formPost)
    let usual = try registration("\"clientSecret\": \"file:s\"")
    #expect(usual.authentication == .basic(secretFile: "s") && usual.userInfo == nil)
    #expect(usual.algorithms == nil && usual.maxAge == nil && usual.responseMode == .query)
    #expect(try registration("\"authentication\": \"none\"").authentication == .none)
    let post = "\"authentication\": \"post\", \"clientSecret\": \"file:s\""
    #expect(try registration(post).authentication == .post(secretFile: "s"))
    #expect(try registration(Self.key).authentication == .privateKey(keyFiles: ["a"]))
  }

  @Test(
    "The claims that UserInfo is read for are those of headers and rules, none of the session's own"
  )
  func neededClaims() throws {
    let email = "\"X-Mail\": {\"claim\": \"email\", \"provider\": \"any\"}"
    let (configuration, _) = try read(
      "{\"X-Remote-User\": \"subject\"}", "{\"X-Remote-User\": \"subject\", \(email)}")
    let needed = configuration?.neededClaims ?? []
    #expect(needed.count == 2)
    #expect(needed.contains { $0.contains("email") && $0.contains(.emailAddress) })
    #expect(needed.contains { $0.contains("role") && $0.contains(.role) })
    let (open, _) = try read(", \"claim\": \"role\", \"oneOf\": [\"admin\"]", "")
    #expect(open?.neededClaims == [])
  }

  @Test("A path is public by true alone, and nothing else is said of it")
  func publicPaths() throws {
    let rule = "\"provider\": \"any\", \"claim\": \"role\", \"oneOf\": [\"admin\"]"
    for (members, isRead) in [
      ("\"public\": true", true), ("\"public\": false", false), ("\"public\": \"yes\"", false),
      ("\"public\": true, \"claim\": \"role\", \"oneOf\": [\"admin\"]", false),
      ("\"public\": true, \"maxAge\": 60", false),
      ("\"public\": false, \"provider\": \"any\"", false),
    ] {
      let (configuration, errors) = try read(rule, members)
      #expect((configuration != nil) == isRead && errors.isEmpty == isRead, "\(members)")
      if isRead { #expect(configuration?.rules.rules.first?.isPublic == true) }
    }
  }

  @Test("A certificate for a shared store has its key, and both and the roots have TLS")
  func sharedStore() throws {
    for (members, isRead) in [
      ("\"redis\": \"redis://h\"", true),
      ("\"redis\": \"rediss://h\", \"trustedRoots\": \"r.pem\"", true),
      ("\"redis\": \"rediss://h\", \"certificate\": \"c\", \"privateKey\": \"k\"", true),
      ("\"redis\": \"rediss://h\", \"certificate\": \"c\"", false),
      ("\"redis\": \"rediss://h\", \"privateKey\": \"k\"", false),
      ("\"redis\": \"redis://h\", \"trustedRoots\": \"r.pem\"", false),
      ("\"redis\": \"redis://h\", \"certificate\": \"c\", \"privateKey\": \"k\"", false),
    ] {
      let (configuration, errors) = try read(
        "\"headers\"", "\"session\": {\"store\": {\(members)}}, \"cookieKeys\": \"k\", \"headers\"")
      #expect((configuration != nil) == isRead && errors.count == (isRead ? 0 : 1), "\(errors)")
    }
  }

  @Test("A gate has providers")
  func noProviders() throws {
    let (configuration, errors) = try read("\"providers\": [", "\"providers\": [], \"old\": [")
    #expect(
      configuration == nil
        && errors.contains { $0.expected?.hasPrefix("at least one provider") == true })
  }

  @Test("A proxy without a peer is an error of its own")
  func noPeers() throws {
    let (configuration, errors) = try read("[\"127.0.0.1\"]", "[]")
    #expect(configuration == nil && errors.map(\.code) == [.gateNoPeers])
  }

  @Test(
    "What fits is read",
    arguments: [
      ("\"POST\"", "\"M-SEARCH\""), ("\"/admin/\"", "\"/a%2Ab/\""),
      ("\"/admin/\"", "\"/$metadata\""),
      ("\"any\"", "[\"campus\", \"entra\"]"), ("\"any\"", "\"entra\""),
      (
        "\"claim\": \"role\", \"oneOf\": [\"admin\"]",
        "\"claim\": \"subject\", \"oneOf\": [\"campus:a@b\", \"entra:%C3%A4\"]"
      ),
      (
        "[\"127.0.0.1\"]",
        "[\"10.0.0.0/8\", \"::1\", \"fd00::/8\", \"::ffff:10.0.0.1\", \"192.0.2.7/32\"]"
      ),
      ("\"127.0.0.1:4180\"", "\"[::1]:4180\""), ("\"127.0.0.1:4180\"", "\"gate.example:4180\""),
      ("\"X-Remote-User\"", "\"Remote-User\""), ("\"X-Remote-User\"", "\"X-WebAuth-User\""),
      ("\"/.gate/\"", "\"/a/b-c_~.d/\""), ("false", "true"), ("\"by provider\"", "\"shared\""),
      ("\"campus\"", "\"campus-1.a_b~c\""),
      (
        "\"clientID\": \"abc\"",
        "\"clientID\": \"abc\", \"scopes\": [\"openid\"], \"emails\": [\"corp.example\"]"
      ),
    ])
  func fits(from: String, to: String) throws {
    let (configuration, errors) = try read(from, to)
    #expect(errors.isEmpty && configuration != nil, "\(to): \(errors)")
  }

  @Test("Several providers without a word on whose people they name are refused; one needs no word")
  func people() throws {
    let (_, errors) = try read("\"people\": \"by provider\",", "")
    #expect(errors.first?.code == .gatePeople)
    let one = """
      {"public": "https://app.example", "listen": "127.0.0.1:4180",
       "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]},
       "providers": [{"id": "idp", "saml": {"metadata": "idp.xml"}}],
       "rules": [{"path": "/", "claim": "subject", "oneOf": ["alice"]}]}
      """
    let (configuration, none) = GateConfiguration.read(Array(one.utf8))
    #expect(none.isEmpty && configuration?.people == nil)
  }

  @Test("OpenID asks for profile and email unless the file says otherwise")
  func scopes() throws {
    func scopes(_ configuration: GateConfiguration?) -> [String]? {
      let registrations = configuration?.providers.compactMap { $0.exchange as? OpenIDRegistration }
      return registrations?.first?.scopes
    }
    let standard = GateConfiguration.read(Array(Self.example.utf8)).configuration
    #expect(scopes(standard) == ["openid", "profile", "email"])
    let own = try read(
      "\"clientID\": \"abc\"", "\"clientID\": \"abc\", \"scopes\": [\"openid\", \"groups\"]")
    #expect(scopes(own.configuration) == ["openid", "groups"])
  }

  @Test("The keys of SAML are lists, or one")
  func keys() throws {
    let lists = try read(
      "\"prefix\"", "\"signingKeys\": [\"a\", \"b\"], \"certificates\": [\"c\", \"d\"], \"prefix\"")
    #expect(lists.configuration?.signingKeys == ["a", "b"])
    #expect(lists.configuration?.certificates == ["c", "d"])
    let one = try read("\"prefix\"", "\"signingKey\": \"a\", \"certificate\": \"c\", \"prefix\"")
    #expect(one.configuration?.signingKeys == ["a"] && one.configuration?.certificates == ["c"])
    for both in ["\"signingKey\": \"a\", \"signingKeys\": [\"b\"]", "\"signingKeys\": []"] {
      #expect(try read("\"prefix\"", both + ", \"prefix\"").errors.first?.code == .gateValue)
    }
  }

  @Test(
    "Rules that do less than they seem to are warned of",
    arguments: [
      ("{\"path\": \"/a\", \"method\": \"PSOT\"}", "PSOT"),
      ("{\"path\": \"/a\", \"method\": \"HEAD\"}", "HEAD"),
      (
        "{\"path\": \"/a\", \"claim\": \"r\", \"oneOf\": [\"x\"]}, {\"path\": \"/a/\", \"claim\": \"s\", \"oneOf\": [\"y\"]}",
        "one path"
      ),
      (
        "{\"path\": \"/\", \"claim\": \"status\", \"noneOf\": [\"blocked\"]}, {\"path\": \"/app/\", \"claim\": \"role\", \"oneOf\": [\"user\"]}",
        "keeps nobody out of /app/"
      ),
      (
        "{\"path\": \"/\", \"claim\": \"status\", \"noneOf\": [\"blocked\"]}, {\"path\": \"/\", \"method\": \"POST\"}",
        "by POST"
      ),
      (
        "{\"path\": \"/a/\", \"claim\": \"r\", \"noneOf\": [\"x\"]}, {\"path\": \"/a/b/\"}", "/a/b/"
      ),
    ])
  func warnings(rules: String, words: String) throws {
    let text = """
      {"public": "https://app.example", "listen": "127.0.0.1:4180",
       "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]},
       "providers": [{"id": "idp", "saml": {"metadata": "idp.xml"}}], "rules": [\(rules)]}
      """
    let configuration = try #require(GateConfiguration.read(Array(text.utf8)).configuration)
    #expect(configuration.warnings.contains { $0.contains(words) }, "\(configuration.warnings)")
  }

  @Test(
    "A path that ends with /* is the path and everything below, which is said",
    arguments: ["/*", "/**"])
  func everythingBelow(end: String) throws {
    let configuration = try #require(
      try read("\"/admin/\"", "\"/admin\(end)\"").configuration)
    #expect(configuration.rules.rules.first?.path.description == "/admin/")
    #expect(configuration.warnings.contains { $0.contains("/admin/*") })
  }

  @Test("A denial that is repeated below, or stands beside other paths, brings no warning")
  func quiet() throws {
    let text = """
      {"public": "https://app.example", "listen": "127.0.0.1:4180",
       "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]},
       "providers": [{"id": "idp", "saml": {"metadata": "idp.xml"}}],
       "rules": [{"path": "/a/", "claim": "s", "noneOf": ["x"]},
                 {"path": "/a/b/", "claim": "s", "noneOf": ["x", "y"]},
                 {"path": "/c/", "method": "GET", "claim": "r", "oneOf": ["u"]}]}
      """
    let configuration = try #require(GateConfiguration.read(Array(text.utf8)).configuration)
    #expect(configuration.warnings == [])
  }

  @Test(
    "A peer is an address or one of a network, in whatever form the socket tells it",
    arguments: [
      ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "127.0.0.2", false),
      ("127.0.0.1", "::ffff:127.0.0.1", true), ("::ffff:127.0.0.1", "127.0.0.1", true),
      ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
      ("172.16.0.0/12", "172.31.255.255", true), ("172.16.0.0/12", "172.32.0.0", false),
      ("::1", "0:0:0:0:0:0:0:1", true), ("::1", "127.0.0.1", false), ("fd00::/8", "fdff::1", true),
      ("fd00::/8", "fe00::1", false), ("::ffff:10.0.0.0/104", "10.1.2.3", true),
      ("10.0.0.0/8", "unknown", false), ("10.0.0.0/8", "", false),
      ("127.0.0.1", "1::ffff:127.0.0.1", false), ("127.0.0.1", "::ff:7f00:1", false),
      ("127.0.0.1", "::ff00:7f00:1", false), ("127.0.0.1", "::ffff:7f00:1", true),
      ("2001:db8::/33", "2001:db8:7fff::", true), ("2001:db8::/33", "2001:db8:8000::", false),
    ])
  func peers(network: String, peer: String, isIn: Bool) throws {
    #expect(try PeerNetwork(network).contains(peer) == isIn)
  }
}
