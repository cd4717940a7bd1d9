import Foundation
import IdentityProviderTesting
import SignIn
import TestSupport
import Testing

@Suite("Answers that a provider sends unasked, encrypted")
struct UnsolicitedAnswerTests {
  private let clock = ManualTime()
  private let idp: IdentityProviderSimulator
  private let own: IdentityProviderSimulator
  private let ownKey: PrivateKey
  private let sessions = MemorySessionStore()

  init() throws {
    idp = try IdentityProviderSimulator()
    own = try IdentityProviderSimulator(key: "rp-rsa")
    ownKey = try PrivateKey(
      pemOrDER: Array(Data(contentsOf: TestVector.folder.appending(path: "keys/rp-rsa.key"))))
  }

  private func site(_ accepting: [String] = ["p0"]) throws -> SignInSite {
    let settings = try SiteSettings(origin: HTTPURL("https://app.example/").origin, prefix: "/")
    let service = try ServiceProvider(
      entityID: "https://app.example/saml", consumer: settings.address("saml/acs"),
      signingKeys: [own.key], decryptionKeys: [ownKey])
    let other = try IdentityProviderSimulator("https://other.example/", key: "other-rsa")
    return try SignInSite(
      settings,
      providers: [idp, other].enumerated().map { number, simulator in
        var provider = SignInProvider(
          id: "p\(number)", name: "P", .saml(service, .fixed(simulator.provider)),
          registry: StaticRegistry(Trust(issuers: [simulator.trusted], audiences: .oneOf([]))))
        provider.acceptsUnsolicited = accepting.contains(provider.id)
        return provider
      }, pages: PlainPages(), sessions: sessions, clock: clock)
  }

  private func message(
    request: String? = nil, _ change: (String) -> String = { $0 }
  ) throws -> WebRequest {
    var draft = TokenDraft(
      issuer: idp.entityID, audiences: ["https://app.example/saml"], issuedAt: clock.now,
      id: "_a" + UUID().uuidString)
    draft.subject = "ada"
    let issuer = SAMLIssuer(
      .v2, key: idp.key, encryptingTo: try EncryptionRecipient(own.certificate))
    let octets = try issuer.response(
      draft,
      delivery: SAMLDelivery(recipient: "https://app.example/saml/acs", inResponseTo: request),
      signing: .assertion)
    let text = change(String(decoding: octets, as: UTF8.self))
    return IdentityProviderSimulator.form([
      ("SAMLResponse", Data(text.utf8).base64EncodedString())
    ])
  }

  @Test("An encrypted answer is accepted where its provider may begin, once")
  func accepted() async throws {
    let message = try message()
    let browser = Browser(try site())
    #expect(try await browser.send("POST", "/saml/acs", body: message).status == 303)
    #expect(sessions.count == 1)
    let second = try await Browser(try site()).send("POST", "/saml/acs", body: try self.message())
    #expect(second.status == 303)
    let used = Browser(browser.site)
    #expect(try await used.send("POST", "/saml/acs", body: message).text.isRefusal(.replayUsed))
    let refused = try await Browser(try site([])).send(
      "POST", "/saml/acs", body: try self.message())
    #expect(refused.text.isRefusal(.signInUnsolicited))
  }

  @Test("A provider that may begin answers requests as any other")
  func asked() async throws {
    let browser = Browser(try site())
    let begun = try await browser.send("GET", "/sign-in?provider=p0")
    let location = try #require(begun.fields["Location"])
    let request = "_" + String(try #require(location.firstMatch(of: /RelayState=([0-9a-f]{40})/)).1)
    let response = try await browser.send("POST", "/saml/acs", body: message(request: request))
    #expect(response.status == 303 && sessions.count == 1)
  }

  @Test(
    "An answer without an issuer outside of what is encrypted is of the only provider that may begin"
  )
  func nameless() async throws {
    func nameless() throws -> WebRequest {
      try message { $0.replacing(/<saml:Issuer[^>]*>[^<]*<\/saml:Issuer>/, with: "") }
    }
    #expect(try await Browser(site()).send("POST", "/saml/acs", body: nameless()).status == 303)
    let ambiguous = try await Browser(site(["p0", "p1"])).send(
      "POST", "/saml/acs", body: nameless())
    #expect(ambiguous.text.isRefusal(.signInUnsolicited))
  }

  @Test(
    "SEM-7: What answers a request of another browser is no unsolicited answer, also where only the ciphertext says so"
  )
  func answersARequest() async throws {
    let stolen = try message(request: "_" + String(repeating: "a", count: 40)) {
      $0.replacing(/\sInResponseTo="[^"]*"/, with: "")
    }
    let response = try await Browser(try site()).send("POST", "/saml/acs", body: stolen)
    #expect(response.text.isRefusal(.confirmationRequestMismatch) && sessions.count == 0)
  }
}
