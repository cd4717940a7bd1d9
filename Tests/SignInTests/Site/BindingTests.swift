import Foundation
import IdentityProviderTesting
import SignIn
import TestSupport
import Testing

@Suite("Bindings that are not offered")
struct BindingTests {
  private let idp: IdentityProviderSimulator

  init() throws { idp = try IdentityProviderSimulator() }

  private func code(_ message: WebRequest) -> TokenError.Code? {
    do throws(TokenError) {
      _ = try SAMLAnswer(message)
      return nil
    } catch { return error.code }
  }

  @Test("BIND-8: A response by Redirect is refused, the same one by POST is read")
  func redirect() throws {
    let form = try idp.message(.init(inResponseTo: "_q"))
    let query = String(decoding: form.body, as: UTF8.self)
    #expect(code(WebRequest(method: "GET", query: query)) == .clientContentType)
    #expect(code(form) == nil)
  }

  @Test("BIND-2, GATE-23: A message twice, in query and body, or of both kinds is refused")
  func pollution() throws {
    let form = try idp.message(.init(inResponseTo: "_q"))
    let body = String(decoding: form.body, as: UTF8.self)
    for (addition, expected) in [
      ("&" + body, TokenError.Code.clientDuplicateParameter),
      ("&SAMLRequest=PHg%2B", .clientParameter), ("&samlresponse=x", .clientDuplicateParameter),
      ("&SAMLResponse%5B%5D=x", .clientMalformedForm),
    ] {
      var message = form
      message.body += Array(addition.utf8)
      #expect(code(message) == expected)
    }
    var both = form
    both.query = "SAMLResponse=x"
    #expect(code(both) == .clientDuplicateParameter)
    both.query = "tab=1"
    #expect(code(both) == nil)
  }

  @Test("BIND-13: An artifact is no response")
  func artifact() throws {
    let form = IdentityProviderSimulator.form([("SAMLart", "AAQAAA==")])
    #expect(code(form) == .clientParameter)
    #expect(code(try idp.message(.init(inResponseTo: "_q"))) == nil)
  }

  @Test("BIND-16: Fields of POST-SimpleSign sign nothing")
  func simpleSign() async throws {
    let unsigned = String(
      decoding: try idp.response(.init(inResponseTo: "_q")), as: UTF8.self
    ).replacing(/<ds:Signature.*<\/ds:Signature>/, with: "")
    let message = IdentityProviderSimulator.form([
      ("SAMLResponse", Data(unsigned.utf8).base64EncodedString()),
      ("SigAlg", "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"), ("Signature", "AAAA"),
    ])
    let answer = try SAMLAnswer(message)
    let service = try ServiceProvider(
      entityID: "https://app.example/saml", consumer: HTTPURL("https://app.example/saml/acs"))
    let error = await #expect(throws: TokenError.self) {
      try await service.finishUnsolicited(
        answer, from: idp.provider,
        trust: Trust(issuers: [idp.trusted], audiences: .oneOf([])), used: MemoryReplayStore(),
        at: Instant(secondsSinceEpoch: 1_893_499_200))
    }
    #expect(error?.code == .signInOtherRequest || error?.code == .signatureMissing)
  }

  @Test("GATE-13, RP-20: Only issuer and subject together name a principal, byte for byte")
  func identity() {
    // A store ends sessions by both; an e-mail address is a claim like any other.
    let subject = SubjectName("a@corp.example", format: "urn:f")
    for text in ["A@corp.example", "a@corp.example@evil.example", "a@corp\u{3002}example"] {
      #expect(!subject.isSubject(of: SubjectName(text, format: "urn:f")))
    }
    #expect(subject.isSubject(of: SubjectName("a@corp.example", format: "urn:f")))
    #expect(!subject.isSubject(of: SubjectName("a@corp.example", format: "urn:g")))
  }

  @Test("RP-1: A token in a query or a cookie is not read; in its header it is")
  func places() throws {
    #expect(try RequestToken(HTTPFields([("Cookie", "access_token=abc")])) == nil)
    #expect(try RequestToken(HTTPFields([("Authorization", "Basic YTpi")])) == nil)
    #expect(try RequestToken(HTTPFields([("Authorization", "bearer abc")])) != nil)
    #expect(try RequestToken(HTTPFields([("X-ZUMO-AUTH", "abc")])) != nil)
    #expect(try RequestToken(HTTPFields([("Authorization", "WRAP access_token=\"a\"")])) != nil)
    for fields in [
      [("Authorization", "Bearer a"), ("Authorization", "Bearer b")],
      [("Authorization", "Bearer a"), ("X-ZUMO-AUTH", "b")],
    ] {
      let error = #expect(throws: TokenError.self) { try RequestToken(HTTPFields(fields)) }
      #expect(error?.code == .clientDuplicateParameter)
    }
    let error = #expect(throws: TokenError.self) {
      try RequestToken(HTTPFields([("Authorization", "WRAP access_token=a")]))
    }
    #expect(error?.code == .clientParameter)
  }
}
