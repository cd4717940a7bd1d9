import ClientScript
import Federation
import FederationClient
import HTTPExchange
import SecrecyTesting
import TestSupport
import Testing

@Suite("Home realm discovery")
struct ProviderListTests {
  static func list(
    _ response: HTTPResponse, callback: String? = nil
  ) async throws -> [IdentityProvider] {
    var request = ProviderListRequest(.wsFederation)
    request.callback = callback
    return try await ACS.client(ScriptedTransport([response])).providers(request)
  }

  @Test("S3 A namespace and a realm give the service's addresses")
  func addresses() throws {
    let service = try ACS.service()
    #expect(service.base.text == "https://talksns.accesscontrol.windows.net/")
    #expect(service.issuer == ACS.issuer)
    let local = try AccessControlService(
      base: HTTPURL("http://127.0.0.1:8080/acs/"), realm: "uri:x", issuer: "uri:sts")
    #expect(local.issuer == "uri:sts")
    #expect(
      try local.hostedSignInAddress().text
        == "http://127.0.0.1:8080/acs/v2/wsfederation?wa=wsignin1.0&wtrealm=uri%3Ax")
    for namespace in ["", "evil.example/", "a.b", "a@b", "a b", "ä"] {
      expect(throws: TokenError(.transportMalformedAddress)) {
        try AccessControlService(namespace: namespace, realm: "uri:x")
      }
    }
    expect(throws: TokenError(.transportInsecureAddress)) {
      try AccessControlService(base: HTTPURL("http://sts.example/"), realm: "uri:x")
    }
  }

  @Test("S3 The list of providers is requested with every parameter")
  func request() async throws {
    let transport = ScriptedTransport([.json("[]"), .of(200, "text/javascript", "show([]);")])
    let client = try ACS.client(transport)
    _ = try await client.providers(ProviderListRequest(.javascriptNotify))
    var request = ProviderListRequest(
      .wsFederation, replyTo: try HTTPURL("https://talks.example.org/signin"),
      context: "rm=0&id=p1")
    request.requestID = "7"
    request.callback = "show"
    _ = try await client.providers(request)
    let pairs = transport.requests.map { $0.parameters.map { "\($0.name)=\($0.value)" } }
    #expect(
      pairs[0] == [
        "protocol=javascriptnotify", "realm=uri:talks.example.org", "version=1.0",
      ])
    #expect(
      pairs[1] == [
        "protocol=wsfederation", "realm=uri:talks.example.org",
        "reply_to=https://talks.example.org/signin", "context=rm=0&id=p1", "request_id=7",
        "version=1.0", "callback=show",
      ])
    #expect(
      transport.requests[0].url.description
        == "https://talksns.accesscontrol.windows.net/v2/metadata/IdentityProviders.js?…")
    request.callback = "alert(1)//"
    await expect(throws: TokenError(.clientParameter)) { try await client.providers(request) }
  }

  @Test("S3 Facebook, Live, Google, Yahoo and ADFS are read from JSON and from a script")
  func reads() async throws {
    for (response, callback) in [
      (HTTPResponse.json(ACS.list), nil), (.of(200, "text/javascript", "\u{FEFF}" + ACS.list), nil),
      (.of(200, "application/x-javascript", " show( \(ACS.list) ) ;\n"), "show"),
    ] as [(HTTPResponse, String?)] {
      let providers = try await Self.list(response, callback: callback)
      #expect(
        providers.map(\.name)
          == ["Windows Live™ ID", "Google", "Facebook", "Yahoo!", "Example Corp"])
      #expect(
        providers.map(\.host) == [
          "login.live.com", "www.google.com", "www.facebook.com", "open.login.yahooapis.com",
          "fs.example.org",
        ])
      #expect(
        providers[0].loginAddress.hasSuffix(
          "wctx=cHI9amF2YXNjcmlwdG5vdGlmeSZybT11cmklM2F0YWxrcy5leGFtcGxlLm9yZw2"))
      #expect(providers[1].logoutAddress == nil)
      #expect(providers[2].logoutAddress == nil)
      #expect(providers[4].imageAddress == "https://fs.example.org/logo.png")
      #expect(providers[4].emailSuffixes == ["example.org", "example.net"])
    }
  }

  @Test("S3 The application's id and permissions at Facebook are in its sign-in address")
  func scopes() async throws {
    let facebook = try await Self.list(.json(ACS.list))[2]
    #expect(facebook.requestedScopes == ["email", "publish_stream"])
    #expect(facebook.applicationID == "1234567890")
  }

  static func entry(_ login: String = "https://a.example/", _ rest: String? = nil) -> String {
    let rest = rest ?? #""LogoutUrl":"","ImageUrl":"","EmailAddressSuffixes":[]"#
    return #"[{"Name":"A","LoginUrl":"\#(login)",\#(rest)}]"#
  }

  @Test(
    "RP-6 RP-18 A list that is not one is refused",
    arguments: [
      (HTTPResponse.of(200, "text/html", "[]"), TokenError.Code.clientContentType),
      (.of(200, nil, "[]"), .clientContentType),
      (.json("{}"), .jsonMember), (.json("[1]"), .jsonMember), (.json("[] []"), .malformedJSON),
      (.json(#"[{"Name":"A","Name":"B"}]"#), .duplicateJSONName),
      (.json("show([]);"), .malformedJSON),
      (.json(entry("http://a.example/")), .transportInsecureAddress),
      (.json(entry("javascript:alert(1)")), .transportMalformedAddress),
      (.json(entry("https://a.example@evil.example/")), .transportMalformedAddress),
      (.json(entry("https://a.example/#token")), .transportMalformedAddress),
      (.json(entry("")), .jsonMember),
      (.json(entry("https://a.example/", #""LogoutUrl":"""#)), .jsonMember),
      (
        .json(
          entry(
            "https://a.example/", #""LogoutUrl":"","ImageUrl":"","EmailAddressSuffixes":[1]"#)),
        .jsonMember
      ),
      (.of(302), .transportRedirect),
    ])
  func refuses(response: HTTPResponse, code: TokenError.Code) async throws {
    await expect(throws: TokenError(code)) { try await Self.list(response) }
    _ = try await Self.list(.json(Self.entry()))
  }

  @Test(
    "A script that calls another function is refused",
    arguments: ["[]", "shew([]);", "show([])x", "show[]", "show([]);alert(1);"])
  func scripts(body: String) async throws {
    await expect(throws: TokenError.self) {
      try await Self.list(.of(200, "text/javascript", body), callback: "show")
    }
  }

  @Test("S3 An unknown realm is a typed error with the service's code")
  func unknownRealm() async throws {
    let error = await expect(throws: TokenError(.clientRelyingParty)) {
      try await Self.list(.of(400, "text/html", "<p>ACS50001: Relying party not found.</p>"))
    }
    #expect(error?.node == "ACS50001")
  }
}

@Suite("The choice of a provider")
struct ProviderPickerTests {
  static func picker(lastChoice: String? = nil) async throws -> ProviderPicker {
    ProviderPicker(
      try await ProviderListTests.list(.json(ACS.list)), lastChoice: lastChoice)
  }

  @Test("S3 Providers with e-mail domains are no buttons; the last choice comes first")
  func buttons() async throws {
    let picker = try await Self.picker()
    #expect(
      picker.buttons.map(\.name) == ["Facebook", "Google", "Windows Live™ ID", "Yahoo!"])
    #expect(picker.asksForAddress)
    #expect(picker.only == nil)
    #expect(try await Self.picker(lastChoice: "Yahoo!").buttons.first?.name == "Yahoo!")
    #expect(
      try await Self.picker(lastChoice: "Example Corp").buttons.map(\.name).first
        == "Example Corp")
    #expect(try await Self.picker(lastChoice: "gone").buttons.count == 4)
  }

  @Test("S3 An address is matched by the part after its last @, in any case")
  func byAddress() async throws {
    let picker = try await Self.picker()
    for address in ["mia@example.org", "MIA@Example.NET", "a@b@example.org"] {
      #expect(try picker.provider(forAddress: address).name == "Example Corp")
    }
    for address in [
      "mia@sub.example.org", "mia@example.org.evil", "example.org", "@example.org", "mia@", "",
      "mia@example.org@evil.example",
    ] {
      expect(throws: TokenError(.clientProvider)) { try picker.provider(forAddress: address) }
    }
    #expect(try picker.provider(named: "Google").name == "Google")
    expect(throws: TokenError(.clientProvider)) { try picker.provider(named: "google") }
  }

  @Test("S3 The choice is remembered for the next start, for each realm")
  func remembers() async throws {
    let store = MemoryCredentialStore()
    let transport = ScriptedTransport { (_) throws(TokenError) in .json(ACS.list) }
    let client = try ACS.client(transport)
    let request = ProviderListRequest(.wsFederation)
    let picker = try await client.picker(request, rememberedIn: store)
    #expect(picker.lastChoice == nil)
    try await client.remember(picker.provider(named: "Facebook"), in: store)
    #expect(
      try await ACS.client(transport).picker(request, rememberedIn: store).lastChoice == "Facebook")
    let other = AccessControlClient(
      try AccessControlService(namespace: "talksns", realm: "uri:other"), trust: try ACS.trust(),
      transport: transport, time: ManualTime())
    #expect(try await other.picker(request, rememberedIn: store).lastChoice == nil)
  }
}
