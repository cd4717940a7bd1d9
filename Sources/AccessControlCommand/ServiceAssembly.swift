#if Server
  import AccessControl
  import HummingbirdFederation
  import SQLiteSessions
  import SecurityKeys

  /// Makes a service of its file.
  struct ServiceAssembly {
    let site: AccessControlSite
    let file: ServiceFile
    let keys: ServiceKeys

    /// - Throws: ``ServiceFailure``.
    init(_ folder: ServiceFolder) throws(ServiceFailure) {
      do throws(TokenError) {
        let file = folder.file
        let keys = try ServiceKeys(
          path: folder.located(file.keys), name: file.issuer.origin.host, at: SystemTime().now)
        var parties = file.relyingParties
        for index in parties.indices {
          if let name = file.metadata[parties[index].realm] {
            parties[index].serviceProvider = try folder.serviceProvider(
              name, parties[index].realm)
          }
          guard let name = file.recipients[parties[index].realm] else { continue }
          parties[index].recipient = try EncryptionRecipient(folder.certificate(name))
        }
        var identities = file.identities
        for index in identities.indices {
          guard let name = file.certificates[identities[index].name] else { continue }
          identities[index].certificate = try folder.certificate(name)
        }
        var used: any ReplayStore = MemoryReplayStore(capacity: 1_000_000)
        if let state = file.state {
          used = try SQLiteSessionStore(path: folder.located(state))
        }
        try self.init(file, keys, parties, identities, used)
      } catch {
        throw ServiceFailure([error])
      }
    }

    /// A service without files beside its own.
    init(_ file: ServiceFile, keys: ServiceKeys) throws(TokenError) {
      try self.init(
        file, keys, file.relyingParties, file.identities, MemoryReplayStore(capacity: 100_000))
    }

    private init(
      _ file: ServiceFile, _ keys: ServiceKeys, _ parties: [RelyingParty],
      _ identities: [ServiceIdentity], _ used: any ReplayStore
    ) throws(TokenError) {
      self.file = file
      self.keys = keys
      let namespace = try ServiceNamespace(
        issuer: file.issuer.text, relyingParties: parties, providers: file.providers,
        identities: identities, ruleGroups: file.ruleGroups, keys: keys.namespaceKeys())
      site = try AccessControlSite(
        NamespaceStore(namespace), pages: MustachePages(title: file.name), used: used,
        key: keys.sealing, requestsPerSecond: file.requestsPerSecond, observer: StandardErrorLog())
    }
  }
#endif
