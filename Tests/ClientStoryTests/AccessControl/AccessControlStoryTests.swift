#if Client
  import AccessControlCore
  import FederationNetwork
  import Federation
  import FederationClient
  import SocialFeeds
  import Foundation
  import HTTPExchange
  import SimulatedService
  import Simulators
  import SimulatorHost
  import TestSupport
  import Testing

  @Suite("Access Control Service, over sockets")
  struct AccessControlStoryTests {
    static let formats: [TokenFormat] = [.swt, .saml11, .saml20, .jwt]

    /// The feed that accepts the person's own token.
    static func post(_ session: Session, _ story: AccessControlStory) async throws {
      let token = try #require(session.providerTokens.first)
      story.evidence.add(token)
      #expect(token.provider == "Facebook-1234567890")
      #expect(token.reveal() == AccessControlStory.providerToken)
      let end = story.time.now.advanced(bySeconds: 3600)
      for token in [token.reveal(), AccessControlStory.pageToken] {
        story.board.allow(token, until: end)
      }
      let pages = try await FacebookPageAccess.pages(
        graph: story.feedHost.base, version: "v23.0",
        userToken: try session.providerTokens.accessToken(
          of: FacebookPage.provider, at: story.time.now), over: story.transport)
      let access = try #require(pages.first { $0.canPost })
      let page = try FacebookPage(
        graph: story.feedHost.base, version: "v23.0", page: access.id,
        accessToken: access.accessToken)
      let feed = Feed(
        page, over: story.transport, time: story.time, observer: story.evidence.observer)
      let name = try #require(session.claims.single(.name))
      let post = try FeedPost(
        template: "{name} will attend \"Swift & Days\" #1", ["name": name])
      let receipt = try await feed.post(post)
      #expect(receipt.id == "4711_1")
      #expect(story.board.posts == ["Mia Müller will attend \"Swift & Days\" #1"])
    }

    @Test("A native app signs a person in, whatever the token's format", arguments: formats)
    func notify(format: TokenFormat) async throws {
      try await AccessControlStory.tell(format) { story async throws in
        let outcome = try await story.client.signIn(
          scheme: .oauth, rememberingIn: story.store,
          choose: { picker in picker.buttons.first { $0.name == "Facebook" } },
          show: { address throws(TokenError) in
            do {
              guard case .notified(let message) = try await story.browser.open(address) else {
                return .closed
              }
              return .message(message)
            } catch {
              throw TokenError(.transportUnreachable)
            }
          })
        guard case .signedIn(let session) = outcome else { throw Browser.Lost() }
        #expect(session.claims.single(.emailAddress) == "mia+news@example.org")
        #expect(session.provider == "Facebook-1234567890")
        try await Self.post(session, story)
        try await story.live(with: session, subject: "100004711")
        #expect(try story.store.read().choices.values.contains("Facebook"))
        #expect(story.core.issued == [format: 1])
        #expect(story.acs.journal.refusals == [])
        story.evidence.search("notify \(format.name)")
      }
    }

    @Test("A program signs a person in through the browser", arguments: formats)
    func loopback(format: TokenFormat) async throws {
      try await AccessControlStory.tell(format, scheme: .bearer) { story async throws in
        let opened = Mutexed<Task<Void, any Error>?>(nil)
        let outcome = try await story.client.signIn(
          scheme: .bearer, request: PassiveRequest(whr: "Facebook-1234567890"),
          through: LoopbackSignIn(listener: LoopbackListener(), time: story.time),
          open: { address in
            let text = address.text
            opened.withLock { $0 = Task { _ = try await story.browser.open(text) } }
          })
        try await opened.current?.value
        guard case .signedIn(let session) = outcome else { throw Browser.Lost() }
        story.evidence.add(session)
        #expect(session.principal.subject == "100004711")
        #expect(session.principal.authority == "Facebook-1234567890")
        try await Self.post(session, story)
        try await story.live(with: session, subject: "100004711")
        #expect(story.acs.journal.refusals == [])
        story.evidence.hide(session.credential.secret.revealed)
        story.evidence.search("loopback \(format.name)")
      }
    }

    @Test("A site signs a person in by the form that the browser posts", arguments: formats)
    func passive(format: TokenFormat) async throws {
      try await AccessControlStory.tell(format) { story async throws in
        let service = story.client.service
        let passive = PassiveSignIn(
          service, trust: story.client.trust, time: story.time)
        var request = PassiveRequest(
          wreply: try story.returnHost.base.at(path: "/signin"),
          wauth: "urn:oasis:names:tc:SAML:1.0:am:password", wfresh: 0)
        request.redirects = false
        let path = try ReturnPath("/talks/7?tab=people")
        let (address, cookie) = try passive.begin(request, returningTo: path)
        var browser = story.browser
        browser.provider = "Facebook"
        _ = try await browser.open(address.text)
        let message = try #require(story.returnPage.last)
        story.evidence.add(message)
        // Another browser cannot finish the sign-in.
        await story.evidence.expect(.clientState) {
          try await passive.receive(message, browser: Secret("another"))
        }
        let outcome = try await passive.receive(message, browser: cookie)
        guard case .signedIn(let token, let returnPath) = outcome else { throw Browser.Lost() }
        story.evidence.add(outcome)
        #expect(returnPath == path)
        #expect(token.verified.claims.single(.role) == "editor")
        // The same form a second time.
        await story.evidence.expect(.clientState) {
          try await passive.receive(message, browser: cookie)
        }
        #expect(story.acs.journal.refusals == [])
        story.evidence.hide(token.secret.revealed, cookie.revealed)
        story.evidence.search("passive \(format.name)")
      }
    }

    @Test("A cancellation at the provider cancels every flow")
    func cancel() async throws {
      try await AccessControlStory.tell(.swt) { story async throws in
        var browser = story.browser
        browser.choice = .decline
        let refusing = browser
        let outcome = try await story.client.signIn(
          scheme: .bearer, request: PassiveRequest(whr: "Facebook-1234567890"),
          through: LoopbackSignIn(listener: LoopbackListener(), time: story.time),
          open: { address in
            let text = address.text
            Task { _ = try await refusing.open(text) }
          })
        guard case .cancelled = outcome else { throw Browser.Lost() }
        let passive = PassiveSignIn(
          story.client.service, trust: story.client.trust, time: story.time)
        let (address, cookie) = try passive.begin(
          PassiveRequest(
            wreply: try story.returnHost.base.at(path: "/signin"), whr: "Facebook-1234567890"))
        _ = try await refusing.open(address.text)
        let message = try #require(story.returnPage.last)
        guard case .cancelled = try await passive.receive(message, browser: cookie) else {
          throw Browser.Lost()
        }
        let closed = try await story.client.signIn(
          scheme: .oauth, rememberingIn: story.store,
          choose: { _ in nil }, show: { _ in .closed })
        guard case .cancelled = closed else { throw Browser.Lost() }
        #expect(story.core.issued == [:])
      }
    }

    @Test("Rules that give no claims, unknown realms and missing keys are errors of their own")
    func refusals() async throws {
      try await AccessControlStory.tell(.swt) { story async throws in
        let signIn = { @Sendable (whr: String) in
          try await story.client.signIn(
            scheme: .bearer, request: PassiveRequest(whr: whr),
            through: LoopbackSignIn(listener: LoopbackListener(), time: story.time),
            open: { address in
              let text = address.text
              Task { _ = try await story.browser.open(text) }
            })
        }
        await story.evidence.expect(.clientNoClaims) { try await signIn("uri:WindowsLiveID") }
        let stranger = AccessControlClient(
          try AccessControlService(base: story.acs.base, realm: "uri:unknown"),
          trust: story.client.trust, transport: story.transport, time: story.time)
        await story.evidence.expect(.clientRelyingParty) {
          try await stranger.providers(ProviderListRequest(.javascriptNotify))
        }
        await story.evidence.expect(.clientRelyingParty) {
          try await stranger.token(
            .password(name: "uploader", password: Secret(AccessControlStory.password)))
        }
        await story.evidence.expect(.clientCredentials) {
          try await story.client.token(
            .password(name: "uploader", password: Secret("wrong-password")))
        }
        await story.evidence.expect(.clientCredentials) {
          try await story.client.token(
            .clientCredentials, client: OAuthClient(id: "uploader", secret: Secret("wrong-one!")))
        }
        story.evidence.hide("wrong-password", "wrong-one!")
        story.evidence.search("refusals")
      }
    }

    @Test("A token under another key is rejected (the 2011 toolkits accepted it)")
    func forged() async throws {
      try await AccessControlStory.tell(.swt) { story async throws in
        var trust = story.client.trust
        trust.issuers = [
          TrustedIssuer(
            story.client.service.issuer,
            keys: [VerificationKey(.secret(try SymmetricKey(bytes: Array(1...32))))],
            formats: [.swt])
        ]
        let client = AccessControlClient(
          story.client.service, trust: trust, transport: story.transport, time: story.time)
        do throws(TokenError) {
          _ = try await client.token(
            .password(name: "uploader", password: Secret(AccessControlStory.password)))
          Issue.record("a token under another key was taken")
        } catch {
          #expect(error.code.family == "signature", "\(error)")
          story.evidence.add(error)
        }
      }
    }

    @Test("WRAP: password, self-signed SWT and SAML assertion give a token that is accepted")
    func wrap() async throws {
      try await AccessControlStory.tell(.swt, scheme: .wrap) { story async throws in
        let key = try SymmetricKey(bytes: AccessControlStory.identityKey)
        guard case .certificate(let shown) = try AccessControlStory.certificate().material else {
          throw Browser.Lost()
        }
        let partner = SAMLIssuer(
          .v2,
          key: try SigningKey(
            PrivateKey(pemOrDER: TestVector.bytes("keys/idp-rsa.key")), certificate: shown))
        let assertion = try partner.assertion(
          TokenDraft(
            issuer: "https://idp.example/idp", audiences: [story.client.service.issuer],
            subject: "uploader", issuedAt: story.time.now))
        let grants: [WRAPGrant] = [
          .password(name: "uploader", password: Secret(AccessControlStory.password)),
          try .selfSigned(issuer: "uploader", key: key, at: story.time.now),
          .samlAssertion(Secret(String(decoding: assertion, as: UTF8.self))),
        ]
        var last: Session?
        for grant in grants {
          let token = try await story.client.token(grant)
          #expect(token.verified.claims.single(.role) == "uploader")
          // The envelope's lifetime is a second less than the token's.
          #expect(token.expires == story.time.now.advanced(bySeconds: 599))
          last = try token.session(scheme: .wrap, at: story.time.now)
        }
        try await story.live(with: try #require(last), subject: "uploader")
        #expect(story.acs.journal.refusals == [])
        story.evidence.search("WRAP")
      }
    }

    @Test(
      "OAuth draft 13: client credentials, code and refresh, in every format", arguments: formats)
    func oauth(format: TokenFormat) async throws {
      try await AccessControlStory.tell(format, scheme: .bearer) { story async throws in
        let me = OAuthClient(id: "uploader", secret: Secret(AccessControlStory.password))
        let own = try await story.client.token(.clientCredentials, client: me)
        #expect(own.verified.claims.single(.role) == "uploader")
        // The code flow, through the browser.
        let (code, start) = try await story.code()
        let token = try await story.client.token(
          .authorizationCode(code, redirectURI: start.redirectURI, proofKey: nil), client: me)
        #expect(token.verified.claims.single(.name) == "Mia Müller")
        // A code is valid once.
        await story.evidence.expect(.clientCredentials) {
          try await story.client.token(
            .authorizationCode(code, redirectURI: start.redirectURI, proofKey: nil), client: me)
        }
        let refresh = try #require(token.refreshToken)
        var session = try token.session(scheme: .bearer, at: story.time.now)
        // The token expires; the session renews it without a prompt.
        let current = CurrentSession(
          account: "oauth", store: story.store,
          renewal: Renewal(refresh: story.client.renewal(client: me)), time: story.time,
          observer: story.evidence.observer)
        try await current.signIn(session)
        story.time.advance(bySeconds: 700)
        if format == .jwt || format == .swt {
          let talks = AuthorizedTransport(
            story.transport, session: current, origin: story.talksHost.base.origin)
          let answer = try await talks.response(
            to: HTTPRequest(.get, try story.talksHost.base.at(path: "/talks")))
          #expect(answer.status == 200)
          session = try #require(await current.session)
          #expect(story.evidence.spans("session.renew") == 1)
          // The refresh token was replaced: the old one is invalid.
          await story.evidence.expect(.clientCredentials) {
            try await story.client.token(.refreshToken(refresh), client: me)
          }
        }
        #expect(story.acs.journal.refusals == [])
        story.evidence.hide(
          code.revealed, refresh.revealed, session.credential.secret.revealed,
          token.secret.revealed)
        story.evidence.search("OAuth \(format.name)")
      }
    }

    @Test("A code of another sign-in is slipped in: its token names another nonce and is refused")
    func injectedCode() async throws {
      try await AccessControlStory.tell(.jwt, scheme: .bearer) { story async throws in
        let me = OAuthClient(id: "uploader", secret: Secret(AccessControlStory.password))
        let (theirs, theirStart) = try await story.code(hasNonce: true)
        let (mine, start) = try await story.code(hasNonce: true)
        // A code does not identify the person; the token exchanged for it does.
        await story.evidence.expect(.responseRequestMismatch) {
          try await story.client.token(
            .authorizationCode(
              theirs, redirectURI: theirStart.redirectURI, proofKey: nil, nonce: start.nonce),
            client: me)
        }
        let token = try await story.client.token(
          .authorizationCode(
            mine, redirectURI: start.redirectURI, proofKey: nil, nonce: start.nonce),
          client: me)
        #expect(token.verified.claims.single("nonce") == start.nonce)
        #expect(story.acs.journal.refusals == [])
        story.evidence.hide(theirs.revealed, mine.revealed, token.secret.revealed)
        story.evidence.search("OAuth nonce")
      }
    }

    @Test(
      "The whole code flow, with nonce where the format has room for it, and a proof key",
      arguments: formats)
    func code(format: TokenFormat) async throws {
      try await AccessControlStory.tell(format, scheme: .bearer) { story async throws in
        let signIn = { @Sendable (expectsNonce: Bool) in
          try await story.client.signIn(
            scheme: .bearer,
            code: CodeSignIn(
              page: try story.acs.base.at(path: "/consent"),
              client: OAuthClient(
                id: "uploader", secret: Secret(AccessControlStory.password)),
              expectsNonce: expectsNonce, hasProofKey: true),
            through: LoopbackSignIn(listener: LoopbackListener(), time: story.time),
            open: { address in
              let text = address.text
              Task { _ = try await story.browser.open(text) }
            })
        }
        guard case .signedIn(let session) = try await signIn(format == .jwt) else {
          throw Browser.Lost()
        }
        #expect(session.principal.subject == "100004711")
        if format != .jwt {
          await story.evidence.expect(.responseUnsolicited) { try await signIn(true) }
        }
        story.evidence.add(session)
        story.evidence.hide(session.credential.secret.revealed)
        #expect(story.acs.journal.refusals == [])
        story.evidence.search("code flow \(format.name)")
      }
    }

    @Test("A busy service is retried after 1, 2, 4 and 8 seconds; a wrong password is not")
    func busy() async throws {
      try await AccessControlStory.tell(.swt) { story async throws in
        let busy = HTTPResponse.answer(503, [], "ACS90046: busy")
        let grant = WRAPGrant.password(
          name: "uploader", password: Secret(AccessControlStory.password))
        let client = AccessControlClient(
          story.client.service, trust: story.client.trust, transport: story.transport,
          time: LeapingTime(clock: story.time), observer: story.evidence.observer)
        story.core.failNext(busy, busy, busy, busy)
        let before = story.time.now
        let token = try await client.token(grant)
        #expect(token.verified.facts.subject == "uploader")
        #expect(story.time.now.seconds - before.seconds >= 15)
        #expect(story.acs.journal.count("POST", "/WRAPv0.9") == 5)
        story.core.failNext(busy, busy, busy, busy, busy)
        await story.evidence.expect(.clientServiceBusy) {
          try await client.token(grant)
        }
        #expect(story.acs.journal.count("POST", "/WRAPv0.9") == 10)
      }
    }
  }
#endif
