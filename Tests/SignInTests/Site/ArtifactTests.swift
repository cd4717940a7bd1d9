import Foundation
import IdentityProviderTesting
import SignIn
import Synchronization
import TestSupport
import Testing

/// An artifact resolution service, by the text of SAML Bindings 3.6 alone.
private final class ResolutionService: HTTPTransport {
  /// The answer: status, and what is inside of the ArtifactResponse.
  struct Answer {
    var status = 200
    var issuer: String? = "https://idp.example/"
    var request: String?
    var code = "urn:oasis:names:tc:SAML:2.0:status:Success"
    var message = ""
    /// What is in the envelope after the body.
    var after = ""
  }

  private let state = Mutex<(answer: Answer, asked: [String])>((Answer(), []))

  var asked: [String] { state.withLock { $0.asked } }

  func answer(with change: (inout Answer) -> Void) { state.withLock { change(&$0.answer) } }

  func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
    let body = String(decoding: request.body, as: UTF8.self)
    let isProper =
      request.url.text == "https://idp.example/resolve" && request.method.rawValue == "POST"
      && request.fields["Content-Type"] == "text/xml; charset=utf-8"
      && request.fields["SOAPAction"] == "\"http://www.oasis-open.org/committees/security\""
      && body.contains("<soap:Body><samlp:ArtifactResolve ")
      && body.contains(/<saml:Issuer[^>]*>https:..app.example.saml<.saml:Issuer><ds:Signature\b/)
      && body.contains("Destination=\"https://idp.example/resolve\"")
    guard isProper, let id = body.firstMatch(of: /\sID="(_[0-9a-f]{40})"/)?.1,
      let artifact = body.firstMatch(of: /<samlp:Artifact>([^<]*)</)?.1
    else { throw TokenError(.transportStatus, found: "400") }
    let answer = state.withLock { state in
      state.asked.append(String(artifact))
      return state.answer
    }
    let issuer = answer.issuer.map { "<a:Issuer>\($0)</a:Issuer>" } ?? ""
    let envelope = """
      <S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/"><S:Body>\
      <p:ArtifactResponse xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" \
      xmlns:a="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r1" Version="2.0" \
      IssueInstant="2030-01-01T12:00:00Z" InResponseTo="\(answer.request ?? String(id))">\(issuer)\
      <p:Status><p:StatusCode Value="\(answer.code)"/></p:Status>\(answer.message)\
      </p:ArtifactResponse></S:Body>\(answer.after)</S:Envelope>
      """
    return HTTPResponse(status: answer.status, fields: HTTPFields(), body: Array(envelope.utf8))
  }
}

@Suite("Answers by reference")
struct ArtifactTests {
  private let clock = ManualTime()
  private let idp: IdentityProviderSimulator
  private let resolution = ResolutionService()
  private let site: SignInSite

  /// SHA-1 of the two entity identifiers, by openssl.
  private static let idpSource = "mslYVgjIgTLFLIBpUzJrPOySL8Q="
  private static let otherSource = "ekKSwRnQxkIHWhaPCl532Xi6008="

  init() throws {
    idp = try IdentityProviderSimulator()
    let own = try IdentityProviderSimulator(key: "rp-rsa")
    let settings = try SiteSettings(origin: HTTPURL("https://app.example/").origin, prefix: "/")
    var service = try ServiceProvider(
      entityID: "https://app.example/saml", consumer: settings.address("saml/acs"),
      signingKeys: [own.key])
    service.backChannel = resolution
    service.answerBinding = .artifact
    let provider = IdentityProvider(
      entityID: idp.entityID, signOn: idp.provider.signOn,
      artifactResolution: [2: try HTTPURL("https://idp.example/resolve")])
    site = try SignInSite(
      settings,
      providers: [
        SignInProvider(
          id: "idp", name: "IdP", .saml(service, .fixed(provider)),
          registry: StaticRegistry(Trust(issuers: [idp.trusted], audiences: .oneOf([]))))
      ], pages: PlainPages(), clock: clock)
  }

  private static func artifact(
    _ source: String = idpSource, type: [UInt8] = [0, 4], index: UInt8 = 2, handle: UInt8 = 7
  ) -> String {
    let octets = Array(Data(base64Encoded: source) ?? Data())
    return Data(type + [0, index] + octets + Array(repeating: handle, count: 20))
      .base64EncodedString()
  }

  /// Begins in a browser and returns the request's identifier.
  private func begin(_ browser: Browser) async throws -> String {
    let begun = try await browser.send("GET", "/sign-in?return=%2Fpage")
    let location = try #require(begun.fields["Location"])
    return String(try #require(location.firstMatch(of: /RelayState=([0-9a-f]{40})/)).1)
  }

  private func bring(
    _ artifact: String, _ relayState: String?, _ browser: Browser
  ) async throws -> HTTPResponse {
    var query = "/saml/acs?SAMLart=" + HTTPURL.percentEncoded(artifact)
    if let relayState { query += "&RelayState=" + relayState }
    return try await browser.send("GET", query)
  }

  private func hold(_ request: String, signing: SAMLIssuer.SignedParts = .assertion) throws {
    var answer = IdentityProviderSimulator.Answer(inResponseTo: "_" + request, at: clock.now)
    answer.signing = signing
    let response = String(decoding: try idp.response(answer), as: UTF8.self)
    resolution.answer { $0.message = response }
  }

  @Test(
    "BIND-13: An artifact is resolved, and what it stands for signs in",
    arguments: [SAMLIssuer.SignedParts.assertion, .response])
  func resolves(signing: SAMLIssuer.SignedParts) async throws {
    let browser = Browser(site)
    let request = try await begin(browser)
    try hold(request, signing: signing)
    let response = try await bring(Self.artifact(), request, browser)
    #expect(response.status == 303 && response.fields["Location"] == "/page")
    #expect(resolution.asked == [Self.artifact()])
    let signedIn = try await site.session(of: browser.request("/page"))
    #expect(signedIn?.principal.subject == "ada")
  }

  @Test("An artifact comes in a posted form as well")
  func posted() async throws {
    let browser = Browser(site)
    let request = try await begin(browser)
    try hold(request)
    let form = IdentityProviderSimulator.form([
      ("SAMLart", Self.artifact()), ("RelayState", request),
    ])
    let response = try await browser.send("POST", "/saml/acs", body: form)
    #expect(response.status == 303)
  }

  @Test("The request asks for an artifact, and the metadata offers both bindings")
  func asks() async throws {
    let metadata = try await Browser(site).send("GET", "/saml/metadata").text
    #expect(metadata.contains("HTTP-Artifact") && metadata.contains("HTTP-POST"))
    let posted = try SignInSiteTests.site([idp], clock, MemorySessionStore())
    let other = try await Browser(posted).send("GET", "/saml/metadata").text
    #expect(!other.contains("HTTP-Artifact") && other.contains("HTTP-POST"))
  }

  @Test(
    "BIND-13: What is no artifact, or of an issuer that was not asked, is not resolved",
    arguments: [
      (artifact(type: [0, 3]), TokenError.Code.clientParameter),
      (artifact() + "AAAA", .clientParameter), ("AAQAAA==", .clientParameter),
      (artifact(otherSource), .signInOtherIssuer), (artifact(index: 3), .signInNoEndpoint),
    ])
  func malformed(artifact: String, code: TokenError.Code) async throws {
    let browser = Browser(site)
    let request = try await begin(browser)
    try hold(request)
    let response = try await bring(artifact, request, browser)
    #expect(response.text.isRefusal(code))
    #expect(resolution.asked.isEmpty)
    #expect(try await bring(Self.artifact(), request, browser).status == 303)
  }

  @Test("BIND-13: An artifact is resolved once, and not for another browser")
  func replay() async throws {
    let browser = Browser(site)
    let request = try await begin(browser)
    let stranger = Browser(site)
    let stolen = try await bring(Self.artifact(), request, stranger)
    #expect(stolen.text.isRefusal(.signInUnknown))
    let alone = try await bring(Self.artifact(), nil, browser)
    #expect(alone.text.isRefusal(.signInUnsolicited))
    #expect(resolution.asked.isEmpty)
    resolution.answer { $0.status = 500 }
    let broken = try await bring(Self.artifact(), request, browser)
    #expect(broken.text.isRefusal(.transportStatus))
    resolution.answer { $0.status = 200 }
    let again = try await bring(Self.artifact(), request, browser)
    #expect(again.text.isRefusal(.replayUsed) && resolution.asked.count == 1)
  }

  @Test(
    "BIND-13: An answer of another issuer, to another request, with a failure or empty is refused",
    arguments: [
      (0, TokenError.Code.signInOtherIssuer), (1, .signInOtherRequest), (2, .responseStatus),
      (3, .noAssertion), (4, .transportRedirect),
    ])
  func wrongAnswers(kind: Int, code: TokenError.Code) async throws {
    let browser = Browser(site)
    let request = try await begin(browser)
    try hold(request)
    resolution.answer { answer in
      switch kind {
      case 0: answer.issuer = "https://other.example/"
      case 1: answer.request = "_other"
      case 2: answer.code = "urn:oasis:names:tc:SAML:2.0:status:Requester"
      case 3: answer.message = ""
      default: answer.status = 302
      }
    }
    let response = try await bring(Self.artifact(), request, browser)
    #expect(response.text.isRefusal(code))
  }

  @Test("BIND-13: What an artifact stands for is a response, alone in its envelope")
  func alone() async throws {
    let browser = Browser(site)
    let request = try await begin(browser)
    try hold(request)
    resolution.answer { $0.after = "<S:Other/>" }
    let two = try await bring(Self.artifact(handle: 1), request, browser)
    #expect(two.text.isRefusal(.unexpectedElement))
    resolution.answer { answer in
      answer.after = ""
      let assertion = answer.message.firstMatch(of: /<saml:Assertion .*<\/saml:Assertion>/)
      answer.message = assertion.map { String($0.0) } ?? ""
    }
    let bare = try await bring(Self.artifact(handle: 2), request, browser)
    #expect(bare.text.isRefusal(.unexpectedRoot), "\(bare.text)")
    try hold(request)
    #expect(try await bring(Self.artifact(handle: 3), request, browser).status == 303)
  }

  @Test("BIND-13: The response inside passes every check: its signature and its request")
  func enclosed() async throws {
    let browser = Browser(site)
    let request = try await begin(browser)
    try hold(String(repeating: "0", count: 40))
    let other = try await bring(Self.artifact(), request, browser)
    #expect(other.text.isRefusal(.signInOtherRequest))
    try hold(request)
    resolution.answer { answer in
      answer.message = answer.message.replacing(/<ds:Signature.*?<\/ds:Signature>/, with: "")
    }
    let unsigned = try await bring(Self.artifact(handle: 8), request, browser)
    #expect(unsigned.text.isRefusal(.signatureMissing))
    try hold(request)
    #expect(try await bring(Self.artifact(handle: 9), request, browser).status == 303)
  }
}
