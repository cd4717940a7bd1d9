import ClientScript
import Federation
import FederationClient
import HTTPExchange
import SecrecyTesting
import TestSupport
import Testing

/// A listener with requests from a test.
final class ScriptedListener: RedirectListener {
  private struct State: Sendable {
    var inbox: [(WebRequest, String?)] = []
    var pages: [HTTPResponse] = []
    var isClosed = false
  }
  private let state = Mutexed(State())
  private let base: String

  init(base: String = "http://127.0.0.1:49152/") { self.base = base }

  var pages: [HTTPResponse] { state.current.pages }
  var isClosed: Bool { state.current.isClosed }

  func arrive(_ message: WebRequest, host: String? = "127.0.0.1:49152") {
    state.withLock { $0.inbox.append((message, host)) }
  }

  func open() async throws(TokenError) -> HTTPURL { try HTTPURL(base) }

  func next() async throws(TokenError) -> (message: WebRequest, host: String?) {
    while true {
      let (next, isClosed) = state.withLock { state in
        (state.inbox.isEmpty ? nil : state.inbox.removeFirst(), state.isClosed)
      }
      if isClosed { throw TokenError(.transportCancelled) }
      if let next { return next }
      await Task.yield()
    }
  }

  func answer(_ response: HTTPResponse) async { state.withLock { $0.pages.append(response) } }

  func close() async { state.withLock { $0.isClosed = true } }
}

@Suite("Sign-in through the browser")
struct LoopbackSignInTests {
  static let endpoint = "https://sts.example/authorize"

  /// Runs a code flow; `visit` is what the browser does at the address.
  static func code(
    _ listener: ScriptedListener, time: ManualTime = ManualTime(ACS.now),
    visit: @escaping @Sendable (HTTPRequest) -> Void
  ) async throws -> RedirectAnswer {
    try await LoopbackSignIn(listener: listener, time: time).run(
      .query,
      address: { (start) throws(TokenError) in
        AuthorizationRequest(
          clientID: "talks", redirectURI: start.redirectURI, scope: ACS.realm, state: start.state,
          proofKey: ProofKey()
        ).address(at: try HTTPURL(endpoint))
      },
      open: { (address) async throws(TokenError) in visit(HTTPRequest(.get, address)) }
    ).answer
  }

  static func back(_ query: String, path: String = "/signin") -> WebRequest {
    WebRequest(method: "GET", path: path, query: query)
  }

  @Test(
    "RP-8 RP-16 RP-19 A person signs in through the browser; only the right request ends it, and only once"
  )
  func signsIn() async throws {
    let listener = ScriptedListener()
    let answer = try await Self.code(listener) { request in
      let state = request.parameter("state") ?? ""
      let good = "code=c0de&state=" + state
      listener.arrive(Self.back("", path: "/favicon.ico"))
      // RP-16: another name for this machine.
      listener.arrive(Self.back(good), host: "evil.example:49152")
      listener.arrive(Self.back(good), host: nil)
      // RP-4, RP-12
      listener.arrive(Self.back("code=c0de&state=guess"))
      listener.arrive(Self.back("code=c0de"))
      listener.arrive(Self.back("code=a&" + good))
      listener.arrive(
        WebRequest(
          method: "POST", path: "/signin", contentType: "application/x-www-form-urlencoded",
          body: Array(good.utf8)))
      listener.arrive(Self.back(good))
    }
    guard case .code(let code) = answer else {
      Issue.record("no code")
      return
    }
    #expect(code.revealed == "c0de")
    #expect(listener.pages.map(\.status) == [404, 404, 404, 400, 400, 400, 405, 200])
    #expect(listener.isClosed)
    for page in listener.pages {
      #expect(page.fields["cache-control"] == "no-store")
      #expect(page.fields["referrer-policy"] == "no-referrer")
      #expect(!String(decoding: page.body, as: UTF8.self).contains("c0de"))
    }
  }

  @Test("RP-12 The request has a proof key with S256, a state and a loopback address")
  func request() async throws {
    let seen = Mutexed<[HTTPRequest]>([])
    for _ in 0..<2 {
      let listener = ScriptedListener()
      _ = try await Self.code(listener) { request in
        seen.withLock { $0.append(request) }
        listener.arrive(
          Self.back("error=access_denied&state=" + (request.parameter("state") ?? "")))
      }
    }
    let requests = seen.current
    #expect(requests[0].parameter("redirect_uri") == "http://127.0.0.1:49152/signin")
    #expect(requests[0].parameter("code_challenge_method") == "S256")
    #expect(requests[0].parameter("code_challenge")?.utf8.count == 43)
    for name in ["state", "code_challenge"] {
      #expect(requests[0].parameter(name) != requests[1].parameter(name))
    }
  }

  @Test("The code flow has a nonce of its own each time; the form of the passive profile has none")
  func nonces() async throws {
    let starts = Mutexed<[LoopbackSignIn.Start]>([])
    for delivery in [LoopbackExchange.Delivery.query, .query, .form] {
      let open = ScriptedListener()
      _ = try await LoopbackSignIn(listener: open, time: ManualTime(ACS.now)).run(
        delivery,
        address: { (start) throws(TokenError) in
          starts.withLock { $0.append(start) }
          return try HTTPURL(Self.endpoint)
        },
        open: { (_) async throws(TokenError) in
          let state = starts.current.last?.state ?? ""
          open.arrive(
            delivery == .query
              ? Self.back("code=c&state=" + state) : Self.form(true, state, "<a/>"))
        })
    }
    let nonces = starts.current.map(\.nonce)
    #expect(nonces[0]?.utf8.count == 40)
    #expect(nonces[0] != nonces[1] && nonces[1] != nil && nonces[2] == nil)
    #expect(Set(starts.current.map(\.state)).isDisjoint(with: nonces.compactMap(\.self)))
  }

  @Test("Errors of the application's closures are thrown unchanged, and are not on the page")
  func ownErrors() async throws {
    struct NoBrowser: Error {}
    let listener = ScriptedListener()
    let signIn = LoopbackSignIn(listener: listener, time: ManualTime(ACS.now))
    await #expect(throws: NoBrowser.self) {
      try await signIn.run(.query, address: { $0.redirectURI }, open: { _ in throw NoBrowser() })
    }
    #expect(listener.isClosed && listener.pages.isEmpty)

    let second = ScriptedListener()
    await #expect(throws: NoBrowser.self) {
      try await LoopbackSignIn(listener: second, time: ManualTime(ACS.now)).run(
        .query,
        address: { start in
          second.arrive(Self.back("code=c0de&state=\(start.state)"))
          return start.redirectURI
        }, open: { _ in }, judge: { _, _ in throw NoBrowser() })
    }
    #expect(second.pages.map(\.status) == [500])
    #expect(!String(decoding: second.pages[0].body, as: UTF8.self).contains("NoBrowser"))
  }

  @Test(
    "The token of a code must name the nonce of its request, where the request had one",
    arguments: [
      ("echo", true, TokenError.Code?.none), ("none", true, .responseUnsolicited),
      ("other", true, .responseRequestMismatch), ("swt", true, .responseUnsolicited),
      ("none", false, nil), ("swt", false, nil),
    ])
  func nonce(answer: String, isExpected: Bool, code: TokenError.Code?) async throws {
    let sent = Mutexed<String?>(nil)
    let transport = ScriptedTransport { (request) throws(TokenError) in
      #expect(request.parameter("code") == "c0de" && request.parameter("code_verifier") != nil)
      do {
        let nonce: String? =
          switch answer {
          case "echo": sent.current
          case "other": "another request's"
          default: nil
          }
        return .json(
          answer == "swt"
            ? TokenEndpointTests.json(ACS.swt)
            : TokenEndpointTests.json(try ACS.jwt(nonce: nonce), type: ACS.jwtType))
      } catch {
        throw TokenError(.transportUnreachable)
      }
    }
    let listener = ScriptedListener()
    let signIn = {
      try await ACS.client(transport).signIn(
        scheme: .bearer,
        code: CodeSignIn(
          page: try HTTPURL(Self.endpoint),
          client: OAuthClient(id: "talks", secret: Secret("s3cr&et")), expectsNonce: isExpected,
          hasProofKey: true),
        through: LoopbackSignIn(listener: listener, time: ManualTime(ACS.now)),
        open: { (address) async throws(TokenError) in
          let request = HTTPRequest(.get, address)
          sent.withLock { $0 = request.parameter("nonce") }
          #expect((request.parameter("nonce") != nil) == isExpected)
          listener.arrive(Self.back("code=c0de&state=" + (request.parameter("state") ?? "")))
        })
    }
    guard let code else {
      guard case .signedIn(let session) = try await signIn() else {
        Issue.record("nobody signed in")
        return
      }
      #expect(session.principal.subject == "100004711")
      return
    }
    await expect(throws: TokenError(code)) { try await signIn() }
  }

  @Test("S3 A denied access is an outcome, another error is an error")
  func errors() async throws {
    let run = { (query: String) in
      let listener = ScriptedListener()
      return try await Self.code(listener) { request in
        listener.arrive(Self.back(query + "&state=" + (request.parameter("state") ?? "")))
      }
    }
    guard case .cancelled = try await run("error=access_denied") else {
      Issue.record("not cancelled")
      return
    }
    await expect(throws: TokenError(.clientRequestRefused)) {
      try await run("error=invalid_scope")
    }
    // RP-12: a code and an error at once.
    await expect(throws: TokenError(.clientParameter)) {
      try await run("code=a&error=access_denied")
    }
    await expect(throws: TokenError(.clientParameter)) { try await run("code=") }
  }

  @Test("A sign-in that is not finished in time")
  func timeout() async throws {
    let time = ManualTime(ACS.now)
    let listener = ScriptedListener()
    await expect(throws: TokenError(.clientTimeout)) {
      try await time.hurrying(by: 60) {
        try await Self.code(listener, time: time) { _ in listener.arrive(Self.back("")) }
      }
    }
    #expect(listener.isClosed)
    #expect(time.now == ACS.now.advanced(bySeconds: 300))
  }

  @Test("A program that stops waiting closes the listener")
  func cancelled() async throws {
    let listener = ScriptedListener()
    let isOpen = Mutexed(false)
    let task = Task {
      try await Self.code(listener) { _ in isOpen.withLock { $0 = true } }
    }
    while !isOpen.current { await Task.yield() }
    task.cancel()
    await expect(throws: TokenError(.transportCancelled)) { try await task.value }
    #expect(listener.isClosed)
  }

  @Test("A listener that is open to the network is refused")
  func notLoopback() async throws {
    let listener = ScriptedListener(base: "https://rp.example/")
    await expect(throws: TokenError(.transportInsecureAddress)) {
      try await Self.code(listener) { _ in }
    }
    #expect(listener.isClosed)
  }

  @Test("RP-21 An exchange accepts one answer and then no other")
  func oneShot() throws {
    var exchange = LoopbackExchange(
      address: try HTTPURL("http://127.0.0.1:49152/signin"), state: "s", delivery: .query,
      deadline: ACS.now.advanced(bySeconds: 10))
    let message = Self.back("code=a&state=s")
    guard
      case .refuse(let late) = exchange.receive(
        message, host: "127.0.0.1:49152", at: ACS.now.advanced(bySeconds: 10)),
      case .finish = exchange.receive(message, host: "127.0.0.1:49152", at: ACS.now),
      case .refuse(let gone) = exchange.receive(message, host: "127.0.0.1:49152", at: ACS.now)
    else {
      Issue.record("not one shot")
      return
    }
    #expect(late.status == 410 && gone.status == 410)
  }

  /// The form that the service posts: a token or a cancellation.
  static func form(_ isSignedIn: Bool, _ state: String, _ wresult: String) -> WebRequest {
    let details =
      #"{"context":"\#(state)","httpReturnCode":401,"#
      + #""errors":[{"errorCode":"ACS50019","errorMessage":""}]}"#
    return PassiveSignInTests.post(
      isSignedIn
        ? [("wa", "wsignin1.0"), ("wresult", wresult), ("wctx", state)]
        : [("ErrorDetails", details)])
  }

  @Test("S3 A terminal program signs in by the passive flow, and its token is verified")
  func passive() async throws {
    for isSignedIn in [true, false] {
      let listener = ScriptedListener()
      let client = try ACS.client(ScriptedTransport([]))
      let wresult = try ACS.wresult(.saml20)
      let outcome = try await client.signIn(
        scheme: .bearer,
        through: LoopbackSignIn(listener: listener, time: ManualTime(ACS.now)),
        open: { (address) async throws(TokenError) in
          let request = HTTPRequest(.get, address)
          #expect(request.parameter("wreply") == "http://127.0.0.1:49152/signin")
          listener.arrive(Self.form(isSignedIn, "guess", wresult))
          listener.arrive(Self.form(isSignedIn, request.parameter("wctx") ?? "", wresult))
        })
      #expect(listener.pages.map(\.status) == [400, isSignedIn ? 200 : 400])
      if case .signedIn(let session) = outcome {
        #expect(isSignedIn)
        #expect(session.principal == Principal(authority: ACS.facebook, subject: "100004711"))
      } else {
        #expect(!isSignedIn)
      }
    }
  }
}
