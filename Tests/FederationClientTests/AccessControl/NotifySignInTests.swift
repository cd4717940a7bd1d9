import ClientScript
import Claims
import Federation
import FederationClient
import Foundation
import HTTPExchange
import SecrecyTesting
import TestSupport
import Testing

@Suite("javascriptnotify")
struct NotifySignInTests {
  static func flow(trust: Trust? = nil) throws -> NotifySignIn {
    NotifySignIn(try ACS.service(), trust: try trust ?? ACS.trust(), time: ManualTime(ACS.now))
  }

  static func message(_ flow: NotifySignIn, realm: String = ACS.realm) throws -> String {
    try ACS.notify(
      ACS.binaryToken(ACS.swt, ACS.swtType), ACS.swtType, context: flow.context, realm: realm)
  }

  @Test("S3 The token of the native flow is verified, and its claims keep plus signs and umlauts")
  func verifies() throws {
    let flow = try Self.flow()
    let token = try flow.receive(message: Self.message(flow))
    #expect(token.verified.claims.single(.name) == "Mia Müller")
    #expect(token.verified.claims.single(.emailAddress) == "mia+news@example.org")
    #expect(token.expires == Instant(secondsSinceEpoch: 1_893_456_000))
    #expect(token.secret.revealed == ACS.swt)
    #expect(flow.listRequest.delivery == .javascriptNotify)
    #expect(flow.listRequest.context == flow.context)
  }

  @Test(
    "S3 The native flow accepts all four token formats",
    arguments: ACS.formats)
  func formats(format: TokenFormat) throws {
    let flow = try Self.flow()
    let (xml, type): (String, String) =
      switch format {
      case .swt: (ACS.binaryToken(ACS.swt, ACS.swtType), ACS.swtType)
      case .jwt: (ACS.binaryToken(ACS.jwt, ACS.jwtType), ACS.jwtType)
      case .saml11:
        (
          String(decoding: try ACS.saml(.v1).assertion(ACS.draft()), as: UTF8.self),
          "urn:oasis:names:tc:SAML:1.0:assertion"
        )
      default:
        (
          String(decoding: try ACS.saml(.v2).assertion(ACS.draft()), as: UTF8.self),
          "urn:oasis:names:tc:SAML:2.0:assertion"
        )
      }
    let message = try ACS.notify(xml, type, context: flow.context)
    let token = try flow.receive(message: message)
    #expect(token.verified.token.format == format)
    let session = try token.session(scheme: .oauth, at: ACS.now)
    #expect(session.principal == Principal(authority: ACS.facebook, subject: "100004711"))
  }

  @Test("S3 The message of the bridge script is decoded as it was encoded")
  func navigation() throws {
    let flow = try Self.flow()
    let message = try Self.message(flow)
    // encodeURIComponent.
    var unreserved = CharacterSet.alphanumerics
    unreserved.insert(charactersIn: "-_.!~*'()")
    let encoded = try #require(message.addingPercentEncoding(withAllowedCharacters: unreserved))
    let token = try flow.receive(navigation: "acs://settoken?token=" + encoded)
    #expect(token.verified.claims[.facebookAccessToken] == ["AAAB1+x/y="])
    #expect(NotifySignIn.bridgeScript.contains("encodeURIComponent(s)"))
    for address in [
      "acs://settoken?tokens=" + encoded, "https://evil.example/?token=" + encoded,
      "acs://settoken?token=%zz",
    ] {
      expect(throws: TokenError.self) { try flow.receive(navigation: address) }
    }
  }

  @Test("RP-4 A message of another sign-in, or of none, is refused")
  func state() throws {
    let flow = try Self.flow()
    let other = try Self.flow()
    #expect(flow.context != other.context)
    for context in [other.context, "", nil] {
      let message = try ACS.notify(
        ACS.binaryToken(ACS.swt, ACS.swtType), ACS.swtType, context: context)
      expect(throws: TokenError(.clientState)) { try flow.receive(message: message) }
    }
    expect(throws: TokenError(.clientParameter)) {
      try flow.receive(message: Self.message(flow, realm: "uri:other"))
    }
  }

  @Test("RP-11 A token that is forged, of another issuer, or for another realm gives no claim")
  func forged() throws {
    let flow = try Self.flow()
    let receive = { (token: String) in
      _ = try flow.receive(
        message: ACS.notify(
          ACS.binaryToken(token, ACS.swtType), ACS.swtType, context: flow.context))
    }
    expect(throws: TokenError(.macMismatch)) {
      try receive(ACS.swt.replacingOccurrences(of: "editor", with: "edit0r"))
    }
    let key = try SymmetricKey(bytes: Array(0..<32))
    let mint = { (draft: TokenDraft) in
      String(decoding: try SimpleWebToken.mint(draft, key: key), as: UTF8.self)
    }
    try receive(mint(ACS.draft()))
    expect(throws: TokenError.self) { try receive(mint(ACS.draft(issuer: "https://b.example/"))) }
    expect(throws: TokenError.self) { try receive(mint(ACS.draft(audience: "uri:other"))) }
    // Even a trust with any audience is narrowed to this service and realm.
    var wide = try ACS.trust()
    wide.audiences = .any
    wide.issuers = [
      TrustedIssuer(.any, keys: [TrustedKey(.secret(key))], formats: [.swt])
    ]
    let wideFlow = try Self.flow(trust: wide)
    for draft in [ACS.draft(issuer: "https://b.example/"), ACS.draft(audience: "uri:other")] {
      expect(throws: TokenError.self) {
        try wideFlow.receive(
          message: ACS.notify(
            ACS.binaryToken(mint(draft), ACS.swtType), ACS.swtType, context: wideFlow.context))
      }
    }
  }

  @Test(
    "S3 The whole sign-in ends once: signed in, cancelled in the picker or the browser, or an error"
  )
  func whole() async throws {
    let transport = ScriptedTransport { (_) throws(TokenError) in .json(ACS.list) }
    let client = try ACS.client(transport)
    let store = MemoryCredentialStore()
    let notify = { @Sendable () throws(TokenError) -> String in
      let context = transport.requests.last?.parameter("context")
      let message = try? ACS.notify(
        ACS.binaryToken(ACS.swt, ACS.swtType), ACS.swtType, context: context)
      return message ?? ""
    }
    let choose = { @Sendable (picker: ProviderPicker) async throws(TokenError) in
      try picker.provider(named: "Facebook") as IdentityProvider?
    }
    let outcome = try await client.signIn(
      scheme: .oauth, rememberingIn: store, choose: choose,
      show: { (address) async throws(TokenError) in
        #expect(address.hasPrefix("https://www.facebook.com/dialog/oauth?client_id=1234567890&"))
        return .message(try notify())
      })
    guard case .signedIn(let session) = outcome else {
      Issue.record("not signed in")
      return
    }
    #expect(session.provider == ACS.facebook)
    #expect(session.details["providerName"] == "Facebook")
    #expect(session.providerTokens.map { $0.reveal() } == ["AAAB1+x/y="])
    #expect(try store.read().choices.values.contains("Facebook"))

    let given = try await client.signIn(
      scheme: .oauth, rememberingIn: store,
      choose: { (_) async throws(TokenError) in nil },
      show: { (_) async throws(TokenError) in .closed })
    guard case .cancelled = given else {
      Issue.record("not cancelled")
      return
    }
    let closed = try await client.signIn(
      scheme: .oauth, rememberingIn: store, choose: choose,
      show: { (_) async throws(TokenError) in .closed })
    guard case .cancelled = closed else {
      Issue.record("not cancelled")
      return
    }
    await expect(throws: TokenError(.transportUnreachable)) {
      try await client.signIn(
        scheme: .oauth, rememberingIn: store, choose: choose,
        show: { (_) async throws(TokenError) in throw TokenError(.transportUnreachable) })
    }
  }

  @Test(
    "A token of another provider than the chosen one is no sign-in",
    arguments: [
      ("Google", "client.other-provider"), ("Yahoo!", "client.other-provider"),
      ("Windows Live\u{2122} ID", "client.other-provider"), ("Facebook", nil),
      // The claim of a custom provider is not known in advance.
      ("Example Corp", nil),
    ] as [(String, String?)])
  func otherProvider(name: String, code: String?) async throws {
    let transport = ScriptedTransport { (_) throws(TokenError) in .json(ACS.list) }
    var given: String?
    do {
      _ = try await ACS.client(transport).signIn(
        scheme: .oauth, rememberingIn: MemoryCredentialStore(),
        choose: { (picker) async throws(TokenError) in try picker.provider(named: name) },
        show: { (_) async throws(TokenError) in
          let context = transport.requests.last?.parameter("context")
          let message = try? ACS.notify(
            ACS.binaryToken(ACS.swt, ACS.swtType), ACS.swtType, context: context)
          return .message(message ?? "")
        })
    } catch let error as TokenError {
      given = error.code.rawValue
    }
    #expect(given == code)
  }

  @Test("S3 A single provider needs no choice")
  func single() async throws {
    let transport = ScriptedTransport { (_) throws(TokenError) in
      .json(ProviderListTests.entry())
    }
    let shown = Mutexed<[String]>([])
    _ = try await ACS.client(transport).signIn(
      scheme: .oauth, rememberingIn: MemoryCredentialStore(),
      choose: { (_) async throws(TokenError) in
        Issue.record("asked")
        return nil
      },
      show: { (address) async throws(TokenError) in
        shown.withLock { $0.append(address) }
        return .closed
      })
    #expect(shown.current == ["https://a.example/"])
  }
}
