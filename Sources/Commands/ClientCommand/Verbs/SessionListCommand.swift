#if Client
  import ArgumentParser
  import CommandSupport
  import Federation
  import FederationClient
  import TokenBasics

  /// `claims-client session list`
  struct SessionListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "Prints the account, service, person and state of each session.",
      discussion: """
        Examples:
          claims-client session list
        """)

    @OptionGroup var store: StoreOptions

    func run() async throws {
      let sessions = try store.content().sessions.sorted { $0.key < $1.key }
      let now = SystemTime().now
      var json = JSONWriter()
      json.array { json in
        for (account, session) in sessions where store.account ?? account == account {
          PrintedJSON.line(session, account: account, at: now, &json)
        }
      }
      try Results.write(line: json.bytes)
    }
  }
#endif
