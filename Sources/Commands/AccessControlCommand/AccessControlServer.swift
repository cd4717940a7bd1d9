#if Server
  import AccessControl
  import CommandServer
  import CommandSupport
  import LocalFiles
  import RedisStores

  extension ServiceAssembly {
    /// Makes a service of the file at a path, and serves it until the process is told to end.
    ///
    /// - Throws: exit status 2.
    static func run(_ path: String) async throws(CommandFailure) {
      let folder = try ServiceFolder(path)
      try folder.checkFiles()
      let assembly = try ServiceAssembly(folder)
      let file = folder.file
      let scheme = file.tls == nil ? "http" : "https"
      try await running(assembly, at: path).run {
        CommandMessages.own.note("listening at \(scheme)://\(file.listen)")
        if let operations = file.operations {
          CommandMessages.own.note("operations at http://\(operations)")
        }
        CommandMessages.own.note("\(file.issuer.text) is ready")
      }
    }

    /// The server of a service, which reads its file anew.
    static func running(
      _ assembly: ServiceAssembly, at path: String
    ) -> RunningServer<ServiceAssembly> {
      RunningServer(assembly, at: path, .own) { (former) throws(CommandFailure) in
        let folder = try ServiceFolder(path)
        // The state is open, and another one is refused.
        try folder.checkFiles(includingState: false)
        return try ServiceAssembly(folder, replacing: former)
      }
    }

    var providers: [SignInProvider] { site.upstream?.providers ?? [] }

    var shared: SharedStores? { state.shared }

    var bodyLimit: Int { AccessControlSite.bodyLimit }

    func respond(to request: WebRequest, from peer: String) async -> HTTPResponse {
      await site.respond(to: sent(request, from: peer))
    }

    /// Answers the admin pages, where they are not at the public address.
    func respondToOperator(_ request: WebRequest, from peer: String) async -> HTTPResponse? {
      guard file.adminPlace == .operations else { return nil }
      return await site.respondToAdmin(sent(request, from: peer))
    }

    /// The request with the sender that limits count for.
    private func sent(_ request: WebRequest, from peer: String) -> WebRequest {
      var request = request
      request.peer = WebRequest.peer(of: file.proxy.sender(request.fields, from: peer))
      return request
    }

    /// Takes over the rules that the admin pages of the former service changed.
    func follow(_ former: ServiceAssembly) throws(TokenError) {
      former.rules.retire()
      try rules.refresh(in: site.store)
    }

    func sweep(at now: Instant) async throws(TokenError) {
      try await state.sessions.sweep(at: now, idle: site.upstream?.settings.idle ?? 0)
      try await state.values.sweep(at: now)
    }

    func work() async {
      await withTaskGroup(of: Void.self) { group in
        for metadata in fetchedMetadata { group.addTask { await metadata.run() } }
      }
    }

    func storeError(at now: Instant) async -> TokenError? { await health.storeError(at: now) }

    func health(at now: Instant) async -> SiteHealth.Report {
      var report = await health.report(at: now)
      let end = keys.current.certificate.notAfter
      if (end.seconds - now.seconds) / 86_400 < Self.fewDays {
        report.warnings.append(
          "keys: the certificate of the key that signs ends at \(end.rfc3339); "
            + "roll the keys over (acs keys FILE --roll)")
      }
      return report
    }

    /// Days until the certificate of the key that signs ends, and those of providers.
    func keyEnds(at now: Instant) -> [(provider: String, days: Double)] {
      let own = keys.current.certificate.notAfter
      return [(provider: "acs", days: Double(own.seconds - now.seconds) / 86_400)]
        + (site.upstream?.keyEnds(at: now) ?? [])
    }

    private var health: SiteHealth {
      let (values, sessions, shared) = (state.values, state.sessions, state.shared)
      return SiteHealth(
        providers: providers, dependencies: dependencies,
        parties: fetchedMetadata.map { ($0.entityID, $0.state) },
        probe: { (now) throws(TokenError) in
          try await values.probe(at: now)
          try await sessions.probe(at: now)
        }, storeCheck: { (now) throws(TokenError) in try await shared?.check(at: now).note })
    }

    /// Days: 30, in which relying parties read the next certificate.
    private static let fewDays: Int64 = 30

    static func failure(_ errors: [TokenError]) -> CommandFailure {
      CommandFailure(service: errors)
    }
  }
#endif
