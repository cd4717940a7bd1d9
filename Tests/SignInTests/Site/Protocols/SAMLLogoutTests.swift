import Foundation
import IdentityProviderTesting
import SAML
import SecurityKeys
import SignIn
import TestSupport
import Testing

@Suite("Single logout")
struct SAMLLogoutTests {
  private let now = Instant(secondsSinceEpoch: 1_893_499_200)
  private let idp: IdentityProviderSimulator
  private let service: ServiceProvider
  /// The identity provider's side of the messages.
  private let sender: ServiceProvider
  private let ours: IdentityProvider
  private let trust: Trust
  private let used = MemoryReplayStore()
  private let session = IssuerSession(
    index: "s1", name: SubjectName("ada", format: "urn:f"), end: nil)

  init() throws {
    idp = try IdentityProviderSimulator()
    let own = try IdentityProviderSimulator(key: "rp-rsa")
    let slo = try HTTPURL("https://app.example/saml/slo")
    service = try ServiceProvider(
      entityID: "https://app.example/saml", consumer: HTTPURL("https://app.example/saml/acs"),
      logout: slo, signingKeys: [own.key])
    sender = try ServiceProvider(
      entityID: idp.entityID, consumer: HTTPURL("https://idp.example/acs"),
      logout: HTTPURL("https://idp.example/slo"), signingKeys: [idp.key])
    ours = IdentityProvider(
      entityID: service.entityID, signOn: [], logout: [.init(.redirect, slo), .init(.post, slo)])
    trust = Trust(issuers: [idp.trusted], audiences: .any)
  }

  private func receive(
    _ message: WebRequest, _ pending: PendingSignIn? = nil, at instant: Instant? = nil
  ) async throws -> ReceivedLogout {
    try await service.receiveLogout(
      message, from: idp.provider, trust: trust,
      pending: { (request) throws(TokenError) in
        guard let pending, pending.request == request else { throw TokenError(.signInUnknown) }
        return pending
      }, used: used, at: instant ?? now)
  }

  /// A logout request of the identity provider, as its browser brings it.
  private func request(
    _ binding: SAMLBinding, _ session: IssuerSession? = nil
  ) throws -> WebRequest {
    let slo = try HTTPURL("https://app.example/saml/slo")
    let target = IdentityProvider(
      entityID: service.entityID, signOn: [], logout: [.init(binding, slo)])
    let begun = try #require(
      try sender.beginLogout(of: session ?? self.session, at: target, at: now))
    switch begun.action {
    case .redirect(let address): return WebRequest(method: "GET", query: address.query)
    case .post(_, let fields):
      return IdentityProviderSimulator.form(fields.map { ($0.name, $0.value) })
    }
  }

  @Test(
    "SEM-19, GATE-29: A signed request of the issuer ends the session that it names, once",
    arguments: [SAMLBinding.redirect, .post])
  func ends(binding: SAMLBinding) async throws {
    let message = try request(binding)
    guard case .request(let demand) = try await receive(message) else {
      throw CocoaError(.featureUnsupported)
    }
    #expect(demand.ends(idp.entityID, session))
    #expect(!demand.ends("https://other.example/", session))
    var another = session
    another.index = "s2"
    #expect(!demand.ends(idp.entityID, another))
    another = session
    another.name?.text = "eve"
    #expect(!demand.ends(idp.entityID, another))
    #expect(await refusalCode { _ = try await receive(message) } == .replayUsed)
    guard
      case .browser(.redirect(let address)) = try service.answer(
        demand, .done, to: idp.provider, at: now)
    else { throw CocoaError(.featureUnsupported) }
    #expect(address.text.hasPrefix("https://idp.example/slo?SAMLResponse="))
  }

  @Test("SEM-19, BIND-7: An unsigned request ends nothing")
  func unsigned() async throws {
    let signed = try request(.redirect)
    let query = try #require(signed.query)
    let bare = String(query.prefix(upTo: query.range(of: "&SigAlg=")!.lowerBound))
    #expect(
      await refusalCode { _ = try await receive(WebRequest(method: "GET", query: bare)) }
        == .logoutUnsigned)
    _ = try await receive(signed)
  }

  @Test("BIND-5: RelayState that is changed, added or removed breaks the signature")
  func relayState() async throws {
    let query = try #require(try request(.redirect).query)
    let relay = try #require(query.range(of: "&RelayState="))
    let end = try #require(query.range(of: "&SigAlg="))
    for changed in [
      query.replacingCharacters(in: relay.upperBound..<end.lowerBound, with: "x"),
      query.replacingCharacters(in: relay.lowerBound..<end.lowerBound, with: ""),
    ] {
      #expect(
        await refusalCode { _ = try await receive(WebRequest(method: "GET", query: changed)) }
          == .signatureInvalid)
    }
    // Another order on the wire is the same message.
    let parts = query.split(separator: "&").reversed().joined(separator: "&")
    _ = try await receive(WebRequest(method: "GET", query: parts))
  }

  @Test(
    "BIND-3: Two messages, a repeated parameter or a name in disguise are refused",
    arguments: [
      ("&SAMLResponse=fVLL", TokenError.Code.clientParameter),
      ("&SAMLRequest=fVLL", .clientDuplicateParameter),
      ("&SigAlg=x", .clientDuplicateParameter), ("&RelayState=x", .clientDuplicateParameter),
      ("&samlrequest=x", .clientDuplicateParameter), ("&SAML%52equest=x", .clientMalformedForm),
    ])
  func pollution(addition: String, expected: TokenError.Code) async throws {
    let query = try #require(try request(.redirect).query)
    for text in [query + addition, addition.dropFirst() + "&" + query] {
      #expect(
        await refusalCode { _ = try await receive(WebRequest(method: "GET", query: text)) }
          == expected)
    }
    _ = try await receive(WebRequest(method: "GET", query: query + "&other=1"))
  }

  @Test(
    "BIND-6: A missing, unknown, legacy or symmetric algorithm is refused",
    arguments: [
      ("", TokenError.Code.clientParameter),
      ("http://www.w3.org/2000/09/xmldsig#hmac-sha1", .unknownSignatureAlgorithm),
      ("http://www.w3.org/2001/04/xmldsig-more#hmac-sha256", .unknownSignatureAlgorithm),
      ("http://www.w3.org/2000/09/xmldsig#rsa-sha1", .legacyAlgorithm),
      ("http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256", .algorithmKeyMismatch),
      ("HTTP://www.w3.org/2001/04/xmldsig-more#rsa-sha256", .unknownSignatureAlgorithm),
    ])
  func algorithm(uri: String, expected: TokenError.Code) async throws {
    let query = try #require(try request(.redirect).query)
    let start = try #require(query.range(of: "&SigAlg="))
    let end = try #require(query.range(of: "&Signature="))
    let escaped = HTTPURL.percentEncoded(uri)
    let text = query.replacingCharacters(in: start.upperBound..<end.lowerBound, with: escaped)
    #expect(
      await refusalCode { _ = try await receive(WebRequest(method: "GET", query: text)) }
        == expected)
  }

  @Test("OK-34, BIND-4: Lower-case escapes are verified as they were sent")
  func lowerCaseEscapes() async throws {
    let query = try #require(try request(.redirect).query)
    // Signed anew over lower-case escapes, as Entra and ADFS write them.
    let unsigned = String(query.prefix(upTo: query.range(of: "&Signature=")!.lowerBound))
    var lower = ""
    var rest = unsigned[...]
    while let percent = rest.firstIndex(of: "%") {
      lower += rest[..<percent] + rest[percent...].prefix(3).lowercased()
      rest = rest[percent...].dropFirst(3)
    }
    lower += rest
    #expect(lower != unsigned)
    let signature = Data(try idp.key.sign(Array(lower.utf8))).base64EncodedString()
    let signed = lower + "&Signature=" + HTTPURL.percentEncoded(signature)
    _ = try await receive(WebRequest(method: "GET", query: signed))
    let changed = signed.replacingOccurrences(of: "%2b", with: "%2B")
    if changed != signed {
      #expect(
        await refusalCode { _ = try await receive(WebRequest(method: "GET", query: changed)) }
          == .signatureInvalid)
    }
  }

  @Test("GATE-18, DOS-10: A message that inflates beyond the limit is refused")
  func bomb() throws {
    let bomb = try #require(Deflate.deflate(Array(repeating: 0x20, count: 4 << 20)))
    #expect(bomb.count < 8192)
    let query = "SAMLRequest=" + HTTPURL.percentEncoded(Data(bomb).base64EncodedString())
    let error = #expect(throws: TokenError.self) { try RedirectMessage(query: query) }
    #expect(error?.code == .deflateTooLarge)
    let small = try #require(Deflate.deflate(Array("<a/>".utf8)))
    let message = try RedirectMessage(
      query: "SAMLRequest=" + HTTPURL.percentEncoded(Data(small).base64EncodedString()))
    #expect(message.octets == Array("<a/>".utf8))
  }

  @Test("SEM-19: A request out of its time or for another address ends nothing")
  func timeAndPlace() async throws {
    let message = try request(.post)
    #expect(
      await refusalCode { _ = try await receive(message, at: now.advanced(bySeconds: 400)) }
        == .logoutExpired)
    #expect(
      await refusalCode { _ = try await receive(message, at: now.advanced(bySeconds: -400)) }
        == .issuedInFuture)
    let elsewhere = IdentityProvider(
      entityID: service.entityID, signOn: [],
      logout: [.init(.redirect, try HTTPURL("https://app.example/elsewhere"))])
    let begun = try #require(try sender.beginLogout(of: session, at: elsewhere, at: now))
    let other = WebRequest(method: "GET", query: begun.action.address.query)
    #expect(await refusalCode { _ = try await receive(other) } == .destinationMismatch)
    _ = try await receive(message)
  }

  /// A message of the identity provider with these parts, posted in a parameter.
  private func posted(
    _ parameter: String = "SAMLRequest", destination: String? = "https://app.example/saml/slo",
    issuedAt: Instant? = nil, notOnOrAfter: Instant? = nil,
    name: SubjectName = SubjectName("ada", format: "urn:f"), id: String = "_l" + UUID().uuidString
  ) throws -> WebRequest {
    let message = OutgoingMessage.logoutRequest(
      MessageHeader(
        id: id, issuer: idp.entityID, issuedAt: issuedAt ?? now, destination: destination),
      name: name, sessionIndex: nil,
      notOnOrAfter: notOnOrAfter ?? now.advanced(bySeconds: 31_536_000))
    return IdentityProviderSimulator.form([
      (parameter, Data(try message.octets(signedWith: idp.key)).base64EncodedString())
    ])
  }

  @Test("SEM-3: A signed request without Destination could have been meant for another service")
  func destination() async throws {
    let without = try posted(destination: nil)
    #expect(await refusalCode { _ = try await receive(without) } == .destinationMissing)
    let elsewhere = try posted(destination: "https://app.example/saml/SLO")
    #expect(await refusalCode { _ = try await receive(elsewhere) } == .destinationMismatch)
    _ = try await receive(try posted())
  }

  @Test("SEM-15: A request travels as SAMLRequest alone, a response as SAMLResponse alone")
  func parameter() async throws {
    let disguised = try posted("SAMLResponse")
    #expect(await refusalCode { _ = try await receive(disguised) } == .clientParameter)
    let begun = try #require(try service.beginLogout(of: session, at: idp.provider, at: now))
    func answer(_ parameter: String) throws -> WebRequest {
      let message = OutgoingMessage.logoutResponse(
        MessageHeader(
          id: "_x", issuer: idp.entityID, issuedAt: now,
          destination: "https://app.example/saml/slo"),
        inResponseTo: begun.pending.messageID, outcome: .done)
      return IdentityProviderSimulator.form([
        (parameter, Data(try message.octets(signedWith: idp.key)).base64EncodedString())
      ])
    }
    let wrong = try answer("SAMLRequest")
    #expect(await refusalCode { _ = try await receive(wrong, begun.pending) } == .clientParameter)
    _ = try await receive(try answer("SAMLResponse"), begun.pending)
    // Over SOAP nothing but a request comes to us.
    let response = String(
      decoding: try OutgoingMessage.logoutResponse(
        MessageHeader(id: "_y", issuer: idp.entityID, issuedAt: now, destination: nil),
        inResponseTo: begun.pending.messageID, outcome: .done
      ).octets(signedWith: idp.key), as: UTF8.self)
    let soap = "http://schemas.xmlsoap.org/soap/envelope/"
    let envelope = WebRequest(
      method: "POST", contentType: "text/xml",
      body: Array("<s:Envelope xmlns:s=\"\(soap)\"><s:Body>\(response)</s:Body></s:Envelope>".utf8))
    #expect(
      await refusalCode { _ = try await receive(envelope, begun.pending) } == .clientParameter)
    // Signed as the parameter that it is no message of.
    let octets = try OutgoingMessage.logoutRequest(
      MessageHeader(
        id: "_z", issuer: idp.entityID, issuedAt: now,
        destination: "https://app.example/saml/slo"),
      name: SubjectName("ada", format: "urn:f"), sessionIndex: nil,
      notOnOrAfter: now.advanced(bySeconds: 60)
    ).octets(signedWith: nil)
    for (name, expected) in [
      ("SAMLResponse", TokenError.Code.clientParameter), ("SAMLRequest", nil),
    ] {
      let address = try RedirectBinding.address(
        HTTPURL("https://app.example/saml/slo"), name, octets, relayState: nil, key: idp.key)
      let message = WebRequest(method: "GET", query: address.query)
      #expect(await refusalCode { _ = try await receive(message) } == expected)
    }
    // By Redirect the name of the parameter is under the signature.
    let query = try #require(try request(.redirect).query)
    let renamed = query.replacing("SAMLRequest=", with: "SAMLResponse=")
    #expect(
      await refusalCode { _ = try await receive(WebRequest(method: "GET", query: renamed)) }
        == .signatureInvalid)
  }

  @Test("SVC-11: An old request ends nothing, whatever end it names itself")
  func age() async throws {
    let old = try posted(issuedAt: now.advanced(bySeconds: -361))
    #expect(await refusalCode { _ = try await receive(old) } == .logoutExpired)
    _ = try await receive(try posted(issuedAt: now.advanced(bySeconds: -359)))
    let over = try posted(notOnOrAfter: now.advanced(bySeconds: -60))
    #expect(await refusalCode { _ = try await receive(over) } == .logoutExpired)
    _ = try await receive(try posted(notOnOrAfter: now.advanced(bySeconds: -59)))
  }

  @Test(
    "A response answers a sign-out of this service: its request, and nothing else that is pending")
  func responses() async throws {
    let begun = try #require(try service.beginLogout(of: session, at: idp.provider, at: now))
    func answer(_ request: String?) throws -> WebRequest {
      let message = OutgoingMessage.logoutResponse(
        MessageHeader(
          id: "_x", issuer: idp.entityID, issuedAt: now,
          destination: "https://app.example/saml/slo"),
        inResponseTo: request ?? "", outcome: .done)
      return IdentityProviderSimulator.form([
        ("SAMLResponse", Data(try message.octets(signedWith: idp.key)).base64EncodedString())
      ])
    }
    let bare = try answer("x" + begun.pending.request)
    #expect(await refusalCode { _ = try await receive(bare, begun.pending) } == .logoutUnsolicited)
    let signIn = try service.begin(at: idp.provider, at: now)
    let other = try answer(signIn.pending.messageID)
    #expect(
      await refusalCode { _ = try await receive(other, signIn.pending) } == .logoutUnsolicited)
    _ = try await receive(try answer(begun.pending.messageID), begun.pending)
  }

  @Test("Without a key, or at a provider that browsers cannot be sent to, no sign-out begins there")
  func nowhere() throws {
    let slo = try HTTPURL("https://idp.example/slo")
    let direct = IdentityProvider(
      entityID: idp.entityID, signOn: [], logout: [.init(.soap, slo)])
    #expect(try service.beginLogout(of: session, at: direct, at: now) == nil)
    let keyless = try ServiceProvider(
      entityID: service.entityID, consumer: service.consumer, logout: service.logout)
    #expect(try keyless.beginLogout(of: session, at: idp.provider, at: now) == nil)
    let both = IdentityProvider(
      entityID: idp.entityID, signOn: [], logout: [.init(.soap, slo), .init(.post, slo)])
    #expect(try service.beginLogout(of: session, at: both, at: now) != nil)
  }

  @Test("An old response says nothing of a sign-out")
  func oldResponse() async throws {
    let begun = try #require(try service.beginLogout(of: session, at: idp.provider, at: now))
    func answer(_ seconds: Int64) throws -> WebRequest {
      let message = OutgoingMessage.logoutResponse(
        MessageHeader(
          id: "_x", issuer: idp.entityID, issuedAt: now.advanced(bySeconds: seconds),
          destination: "https://app.example/saml/slo"),
        inResponseTo: begun.pending.messageID, outcome: .done)
      return IdentityProviderSimulator.form([
        ("SAMLResponse", Data(try message.octets(signedWith: idp.key)).base64EncodedString())
      ])
    }
    let old = try answer(-361)
    #expect(await refusalCode { _ = try await receive(old, begun.pending) } == .logoutExpired)
    _ = try await receive(try answer(-359), begun.pending)
  }

  @Test("SVC-11: A request is used once as long as its age lets it in, whatever end it names")
  func onceForItsWholeAge() async throws {
    let message = try posted(notOnOrAfter: now.advanced(bySeconds: 1), id: "_once")
    _ = try await receive(message)
    #expect(await refusalCode { _ = try await receive(message) } == .replayUsed)
    let later = now.advanced(bySeconds: 60)
    let longer = try posted(id: "_once")
    #expect(await refusalCode { _ = try await receive(longer, at: later) } == .replayUsed)
    _ = try await receive(try posted(id: "_twice"), at: later)
  }

  @Test("SAML Core 2.2.2: A name without a format is one of the format that says unspecified")
  func unspecifiedFormat() async throws {
    let unspecified = "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified"
    let names = [SubjectName("ada"), SubjectName("ada", format: unspecified)]
    for ours in names {
      for theirs in names {
        guard case .request(let demand) = try await receive(try posted(name: theirs)) else {
          throw CocoaError(.featureUnsupported)
        }
        #expect(demand.ends(idp.entityID, IssuerSession(name: ours)))
        #expect(ours == theirs)
      }
      #expect(ours != SubjectName("ada", format: "urn:f"))
      #expect(!ours.isSubject(of: SubjectName("ada", format: "urn:f")))
    }
  }

  @Test("BIND-11: RelayState goes back to the provider, unless it is larger than any genuine one")
  func relayStateSize() async throws {
    for (size, isKept) in [(80, true), (1_024, true), (1_025, false), (100_000, false)] {
      var message = try posted()
      message.body += Array(("&RelayState=" + String(repeating: "r", count: size)).utf8)
      guard case .request(let demand) = try await receive(message),
        case .browser(.redirect(let address)) = try service.answer(
          demand, .done, to: idp.provider, at: now)
      else { throw CocoaError(.featureUnsupported) }
      #expect((address.query?.contains("RelayState=rrr") == true) == isKept, "\(size)")
    }
  }

  @Test("SVC-2: A response that another provider of this issuer gives belongs to no sign-out here")
  func responseOfAnotherProvider() async throws {
    var begun = try #require(try service.beginLogout(of: session, at: idp.provider, at: now))
    begun.pending.provider = "one"
    let message = OutgoingMessage.logoutResponse(
      MessageHeader(
        id: "_x", issuer: idp.entityID, issuedAt: now,
        destination: "https://app.example/saml/slo"),
      inResponseTo: begun.pending.messageID, outcome: .done)
    let form = IdentityProviderSimulator.form([
      ("SAMLResponse", Data(try message.octets(signedWith: idp.key)).base64EncodedString())
    ])
    for (name, expected) in [("two", TokenError.Code.logoutUnsolicited), ("one", nil)] {
      let pending = begun.pending
      let found = await refusalCode {
        _ = try await service.receiveLogout(
          form, from: idp.provider, named: name, trust: trust,
          pending: { (_) throws(TokenError) in pending }, used: used, at: now)
      }
      #expect(found == expected)
    }
  }

  @Test("SEM-19: A response belongs to a pending sign-out of this browser")
  func response() async throws {
    let begun = try #require(
      try service.beginLogout(of: session, at: idp.provider, at: now))
    func answer(_ outcome: LogoutOutcome) throws -> WebRequest {
      let message = OutgoingMessage.logoutResponse(
        MessageHeader(
          id: "_x", issuer: idp.entityID, issuedAt: now,
          destination: "https://app.example/saml/slo"),
        inResponseTo: begun.pending.messageID, outcome: outcome)
      return IdentityProviderSimulator.form([
        ("SAMLResponse", Data(try message.octets(signedWith: idp.key)).base64EncodedString())
      ])
    }
    guard case .response(nil) = try await receive(answer(.done), begun.pending) else {
      throw CocoaError(.featureUnsupported)
    }
    guard case .response(let problem?) = try await receive(answer(.partial), begun.pending) else {
      throw CocoaError(.featureUnsupported)
    }
    #expect(problem.contains("PartialLogout"))
    guard case .response(_?) = try await receive(answer(.refused), begun.pending) else {
      throw CocoaError(.featureUnsupported)
    }
    #expect(await refusalCode { _ = try await receive(answer(.done)) } == .signInUnknown)
    let another = PendingSignIn(
      .signOut, issuer: "https://other.example/", endpoint: "", returnPath: nil,
      random: RandomSource({ _ in
        stride(from: 1, to: 41, by: 2).map { at in
          UInt8(begun.pending.request.dropFirst(at - 1).prefix(2), radix: 16) ?? 0
        }
      }), at: now)
    #expect(another.request == begun.pending.request)
    #expect(
      await refusalCode { _ = try await receive(answer(.done), another) } == .logoutUnsolicited)
  }

  @Test("SEM-19: A message of another issuer, signed by the session's own, ends nothing")
  func otherIssuer() async throws {
    let liar = try ServiceProvider(
      entityID: "https://other.example/", consumer: HTTPURL("https://idp.example/acs"),
      logout: HTTPURL("https://idp.example/slo"), signingKeys: [idp.key])
    let begun = try #require(try liar.beginLogout(of: session, at: ours, at: now))
    let message = WebRequest(method: "GET", query: begun.action.address.query)
    #expect(await refusalCode { _ = try await receive(message) } == .logoutOtherSession)
  }

  @Test(
    "BIND-14: A request over SOAP is answered in the same envelope; another envelope is refused")
  func soap() async throws {
    let message = OutgoingMessage.logoutRequest(
      MessageHeader(id: "_soap", issuer: idp.entityID, issuedAt: now, destination: nil),
      name: SubjectName("ada", format: "urn:f"), sessionIndex: nil,
      notOnOrAfter: now.advanced(bySeconds: 60))
    let inner = String(decoding: try message.octets(signedWith: idp.key), as: UTF8.self)
    func post(_ body: String) -> WebRequest {
      WebRequest(method: "POST", contentType: "text/xml", body: Array(body.utf8))
    }
    let soap = "http://schemas.xmlsoap.org/soap/envelope/"
    func envelope(_ content: String, header: String = "") -> String {
      "<s:Envelope xmlns:s=\"\(soap)\">\(header)<s:Body>\(content)</s:Body></s:Envelope>"
    }
    for (body, expected) in [
      (envelope(inner + inner), TokenError.Code.unexpectedElement),
      (envelope(""), .missingElement),
      (
        envelope(
          inner, header: "<s:Header><x xmlns=\"urn:x\" s:mustUnderstand=\"1\"/></s:Header>"),
        .unexpectedElement
      ),
      (envelope("<s:Fault/>"), .soapFault),
      (envelope(inner).replacingOccurrences(of: soap, with: soap + "x"), .unexpectedRoot),
    ] {
      #expect(await refusalCode { _ = try await receive(post(body)) } == expected)
    }
    guard case .request(let demand) = try await receive(post(envelope(inner))) else {
      throw CocoaError(.featureUnsupported)
    }
    #expect(demand.ends(idp.entityID, session))
    guard case .soap(let answer) = try service.answer(demand, .done, to: idp.provider, at: now)
    else { throw CocoaError(.featureUnsupported) }
    #expect(String(decoding: answer, as: UTF8.self).contains("InResponseTo=\"_soap\""))
  }
}
