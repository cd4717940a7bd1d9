#if Server
  package import CommandSupport
  package import HTTPExchange
  package import SignIn

  /// What a command makes of its configuration file, and serves until the file is read anew. An object, since each request
  /// takes the one in force.
  package protocol ServedAssembly: WebService, AnyObject {
    /// Counts events, and writes the log.
    var counters: EventCounters { get }
    /// The servers that it calls.
    var dependencies: Dependencies { get }
    /// The identity providers, whose metadata is fetched.
    var providers: [SignInProvider] { get }
    /// The store that several servers share; nil for none.
    var shared: SharedStores? { get }
    /// What is allowed and probably not meant, a sentence each.
    var warnings: [String] { get }
    /// The addresses and the files of TLS, which a restart alone changes.
    var addresses: ServerAddresses { get }

    /// Fetches what else is due, until the task is cancelled.
    func work() async

    /// Removes expired values from the stores.
    ///
    /// - Throws: Errors of the stores.
    func sweep(at now: Instant) async throws(TokenError)

    /// Why the stores keep nothing; nil where they do.
    func storeError(at now: Instant) async -> TokenError?

    /// The state of the service.
    func health(at now: Instant) async -> SiteHealth.Report

    /// Days until certificates end, by the name of their provider.
    func keyEnds(at now: Instant) -> [(provider: String, days: Double)]

    /// Answers a request at the address of operations; nil for a path that does not exist there.
    func respondToOperator(
      _ request: WebRequest, from peer: String
    ) async -> HTTPExchange.HTTPResponse?

    /// Takes over what changed in the service whose place it takes, while that one was still in force.
    ///
    /// - Throws: What keeps the change from being taken over.
    func follow(_ former: Self) throws(TokenError)

    /// How the command says errors.
    static func failure(_ errors: [TokenError]) -> CommandFailure
  }

  extension ServedAssembly {
    package func work() async {}

    package func respondToOperator(
      _ request: WebRequest, from peer: String
    ) async -> HTTPExchange.HTTPResponse? { nil }

    package func follow(_ former: Self) throws(TokenError) {}

    package static func failure(_ errors: [TokenError]) -> CommandFailure {
      CommandFailure(usage: errors)
    }
  }

  /// Where a command listens.
  package struct ServerAddresses: Sendable {
    /// The address of the service.
    package let service: HostPort
    /// The address of health and metrics; nil for none.
    package let operations: HostPort?
    /// The files of TLS of the service; nil for plain HTTP.
    package let tls: TLSFiles?

    package init(service: HostPort, operations: HostPort? = nil, tls: TLSFiles? = nil) {
      self.service = service
      self.operations = operations
      self.tls = tls
    }
  }

  /// A member of a configuration file that is bound to sockets or stores, which stay open while the file is read anew.
  package struct BoundMember {
    let name: String
    let isSame: Bool

    /// - Parameters:
    ///   - name: The path of the member.
    ///   - former: Its value in the file in force.
    ///   - next: Its value in the file that is read anew.
    package init<Value: Equatable>(_ name: String, _ former: Value, _ next: Value) {
      self.name = name
      isSame = former == next
    }

    /// Refuses a file that changes a bound member.
    ///
    /// - Parameter code: That of a value that the file may not have.
    /// - Throws: `code` with the first of the members that changed.
    package static func check(
      _ members: [BoundMember], _ code: TokenError.Code
    ) throws(TokenError) {
      guard let changed = members.first(where: { !$0.isSame }) else { return }
      throw TokenError(
        code, node: changed.name, expected: "the value of before, which a restart alone changes")
    }
  }
#endif
