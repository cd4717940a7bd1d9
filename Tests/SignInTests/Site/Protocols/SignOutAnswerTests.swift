import AccessControl
import HTTPExchange
import IdentityProviderTesting
import SAML
import SignIn
import TestSupport
import Testing

/// What the relying parties and the providers of the local token service say in a sign-out, and do not.
@Suite("Answers to sign-outs of the local token service")
struct SignOutAnswerTests {
  typealias Answer = SignOutFixture.Answer

  private let fixture: SignOutFixture

  init() throws { fixture = try SignOutFixture() }

  private func browser() -> SignOutFixture.Browser { SignOutFixture.Browser(site: fixture.site) }

  /// The answers that count as none, and one that counts.
  private static let answers: [(String, @Sendable (inout Answer) -> Void, String?)] = [
    ("what it should be", { _ in }, nil),
    ("of another service provider", { $0.issuer = "urn:one" }, "PartialLogout"),
    ("for another address", { $0.destination? += "2" }, "PartialLogout"),
    ("for no address", { $0.destination = nil }, "PartialLogout"),
    (
      "old", { $0.issued = $0.issued.advanced(bySeconds: -360) }, "PartialLogout"
    ),
  ]

  @Test(
    "A signed answer counts where it is that service provider's own, of now, and for this address",
    arguments: answers.indices)
  func answer(number: Int) async throws {
    let (kind, edit, problem) = Self.answers[number]
    var browser = browser()
    let one = try await fixture.signIn(at: "urn:one", &browser)
    _ = try await fixture.signIn(at: "urn:two", &browser)
    let (pending, target) = try fixture.signOut(at: "urn:one", one)
    let toOther = try await browser.get(target)
    let toProvider = try await browser.get(
      fixture.changedAnswer(toOther, as: "urn:two", edit))
    let end = try await browser.get(try await fixture.answerAbove(toProvider))
    #expect(try await fixture.problem(end, at: "urn:one", pending) == problem, "\(kind)")
  }

  @Test("An answer to another request is refused, and the one to ours is still waited for")
  func otherRequest() async throws {
    var browser = browser()
    let one = try await fixture.signIn(at: "urn:one", &browser)
    _ = try await fixture.signIn(at: "urn:two", &browser)
    let (pending, target) = try fixture.signOut(at: "urn:one", one)
    let toOther = try await browser.get(target)
    let other = try await browser.get(
      fixture.changedAnswer(toOther, as: "urn:two") { $0.request = "_other" })
    #expect(other.status == 400 && other.text.contains("code logout.unsolicited"))
    let toProvider = try await browser.get(fixture.changedAnswer(toOther, as: "urn:two"))
    let end = try await browser.get(try await fixture.answerAbove(toProvider))
    #expect(try await fixture.problem(end, at: "urn:one", pending) == nil)
  }

  @Test("A sign-out that is over goes no further, whoever brings its cookie again")
  func over() async throws {
    var browser = browser()
    let one = try await fixture.signIn(at: "urn:one", &browser)
    let (pending, target) = try fixture.signOut(at: "urn:one", one)
    let toProvider = try await browser.get(target)
    let answer = try await fixture.answerAbove(toProvider)
    var copy = browser
    let end = try await browser.get(answer)
    #expect(try await fixture.problem(end, at: "urn:one", pending) == nil)
    let again = try await copy.get(answer)
    #expect(again.status == 200 && again.fields["Location"] == nil)
  }

  /// What a service provider may answer over SOAP.
  private static let directAnswers: [(SignOutFixture.DirectAnswer, String?)] = [
    (.init(), nil), (.init(issuer: "urn:two"), "PartialLogout"),
    (.init(request: "_other"), "PartialLogout"), (.init(status: 500), "PartialLogout"),
  ]

  @Test(
    "An answer over SOAP counts where it is that service provider's own, to our request, and no failure of HTTP",
    arguments: directAnswers.indices)
  func directAnswer(number: Int) async throws {
    let (answer, problem) = Self.directAnswers[number]
    fixture.parties.direct = answer
    var browser = browser()
    let one = try await fixture.signIn(at: "urn:one", &browser)
    _ = try await fixture.signIn(at: "urn:direct", &browser)
    _ = try await fixture.signInAtClient(&browser)
    let (pending, target) = try fixture.signOut(at: "urn:one", one)
    let toProvider = try await browser.get(target)
    let end = try await browser.get(try await fixture.answerAbove(toProvider))
    #expect(try await fixture.problem(end, at: "urn:one", pending) == problem)
    let sent = try #require(
      fixture.parties.sent.first { $0.url.text == "https://direct.example/slo" })
    // SAML Bindings 3.2.3.1.
    #expect(sent.fields["Content-Type"] == "text/xml; charset=utf-8")
    #expect(sent.fields["SOAPAction"] == "\"http://www.oasis-open.org/committees/security\"")
  }

  @Test(
    "Without a way from server to server a service provider is told through the browser; who has no other is not told"
  )
  func withoutTransport() async throws {
    let fixture = try SignOutFixture(tells: false)
    var browser = SignOutFixture.Browser(site: fixture.site)
    for (realm, problem) in [("urn:direct", nil), ("urn:soap", "PartialLogout")]
      as [(String, String?)]
    {
      let one = try await fixture.signIn(at: "urn:one", &browser)
      _ = try await fixture.signIn(at: realm, &browser)
      let (pending, target) = try fixture.signOut(at: "urn:one", one)
      var response = try await browser.get(target)
      if problem == nil {
        response = try await browser.get(fixture.changedAnswer(response, as: realm))
      }
      let end = try await browser.get(try await fixture.answerAbove(response))
      #expect(try await fixture.problem(end, at: "urn:one", pending) == problem)
    }
    #expect(fixture.parties.told.isEmpty)
  }

  @Test(
    "A service provider with SOAP alone is told directly; what it cannot be answered through the browser ends nothing"
  )
  func soapAlone() async throws {
    var browser = browser()
    let soap = try await fixture.signIn(at: "urn:soap", &browser)
    let one = try await fixture.signIn(at: "urn:one", &browser)
    let refresh = try await fixture.signInAtClient(&browser)
    let (_, refused) = try fixture.signOut(at: "urn:soap", soap)
    let response = try await browser.get(refused)
    #expect(
      response.status == 400 && response.text.contains("code signin.no-endpoint"),
      "\(response.status) \(response.text)")
    #expect(fixture.parties.told.isEmpty)
    #expect(try await fixture.refresh(refresh) == 200)
    let (_, target) = try fixture.signOut(at: "urn:one", one)
    _ = try await fixture.answerAbove(try await browser.get(target))
    #expect(
      fixture.parties.told.sorted() == [
        "https://client.example/logout", "https://soap.example/slo",
      ]
    )
  }

  @Test("A service provider with POST alone gets its request in a form")
  func form() async throws {
    var browser = browser()
    let one = try await fixture.signIn(at: "urn:one", &browser)
    _ = try await fixture.signIn(at: "urn:form", &browser)
    let (pending, target) = try fixture.signOut(at: "urn:one", one)
    let page = try await browser.get(target)
    #expect(page.text.hasPrefix("form https://form.example/slo\n"), "\(page.text)")
    let toProvider = try await browser.get(fixture.changedAnswer(page, as: "urn:form"))
    let end = try await browser.get(try await fixture.answerAbove(toProvider))
    #expect(try await fixture.problem(end, at: "urn:one", pending) == nil)
  }

  @Test("Who signed in at two providers is signed out at both")
  func twoProviders() async throws {
    var browser = browser()
    try await fixture.signInAtDesk(&browser)
    let one = try await fixture.signIn(at: "urn:one", &browser)
    let (pending, target) = try fixture.signOut(at: "urn:one", one)
    let page = try await browser.get(target)
    #expect(page.text.contains("ping https://desk.example/in?wa=wsignoutcleanup1.0"))
    let toProvider = try await browser.get("/v2/sign-out")
    let toOther = try await browser.get(try await fixture.answerAbove(toProvider))
    let location = try #require(toOther.fields["Location"], "\(toOther.text)")
    #expect(location.hasPrefix("https://adfs.example/adfs/ls/?wa=wsignout1.0"))
    let end = try await browser.get("/v2/upstream/sign-out")
    #expect(
      try await fixture.problem(end, at: "urn:one", pending) == "PartialLogout",
      "a picture brings no answer")
  }

  @Test("Where one provider signs out the browser goes to the other one, and back to the first")
  func otherProvider() async throws {
    var browser = browser()
    try await fixture.signInAtDesk(&browser)
    let one = try await fixture.signIn(at: "urn:one", &browser)
    let (pending, target) = try fixture.demand(session: "s1")
    let page = try await browser.get(target)
    #expect(page.text.contains("ping https://desk.example/in?wa=wsignoutcleanup1.0"))
    let toOne = try await browser.get("/v2/sign-out")
    let toOther = try await browser.get(try await fixture.answer(toOne, as: "urn:one", one))
    let location = try #require(toOther.fields["Location"], "\(toOther.text)")
    #expect(location.hasPrefix("https://adfs.example/adfs/ls/?wa=wsignout1.0"))
    let end = try await browser.get("/v2/upstream/sign-out")
    #expect(try await fixture.problemAbove(end, pending) == "PartialLogout")
  }

  @Test("Pictures are on the last page where nothing comes after them")
  func pictures() async throws {
    var browser = browser()
    try await fixture.signInAtTalks(&browser)
    // A cleanup ends what came from a provider above by WS-Federation, and nothing else.
    let kept = try await browser.get("/v2/wsfederation?wa=wsignoutcleanup1.0")
    #expect(kept.text.hasPrefix("Nothing was ended"))
    // A provider comes after it.
    browser.referrer = "https://talks.example/page"
    let page = try await browser.get("/v2/wsfederation?wa=wsignout1.0")
    #expect(page.text.hasPrefix("Signing you out\n") && page.fields["Refresh"] != nil)
    let toProvider = try await browser.get("/v2/sign-out")
    let end = try await browser.get(try await fixture.answerAbove(toProvider))
    #expect(end.text.hasPrefix("You are signed out\n") && !end.text.contains("ping"))
  }

  @Test("A picture of another page ends nothing by wsignout1.0")
  func fromPicture() async throws {
    var browser = browser()
    _ = try await fixture.signIn(at: "urn:one", &browser)
    let refresh = try await fixture.signInAtClient(&browser)
    browser.mode = "no-cors"
    let response = try await browser.get("/v2/wsfederation?wa=wsignout1.0")
    #expect(response.text.hasPrefix("Nothing was ended") && response.fields["Location"] == nil)
    #expect(fixture.parties.told.isEmpty)
    #expect(try await fixture.refresh(refresh) == 200)
  }
}

// MARK: Providers

extension SignOutAnswerTests {
  @Test(
    "A picture on the sign-out page of a provider ends what was given, and by its redirect the browser goes on to each service provider"
  )
  func ofBrowser() async throws {
    var browser = browser()
    let path = "/v2/upstream/wsfed?wa=wsignoutcleanup1.0"
    try await fixture.signInAtDesk(&browser)
    let refresh = try await fixture.signInAtClient(&browser)
    browser.mode = "no-cors"
    let picture = try await browser.get(path)
    #expect(picture.status == 200 && picture.fields["Content-Type"] == "image/gif")
    #expect(fixture.parties.told == ["https://client.example/logout"])
    #expect(try await fixture.refresh(refresh) == 400)
    browser = self.browser()
    browser.mode = "navigate"
    try await fixture.signInAtDesk(&browser)
    let one = try await fixture.signIn(at: "urn:one", &browser)
    let session = try #require(fixture.site.upstream?.settings.sessionCookie)
    let page = try await browser.get(
      path + "&wreply=https%3A%2F%2Fadfs.example%2Fadfs%2Fls%2F%3Fnext%3D2")
    #expect(page.text.contains("ping https://desk.example/in?wa=wsignoutcleanup1.0"))
    #expect(page.fields.values("Set-Cookie").contains { $0.hasPrefix(session + "=;") })
    let toOne = try await browser.get("/v2/sign-out")
    let end = try await browser.get(try await fixture.answer(toOne, as: "urn:one", one))
    #expect(end.fields["Location"] == "https://adfs.example/adfs/ls/?next=2")
  }

  @Test(
    "A provider that signs out over SOAP is told that not all ended where a relying party needs the browser, also in a request with cookies"
  )
  func direct() async throws {
    var browser = browser()
    let refresh = try await fixture.signInAtClient(&browser)
    #expect(try await fixture.demandDirectly(session: "s1", &browser) == nil)
    #expect(try await fixture.refresh(refresh) == 400)
    _ = try await fixture.signIn(at: "urn:one", &browser, session: "s2")
    let failure = try await fixture.demandDirectly(session: "s2", &browser)
    #expect(failure?.contains("PartialLogout") == true)
    let nothing = try await fixture.demandDirectly(session: "s2", &browser)
    #expect(nothing?.contains("Requester") == true)
  }
}
