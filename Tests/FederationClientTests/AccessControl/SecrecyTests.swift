import ClientScript
import Federation
import FederationClient
import Foundation
import HTTPExchange
import TestSupport
import Testing

@Suite("Secrets stay where they are")
struct SecrecyTests {
  static let secrets = [
    "c2Vj+cmV0", "c2Vj%2BcmV0", "s3cr&et", "s3cr%26et", "refresh-1", "c0de-1", "hw1o9yxeQG1io",
    "V1WXaX", "AAAB1",
  ]

  @Test(
    "RP-1 RP-3 RP-9 Tokens and secrets are sent in bodies and fields only, cookies not at all",
    arguments: [200, 400, 401, 302])
  func flows(status: Int) async throws {
    let observer = ScribblingObserver()
    let transport = ScriptedTransport { (request) throws(TokenError) in
      // A service that echoes the request: as received, and decoded.
      let echo = ([request.text] + request.parameters.map(\.value)).joined(separator: " ")
      var response: HTTPResponse =
        switch (status, request.url.path) {
        case (200, "/WRAPv0.9"): .form(TokenEndpointTests.wrapBody())
        case (200, "/v2/OAuth2-13"):
          .json(TokenEndpointTests.json(ACS.swt, ",\"refresh_token\":\"refresh-1\""))
        case (200, _): .of(200, "text/plain", "")
        default:
          .json(#"{"error":"invalid_grant","error_description":"\#(echo)"}"#, status: status)
        }
      try response.fields.append("Set-Cookie", "session=\(echo); Path=/")
      try response.fields.append("Location", "https://evil.example/?\(request.text)")
      return response
    }
    let client = AccessControlClient(
      try ACS.service(), trust: try ACS.trust(), transport: transport, time: ManualTime(ACS.now),
      observer: observer)
    var said: [String] = []
    let code = OAuthGrant.authorizationCode(
      Secret("c0de-1"), redirectURI: try HTTPURL("https://rp.example/cb"), proofKey: ProofKey())
    for grant in [OAuthGrant.clientCredentials, code, .refreshToken(Secret("refresh-1"))] {
      do throws(TokenError) {
        let token = try await client.token(grant, client: TokenEndpointTests.oauthClient)
        said += ["\(token)", String(reflecting: token), "\(grant)"]
      } catch {
        said.append("\(error)")
      }
    }
    do throws(TokenError) {
      let token = try await client.token(TokenEndpointTests.password)
      let session = try token.session(scheme: .wrap, at: ACS.now, subject: "uploader")
      let current = CurrentSession(
        account: "acs", store: MemoryCredentialStore(), renewal: .logOut,
        time: ManualTime(ACS.now), observer: observer)
      try await current.signIn(session)
      let filter = AuthorizedTransport(
        transport, session: current, origin: try HTTPURL("https://talks.example.org/").origin)
      let url = try HTTPURL("https://talks.example.org/feed")
      for _ in 0..<2 { said.append("\(try await filter.response(to: HTTPRequest(.get, url)))") }
      said += ["\(token)", "\(session)", String(reflecting: session)]
    } catch {
      said.append("\(error)")
    }
    for request in transport.requests {
      said += [request.url.text, "\(request)"]
      #expect(request.fields.values("Cookie") == [])
      #expect(request.url.origin.host != "evil.example")
    }
    said.append(observer.heard)
    for text in said {
      for secret in Self.secrets { #expect(!text.contains(secret), "\(text)") }
    }
    #expect(observer.heard.contains("acs.oauth"))
  }

  @Test("RP-22 A session in use by a request does not change when it is renewed")
  func immutable() async throws {
    let current = CurrentSession(
      account: "acs", store: MemoryCredentialStore(), renewal: .logOut, time: ManualTime(),
      observer: SecrecyObserver())
    try await current.signIn(Sample.session())
    let before = try #require(await current.session)
    try await current.signIn(Sample.session("sesame-2"))
    #expect(before.credential.secret.revealed == "sesame-1")
    #expect(await current.session?.credential.secret.revealed == "sesame-2")
  }
}
