import HTTPExchange
import IdentityProviderTesting
import SecurityKeys
@testable import SignIn
import TestSupport
import Testing

@Suite("OpenID Connect: what a relying party registers, and what it is answered")
struct RegistrationTests {
  private let fixture: OpenIDFixture

  init() throws { fixture = try OpenIDFixture() }

  @Test("A registration that no provider can serve is refused when it is made")
  func registration() throws {
    let changes: [@Sendable (inout OpenIDClient) -> Void] = [
      { $0.clientID = "" }, { $0.clientID = "a\u{7}" }, { $0.clientID = "ä" },
      { $0.scopes = ["email"] }, { $0.scopes = ["openid", "two words"] },
      { $0.scopes = ["openid", ""] }, { $0.scopes = ["openid", "a\u{7f}"] },
      { $0.scopes = ["openid", "a\"b"] }, { $0.scopes = ["openid", "a\\b"] },
      { $0.contexts = ["two words"] },
      { $0.signingAlgorithms = [] }, { $0.signingAlgorithms = [.hmacSHA256] },
      { $0.signingAlgorithms = [.rsaSHA256, .rsaSHA1] },
      { $0.maxAge = -1 }, { $0.maxAge = 315_360_001 }, { $0.authentication = .basic(Secret("")) },
      { $0.refreshInterval = 0 }, { $0.refreshInterval = 315_360_001 },
    ]
    for change in changes {
      let code = refusalCode { _ = try fixture.party(change) }
      #expect(code == .signInConfiguration)
    }
    for change in [
      { $0.maxAge = 0 }, { $0.maxAge = 315_360_000 }, { $0.contexts = ["mfa"] },
      { $0.signingAlgorithms = [.ecdsaSHA256] }, { $0.refreshInterval = 1 },
      { $0.refreshInterval = 315_360_000 },
    ] as [@Sendable (inout OpenIDClient) -> Void] { _ = try fixture.party(change) }
  }

  @Test("RFC 8707, 2: A resource is an absolute URI without a fragment")
  func resources() throws {
    for (text, isResource) in [
      ("https://api.example/a?b", true), ("urn:api", true), ("a+b-1.2:x", true), ("api", false),
      ("1a:b", false), (":b", false), ("a_b:c", false), ("a:", false), ("a:b#c", false),
      ("a:b c", false), ("a:\u{e4}", false), ("a:\u{7f}", false), ("", false),
    ] {
      #expect(OpenIDClient.isResource(text) == isResource, "\(text)")
      let code = refusalCode { _ = try fixture.party { $0.resources = ["urn:api", text] } }
      #expect(code == (isResource ? nil : .signInConfiguration), "\(text)")
    }
  }

  @Test("The provider's clock may differ by ten minutes at most")
  func skew() throws {
    let party = try fixture.party()
    func code(_ skew: Int) -> TokenError.Code? {
      refusalCode {
        _ = try OpenIDRelyingParty(
          party.configuration, provider: party.provider, transport: party.transport, skew: skew)
      }
    }
    #expect(code(601) == .limitOutOfRange)
    #expect(code(-1) == .limitOutOfRange)
    #expect(code(600) == nil)
  }

  @Test("An answer comes as its response mode has it: another method or type of content is refused")
  func responseMode() throws {
    let party = try fixture.party { $0.responseMode = .formPost }
    let state = String(repeating: "a1", count: 20)
    let body = Array("code=c&state=\(state)".utf8)
    func message(_ method: String, _ type: String?, _ query: String? = nil) -> WebRequest {
      WebRequest(method: method, path: "/", query: query, contentType: type, body: body)
    }
    let form = "application/x-www-form-urlencoded"
    #expect(try party.request(of: message("POST", form)) == state)
    for (message, expected) in [
      (message("GET", form), TokenError.Code.clientContentType),
      (message("PUT", form), .clientContentType),
      (message("POST", "text/plain"), .clientContentType),
      (message("POST", form, "state=\(state)"), .clientDuplicateParameter),
    ] { #expect(refusalCode { _ = try party.request(of: message) } == expected) }
  }

  @Test(
    "RP-4: A state that this service cannot have made finds no pending sign-in",
    arguments: [
      ("", TokenError.Code.signInUnsolicited), ("state=", .signInUnsolicited),
      ("state=" + String(repeating: "a1", count: 19), .signInUnknown),
      ("state=" + String(repeating: "A1", count: 20), .signInUnknown),
      ("state=" + String(repeating: "g1", count: 20), .signInUnknown),
    ])
  func state(query: String, expected: TokenError.Code) throws {
    let party = try fixture.party()
    let message = WebRequest(
      method: "GET", path: "/", query: query, contentType: nil, body: [])
    #expect(refusalCode { _ = try party.request(of: message) } == expected)
  }
}
