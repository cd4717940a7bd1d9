#if Client
  import ArgumentParser
  import CommandSupport
  import Federation
  import FederationClient
  import TokenBasics

  /// `claims-client session`
  struct SessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "session", abstract: "Lists, shows, renews and ends the stored sessions.",
      subcommands: [
        SessionListCommand.self, SessionShowCommand.self, SessionRenewCommand.self,
        SessionSignOutCommand.self, SessionForgetCommand.self,
      ])
  }

  /// `claims-client session show`
  struct SessionShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Prints who is signed in, until when, and the claims.",
      discussion: """
        Examples:
          claims-client session show --account acs
        """)

    @OptionGroup var store: StoreOptions

    func run() async throws {
      let (account, session) = try store.session(in: try store.content())
      try Results.write(line: PrintedJSON.session(session, account: account, at: SystemTime().now))
    }
  }

  /// `claims-client session forget`
  struct SessionForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "forget",
      abstract: "Removes the session here without notifying its service.",
      discussion: """
        Examples:
          claims-client session forget --account acs

        Prints the addresses at which a browser signs out of the provider, as far as they are known: \
        its cookies are in the browser and nowhere else.
        """)

    @OptionGroup var store: StoreOptions

    func run() async throws {
      let (account, session) = try store.session(in: try store.content())
      try store.open().update { $0.end(account) }
      var json = JSONWriter()
      json.object { json in
        json.member("forgotten", account)
        json.name("signOutAddresses")
        PrintedJSON.strings(session.details["logoutAddress"].map { [$0] } ?? [], &json)
      }
      try Results.write(line: json.bytes)
    }
  }
#endif
