#if Client
  import ArgumentParser
  import CommandSupport
  import Federation
  import FederationClient
  import TokenBasics

  /// `claims-client sign-in`
  struct SignInCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sign-in", abstract: "Signs a person in and stores the session.",
      discussion: "Without a subcommand: at an Access Control Service.",
      subcommands: [
        AccessControlSignInCommand.self, MobileServicesSignInCommand.self,
        OPROSignInCommand.self, MobileFoundationSignInCommand.self,
      ], defaultSubcommand: AccessControlSignInCommand.self)

    /// Writes an address for the browser to standard error.
    static func show(_ address: String) {
      StandardError.write("Open this address in a browser to sign in:\n\(address)")
    }
  }

  extension StoreOptions {
    /// Stores a session and prints it without its secrets.
    func keep(
      _ session: Session, of service: StoredService, in store: FileCredentialStore
    ) async throws {
      // Another process may have signed in meanwhile.
      try checkPlace(of: service, in: store)
      let account = account(of: service)
      let session = service.noted(in: session)
      let current = CurrentSession(
        account: account, store: store, renewal: .logOut, time: SystemTime())
      try await current.signIn(session)
      try Results.write(line: PrintedJSON.session(session, account: account, at: SystemTime().now))
    }
  }
#endif
