#if Client
  import FederationNetwork
  import Federation
  import FederationClient
  import HTTPExchange
  import SimulatedService
  import Simulators
  import SimulatorHost
  import Synchronization
  import TestSupport
  import Testing

  /// Counts the requests that were rejected or failed; a task can wait for a number of them.
  final class RefusalCounter: HTTPTransport {
    private let transport: any HTTPTransport
    private let state = Mutex<
      (count: Int, awaited: Int, waiter: CheckedContinuation<Void, Never>?)
    >(
      (0, 0, nil))

    init(_ transport: any HTTPTransport) { self.transport = transport }

    func wait(for number: Int) async {
      await withCheckedContinuation { continuation in
        let isThere = state.withLock { state in
          if state.count >= number { return true }
          state.awaited = number
          state.waiter = continuation
          return false
        }
        if isThere { continuation.resume() }
      }
    }

    func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
      do throws(TokenError) {
        let answer = try await transport.response(to: request)
        if answer.status == 401 { count() }
        return answer
      } catch {
        // A lost request must not make the wait endless; the test reports the error.
        count()
        throw error
      }
    }

    private func count() {
      let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
        state.count += 1
        guard state.count >= state.awaited, let waiter = state.waiter else { return nil }
        state.waiter = nil
        return waiter
      }
      waiter?.resume()
    }
  }

  @Suite("A thousand requests meet an expired token, over sockets")
  struct ThousandRequestsTests {
    struct Result: Sendable {
      let statuses: [Int]
      let errors: [TokenError]
    }

    /// A thousand requests at once, after the token has expired.
    static func run(
      refresh: @escaping @Sendable (MobileService, any HTTPTransport) -> Renewal.Refresh,
      waitingForAll: Bool,
      _ check: @escaping @Sendable (MobileServicesServer, Journal, Result) async throws -> Void
    ) async throws {
      let time = ManualTime()
      let server = Mutexed<MobileServicesServer?>(nil)
      try await SimulatorHost.serving { base in
        let made = MobileServicesServer(
          base: base, dialect: .appService, time: time, providerToken: "facebook-token")
        server.withLock { $0 = made }
        return made
      } _: { host in
        guard let server = server.current else { throw Browser.Lost() }
        // A thousand share a few connections, on a machine that may be busy.
        var configuration = TransportConfiguration()
        configuration.connectTimeout = .seconds(120)
        let transport = try AsyncHTTPClientTransport(configuration)
        let service = try MobileService(at: host.base, .appService(version: "2.0.0"))
        guard
          case .signedIn(let user) = try await service.signIn(
            with: .facebook(accessToken: Secret("facebook-token")), over: transport)
        else { throw Browser.Lost() }
        let counter = RefusalCounter(MobileServiceTransport(transport, service: service))
        let inner = refresh(service, transport)
        let current = CurrentSession(
          account: "talks", store: MemoryCredentialStore(),
          renewal: Renewal(refresh: { session in
            if waitingForAll { await counter.wait(for: 1000) }
            return try await inner(session)
          }), time: time)
        try await current.signIn(
          user.session(at: service, provider: .facebook, now: time.now))
        server.expireTokens()
        let authorized = AuthorizedTransport(counter, session: current, origin: host.base.origin)
        var request = HTTPRequest(.get, try host.base.at(path: "/tables/talks"))
        request.timeout = .seconds(120)
        let shared = request
        let results = await withTaskGroup(of: Swift.Result<Int, TokenError>.self) { group in
          for _ in 0..<1000 {
            group.addTask {
              do throws(TokenError) {
                return .success(try await authorized.response(to: shared).status)
              } catch {
                return .failure(error)
              }
            }
          }
          return await group.reduce(into: []) { $0.append($1) }
        }
        let errors = results.compactMap { if case .failure(let error) = $0 { error } else { nil } }
        try await check(
          server, host.journal,
          Result(statuses: results.compactMap { try? $0.get() }, errors: errors))
        #expect(host.journal.refusals == [])
        await transport.shutdown()
      }
    }

    @Test("Exactly one renewal, and all thousand succeed")
    func success() async throws {
      try await Self.run(
        refresh: { service, transport in
          { session throws(TokenError) in try await service.refreshed(session, over: transport) }
        }, waitingForAll: false
      ) { server, journal, result async throws in
        #expect(result.errors == [])
        #expect(result.statuses.count == 1000)
        #expect(result.statuses.allSatisfy { $0 == 200 })
        #expect(server.refreshes == 1)
        #expect(journal.count("GET", "/.auth/refresh") == 1)
        print(
          "1000 requests, expired token: \(server.refreshes) renewal, "
            + "\(result.statuses.count { $0 == 200 }) times 200, "
            + "\(journal.count("GET", "/tables/talks")) requests at the table")
      }
    }

    @Test("A renewal that is refused fails all thousand once, with the cause")
    func refused() async throws {
      try await Self.run(
        refresh: { service, transport in
          { session throws(TokenError) in
            // The service rejects the token.
            var broken = session
            broken.credential = Credential(.zumo, Secret("nobody-knows-this"))
            return try await service.refreshed(broken, over: transport)
          }
        }, waitingForAll: true
      ) { server, journal, result async throws in
        #expect(result.statuses == [])
        #expect(result.errors.count == 1000)
        #expect(result.errors.allSatisfy { $0.code == .sessionRenewalRefused })
        #expect(journal.count("GET", "/.auth/refresh") == 1)
        #expect(journal.count("GET", "/tables/talks") == 1000)
        print(
          "1000 requests, renewal refused: \(journal.count("GET", "/.auth/refresh")) renewal, "
            + "\(result.errors.count) errors \(Set(result.errors.map(\.code.rawValue)).sorted()), "
            + "\(journal.count("GET", "/tables/talks")) requests at the table")
      }
    }
  }
#endif
