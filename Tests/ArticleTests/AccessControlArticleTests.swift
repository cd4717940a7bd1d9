import FederationClient
import TestSupport
import Testing

@testable import ArticleExamples

@Suite("The articles on Access Control Service")
struct AccessControlArticleTests {
  @Test("A program gets a verified token with what the rule gives")
  func token() async throws {
    let token = try await uploaderToken(password: Secret("for-testing"))
    #expect(token.verified.claims[.role] == ["writer"])
  }

  @Test("A wrong password has its code")
  func password() async throws {
    await #expect(throws: TokenError(.clientCredentials)) {
      try await uploaderToken(password: Secret("wrong"))
    }
  }

  @Test("A website sends the browser to its realm; an answer of no sign-in has its code")
  func website() async throws {
    let signIn = try websiteSignIn(
      at: HTTPURL("https://talks.accesscontrol.example/"), realm: "urn:talks",
      certificate: TestVector.bytes("keys/idp-rsa.crt"), time: ManualTime())
    let start = try signIn.begin(returningTo: ReturnPath("/talks/7"))
    #expect(start.address.path == "/v2/wsfederation")
    let message = WebRequest(
      method: "POST", path: "/signin", contentType: "application/x-www-form-urlencoded",
      body: Array("wa=wsignin1.0&wresult=%3Ca%2F%3E&wctx=y".utf8))
    await #expect(throws: TokenError(.clientState)) {
      _ = try await signIn.receive(message, browser: start.browser)
    }
  }
}
