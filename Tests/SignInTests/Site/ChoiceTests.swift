import IdentityProviderTesting
import SignIn
import TestSupport
import Testing

@Suite("Choice of a provider")
struct ChoiceTests {
  private let idp: IdentityProviderSimulator
  private let own: IdentityProviderSimulator

  init() throws {
    idp = try IdentityProviderSimulator()
    own = try IdentityProviderSimulator(key: "rp-rsa")
  }

  /// A site with `count` providers: `Campus 0`, `Campus 1` and so on.
  private func browser(
    _ count: Int, _ change: (inout SiteSettings) throws -> Void = { _ in },
    name: (Int) -> String = { "Campus \($0)" }
  ) throws -> Browser {
    var settings = try SiteSettings(origin: HTTPURL("https://app.example/").origin, prefix: "/")
    try change(&settings)
    let service = try ServiceProvider(
      entityID: "https://app.example/saml", consumer: settings.address("saml/acs"),
      signingKeys: [own.key])
    let providers = try (0..<count).map { number in
      let provider = IdentityProvider(
        entityID: "https://idp\(number).example/",
        signOn: [.init(.redirect, try HTTPURL("https://idp\(number).example/sso"))])
      return SignInProvider(
        id: "p\(number)", name: name(number), .saml(service, .fixed(provider)),
        registry: StaticRegistry(Trust(issuers: [], audiences: .oneOf([]))))
    }
    return Browser(
      try SignInSite(settings, providers: providers, pages: PlainPages(), clock: ManualTime()))
  }

  @Test("The provider that was chosen last is first on the next page")
  func lastFirst() async throws {
    let browser = try browser(3)
    let first = try await browser.send("GET", "/sign-in")
    #expect(first.text.hasPrefix("Campus 0 "))
    let begun = try await browser.send("GET", "/sign-in?provider=p2")
    #expect(begun.fields["Location"]?.hasPrefix("https://idp2.example/sso?") == true)
    let second = try await browser.send("GET", "/sign-in")
    #expect(second.text.hasPrefix("Campus 2 ") && second.text.contains("Campus 0 "))
    browser.set("__Host-signin-choice", "bm9ib2R5")
    #expect(try await browser.send("GET", "/sign-in").text.hasPrefix("Campus 0 "))
  }

  @Test("Among hundreds a name is typed: the whole of one begins, a part shows those that fit")
  func many() async throws {
    let browser = try browser(400)
    let all = try await browser.send("GET", "/sign-in?return=%2Fpage")
    #expect(all.text.split(separator: "\n").count == 12)
    let part = try await browser.send("GET", "/sign-in?return=%2Fpage&name=campus+39")
    // 39 itself is the whole name of one.
    #expect(part.fields["Location"]?.hasPrefix("https://idp39.example/sso?") == true)
    let several = try await browser.send("GET", "/sign-in?return=%2Fpage&name=PUS%2039")
    #expect(several.text.hasPrefix("Campus 39 /sign-in?provider=p39&return=%2Fpage"))
    #expect(several.text.split(separator: "\n").count == 11)
    let none = try await browser.send("GET", "/sign-in?name=%3Cscript%3E")
    #expect(none.status == 200 && !none.text.contains("script"))
  }

  @Test("A name that two providers have is a choice between them")
  func sameName() async throws {
    let browser = try self.browser(3) { _ in
    } name: {
      $0 == 2 ? "Other" : "Campus"
    }
    let two = try await browser.send("GET", "/sign-in?name=campus")
    #expect(two.status == 200 && two.text.contains("provider=p0"))
    #expect(two.text.contains("provider=p1") && !two.text.contains("provider=p2"))
    #expect(try await browser.send("GET", "/sign-in?name=other").status == 303)
  }

  @Test("Nothing typed looks for nothing, also not for a provider without a name")
  func nothingTyped() {
    for typed in [nil, ""] {
      guard case .open(let all, let isInVain) = ProviderSearch(typed, in: ["", "a"], name: { $0 })
      else {
        Issue.record("\(typed ?? "nil") found a provider")
        continue
      }
      #expect(all == ["", "a"] && !isInVain)
    }
  }

  @Test("A discovery service is asked, and its answer begins at the provider it names")
  func discovery() async throws {
    let browser = try browser(3) {
      $0.discovery = DiscoveryService(try HTTPURL("https://ds.example/ask?style=1"))
    }
    let asked = try await browser.send("GET", "/sign-in?return=%2Fpage")
    #expect(
      asked.fields["Location"]
        == "https://ds.example/ask?style=1&entityID=https%3A%2F%2Fapp.example%2Fsaml"
        + "&return=https%3A%2F%2Fapp.example%2Fsign-in%3Freturn%3D%252Fpage%26asked%3D1")
    let back = "/sign-in?return=%2Fpage&asked=1"
    let begun = try await browser.send(
      "GET", back + "&entityID=https%3A%2F%2Fidp1.example%2F")
    #expect(begun.fields["Location"]?.hasPrefix("https://idp1.example/sso?") == true)
    let unknown = try await browser.send(
      "GET", back + "&entityID=https%3A%2F%2Fevil.example%2F")
    #expect(unknown.text.isRefusal(.signInProvider))
    let nothing = try await browser.send("GET", back)
    #expect(nothing.status == 200 && nothing.text.contains("Campus 0 "))
    let metadata = try await browser.send("GET", "/saml/metadata").text
    #expect(metadata.contains("<idpdisc:DiscoveryResponse "))
    #expect(metadata.contains("Location=\"https://app.example/sign-in\""))
  }

  @Test("A provider has its English name on the page, and its first one where there is none")
  func names() throws {
    let text = String(decoding: TestVector.bytes("metadata/entity.xml"), as: UTF8.self)
    let role = try #require(text.firstMatch(of: /<md:IDPSSODescriptor[^>]*>/)).output
    for (languages, name) in [(["de", "en", "fr"], "en"), (["de", "fr"], "de"), ([], nil)] {
      let names = languages.map {
        "<mdui:DisplayName xml:lang=\"\($0)\">Name \($0)</mdui:DisplayName>"
      }
      let info =
        "<md:Extensions><mdui:UIInfo xmlns:mdui=\"urn:oasis:names:tc:SAML:metadata:ui\">"
        + names.joined() + "</mdui:UIInfo></md:Extensions>"
      var reader = try MetadataReader()
      let document = Array(text.replacing(role, with: role + info).utf8)
      let entity = try #require(try (reader.consume(document) + reader.finish()).first)
      #expect(
        try IdentityProvider(entity)?.displayName
          == name.map { "Name \($0)" } ?? "https://idp.example/idp")
    }
  }

  /// The metadata of a service that asks.
  private func services() throws -> [EntityDescriptor] {
    var metadata = ServiceProviderMetadata(
      entityID: "https://wiki.example/saml", consumer: "https://wiki.example/acs")
    metadata.discoveryResponse = "https://wiki.example/chosen"
    var reader = try MetadataReader()
    return try reader.consume(metadata.document()) + reader.finish()
  }

  @Test("Another service asks, and its person comes back to it with the provider")
  func asDiscoveryService() async throws {
    let services = try services()
    let browser = try browser(3) { $0.discoverers = services }
    let question = "entityID=https%3A%2F%2Fwiki.example%2Fsaml"
    let passive = try await browser.send("GET", "/discovery?\(question)&isPassive=true")
    #expect(passive.fields["Location"] == "https://wiki.example/chosen")
    let page = try await browser.send(
      "GET",
      "/discovery?\(question)&return=https%3A%2F%2Fwiki.example%2Fchosen%3Ftab%3D1&returnIDParam=idp"
    )
    let link = try #require(page.text.firstMatch(of: /Campus 1 (\S+)/)).1
    let chosen = try await browser.send("GET", String(link))
    #expect(
      chosen.fields["Location"]
        == "https://wiki.example/chosen?tab=1&idp=https%3A%2F%2Fidp1.example%2F")
    let again = try await browser.send("GET", "/discovery?\(question)&isPassive=true")
    #expect(
      again.fields["Location"]
        == "https://wiki.example/chosen?entityID=https%3A%2F%2Fidp1.example%2F")
  }

  @Test(
    "A stranger, an address that is not the service's, another policy and a parameter that is taken are refused",
    arguments: [
      ("entityID=https%3A%2F%2Fevil.example", TokenError.Code.signInDiscoveryService),
      ("", .clientParameter),
      (
        "entityID=https%3A%2F%2Fwiki.example%2Fsaml&return=https%3A%2F%2Fevil.example%2Fchosen",
        .signInDiscoveryReturn
      ),
      (
        "entityID=https%3A%2F%2Fwiki.example%2Fsaml&return=https%3A%2F%2Fwiki.example%2Fother",
        .signInDiscoveryReturn
      ),
      ("entityID=https%3A%2F%2Fwiki.example%2Fsaml&policy=urn%3Amany", .clientParameter),
      ("entityID=https%3A%2F%2Fwiki.example%2Fsaml&returnIDParam=", .clientParameter),
      (
        "entityID=https%3A%2F%2Fwiki.example%2Fsaml&return="
          + "https%3A%2F%2Fwiki.example%2Fchosen%3FentityID%3Dx", .clientParameter
      ),
    ])
  func strangers(query: String, code: TokenError.Code) async throws {
    let services = try services()
    let browser = try browser(3) { $0.discoverers = services }
    let response = try await browser.send("GET", "/discovery?" + query)
    #expect(response.text.isRefusal(code) && response.fields["Location"] == nil)
  }

  @Test(
    "Where people come back to is what the service provider publishes, and no other role of its entity"
  )
  func otherRole() throws {
    let document = String(
      decoding: try ServiceProviderMetadata(
        entityID: "https://wiki.example/saml", consumer: "https://wiki.example/acs"
      ).document(), as: UTF8.self)
    let role = """
      <md:IDPSSODescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" \
      protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:Extensions>\
      <d:DiscoveryResponse xmlns:d="urn:oasis:names:tc:SAML:profiles:SSO:idp-discovery-protocol" \
      Binding="urn:oasis:names:tc:SAML:profiles:SSO:idp-discovery-protocol" index="0" \
      Location="https://wiki.example/chosen"/></md:Extensions><md:SingleSignOnService \
      Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://wiki.example/sso"/>\
      </md:IDPSSODescriptor>
      """
    func code(_ role: String) throws -> TokenError.Code? {
      let end = "</md:EntityDescriptor>"
      #expect(document.contains(end))
      var reader = try MetadataReader()
      let services =
        try reader.consume(Array(document.replacing(end, with: role + end).utf8))
        + reader.finish()
      do throws(TokenError) {
        _ = try DiscoveryRequest(
          WebRequest(
            method: "GET", path: "/discovery", query: "entityID=https%3A%2F%2Fwiki.example%2Fsaml"),
          services: services)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(try code(role) == .signInDiscoveryReturn)
    let own = role.replacing("IDPSSODescriptor", with: "SPSSODescriptor").replacing(
      /<md:SingleSignOnService[^>]*>/,
      with: """
        <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" \
        index="0" Location="https://wiki.example/acs"/>
        """)
    #expect(try code(own) == nil)
  }
}
