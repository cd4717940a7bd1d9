import ClientScript
import Claims
import Federation
import FederationClient
import Foundation
import HTTPExchange
import SecrecyTesting
import TestSupport
import Testing

@Suite("WS-Federation, passive")
struct PassiveSignInTests {
  static func flow(_ time: ManualTime = ManualTime(ACS.now)) throws -> PassiveSignIn {
    PassiveSignIn(
      try ACS.service(), trust: try ACS.trust(), time: time)
  }

  static func begin(
    _ flow: PassiveSignIn, returningTo path: ReturnPath? = nil
  ) throws -> (state: String, browser: Secret) {
    let begun = try flow.begin(returningTo: path)
    let request = HTTPRequest(.get, begun.address)
    return (try #require(request.parameter("wctx")), begun.browser)
  }

  static func post(_ pairs: [(String, String)]) -> WebRequest {
    WebRequest(
      method: "POST", path: "/signin", contentType: "application/x-www-form-urlencoded",
      body: ACS.form(pairs))
  }

  static func answer(_ wresult: String, _ state: String) -> WebRequest {
    post([("wa", "wsignin1.0"), ("wresult", wresult), ("wctx", state)])
  }

  @Test("S3 The sign-in address has every parameter, encoded once")
  func addresses() throws {
    var request = PassiveRequest(
      wreply: try HTTPURL("https://talks.example.org/signin?a=b&c=d"), whr: "uri:WindowsLiveID",
      wauth: "urn:oasis:names:tc:SAML:1.0:am:password", wfresh: 0)
    request.redirects = false
    let address = try ACS.service().signInAddress(request, state: "a&b=c+d", at: ACS.now)
    #expect(
      HTTPRequest(.get, address).parameters.map { "\($0.name)=\($0.value)" } == [
        "wa=wsignin1.0", "wtrealm=uri:talks.example.org",
        "wreply=https://talks.example.org/signin?a=b&c=d", "wctx=a&b=c+d",
        "wct=2029-12-31T23:55:00Z", "whr=uri:WindowsLiveID",
        "wauth=urn:oasis:names:tc:SAML:1.0:am:password", "wfresh=0", "redirect=false",
      ])
    let plain = try ACS.service().signInAddress(
      PassiveRequest(whr: ""), state: "s", at: ACS.now)
    #expect(
      plain.text
        == "https://talksns.accesscontrol.windows.net/v2/wsfederation?wa=wsignin1.0"
        + "&wtrealm=uri%3Atalks.example.org&wctx=s&wct=2029-12-31T23%3A55%3A00Z")
  }

  @Test("ISS-4 An endpoint that has a query keeps it, and values cannot add parameters")
  func queryBuilding() throws {
    let endpoint = try HTTPURL("https://sts.example/authorize?tenant=a%26b")
    let request = AuthorizationRequest(
      clientID: "a&state=evil", redirectURI: try HTTPURL("https://rp.example/cb?x=1&y=2"),
      scope: "uri:a b", state: "%2B+ä")
    #expect(
      request.address(at: endpoint).text
        == "https://sts.example/authorize?tenant=a%26b&response_type=code"
        + "&client_id=a%26state%3Devil&redirect_uri=https%3A%2F%2Frp.example%2Fcb%3Fx%3D1%26y%3D2"
        + "&scope=uri%3Aa%20b&state=%252B%2B%C3%A4")
  }

  @Test("S3 The posted answer is verified in all four formats", arguments: ACS.formats)
  func formats(format: TokenFormat) async throws {
    let flow = try Self.flow()
    let path = try ReturnPath("/talks?id=7")
    let begun = try Self.begin(flow, returningTo: path)
    // Browsers turn line feeds of a form into CRLF.
    let message = Self.answer(
      try ACS.wresult(format).replacingOccurrences(of: "\n", with: "\r\n"), begun.state)
    guard
      case .signedIn(let token, let returnPath) = try await flow.receive(
        message, browser: begun.browser)
    else {
      Issue.record("not signed in")
      return
    }
    #expect(token.verified.token.format == format)
    #expect(token.verified.claims.single(.identityProvider) == ACS.facebook)
    #expect(returnPath == path)
    let session = try token.session(scheme: .bearer, at: ACS.now)
    #expect(session.principal == Principal(authority: ACS.facebook, subject: "100004711"))
    #expect(session.state(at: Instant(secondsSinceEpoch: 1_893_456_000)) == .credentialExpired)
  }

  @Test("RP-4 RP-10 SEM-9 WSF-10 An answer to no sign-in of this browser in this time is refused")
  func state() async throws {
    let time = ManualTime(ACS.now)
    let flow = try Self.flow(time)
    let begun = try Self.begin(flow)
    let other = try Self.begin(flow)
    let wresult = try ACS.wresult(.swt)
    let answer = Self.answer(wresult, begun.state)
    for (message, browser) in [
      (answer, nil), (answer, other.browser), (Self.answer(wresult, "guess"), begun.browser),
      (Self.answer(wresult, ""), begun.browser), (answer, Secret("")),
      (Self.post([("wa", "wsignin1.0"), ("wresult", wresult)]), begun.browser),
    ] as [(WebRequest, Secret?)] {
      await expect(throws: TokenError(.clientState)) {
        try await flow.receive(message, browser: browser)
      }
    }
    // None of these finished the sign-in.
    _ = try await flow.receive(answer, browser: begun.browser)
    await expect(throws: TokenError(.clientState)) {
      try await flow.receive(answer, browser: begun.browser)
    }
    time.advance(bySeconds: 600)
    await expect(throws: TokenError(.clientState)) {
      try await flow.receive(Self.answer(wresult, other.state), browser: other.browser)
    }
  }

  @Test("RP-21 Of two concurrent responses with one state, one succeeds")
  func concurrent() async throws {
    let flow = try Self.flow()
    let begun = try Self.begin(flow)
    let messages = try ACS.formats.map { Self.answer(try ACS.wresult($0), begun.state) }
    let wins = await withTaskGroup(of: Bool.self) { group in
      for message in messages {
        group.addTask { (try? await flow.receive(message, browser: begun.browser)) != nil }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(wins == 1)
  }

  @Test("WSF-12 A token that signed in once does not sign in again, in whatever envelope")
  func replay() async throws {
    let flow = try Self.flow()
    for format in [TokenFormat.swt, .saml20] {
      let first = try Self.begin(flow)
      let wresult = try ACS.wresult(format)
      _ = try await flow.receive(Self.answer(wresult, first.state), browser: first.browser)
      let second = try Self.begin(flow)
      await expect(throws: TokenError(.replayUsed)) {
        try await flow.receive(
          Self.answer(
            wresult.replacingOccurrences(of: "<t:TokenType>", with: "<t:TokenType >"),
            second.state), browser: second.browser)
      }
    }
  }

  @Test(
    "BIND-2 BIND-10 BIND-17 WSF-9 A message that two parsers could read differently is rejected",
    arguments: [
      ("wa=wsignin1.0&wresult=a&wresult=b&wctx=c", TokenError.Code.clientDuplicateParameter),
      ("wa=wsignin1.0&wresult=%3Ca&wctx=c&WRESULT=b", .clientDuplicateParameter),
      ("wa=wsignin1.0&wctx=a&wctx=a&wresult=b", .clientDuplicateParameter),
      ("wa=wsignin1.0&wresult=a&wctx=c&wresult%00=b", .clientMalformedForm),
      ("wa=wsignin1.0&wr%65sult=a&wctx=c", .clientMalformedForm),
      ("wa=wsignin1.0&wresult[]=a&wctx=c", .clientMalformedForm),
      ("wa=wsignin1.0;wresult=a;wctx=c", .clientMalformedForm),
      ("wa=wsignin1.0&wresult=%zz&wctx=c", .clientMalformedForm),
      ("wa=wsignin1.0&wresult=%u0041&wctx=c", .clientMalformedForm),
      ("wa=wsignin1.0&wresult=%C0%AF&wctx=c", .clientMalformedForm),
      ("wa=wsignin1.0&wresult=a%00&wctx=c", .clientMalformedForm),
      ("wa=wsignin1.0&wresult&wctx=c", .clientMalformedForm),
      ("wa=wsignin1.0&=a&wresult=b&wctx=c", .clientMalformedForm),
      ("wa=wsignin1.0&&wresult=b&wctx=c", .clientMalformedForm),
      ("wa=wsignin1.0&wresult=a#b&wctx=c", .clientMalformedForm),
      ("wa=wsignin1.0&wctx=c", .clientParameter),
      ("wa=wsignin1.0&WResult=a&wctx=c", .clientParameter),
      ("wresult=a&wctx=c", .clientParameter),
      ("wa=wsignin1.0&wresultptr=http%3A%2F%2Fevil.example&wctx=c", .clientParameter),
      ("wa=wsignin1.0&wresult=a&WreqPtr=b&wctx=c", .clientParameter),
      ("wa=wattr1.0&wresult=a&wctx=c", .clientParameter),
      ("wa=wsignin1.0%20&wresult=a&wctx=c", .clientParameter),
      ("", .clientParameter),
    ])
  func malformed(body: String, code: TokenError.Code) async throws {
    let message = WebRequest(
      method: "POST", contentType: "application/x-www-form-urlencoded", body: Array(body.utf8))
    await expect(throws: TokenError(code)) {
      try await Self.flow().receive(message, browser: Secret("b"))
    }
  }

  @Test("BIND-2 BIND-15 Method, content type and parameter of the message are checked")
  func contentType() async throws {
    let flow = try Self.flow()
    let begun = try Self.begin(flow)
    let good = Self.answer(try ACS.wresult(.swt), begun.state)
    for type in [
      nil, "application/json", "text/xml", "multipart/form-data; boundary=a",
      "application/x-www-form-urlencoded; charset=utf-16",
      "application/x-www-form-urlencoded; charset=utf-7",
      "application/x-www-form-urlencoded, text/html", "",
    ] {
      let message = WebRequest(
        method: good.method, path: good.path, query: good.query, contentType: type,
        body: good.body)
      await expect(throws: TokenError(.clientContentType)) {
        try await flow.receive(message, browser: begun.browser)
      }
    }
    var get = good
    get.method = "GET"
    get.query = String(decoding: good.body, as: UTF8.self)
    await expect(throws: TokenError(.clientParameter)) {
      try await flow.receive(get, browser: begun.browser)
    }
    for (query, code) in [
      ("wctx=a", TokenError.Code.clientDuplicateParameter), ("WA=x", .clientDuplicateParameter),
    ] {
      var message = good
      message.query = query
      await expect(throws: TokenError(code)) {
        try await flow.receive(message, browser: begun.browser)
      }
    }
    let message = WebRequest(
      method: good.method, path: good.path, query: "tab=1",
      contentType: "Application/X-WWW-Form-URLencoded; Charset=UTF-8", body: good.body)
    _ = try await flow.receive(message, browser: begun.browser)
  }

  @Test("BIND-1 A token in base64, in CDATA of nothing, or with a document type is refused")
  func wresults() async throws {
    let flow = try Self.flow()
    let wresult = try ACS.wresult(.swt)
    for bad in [
      "<![CDATA[" + wresult + "]]>", "\u{FEFF}" + wresult, " ",
      Data(wresult.utf8).base64EncodedString(), "<!DOCTYPE a>" + wresult, ACS.swt, "{}",
      wresult + wresult,
    ] {
      let begun = try Self.begin(flow)
      await expect(throws: TokenError.self) {
        try await flow.receive(Self.answer(bad, begun.state), browser: begun.browser)
      }
    }
  }

  @Test("RP-8 S3 What the error URL gets is typed; the person's cancelling is an outcome")
  func errorURL() async throws {
    let details = { (code: String) in
      """
      {"context":null,"httpReturnCode":401,"identityProvider":"Google",\
      "timeStamp":"2030-01-01 21:01:36Z","traceId":"11111111-2222-3333-4444-555555555555",\
      "errors":[{"errorCode":"ACS30000","errorMessage":"<b>no</b>\\u001b[2J"},\
      {"errorCode":"\(code)","errorMessage":"x"}]}
      """
    }
    let flow = try Self.flow()
    let post = Self.post([("ErrorDetails", details("ACS60001"))])
    let query = String(decoding: post.body, as: UTF8.self)
    for message in [post, WebRequest(method: "GET", query: query)] {
      guard case .failed(let failure) = try await flow.receive(message, browser: nil) else {
        Issue.record("not failed")
        return
      }
      #expect(failure.codes.map(\.description) == ["ACS30000", "ACS60001"])
      #expect(failure.error == TokenError(.clientProviderFailed))
      #expect(failure.identityProvider == "Google")
      #expect(failure.traceID == "11111111-2222-3333-4444-555555555555")
      #expect(failure.status == 401)
      // RP-8, RP-9: no control character reaches a terminal.
      #expect(failure.messages == ["<b>no</b>?[2J", "x"])
    }
    guard
      case .cancelled = try await flow.receive(
        Self.post([("ErrorDetails", details("ACS50019"))]), browser: nil)
    else {
      Issue.record("not cancelled")
      return
    }
    for bad in ["", "[]", "{}", "{\"errors\":[{}]}", "{\"errors\":[],\"errors\":[]}"] {
      await expect(throws: TokenError.self) {
        try await flow.receive(Self.post([("ErrorDetails", bad)]), browser: nil)
      }
    }
  }

  @Test("RP-13 WSF-11 S3 Sign-out has an address, and a clean-up request changes nothing by itself")
  func signOut() async throws {
    let address = try ACS.service().signOutAddress(wreply: HTTPURL("https://talks.example.org/"))
    #expect(
      HTTPRequest(.get, address).parameters.map { "\($0.name)=\($0.value)" } == [
        "wa=wsignout1.0", "wtrealm=uri:talks.example.org", "wreply=https://talks.example.org/",
      ])
    let flow = try Self.flow()
    let message = WebRequest(method: "GET", query: "wa=wsignoutcleanup1.0")
    for _ in 0..<2 {
      guard case .signOutCleanup = try await flow.receive(message, browser: nil) else {
        Issue.record("not a clean-up")
        return
      }
    }
    // RP-19
    #expect(PassiveSignIn.cleanupAnswer.fields["cache-control"] == "no-store")
    #expect(PassiveSignIn.cleanupAnswer.body.starts(with: "GIF89a".utf8))
    var session = Sample.session()
    session.details["logoutAddress"] = "https://login.live.com/login.srf?wa=wsignout1.0"
    #expect(
      try ACS.service().providerSignOutAddresses(of: session) == [
        "https://login.live.com/login.srf?wa=wsignout1.0",
        ACS.service().signOutAddress().text,
      ])
  }
}
