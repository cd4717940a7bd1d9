#if Client
  import ArgumentParser
  import AsyncHTTPClientTransport
  import Federation
  import FederationClient
  import HTTPExchange
  import StrictJSON

  /// `claims-client session sign-out`
  struct SessionSignOutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sign-out", abstract: "Ends a session at its service, then here.",
      discussion: """
        Mobile Foundation and App Service are told. Mobile Services, oPRO and Access Control Service \
        have no way to be told by a program: the addresses that are printed sign the browser out. A \
        service that cannot be reached is an error and leaves the session; `session forget` ends it \
        here alone.
        """)

    @OptionGroup var store: StoreOptions
    @OptionGroup var secrets: ServiceSecrets
    @OptionGroup var network: NetworkOptions

    func run() async throws {
      let (account, session) = try store.session(in: try store.content())
      let kept = try store.open()
      let service = try KeptService(of: session, account: account)
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
        // Another person may have signed in while the service was told.
        guard content.sessions[account]?.principal == session.principal else { return }
        content.end(account)
      }
      var json = JSONWriter()
      json.object { json in
        Shown.member("forgotten", account, &json)
        json.name("serviceTold")
        json.bool(isTold)
        json.name("signOutAddresses")
        Shown.strings(addresses.filter { !$0.isEmpty }, &json)
      }
      Results.write(json.bytes)
    }

    private func signOutAddresses(_ service: KeptService, _ session: Session) throws -> [String] {
      let server = try service.needed(.server)
      let realm = try service.needed(.realm)
      let control =
        if let base = try? HTTPURL(server) {
          try AccessControlService(base: base, realm: realm, issuer: service[.issuer])
        } else {
          try AccessControlService(namespace: server, realm: realm)
        }
      // The provider's own address is there already.
      return control.providerSignOutAddresses(of: session)
        .filter { $0 != session.details["logoutAddress"] }
    }
  }
#endif
