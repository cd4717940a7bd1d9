import AccessControl
import Federation
import HTTPExchange
import JSONWebTokens
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

/// Each kind of token of this service that may be exchanged, and what it is refused for. Those of providers are in
/// `TokenExchangeTests`.
@Suite("What a token of the local Access Control Service is refused for in an exchange")
struct SubjectRefusalTests {
  enum Form: String, CaseIterable {
    case saml2, saml1, swt, jwt, idToken = "id_token", accessToken = "access_token"

    var type: String { self == .swt ? ExchangeFixture.swt : ExchangeFixture.type + rawValue }
    var isAssertion: Bool { self == .saml2 || self == .saml1 }
  }

  private let fixture: ExchangeFixture

  init() throws {
    var other = RelyingParty(realm: "urn:op-only", format: .jwt, ruleGroups: ["all"])
    other.exchange.clients = ["client"]
    other.providers = ["op"]
    fixture = try ExchangeFixture { $0.append(other) }
  }

  /// A token that the service issued about Ada; XML as it is, not as it travels.
  private func issued(_ form: Form, for audience: String = "client") async throws -> String {
    let (_, json, response) = try await fixture.exchange(
      try fixture.assertion(), ExchangeFixture.type + "saml2",
      ["audience": audience, "requested_token_type": form.type])
    let text = try #require(json["access_token"]?.string, "\(response.text)")
    guard form.isAssertion else { return text }
    return String(decoding: try Base64.decode(Array(text.utf8), .url), as: UTF8.self)
  }

  /// One that a stranger signed.
  private func forged(
    _ form: Form, issuer: String = ExchangeFixture.issuer, secret: [UInt8]? = nil,
    recipient: EncryptionRecipient? = nil
  ) throws -> String {
    let stranger = try ExchangeFixture.pair("stranger")
    let draft = fixture.draft(issuer, for: "client")
    let octets: [UInt8]
    switch form {
    case .saml2:
      octets = try SAMLIssuer(.v2, key: stranger, encryptingTo: recipient).assertion(draft)
    case .saml1: octets = try SAMLIssuer(.v1, key: stranger).assertion(draft)
    case .swt:
      octets = try SimpleWebToken.mint(
        draft, key: SymmetricKey(bytes: secret ?? [UInt8](repeating: 5, count: 32)))
    case .jwt, .idToken, .accessToken:
      octets = try JSONWebToken.mint(
        draft, key: stranger, keyID: "k1", type: form == .accessToken ? "at+jwt" : "JWT")
    }
    return String(decoding: octets, as: UTF8.self)
  }

  private func exchange(
    _ text: String, _ form: Form, audience: String = "urn:api"
  ) async throws -> (status: Int, json: JSONValue, response: HTTPExchange.HTTPResponse) {
    try await fixture.exchange(
      form.isAssertion ? Base64.encode(Array(text.utf8), .url) : text, form.type,
      ["audience": audience], as: "client")
  }

  private func refused(
    _ text: String, _ form: Form, _ code: String, audience: String = "urn:api",
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let (status, json, response) = try await exchange(text, form, audience: audience)
    #expect(
      status == 400 && json["error"]?.string == "invalid_request", "\(form): \(response.text)",
      sourceLocation: location)
    #expect(
      response.text.contains("(\(code))"), "\(form): \(response.text)", sourceLocation: location)
    #expect(json["access_token"] == nil, sourceLocation: location)
  }

  @Test("An honest one is taken, and a second time", arguments: Form.allCases)
  func honest(form: Form) async throws {
    let token = try await issued(form)
    for _ in 0..<2 {
      let answer = try await exchange(token, form)
      #expect(answer.status == 200, "\(answer.response.text)")
    }
  }

  @Test("One for another audience, or of a provider that is not offered", arguments: Form.allCases)
  func others(form: Form) async throws {
    try await refused(issued(form, for: "urn:api"), form, "audience.mismatch")
    try await refused(issued(form), form, "exchange.provider", audience: "urn:op-only")
  }

  @Test("One that is over, or has not begun", arguments: Form.allCases)
  func times(form: Form) async throws {
    let token = try await issued(form)
    fixture.clock.advance(bySeconds: -3600)
    // A Simple Web Token has no beginning.
    if form != .swt { try await refused(token, form, "time.not-yet-valid") }
    fixture.clock.advance(bySeconds: 3600 + 7200)
    try await refused(token, form, "time.expired")
  }

  @Test("One of another issuer, and one that another key signed", arguments: Form.allCases)
  func forgeries(form: Form) async throws {
    try await refused(
      forged(form, issuer: "https://evil.example/"), form,
      form == .accessToken ? "exchange.token" : "exchange.provider")
    let code =
      switch form {
      case .saml2, .saml1: "signature.invalid"
      case .swt: "signature.mac-mismatch"
      case .jwt, .idToken, .accessToken: "key.unknown-id"
      }
    try await refused(forged(form), form, code)
  }

  @Test("A Simple Web Token that a relying party made with the key that it has")
  func neverIssued() async throws {
    try await refused(forged(.swt, secret: fixture.secret), .swt, "exchange.token")
  }

  @Test("One with something else around it or beside it", arguments: Form.allCases)
  func wrapped(form: Form) async throws {
    let token = try await issued(form)
    switch form {
    case .saml2, .saml1:
      let name = form == .saml2 ? "ID" : "AssertionID"
      let start = try #require(token.firstRange(of: "<ds:Signature"))
      let end = try #require(token.firstRange(of: "</ds:Signature>"))
      let signature = String(token[start.lowerBound..<end.upperBound])
      let bare = token.replacing(signature, with: "")
      let id = try #require(bare.firstMatch(of: try Regex(" \(name)=\"[^\"]*\"")))
      let place = try #require(bare.firstRange(of: "</saml:Conditions>"))
      var parts = [
        String(bare[..<id.range.lowerBound]), " \(name)=\"_outer\"",
        String(bare[id.range.upperBound..<place.upperBound]), "<saml:Advice>\(bare)</saml:Advice>",
        String(bare[place.upperBound...]),
      ]
      let mark = form == .saml2 ? "</saml:Issuer>" : "</saml:Assertion>"
      let part = form == .saml2 ? 2 : 4
      let whole = parts[part]
      parts[part] =
        form == .saml2
        ? whole.replacing(mark, with: mark + signature)
        : whole.replacing(mark, with: signature + mark)
      let outer = parts.joined()
      try await refused(outer, form, "signature.reference-uri")
    case .swt: try await refused("Audience=client&" + token, form, "input.swt-duplicate-name")
    case .jwt, .idToken, .accessToken:
      try await refused(token + "." + token, form, "input.jws-parts")
    }
  }

  @Test("One that is cut off", arguments: Form.allCases)
  func malformed(form: Form) async throws {
    let code =
      switch form {
      case .saml2, .saml1: "xml.malformed"
      case .swt: "signature.mac-malformed"
      case .jwt, .idToken, .accessToken: "input.base64"
      }
    let token = try await issued(form)
    try await refused(String(token.dropLast(9)), form, code)
  }

  @Test("One that is encrypted to a key that the service does not have")
  func encrypted() async throws {
    let stranger = try KeyPairs.pair("stranger")
    let certificate = try #require(stranger.signing.certificate)
    try await refused(
      forged(.saml2, recipient: EncryptionRecipient(certificate)), .saml2, "exchange.provider")
    let recipient = try JSONWebEncryptionRecipient(stranger.private.publicKey)
    for form in [Form.jwt, .idToken, .accessToken] {
      let sealed = try EncryptedJSONWebToken.encrypt(
        Array(try await issued(form).utf8), to: recipient)
      try await refused(
        String(decoding: sealed, as: UTF8.self), form, "input.unsupported-format")
    }
  }

  @Test("One that says another type than it has", arguments: Form.allCases)
  func otherType(form: Form) async throws {
    let token = try await issued(form)
    let saml = form.isAssertion
    try await refused(
      token, form == .saml2 ? .saml1 : .saml2, saml ? "signin.token-kind" : "xml.malformed")
  }
}
