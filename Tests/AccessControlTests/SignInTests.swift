import AccessControl
import TestSupport
import Testing
import TokenBasics

@Suite("Signing in at the local Access Control Service")
struct SignInTests {
  private let fixture: SiteFixture

  init() throws { fixture = try SiteFixture() }

  private func context(
    _ delivery: SignInContext.Delivery = .passive, realm: String = "uri:talks.example.org"
  ) -> SignInContext {
    SignInContext(delivery, realm: realm, provider: "Google")
  }

  @Test(
    "SVC-3: A context that this service did not seal, or sealed for another browser, is refused")
  func badContexts() async throws {
    let open = "cHI9d3NmZWRlcmF0aW9uJnJtPXVyaSUzYXRhbGtzLmV4YW1wbGUub3JnJmlwPUdvb2dsZQ2"
    for text in ["", "3", "x", open, "____0", String(repeating: "A", count: 100_000) + "0"] {
      let response = try await fixture.get("/v2/sign-in?cx=" + text)
      #expect(response.status == 400, "\(text.prefix(20)) \(response.text)")
    }
    let begun = try await fixture.get(Self.start)
    let target = try HTTPURL(try #require(begun.fields["Location"])).target
    #expect(try await fixture.get(target, cookies: begun.cookies).status == 200)
    for cookies in [nil, "__Host-acs-browser=" + String(repeating: "0", count: 32)] {
      let refused = try await fixture.get(target, cookies: cookies)
      #expect(refused.status == 400 && refused.text.contains("code issuing.sign-in"))
    }
    fixture.clock.advance(bySeconds: 3_600)
    let late = try await fixture.get(target, cookies: begun.cookies)
    #expect(late.status == 400 && late.text.contains("code signin.expired"), "\(late.text)")
  }

  private static let start =
    "/v2/wsfederation?wa=wsignin1.0&wtrealm=uri%3Atalks.example.org&wctx=a%26b&whr=Google"

  @Test("SVC-3: A sign-in gives one token; a link of the feed begins another one each time")
  func once() async throws {
    let begun = try await fixture.get(Self.start)
    let target = try HTTPURL(try #require(begun.fields["Location"])).target
    #expect(try await fixture.press("0", at: target, cookies: begun.cookies).status == 200)
    let again = try await fixture.press("0", at: target, cookies: begun.cookies)
    #expect(again.status == 400 && again.text.contains("code signin.finished"), "\(again.text)")
    // One that was cancelled gave nothing.
    let second = try await fixture.get(Self.start)
    #expect(try await fixture.press("cancel", after: second).status == 401)
    #expect(try await fixture.press("0", after: second).status == 200)
    // Only what the feed gives out begins without a browser.
    for delivery in [SignInContext.Delivery.openID, .saml, .delegation] {
      #expect(try await fixture.get(fixture.link(context(delivery))).status == 400)
    }
    let link = fixture.link(context())
    for _ in 0..<2 { #expect(try await fixture.press("0", at: link).status == 200) }
    fixture.clock.advance(bySeconds: 86_400)
    #expect(try await fixture.get(link).status == 400)
  }

  @Test("The feed lists each provider with five members, as JSON and as a script")
  func feed() async throws {
    let target =
      "/v2/metadata/identityProviders.js?protocol=javascriptnotify&realm=uri%3atalks.example.org"
      + "&version=1.0&context=rm%3d0&request_id="
    let response = try await fixture.get(target)
    #expect(response.status == 200)
    let list = try #require(JSONParser.parse(response.body).array)
    #expect(list.map { $0["Name"]?.string } == ["Google", "Corp"])
    #expect(
      list[1]["EmailAddressSuffixes"]?.array?.compactMap(\.string) == [
        "example.org", "example.net",
      ])
    for entry in list {
      #expect(entry["ImageUrl"]?.string == "" && entry["LogoutUrl"]?.string?.isEmpty == false)
      #expect(entry["LoginUrl"]?.string?.hasPrefix("https://acs.example/v2/sign-in?cx=") == true)
    }
    let script = try await fixture.get(target + "&callback=show.Page")
    #expect(script.text.hasPrefix("show.Page(") && script.text.hasSuffix(");"))
    // Each answer seals its sign-ins anew; all else is the same.
    let sealed = try Regex("cx=[A-Za-z0-9_-]+")
    #expect(
      script.text.dropFirst(10).dropLast(2).replacing(sealed, with: "cx=")
        == response.text.replacing(sealed, with: "cx=")[...])
    let longest = String(repeating: "a", count: 64)
    #expect(try await fixture.get(target + "&callback=" + longest).status == 200)
    for callback in [longest + "a", "alert(1)//", "a-b", "", "1a", "a..b", "a%20b"] {
      let refused = try await fixture.get(target + "&callback=" + callback)
      #expect(refused.status == 400, "\(callback)")
    }
  }

  @Test("A sign-in posts the token and the context to the registered address")
  func passive() async throws {
    let response = try await fixture.press("0", after: fixture.get(Self.start))
    #expect(response.text.hasPrefix("form https://talks.example.org/signin\n"))
    #expect(PlainPages.field("wctx", in: response.text) == "a&b")
    let result = Array(PlainPages.field("wresult", in: response.text).utf8)
    let verified = try TokenValidator(fixture.trust("uri:talks.example.org")).validate(
      AnyToken(reading: result), at: SiteFixture.now)
    #expect(verified.claims.single(.emailAddress) == "mia@example.org")
    #expect(verified.claims.single(.identityProvider) == "Google")
    // The other registered address, by name.
    var second = context()
    second.reply = "https://talks.example.org/two"
    let there = try await fixture.press("0", second)
    #expect(there.text.hasPrefix("form https://talks.example.org/two\n"))
  }

  @Test("Several providers are a choice, and one that is named or alone is none")
  func choice() async throws {
    let both = try await fixture.get(
      "/v2/wsfederation?wa=wsignin1.0&wtrealm=uri%3Atalks.example.org")
    #expect(both.text.contains("link Google https://") && both.text.contains("link Corp https://"))
    let alone = "/v2/wsfederation?wa=wsignin1.0&wtrealm=uri%3Aerrors"
    #expect(try await fixture.get(alone).status == 303)
    let stays = try await fixture.get(alone + "&redirect=false")
    #expect(stays.status == 200 && stays.text.contains("link Google"))
  }

  @Test("The provider of the last sign-in comes first, and each is there once")
  func lastChoice() async throws {
    let (google, corp) = ("Google", "http://fs.example.org/trust")
    for (last, names) in [
      (nil, ["Google", "Corp"]), (google, ["Google", "Corp"]), (corp, ["Corp", "Google"]),
      ("none of ours", ["Google", "Corp"]),
    ] {
      let cookie = last.map { "__Host-acs-choice=" + Base64.encode(Array($0.utf8), .url) }
      let page = try await fixture.get(
        "/v2/wsfederation?wa=wsignin1.0&wtrealm=uri%3Atalks.example.org", cookies: cookie)
      let links = page.text.split(separator: "\n").filter { $0.hasPrefix("link ") }
      #expect(
        links.compactMap { $0.split(separator: " ").dropFirst().first } == names.map { $0[...] })
    }
    // What the page of a provider remembers is such a choice.
    let begun = try await fixture.get(Self.start)
    let target = try HTTPURL(try #require(begun.fields["Location"])).target
    let cookies = try await fixture.providerPage(target, cookies: begun.cookies).cookies
    #expect(cookies.contains("__Host-acs-choice=" + Base64.encode(Array(google.utf8), .url)))
  }

  @Test("A program gets its token from the script of a page, and nothing in it ends the script")
  func notifies() async throws {
    var context = context(.notify)
    context.relyingPartyState = "</script><script>alert(1)"
    let response = try await fixture.press("0", context)
    let start = try #require(response.text.firstRange(of: "window.external.Notify("))
    let rest = response.text[start.upperBound...]
    let end = try #require(rest.firstRange(of: ");</script>"))
    let literal = try #require(
      JSONParser.parse(Array("[\(rest[..<end.lowerBound])]".utf8)).array?.first?.string)
    let message = Array(literal.utf8)
    #expect(try JSONParser.parse(message)["context"]?.string == context.relyingPartyState)
    let verified = try TokenValidator(fixture.trust("uri:talks.example.org")).validate(
      AnyToken(reading: message), at: SiteFixture.now)
    #expect(verified.claims.single(.name) == "Mia")
    #expect(response.text.ranges(of: "</script>").count == 1)
    let policy = try #require(response.fields["Content-Security-Policy"])
    #expect(policy.contains("script-src 'sha256-"))
  }

  @Test("A program needs no address, and what it is refused for goes to none")
  func programs() async throws {
    let cancelled = try await fixture.press("cancel", context(.notify, realm: "uri:errors"))
    #expect(cancelled.status == 401 && cancelled.text.contains("ACS50019"), "\(cancelled.text)")
    let posted = try await fixture.press("cancel", context(realm: "uri:errors"))
    #expect(posted.text.hasPrefix("form https://errors.example/error"), "\(posted.text)")
    let current = fixture.site.store.current
    var program = RelyingParty(realm: "uri:program", format: .swt, ruleGroups: ["default"])
    program.listedProtocols = [.wsFederation, .javascriptnotify]
    let other = try SiteFixture(
      ServiceNamespace(
        issuer: current.issuer, relyingParties: [program], providers: current.providers,
        identities: current.identities, ruleGroups: current.ruleGroups, keys: current.keys))
    let token = try await other.press("0", context(.notify, realm: "uri:program"))
    #expect(token.text.contains("window.external.Notify("), "\(token.text)")
    let nowhere = try await other.get(other.link(context(realm: "uri:program")))
    #expect(nowhere.text.contains("code issuing.reply-address"), "\(nowhere.text)")
  }

  @Test("Cancelled, refused by the provider, without a rule: each its number, code and status")
  func failures() async throws {
    for (choice, number, code, status) in [
      ("cancel", "ACS50019", "issuing.cancelled", 401),
      ("fail", "ACS30000", "issuing.provider-answer", 400),
      ("7", "ACS90011", "issuing.missing-field", 400),
    ] {
      let response = try await fixture.press(choice, context())
      #expect(response.status == status && response.text.contains("code \(code)"), "\(choice)")
      #expect(response.text.contains("note \(number): "))
      #expect(!response.text.contains("note \n"), "no empty paragraph")
    }
    let silent = try await fixture.press("0", context(realm: "uri:silent"))
    #expect(silent.status == 401 && silent.text.contains("ACS60001"))
    let keyless = try SiteFixture(keys: false)
    let unsigned = try await keyless.press("0", context())
    #expect(unsigned.status == 500 && unsigned.text.contains("ACS50003"))
    let uncertified = try await keyless.press("0", context(realm: "uri:errors"))
    #expect(PlainPages.field("ErrorDetails", in: uncertified.text).contains("ACS50004"))
  }

  @Test("A relying party with an error address gets the details there")
  func errorAddress() async throws {
    var asked = context(realm: "uri:errors")
    asked.relyingPartyState = "c"
    let response = try await fixture.press("cancel", asked)
    #expect(response.text.hasPrefix("form https://errors.example/error\n"))
    let json = try JSONParser.parse(
      Array(PlainPages.field("ErrorDetails", in: response.text).utf8))
    #expect(json["context"]?.string == "c" && json["httpReturnCode"]?.integer == 401)
    #expect(json["identityProvider"]?.string == "Google")
    #expect(json["timeStamp"]?.string == "2029-12-31 23:50:00Z")
    #expect(json["traceId"]?.string?.utf8.count == 36)
    #expect(json["errors"]?.array?.first?["errorCode"]?.string == "ACS50019")
  }

  @Test("WSF-15: No token and no browser goes to an address that is not registered")
  func strangers() async throws {
    let evil = "https%3A%2F%2Fevil.example%2F"
    for target in [
      "/v2/wsfederation?wa=wsignin1.0&wtrealm=uri%3Atalks.example.org&wreply=" + evil,
      "/v2/wsfederation?wa=wsignout1.0&wreply=" + evil,
      "/v2/wsfederation?wa=wsignout1.0&wtrealm=uri%3Atalks.example.org&wreply=" + evil,
      "/v2/metadata/IdentityProviders.js?version=1.0&protocol=wsfederation"
        + "&realm=uri%3Atalks.example.org&reply_to=" + evil,
      "/v2/OAuth2-13/authorize?response_type=code&client_id=uploader"
        + "&scope=uri%3Atalks.example.org&redirect_uri=" + evil,
    ] {
      let response = try await fixture.get(target)
      #expect(response.status == 400 && response.fields["Location"] == nil, "\(target)")
      #expect(response.text.contains("ACS50011") && !response.text.contains("evil"))
    }
    var changed = context()
    changed.reply = "https://evil.example/"
    #expect(try await fixture.get(fixture.link(changed)).status == 400)
    #expect(try await fixture.press("0", changed).status == 400)
  }

  @Test("A state of 4 KiB comes along with a sign-in, and 20 kB are refused where they came")
  func longState() async throws {
    for (begin, name) in [
      ("/v2/wsfederation?wa=wsignin1.0&wtrealm=uri%3Atalks.example.org", "wctx"),
      (
        "/v2/metadata/IdentityProviders.js?version=1.0&protocol=wsfederation"
          + "&realm=uri%3Atalks.example.org", "context"
      ),
    ] {
      func status(_ length: Int) async throws -> Int {
        try await fixture.get("\(begin)&\(name)=" + String(repeating: "s", count: length)).status
      }
      #expect(try await [200, 303].contains(status(4_096)), "\(name)")
      #expect(try await [400, 413].contains(status(20_000)), "\(name)")
    }
  }

  @Test("A browser's number is one that was made here")
  func browserNumbers() async throws {
    let (page, cookie) = try await fixture.providerPage(fixture.link(context()))
    let text = PlainPages.field("cx", in: page)
    let token = PlainPages.field("token", in: page)
    let name = cookie.prefix { $0 != "=" }
    for cookies in ["\(name)=", "\(name)=" + String(repeating: "z", count: 32), cookie] {
      let response = try await fixture.post(
        "/v2/sign-in", [("cx", text), ("token", token), ("person", "0")], cookies: cookies)
      #expect((response.status == 200) == (cookies == cookie), "\(cookies)")
    }
  }

  @Test("Requests that are none say what is missing, with a number each")
  func requests() async throws {
    for (target, number) in [
      ("/v2/wsfederation", "ACS20000"), ("/v2/wsfederation?wa=wsignin1.0", "ACS20000"),
      ("/v2/wsfederation?wa=wattr1.0&wtrealm=uri%3Asilent", "ACS20000"),
      ("/v2/wsfederation?wa=wsignin1.0&wtrealm=uri%3Aother", "ACS50001"),
      ("/v2/wsfederation?wa=wsignin1.0&wtrealm=uri%3Aerrors&whr=Yahoo!", "ACS20000"),
      ("/v2/wsfederation?wa=wsignin1.0&wtrealm=a&wtrealm=b", "ACS90004"),
      ("/v2/metadata/IdentityProviders.js?realm=uri%3Asilent&version=1.0", "ACS90011"),
      (
        "/v2/metadata/IdentityProviders.js?realm=uri%3Asilent&version=2.0&protocol=wsfederation",
        "ACS90011"
      ),
      (
        "/v2/metadata/IdentityProviders.js?realm=uri%3Asilent&version=1.0&protocol=samlp",
        "ACS90011"
      ),
      ("/v2/sign-in?cx=none", "ACS20000"), ("/v2/sign-in", "ACS90011"),
    ] {
      let response = try await fixture.get(target)
      #expect(
        response.status == 400 && response.text.contains(number), "\(target) \(response.text)")
    }
    let method = try await fixture.post("/v2/wsfederation", [])
    #expect(method.status == 405 && method.text.contains("code issuing.method"))
    #expect(method.fields["Allow"] == "GET")
    // What campaigns add is none of ours, as long as nobody takes it for ours.
    let start = "/v2/wsfederation?wa=wsignin1.0&wtrealm=uri%3Aerrors"
    #expect(try await fixture.get(start + "&utm[source]=a&utm[term]=b&%5B%5D=").status == 303)
    #expect(try await fixture.get(start + "&wtrealm[]=a").status == 400)
    #expect(try await fixture.get("/other").status == 404)
  }

  @Test("The form of another browser, or for another sign-in, signs nobody in")
  func forms() async throws {
    let (page, cookie) = try await fixture.providerPage(fixture.link(context()))
    let token = PlainPages.field("token", in: page)
    let text = PlainPages.field("cx", in: page)
    let (second, other) = try await fixture.providerPage(fixture.link(context()))
    func post(_ context: String, _ token: String, _ cookies: String?) async throws -> Int {
      try await fixture.post(
        "/v2/sign-in", [("cx", context), ("token", token), ("person", "0")], cookies: cookies
      ).status
    }
    #expect(try await post(text, token, other) == 400)
    #expect(try await post(text, token, nil) == 400)
    #expect(try await post(text, "", cookie) == 400)
    #expect(try await post(text, token + "A", cookie) == 400)
    // Another sign-in of the same browser has a form of its own.
    let (third, _) = try await fixture.providerPage(fixture.link(context()), cookies: cookie)
    #expect(try await post(text, PlainPages.field("token", in: third), cookie) == 400)
    #expect(try await post(PlainPages.field("cx", in: second), token, cookie) == 400)
    #expect(try await post(text, token, cookie) == 200)
  }

  @Test(
    "A test person is not pressed by a place that another one has since: after a reload with other people the form is refused",
    arguments: [(["Eve", "Tom"], false), (["Tom", "Eve"], true), (["Tom"], true)])
  func reorderedPeople(names: [String], isTaken: Bool) async throws {
    var world = try DoorWorld()
    let fixture = try DoorFixture(world)
    let people = names.map {
      TestPerson(name: $0, claims: ClaimSet([Claim(.nameIdentifier, $0.lowercased())]))
    }
    world.providers.removeAll { $0.id == "test" }
    world.providers.append(ACSIdentityProvider(id: "test", name: "test", .testPeople(people)))
    let reloaded = world
    let answer = try await fixture.enter(.openID) { step in
      if step == .middle { try fixture.reload(reloaded) }
    }
    #expect((answer.tokens != nil) == isTaken, "\(answer)")
    if case .broken = answer { Issue.record("\(answer)") }
    // The next page has the people of now.
    #expect(try await fixture.enter(.openID).tokens != nil)
  }

  @Test("Sign-out tells the relying parties of this browser and leads back to a registered address")
  func signOut() async throws {
    let signedIn = try await fixture.press("0", context())
    let out = "/v2/wsfederation?wa=wsignout1.0"
    let response = try await fixture.signOut(
      signedIn.cookies,
      at: out + "&wtrealm=uri%3Atalks.example.org&wreply=https%3A%2F%2Ftalks.example.org%2Ftwo")
    #expect(response.text.contains("ping https://talks.example.org/signin?wa=wsignoutcleanup1.0"))
    #expect(response.text.contains("nextLink https://talks.example.org/two"))
    #expect(response.fields.values("Set-Cookie").contains { $0.contains("Max-Age=0") })
    #expect(response.fields.values("Set-Cookie").allSatisfy { $0.contains("SameSite=None") })
    let second = try await fixture.get(out + "&wreply=https%3A%2F%2Ferrors.example%2Fsignin")
    #expect(second.text.contains("nextLink https://errors.example/signin"))
    let nobody = try await fixture.get(out)
    #expect(nobody.status == 200 && !nobody.text.contains("ping"))
  }

  @Test("A browser keeps its number; one of another length is none")
  func browsers() async throws {
    for (length, isKept) in [(32, true), (31, false), (33, false), (0, false)] {
      let number = String(repeating: "a", count: length)
      let response = try await fixture.get(
        Self.start, cookies: "__Host-acs-browser=" + number)
      let set = response.fields.values("Set-Cookie").filter { $0.hasPrefix("__Host-acs-browser=") }
      #expect(set.isEmpty == isKept, "\(length)")
    }
  }

  @Test("Sign-out tells each relying party at which this browser signed in")
  func everyRealm() async throws {
    let first = try await fixture.press("0", context())
    let begun = try await fixture.get(
      "/v2/wsfederation?wa=wsignin1.0&wtrealm=uri%3Aerrors&whr=Google", cookies: first.cookies)
    let target = try HTTPURL(try #require(begun.fields["Location"])).target
    let cookies = [first.cookies, begun.cookies].filter { !$0.isEmpty }.joined(separator: "; ")
    let second = try await fixture.press("0", at: target, cookies: cookies)
    let out = try await fixture.signOut(
      second.cookies, at: "/v2/wsfederation?wa=wsignout1.0")
    #expect(out.text.contains("ping https://talks.example.org/signin?wa=wsignoutcleanup1.0"))
    #expect(out.text.contains("ping https://errors.example/signin?wa=wsignoutcleanup1.0"))
  }

  @Test("The metadata is read by our own reader, with the key and the address")
  func metadata() async throws {
    let response = try await fixture.get(
      "/FederationMetadata/2007-06/FederationMetadata.xml")
    #expect(response.status == 200)
    var reader = try MetadataReader()
    let entities = try reader.consume(response.body) + reader.finish()
    let entity = try #require(entities.first)
    #expect(entity.entityID == "https://acs.example/")
    #expect(response.text.contains("https://acs.example/v2/wsfederation"))
    let certificate = try #require(fixture.signing.certificate)
    #expect(response.text.contains(Base64.encode(certificate.der)))
    let signed = try SignedMetadata(
      verifying: response.body, keys: [TrustedKey(.certificate(certificate))], at: SiteFixture.now)
    #expect(signed.entities.map(\.entityID) == ["https://acs.example/"])
  }
}
