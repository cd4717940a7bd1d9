#if Client
  import ArgumentParser
  import CommandSupport
  import Federation
  import FederationClient
  import FederationNetwork
  import HTTPExchange
  import TokenBasics

  /// `claims-client session sign-out`
  struct SessionSignOutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sign-out",
      abstract: "Ends a session at its service, then here.",
      discussion: """
        Examples:
          claims-client session sign-out --account acs

        Ends the session at Mobile Foundation and App Service. Mobile Services, oPRO and Access Control \
        Service do not support that for a program: the printed addresses sign the browser out. If the \
        service is unreachable, the session stays; `session forget` removes it from the store alone.
        """)

    @OptionGroup var store: StoreOptions
    @OptionGroup var secrets: ServiceSecrets
    @OptionGroup var network: NetworkOptions

    func run() async throws {
      let (account, session) = try store.session(in: try store.content())
      let kept = try store.open()
      let service = try StoredService(of: session, account: account)
      var addresses = session.details["logoutAddress"].map { [$0] } ?? []
      var isTold = false
      if service.kind == .accessControl {
        addresses += try signOutAddresses(service, session)
      } else {
        let transport = try network.transport()
        let access = try ServiceAccess(service, session, secrets, kept, over: transport)
        addresses += access.signOutAddresses
        if let end = access.end {
          try await end(session)
          isTold = true
        }
        await transport.shutdown()
      }
      try kept.update { content in
        // Another person may have signed in meanwhile.
        guard content.sessions[account]?.principal == session.principal else { return }
        content.end(account)
      }
      var json = JSONWriter()
      json.object { json in
        json.member("forgotten", account)
        json.name("serviceTold")
        json.bool(isTold)
        json.name("signOutAddresses")
        PrintedJSON.strings(addresses.filter { !$0.isEmpty }, &json)
      }
      try Results.write(line: json.bytes)
    }

    private func signOutAddresses(_ service: StoredService, _ session: Session) throws -> [String] {
      let server = try service.needed(.server)
      let realm = try service.needed(.realm)
      let control =
        if let base = try? HTTPURL(server) {
          try AccessControlService(base: base, realm: realm, issuer: service[.issuer])
        } else {
          try AccessControlService(namespace: server, realm: realm)
        }
      // The provider's own address is already in the list.
      return control.providerSignOutAddresses(of: session)
        .filter { $0 != session.details["logoutAddress"] }
    }
  }
#endif
