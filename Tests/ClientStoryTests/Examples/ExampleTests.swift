#if Client
  import AccessControlCore
  import Federation
  import FederationClient
  import FederationNetwork
  import Foundation
  import HTTPExchange
  import SimulatedService
  import SimulatorHost
  import Simulators
  import SocialFeeds
  import TestCatalogue
  import TestSupport
  import Testing

  @testable import ClientExamples

  /// Like programs they use the machine's clock, and so do the simulators here.
  @Suite("The examples of the article UseTheClient work as described there, against the simulators")
  struct ExampleTests {
    static let time = SystemTime()

    /// An Access Control Service with a person, a program, and a service that accepts their tokens.
    static func accessControl(
      _ format: TokenFormat, scheme: CredentialScheme,
      _ body:
        @escaping @Sendable (
          _ acs: SimulatorHost, _ talks: SimulatorHost, _ page: SimulatorHost, _ posted: ReturnPage
        ) async throws -> Void
    ) async throws {
      let page = ReturnPage()
      try await SimulatorHost.serving { _ in
        page
      } _: { pageHost in
        try await SimulatorHost.serving { base in
          AccessControlCore(
            try AccessControlStory.namespace(
              base, format, returnURL: pageHost.base.text + "signin"), time: time)
        } _: { acs async throws in
          try await SimulatorHost.serving { _ in
            TalksService(
              trust: try AccessControlStory.trust(acs.base, format), scheme: scheme, time: time)
          } _: { talks async throws in
            try await body(acs, talks, pageHost, page)
            #expect(acs.journal.refusals == [])
            #expect(talks.journal.refusals == [])
          }
        }
      }
    }

    static func service(_ acs: SimulatorHost) throws -> AccessControlService {
      try AccessControlService(base: acs.base, realm: AccessControlStory.realm)
    }

    @Test("The first program signs a person in", arguments: [TokenFormat.saml20, .saml11, .jwt])
    func program(format: TokenFormat) async throws {
      let folder = FileManager.default.temporaryDirectory
      try await Self.accessControl(format, scheme: .bearer) { acs, _, _, _ async throws in
        var browser = Browser(transport: try AsyncHTTPClientTransport())
        browser.provider = "Facebook"
        let person = browser
        var tool = ClientTool(folder: folder)
        tool.program = "SignInProgram"
        let arguments = [
          acs.base.text, AccessControlStory.realm,
          TestVector.packageRoot.appending(path: "TestVectors/keys/idp-rsa.crt").path(),
        ]
        let outcome = try await tool.run(arguments) { address in
          Task { try await person.open(address) }
        }
        #expect(outcome.status == 0, "\(outcome.talk)")
        #expect(
          outcome.output
            == "Signed in: 100004711 of Facebook-1234567890\nRoles: [\"editor\"]\n")
      }
    }

    @Test("The website's two pages sign a person in, whose session is kept, used and forgotten")
    func website() async throws {
      try await Self.accessControl(.swt, scheme: .bearer) { acs, talks, page, posted async throws in
        let service = try Self.service(acs)
        let passive = PassiveSignIn(
          service, trust: try AccessControlStory.trust(acs.base, .swt), time: Self.time)
        var browser = Browser(transport: try AsyncHTTPClientTransport())
        browser.provider = "Facebook"
        let person = browser
        let store = MemoryCredentialStore()
        let signIn: () async throws -> Session? = {
          let start = try beginSignIn(passive)
          _ = try await person.open(start.location.text)
          let form = try #require(posted.last?.body)
          return try await finishSignIn(passive, form: form, cookie: start.cookie)
        }
        for count in 1...2 {
          let answer = try await callTalks(
            talks.base, store: store, renewal: .logOut, signIn: signIn)
          #expect(answer?.status == 200)
          #expect(talks.journal.requests.count == count)
        }
        // The second call had the session of the first.
        #expect(page.journal.requests.count == 1)
        let addresses = try await logOut(store: store, service: service)
        #expect(addresses.contains { $0.contains("wsignout1.0") })
        #expect(try store.read().sessions.isEmpty)
        let again = try await callTalks(
          talks.base, store: store, renewal: .logOut, signIn: { nil })
        #expect(again == nil)
      }
    }

    @Test("A program calls a service under its own name")
    func serviceToken() async throws {
      try await Self.accessControl(.swt, scheme: .oauth) { acs, talks, _, _ async throws in
        let answer = try await callAsProgram(
          talks.base, name: "uploader", password: Secret(AccessControlStory.password),
          acs: try Self.service(acs), trust: try AccessControlStory.trust(acs.base, .swt))
        #expect(answer.status == 200)
        #expect(talks.journal.requests.count == 1)
      }
    }

    @Test("The providers of a realm are fetched over URLSession")
    func providers() async throws {
      try await Self.accessControl(.swt, scheme: .oauth) { acs, _, _, _ async throws in
        let names = try await providerNames(
          of: try Self.service(acs), trust: try AccessControlStory.trust(acs.base, .swt))
        #expect(names == ["Facebook", "Example Corp", "Windows Live\u{2122} ID"])
      }
    }

    @Test("A talk is added at App Service")
    func appService() async throws {
      try await SimulatorHost.serving { base in
        MobileServicesServer(
          base: base, dialect: .appService, time: Self.time, providerToken: "unused")
      } _: { host async throws in
        let person = Browser(transport: try AsyncHTTPClientTransport())
        let status = try await addTalk(
          "Claims & \"tokens\"", to: host.base, store: MemoryCredentialStore(),
          browse: { start in
            guard case .address(let address) = try await person.open(start.text) else {
              throw Browser.Lost()
            }
            return address
          })
        #expect(status == 201)
        #expect(host.journal.refusals == [])
      }
    }

    @Test("An account is registered once, and the service's message is shown the second time")
    func customAccount() async throws {
      try await SimulatorHost.serving { base in
        MobileServicesServer(
          base: base, dialect: .mobileServices(applicationKey: "key"), time: Self.time,
          providerToken: "unused")
      } _: { host async throws in
        let password = Secret("p4ssw0rd-demo")
        let first = try await register(
          "mia", password, at: host.base, applicationKey: Secret("key"))
        #expect(first.session?.principal.subject == "Custom:42")
        let second = try await register(
          "mia", password, at: host.base, applicationKey: Secret("key"))
        #expect(second.session == nil)
        #expect(second.words == "Username already exists")
        let third = try await register(
          "mia", Secret("short"), at: host.base, applicationKey: Secret("key"))
        #expect(third.words.contains("passwordTooShort"))
        #expect(host.journal.refusals == [])
      }
    }

    @Test("An address is changed at an oPRO server")
    func opro() async throws {
      try await SimulatorHost.serving { _ in
        OPROServer(
          clientSecret: "opro-client-secret-8", password: "opro-person-word-8", time: Self.time)
      } _: { host async throws in
        let service = try OPROService(
          at: host.base, clientID: OPROServer.clientID, clientSecret: Secret("opro-client-secret-8")
        )
        let address = try await changeAddress(
          to: "awesome@example.com", at: service, server: host.base,
          userName: "foo@example.com", password: Secret("opro-person-word-8"),
          store: MemoryCredentialStore())
        #expect(address == "awesome@example.com")
        #expect(host.journal.refusals == [])
      }
    }

    @Test("A form is shown until the password is right, or the person cancels")
    func foundation() async throws {
      try await SimulatorHost.serving { base in
        FoundationServer(base: base, time: Self.time)
      } _: { host async throws in
        let answer = try await myTalks(
          on: host.base, identities: MemoryIdentityStore(),
          ask: { challenge in
            let password: SecurityCheckCredentials.Value =
              challenge.errorMessage == nil ? "wrong" : "john"
            return ["username": "john", "password": password]
          })
        #expect(String(decoding: answer.body, as: UTF8.self) == "mine: ")
        await expectThrows(.sessionCancelled) {
          try await myTalks(on: host.base, identities: MemoryIdentityStore(), ask: { _ in nil })
        }
        #expect(host.journal.refusals == [])
      }
    }

    @Test("A page of the person gets a post with the page's own token")
    func facebookPage() async throws {
      let board = FeedBoard(time: Self.time)
      for token in ["person-token", "page-token"] {
        board.allow(token, until: Self.time.now.advanced(bySeconds: 86_400))
      }
      try await SimulatorHost.serving { _ in
        FacebookServer(
          board, version: "v23.0", page: "4711",
          persons: ["person-token": [.init("4711", "Swift Days", token: "page-token")]])
      } _: { host async throws in
        let now = Self.time.now
        let session = Session(
          principal: Principal(authority: "Facebook-1", subject: "1"),
          claims: ClaimSet([
            Claim(.identityProvider, "Facebook-1"), Claim(.facebookAccessToken, "person-token"),
          ]), credential: Credential(.bearer, Secret("unused")), signedInAt: now)
        #expect(try await post("See you!", by: session, graph: host.base) == "4711_1")
        #expect(board.posts == ["See you!"])
        #expect(host.journal.refusals == [])
      }
    }

    @Test("A status is posted to Mastodon, and a rejection has a message")
    func mastodon() async throws {
      let board = FeedBoard(time: Self.time)
      board.allow("token-1234", until: Self.time.now.advanced(bySeconds: 86_400))
      try await SimulatorHost.serving { _ in
        MastodonServer(board)
      } _: { host async throws in
        let token = Secret("token-1234")
        #expect(
          try await toot("See you!", on: host.base, token: token).hasPrefix("It stands at http"))
        let long = String(repeating: "x", count: 501)
        #expect(try await toot(long, on: host.base, token: token).contains("too long"))
        #expect(
          try await toot("again", on: host.base, token: Secret("stale"))
            == "Please sign in again.")
        #expect(board.posts == ["See you!"])
        #expect(host.journal.refusals == [])
      }
    }

    @Test("Each error has a message, by default with its code")
    func errors() {
      for code in ErrorCatalogue.codes { #expect(!words(for: TokenError(code)).isEmpty) }
      #expect(words(for: TokenError(.sessionCancelled)) == "You did not sign in.")
      #expect(words(for: TokenError(.clientCode)).hasPrefix("client.code: "))
    }

    private func expectThrows<Value>(
      _ code: TokenError.Code, _ body: () async throws -> Value
    ) async {
      await #expect { _ = try await body() } throws: { ($0 as? TokenError)?.code == code }
    }
  }
#endif
