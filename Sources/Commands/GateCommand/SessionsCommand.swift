#if Server
  import ArgumentParser
  import CommandSupport
  import GateService
  import HTTPExchange
  import Synchronization

  /// `claims-gate sessions gate.json list|end`
  struct SessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sessions",
      abstract: "Lists or ends sessions in the gate's store.",
      discussion: """
        Examples:
          claims-gate sessions gate.json list --all
          claims-gate sessions gate.json end --subject ada@example.org

        One of --subject, --provider and --all chooses; --subject and --provider together choose a subject at a \
        provider. The store is SQLite or Redis; sessions in memory end with the gate.
        """)

    /// What to do.
    enum Action: String, ExpressibleByArgument, CaseIterable {
      case list, end
    }

    @Argument(help: ArgumentHelp("The gate's file.", valueName: "FILE"), completion: .file())
    var file: String
    @Argument(help: ArgumentHelp("list or end.", valueName: "ACTION")) var action: Action
    @Option(
      help: ArgumentHelp(
        "The subject, as the provider or the application names it.", valueName: "NAME"))
    var subject: String?
    @Option(
      help: ArgumentHelp(
        "The identifier of the provider, also of one that the file has no more.", valueName: "ID"))
    var provider: String?
    @Flag(help: "Every session.") var all = false
    @Flag(help: "Print one JSON object per session, or the number of those that were ended.")
    var json = false

    func validate() throws {
      guard all != (subject != nil || provider != nil) else {
        throw ValidationError("one of --subject, --provider and --all")
      }
    }

    func run() async throws {
      let file = try GateFile(self.file)
      if case .memory = file.configuration.store {
        throw CommandFailure(usage: [
          TokenError(
            .gateValue, node: "session.store",
            expected: "sqlite:FILE or redis, which another process can read",
            found: "memory, whose sessions end when the gate ends")
        ])
      }
      let lines: [String]
      let sealed = SealedSessions()
      do throws(TokenError) {
        lines = try await act(on: file, observer: sealed)
      } catch {
        throw CommandFailure(usage: error)
      }
      for line in lines { try Results.write(line: line) }
      try Self.check(sealed)
    }

    /// Says that sessions were left out, where there are any.
    ///
    /// - Throws: exit status 1.
    static func check(_ sealed: SealedSessions) throws(ExitCode) {
      guard sealed.count == 0 else {
        CommandMessages.own.warning(Self.remark(onSealed: sealed.count))
        throw ExitCode(1)
      }
    }

    static func remark(onSealed count: Int) -> String {
      "\(count) more that no key of cookieKeys opens: they are neither listed nor ended here"
    }

    /// Ends or finds the sessions, and says so.
    private func act(
      on file: GateFile, observer: any ActivityObserver
    ) async throws(TokenError) -> [String] {
      let people = file.configuration.people ?? .shared
      let stores = try GateStores(file, isBeside: true, observer: observer)
      guard let store = stores.sessions as? any SessionDirectory else { return [] }
      switch action {
      case .end:
        let count = try await store.removeSessions { isWanted($0, people) }
        return [json ? #"{"ended":\#(count)}"# : "\(count) ended"]
      case .list:
        let now = SystemTime().now
        let idle = Int64(file.configuration.idle)
        let sessions = try await store.sessions {
          isWanted($0, people) && !$0.isOver(at: now, idle: idle)
        }
        return sessions.sorted { $0.begun < $1.begun }.map { session in
          json
            ? record(session, file)
            : "\(session.begun.rfc3339) to \(session.end.rfc3339), last use \(session.lastUse.rfc3339): "
              + TokenError.excerpt(people.subject(session.principal.subject, at: session.provider))
              + " at \(session.provider)"
              + (file.configuration.providers.contains { $0.id == session.provider }
                ? "" : ", which is not configured")
        }
      }
    }

    /// A session as a line of JSON.
    private func record(_ session: SignedInSession, _ file: GateFile) -> String {
      let people = file.configuration.people ?? .shared
      var json = JSONWriter()
      json.object { json in
        json.member("subject", people.subject(session.principal.subject, at: session.provider))
        json.member("provider", session.provider)
        json.name("configured")
        json.bool(file.configuration.providers.contains { $0.id == session.provider })
        json.member("begun", session.begun.rfc3339)
        json.member("end", session.end.rfc3339)
        json.member("lastUse", session.lastUse.rfc3339)
      }
      return String(decoding: json.bytes, as: UTF8.self)
    }

    private func isWanted(_ session: SignedInSession, _ people: GatePeople) -> Bool {
      if let provider, session.provider != provider { return false }
      guard let subject else { return true }
      let own = session.principal.subject
      return own == subject || people.subject(own, at: session.provider) == subject
    }
  }

  /// Counts the sessions that a shared store has and no key opens.
  final class SealedSessions: ActivityObserver {
    private let number = Atomic<Int>(0)
    var count: Int { number.load(ordering: .relaxed) }

    func during<Value: Sendable>(
      _ activity: Activity, _ body: @Sendable () async throws(TokenError) -> Value
    ) async throws(TokenError) -> Value { try await body() }

    func happened(_ activity: Activity) {
      if activity.isNamed("store.session-sealed") { number.wrappingAdd(1, ordering: .relaxed) }
    }

    func measured(_ activity: Activity, value: Double) {}
  }
#endif
