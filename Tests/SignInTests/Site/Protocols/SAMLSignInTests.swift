import Foundation
import IdentityProviderTesting
import SAML
import SecurityKeys
import SignIn
import TestSupport
import Testing
import XMLSecurity

@testable import XMLTree

@Suite("Sign-in at a SAML 2.0 identity provider")
struct SAMLSignInTests {
  private let now = Instant(secondsSinceEpoch: 1_893_499_200)
  private let idp: IdentityProviderSimulator
  private let other: IdentityProviderSimulator
  private let service: ServiceProvider
  private let sealer: SignInSealer
  private let trust: Trust
  private let used = MemoryReplayStore()

  init() throws {
    idp = try IdentityProviderSimulator()
    other = try IdentityProviderSimulator("https://other.example/", key: "other-rsa")
    let own = try IdentityProviderSimulator(key: "rp-rsa")
    service = try ServiceProvider(
      entityID: "https://app.example/saml", consumer: HTTPURL("https://app.example/saml/acs"),
      logout: HTTPURL("https://app.example/saml/slo"), signingKeys: [own.key])
    sealer = try SignInSealer(origin: service.consumer.origin)
    trust = Trust(issuers: [idp.trusted, other.trusted], audiences: .oneOf([]))
  }

  private func begin(
    _ options: AuthnRequestOptions? = nil
  ) throws -> BegunSignIn {
    try service.begin(
      at: idp.provider, returningTo: ReturnPath("/page"), options: options, at: now)
  }

  private func finish(
    _ message: WebRequest, _ begun: BegunSignIn, at instant: Instant? = nil,
    from provider: IdentityProvider? = nil
  ) async throws -> FederatedPrincipal {
    try await service.finish(
      SAMLAnswer(message), begun.pending, from: provider ?? idp.provider, trust: trust, used: used,
      at: instant ?? now)
  }

  @Test("An answer to the pending request signs in, and is found by the request that it names")
  func signsIn() async throws {
    let begun = try begin()
    let cookie = sealer.seal(begun.pending)
    let message = try idp.message(
      .init(
        inResponseTo: begun.pending.messageID, claims: [Claim("role", "admin")]),
      relayState: begun.pending.request)
    let answer = try SAMLAnswer(message)
    let pending = try sealer.open(try answer.request, cookie, .saml2, at: now)
    let principal = try await service.finish(
      answer, pending, from: idp.provider, trust: trust, used: used, at: now)
    #expect(principal.subject == "ada" && principal.issuer == "https://idp.example/")
    #expect(principal.claims[ClaimType("role")] == ["admin"])
    #expect(principal.issuerSession.index == "s1" && principal.issuerSession.name?.text == "ada")
    #expect(pending.returnPath?.text == "/page")
  }

  @Test("The request is signed over the octets as sent and names our endpoint")
  func request() throws {
    var options = AuthnRequestOptions()
    options.forcesSignIn = true
    options.contexts = ["urn:oasis:names:tc:SAML:2.0:ac:classes:TimeSyncToken"]
    let begun = try begin(options)
    guard case .redirect(let address) = begun.action else { throw CocoaError(.featureUnsupported) }
    #expect(address.text.hasPrefix("https://idp.example/sso?SAMLRequest="))
    let message = try RedirectMessage(query: try #require(address.query))
    #expect(message.isRequest && message.relayState == begun.pending.request)
    let key = try #require(service.signingKeys.first?.certificate)
    try message.verify([TrustedKey(.certificate(key))], at: now)
    let xml = String(decoding: message.octets, as: UTF8.self)
    #expect(xml.contains("AssertionConsumerServiceURL=\"https://app.example/saml/acs\""))
    #expect(xml.contains("ForceAuthn=\"true\"") && xml.contains("TimeSyncToken"))
    #expect(xml.contains("ID=\"\(begun.pending.messageID)\""))
    #expect(!address.text.contains("page"), "the return path does not travel")
  }

  @Test("A provider that wants signed requests gets none without a key")
  func unsignedRequest() async throws {
    let keyless = try ServiceProvider(entityID: "a", consumer: service.consumer)
    #expect(
      refusalCode { _ = try keyless.begin(at: idp.provider, at: now) } == .signInConfiguration
    )
    let easy = IdentityProvider(entityID: "b", signOn: idp.provider.signOn)
    _ = try keyless.begin(at: easy, at: now)
  }

  @Test("A service without a name is refused when it is made")
  func nameless() throws {
    #expect(throws: TokenError(.signInConfiguration)) {
      try ServiceProvider(entityID: "", consumer: service.consumer)
    }
  }

  @Test(
    "BIND-12: An endpoint of metadata that is not https is left out; without another nothing begins"
  )
  func endpoints() throws {
    func entity(_ location: String) throws -> EntityDescriptor {
      let document = try IdentityProviderMetadata(
        entityID: idp.entityID, certificates: [idp.certificate], signOn: location
      ).document()
      var reader = try MetadataReader()
      return try #require(try reader.consume(document).first ?? reader.finish().first)
    }
    let good = try #require(try IdentityProvider(entity("https://idp.example/sso")))
    #expect(good.signOn.first?.location.text == "https://idp.example/sso")
    for location in ["javascript:alert(1)", "http://idp.example/sso", "https:evil", ""] {
      let error = #expect(throws: TokenError.self) { try IdentityProvider(entity(location)) }
      #expect(error?.code == .signInNoEndpoint || location.isEmpty)
    }
  }

  @Test("SEM-7, RP-4: An unsolicited answer is refused, and accepted where that is allowed")
  func unsolicited() async throws {
    let begun = try begin()
    let message = try idp.message(.init())
    #expect(await refusalCode { _ = try await finish(message, begun) } == .signInUnsolicited)
    let principal = try await service.finishUnsolicited(
      SAMLAnswer(message), from: idp.provider, trust: trust, used: used, at: now)
    #expect(principal.subject == "ada")
    let foreign = try other.message(.init())
    #expect(
      await refusalCode {
        _ = try await service.finishUnsolicited(
          SAMLAnswer(foreign), from: idp.provider, trust: trust, used: used, at: now)
      } == .signInOtherIssuer)
    let answer = try idp.message(.init(inResponseTo: begun.pending.messageID))
    #expect(
      await refusalCode {
        _ = try await service.finishUnsolicited(
          SAMLAnswer(answer), from: idp.provider, trust: trust, used: used, at: now)
      } == .signInOtherRequest)
  }

  @Test("SEM-7: An answer to another request of ours belongs to another tab")
  func otherTab() async throws {
    let first = try begin()
    let second = try begin()
    let message = try idp.message(.init(inResponseTo: first.pending.messageID))
    #expect(await refusalCode { _ = try await finish(message, second) } == .signInOtherRequest)
    let mixed = try idp.message(
      .init(inResponseTo: first.pending.messageID), relayState: second.pending.request)
    #expect(await refusalCode { _ = try await finish(mixed, first) } == .signInOtherRequest)
    _ = try await finish(message, first)
  }

  @Test("SEM-7, XSW-36: An unsigned InResponseTo does not satisfy the request")
  func unsignedRequestName() async throws {
    let begun = try begin()
    let bytes = try idp.response(.init())
    let xml = String(decoding: bytes, as: UTF8.self).replacingOccurrences(
      of: "<samlp:Response ",
      with: "<samlp:Response InResponseTo=\"\(begun.pending.messageID)\" ")
    let message = IdentityProviderSimulator.form([
      ("SAMLResponse", Data(xml.utf8).base64EncodedString())
    ])
    let found = await refusalCode { _ = try await finish(message, begun) }
    #expect(found == .confirmationUnsolicited)
  }

  @Test("SEM-8, RP-11, GATE-20: A trusted provider that was not asked cannot answer")
  func otherIssuer() async throws {
    let begun = try begin()
    let message = try other.message(.init(inResponseTo: begun.pending.messageID))
    #expect(await refusalCode { _ = try await finish(message, begun) } == .signInOtherIssuer)
    #expect(
      await refusalCode { _ = try await finish(message, begun, from: other.provider) }
        == .signInOtherIssuer)
    _ = try await finish(idp.message(.init(inResponseTo: begun.pending.messageID)), begun)
  }

  @Test(
    "SEM-8: A pending sign-in belongs to the issuer that was asked, also before another's provider")
  func pendingIssuer() async throws {
    let begun = try begin()
    // The other provider answers what it was never asked, and everything else fits it.
    let message = try other.message(.init(inResponseTo: begun.pending.messageID))
    let trusted = Trust(issuers: [other.trusted], audiences: .oneOf([]))
    let found = await refusalCode {
      _ = try await service.finish(
        SAMLAnswer(message), begun.pending, from: other.provider, trust: trusted, used: used,
        at: now)
    }
    #expect(found == .signInOtherIssuer)
    // Nor is the answer of the one that was asked judged by another's scopes.
    let right = try idp.message(.init(inResponseTo: begun.pending.messageID))
    #expect(
      await refusalCode { _ = try await finish(right, begun, from: other.provider) }
        == .signInOtherIssuer)
    _ = try await finish(right, begun)
    let own = try service.begin(at: other.provider, at: now)
    _ = try await service.finish(
      SAMLAnswer(try other.message(.init(inResponseTo: own.pending.messageID))), own.pending,
      from: other.provider, trust: trusted, used: used, at: now)
  }

  @Test("SEM-18: An assertion is used once, beside the request that it answers")
  func assertionOnce() async throws {
    func message(_ begun: BegunSignIn, _ id: String) throws -> WebRequest {
      var answer = IdentityProviderSimulator.Answer(inResponseTo: begun.pending.messageID)
      answer.id = id
      return try idp.message(answer)
    }
    let (first, second, third) = (try begin(), try begin(), try begin())
    _ = try await finish(message(first, "_same"), first)
    #expect(
      await refusalCode { _ = try await finish(message(second, "_same"), second) } == .replayUsed)
    _ = try await finish(message(third, "_another"), third)
  }

  @Test(
    "SVC-2: An assertion is used at a provider: what another of that issuer used is not used here")
  func assertionOfProvider() async throws {
    for (provider, expected) in [
      ("one", nil), ("two", nil), ("one", TokenError.Code.replayUsed),
    ] {
      var begun = try begin()
      begun.pending.provider = provider
      var answer = IdentityProviderSimulator.Answer(inResponseTo: begun.pending.messageID)
      answer.id = "_shared"
      let message = try idp.message(answer)
      #expect(await refusalCode { _ = try await finish(message, begun) } == expected)
    }
  }

  @Test("SEM-4, SEM-5: An answer for another endpoint or another audience is refused")
  func otherEndpoint() async throws {
    let begun = try begin()
    let id = begun.pending.messageID
    let recipient = try idp.message(
      .init(inResponseTo: id, recipient: "https://app.example/saml/other"))
    #expect(await refusalCode { _ = try await finish(recipient, begun) } == .recipientMismatch)
    let audience = try idp.message(.init(inResponseTo: id, audience: "https://app.example/SAML"))
    #expect(await refusalCode { _ = try await finish(audience, begun) } == .audienceMismatch)
    let moved = try ServiceProvider(
      entityID: service.entityID, consumer: HTTPURL("https://app.example/new/acs"))
    let good = try idp.message(.init(inResponseTo: id))
    #expect(
      await refusalCode {
        _ = try await moved.finish(
          SAMLAnswer(good), begun.pending, from: idp.provider, trust: trust, used: used, at: now)
      } == .signInOtherEndpoint)
    _ = try await finish(good, begun)
  }

  @Test("SEM-18, RP-21: Of a thousand posts of one answer, one signs in; a bad one uses up nothing")
  func once() async throws {
    let begun = try begin()
    let bad = try idp.message(
      .init(inResponseTo: begun.pending.messageID, audience: "https://rp.example/"))
    #expect(await refusalCode { _ = try await finish(bad, begun) } == .audienceMismatch)
    let message = try idp.message(.init(inResponseTo: begun.pending.messageID))
    let codes = await withTaskGroup(of: TokenError.Code?.self) { group in
      for _ in 0..<1000 {
        group.addTask { await refusalCode { _ = try await finish(message, begun) } }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes.count { $0 == nil } == 1)
    #expect(codes.count { $0 == .signInFinished } == 999)
  }

  /// An answer whose assertion is signed and names no class of authentication.
  private func withoutContext(_ answer: IdentityProviderSimulator.Answer) throws -> WebRequest {
    let whole = String(decoding: try idp.response(answer), as: UTF8.self)
    let signed = try #require(whole.firstMatch(of: /<saml:Assertion .*<\/saml:Assertion>/)).0
    let plain = signed.replacing(/<ds:Signature .*<\/ds:Signature>/, with: "")
      .replacing(
        /<saml:AuthnContextClassRef>.*<\/saml:AuthnContextClassRef>/,
        with: "<saml:AuthnContextDeclRef>urn:declared</saml:AuthnContextDeclRef>")
    #expect(!plain.contains("AuthnContextClassRef") && !plain.contains("<ds:Signature"))
    let mark = "</saml:Issuer>"
    let place = try #require(plain.firstRange(of: mark)).upperBound
    let fragment = XMLFragment(
      Array(plain.utf8), signaturePlace: plain.utf8.distance(from: plain.startIndex, to: place))
    let again = try SignatureWriter(idp.key).signed(fragment, id: answer.id)
    let changed = whole.replacing(signed, with: String(decoding: again.octets, as: UTF8.self))
    return IdentityProviderSimulator.form([
      ("SAMLResponse", Data(changed.utf8).base64EncodedString())
    ])
  }

  @Test("A demanded authentication context has to be the one of the answer")
  func context() async throws {
    var options = AuthnRequestOptions()
    options.contexts = ["urn:oasis:names:tc:SAML:2.0:ac:classes:TimeSyncToken"]
    let begun = try begin(options)
    let weak = try idp.message(
      .init(
        inResponseTo: begun.pending.messageID,
        method: "urn:oasis:names:tc:SAML:2.0:ac:classes:Password"))
    #expect(await refusalCode { _ = try await finish(weak, begun) } == .signInContext)
    let silent = try withoutContext(.init(inResponseTo: begun.pending.messageID))
    #expect(await refusalCode { _ = try await finish(silent, begun) } == .signInContext)
    let strong = try idp.message(
      .init(inResponseTo: begun.pending.messageID, method: options.contexts[0]))
    _ = try await finish(strong, begun)
    let any = try begin()
    _ = try await finish(
      try withoutContext(.init(inResponseTo: any.pending.messageID)), any)
  }

  @Test(
    "SEM-20: A scoped attribute of another domain is withheld",
    arguments: [
      ("ada@idp.example", true), ("ada@IDP.example", true), ("ada@idq.example", false),
      ("admin@rp.example", false),
      ("ada@x.idp.example", false), ("ada@rp.example@idp.example", false), ("ada@", false),
      ("@idp.example", false), ("ada", false), ("ada@idp.exampl\u{0435}", false),
    ])
  func scopes(value: String, isKept: Bool) async throws {
    let begun = try begin()
    let type = ClaimType("urn:oid:1.3.6.1.4.1.5923.1.1.1.6")
    let message = try idp.message(
      .init(inResponseTo: begun.pending.messageID, claims: [Claim(type, value)]))
    let principal = try await finish(message, begun)
    #expect(principal.claims[type] == (isKept ? [value] : []))
    #expect(principal.warnings.contains { $0.hasPrefix("scope: ") } == !isKept)
    var strict = service
    strict.enforcesScopes = true
    let again = try begin()
    let second = try idp.message(
      .init(inResponseTo: again.pending.messageID, claims: [Claim(type, value)]))
    let found = await refusalCode {
      _ = try await strict.finish(
        SAMLAnswer(second), again.pending, from: idp.provider, trust: trust, used: used, at: now)
    }
    #expect(found == (isKept ? nil : .signInScope))
  }

  @Test("A provider without scopes asserts what it likes, and an empty one covers nothing")
  func openScopes() async throws {
    let type = ClaimType("urn:oid:1.3.6.1.4.1.5923.1.1.1.6")
    for (scopes, value, isKept) in [
      ([], "admin@rp.example", true), ([""], "ada@", false), ([""], "admin@rp.example", false),
    ] as [([String], String, Bool)] {
      let begun = try begin()
      let provider = IdentityProvider(
        entityID: idp.entityID, signOn: idp.provider.signOn, scopes: scopes)
      let message = try idp.message(
        .init(inResponseTo: begun.pending.messageID, claims: [Claim(type, value)]))
      let principal = try await finish(message, begun, from: provider)
      #expect(principal.claims[type] == (isKept ? [value] : []))
    }
  }

  /// A pending sign-in with the request of another.
  private func pending(
    _ kind: PendingSignIn.Kind, of begun: BegunSignIn, issuer: String? = nil
  ) -> PendingSignIn {
    let digits = Array(begun.pending.request.utf8).map { octet in
      UInt8(String(UnicodeScalar(octet)), radix: 16) ?? 0
    }
    return PendingSignIn(
      kind, issuer: issuer ?? idp.entityID, endpoint: service.consumer.text, returnPath: nil,
      random: RandomSource { count in
        (0..<count).map { digits[$0 * 2] << 4 | digits[$0 * 2 + 1] }
      }, at: now)
  }

  @Test("GATE-23: A pending sign-in of another protocol is not finished by an answer of SAML")
  func otherProtocol() async throws {
    let begun = try begin()
    let message = try idp.message(.init(inResponseTo: begun.pending.messageID))
    let passive = pending(.wsFederation, of: begun)
    #expect(passive.request == begun.pending.request)
    #expect(
      await refusalCode {
        _ = try await service.finish(
          SAMLAnswer(message), passive, from: idp.provider, trust: trust, used: used, at: now)
      } == .signInOtherEndpoint)
    _ = try await service.finish(
      SAMLAnswer(message), pending(.saml2, of: begun), from: idp.provider, trust: trust, used: used,
      at: now)
  }

  @Test("BIND-13: An artifact belongs to its request, its protocol and the provider that was asked")
  func artifacts() async throws {
    var resolving = service
    resolving.backChannel = ScriptedTransport([])
    let resolver = resolving
    let (begun, another) = (try begin(), try begin())
    func resolve(_ source: String, _ pending: PendingSignIn) async throws {
      let octets: [UInt8] =
        [0, 4, 0, 0] + (DigestAlgorithm.sha1.digest(of: Array(source.utf8)) ?? [])
        + [UInt8](repeating: 7, count: 20)
      let message = WebRequest(
        method: "GET",
        query: "SAMLart=" + HTTPURL.percentEncoded(Data(octets).base64EncodedString())
          + "&RelayState=" + begun.pending.request)
      let artifact = try #require(try SAMLArtifact(message))
      _ = try await resolver.resolve(
        artifact, pending, from: idp.provider, trust: trust, used: used, at: now)
    }
    for (source, pending, expected) in [
      (idp.entityID, another.pending, TokenError.Code.signInOtherRequest),
      (idp.entityID, pending(.openID, of: begun), .signInOtherRequest),
      (idp.entityID, pending(.saml2, of: begun, issuer: other.entityID), .signInOtherIssuer),
      (other.entityID, begun.pending, .signInOtherIssuer),
      // The right one is looked for where this provider resolves artifacts, which is nowhere.
      (idp.entityID, begun.pending, .signInNoEndpoint),
    ] {
      #expect(await refusalCode { try await resolve(source, pending) } == expected)
    }
  }

  @Test(
    "Of the metadata counts the role of an identity provider of SAML 2.0, and each endpoint by its kind"
  )
  func roles() throws {
    func provider(_ document: [UInt8]) throws -> IdentityProvider? {
      var reader = try MetadataReader()
      let entities = try reader.consume(document) + reader.finish()
      return try IdentityProvider(try #require(entities.first))
    }
    let document = try IdentityProviderMetadata(
      entityID: idp.entityID, certificates: [idp.certificate], signOn: "https://idp.example/sso"
    ).document()
    let text = String(decoding: document, as: UTF8.self)
    let old = text.replacingOccurrences(
      of: "protocolSupportEnumeration=\"urn:oasis:names:tc:SAML:2.0:protocol\"",
      with: "protocolSupportEnumeration=\"urn:oasis:names:tc:SAML:1.1:protocol\"")
    #expect(old != text)
    #expect(try provider(Array(old.utf8)) == nil)
    #expect(try provider(service.metadata().document()) == nil)
    let place = try #require(text.firstMatch(of: /<(\w+:)?SingleSignOnService/))
    let prefix = place.1.map(String.init) ?? ""
    func endpoint(_ name: String, _ binding: String, _ path: String, _ index: String = "")
      -> String
    {
      "<\(prefix)\(name) Binding=\"urn:oasis:names:tc:SAML:2.0:bindings:\(binding)\" "
        + "Location=\"https://idp.example/\(path)\"\(index)/>"
    }
    let more =
      endpoint("ArtifactResolutionService", "SOAP", "resolve", " index=\"1\"")
      + endpoint("ArtifactResolutionService", "HTTP-POST", "other", " index=\"2\"")
      + endpoint("SingleLogoutService", "HTTP-POST", "slo")
    var whole = text
    whole.insert(contentsOf: more, at: place.range.lowerBound)
    let found = try #require(try provider(Array(whole.utf8)))
    #expect(found.artifactResolution.mapValues(\.text) == [1: "https://idp.example/resolve"])
    #expect(found.logout.map(\.binding) == [.post])
    #expect(found.logout.map(\.location.text) == ["https://idp.example/slo"])
    #expect(found.signOn.map(\.location.text) == ["https://idp.example/sso"])
  }

  @Test("A refusal of the identity provider has its own words in the error")
  func refusal() throws {
    let xml = """
      <samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_r" Version="2.0" \
      IssueInstant="2030-01-01T12:00:00Z"><samlp:Status><samlp:StatusCode \
      Value="urn:oasis:names:tc:SAML:2.0:status:Responder"><samlp:StatusCode \
      Value="urn:oasis:names:tc:SAML:2.0:status:NoPassive"/></samlp:StatusCode></samlp:Status>\
      </samlp:Response>
      """
    let error = #expect(throws: TokenError.self) {
      try SAMLAnswer(
        IdentityProviderSimulator.form([("SAMLResponse", Data(xml.utf8).base64EncodedString())]))
    }
    #expect(error?.code == .responseStatus && error?.found?.contains("NoPassive") == true)
  }
}
