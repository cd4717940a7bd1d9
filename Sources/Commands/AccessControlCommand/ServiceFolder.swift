#if Server
  import AccessControl
  import CommandServer
  import CommandSupport
  import HTTPExchange
  import LocalFiles
  import SQLiteSessions
  import SecurityKeys
  import TokenBasics

  /// The file of a service and those that it names, relative to its folder.
  struct ServiceFolder: ConfigurationFolder {
    let path: String
    let file: ServiceFile

    static var valueCode: TokenError.Code { .issuingFileValue }

    /// Reads and checks the file.
    ///
    /// - Throws: exit status 2 with every error.
    init(_ path: String) throws(CommandFailure) {
      let octets: [UInt8]
      do throws(TokenError) {
        octets = try Self.contents(path)
      } catch {
        throw CommandFailure(service: [error])
      }
      let (file, errors) = ServiceFile.read(octets)
      guard let file else { throw CommandFailure(service: errors, in: path) }
      self.init(path, file)
    }

    private init(_ path: String, _ file: ServiceFile) {
      self.path = path
      self.file = file
    }

    /// Tells what is to be registered at the OpenID providers of a file that is refused for another reason. The providers give
    /// the secrets and names that the file still lacks only after that.
    static func noteRegistrations(ofRefused path: String) {
      guard let octets = try? contents(path), let file = ServiceFile.draft(octets) else { return }
      Self(path, file).noteRegistrations()
    }

    /// A certificate.
    ///
    /// - Throws: `issuing.file-value`, `key.*`.
    func certificate(_ name: String) throws(TokenError) -> Certificate {
      do throws(TokenError) {
        return try Self.certificate(octets(name))
      } catch {
        throw error.located(at: name)
      }
    }

    /// Makes what fetches the metadata of a realm.
    typealias MetadataFetch = (
      _ realm: String, MetadataSource, FileCopy?
    ) throws(TokenError) -> FetchedServiceProvider

    /// The relying parties with all that is in files: secrets, metadata, and certificates to encrypt for. Nothing is fetched.
    ///
    /// - Parameter fetch: Makes what fetches metadata at an address.
    /// - Throws: `issuing.file-value`, `issuing.metadata-import`, `key.*`.
    func relyingParties(
      _ fetch: MetadataFetch = { (realm, source, copy) throws(TokenError) in
        FetchedServiceProvider(realm, source, transport: NoNetwork(), copy: copy)
      }
    ) throws(TokenError) -> [RelyingParty] {
      var parties = file.relyingParties
      for index in parties.indices {
        let realm = parties[index].realm
        if let name = file.secretFiles[.partyKey(realm)] { parties[index].key = try key(name) }
        if let name = file.secretFiles[.clientSecret(realm)] {
          parties[index].clientSecret = try comparedSecret(name)
        }
        if let location = file.metadataByRealm[realm] {
          parties[index].metadata = try metadata(location, realm, fetch)
        }
        try readRecipient(of: &parties[index])
      }
      return parties
    }

    /// The metadata of a relying party: that of a file, or what fetches it.
    private func metadata(
      _ location: MetadataLocation, _ realm: String, _ fetch: MetadataFetch
    ) throws(TokenError) -> PartyMetadata {
      if let name = location.fileName { return .fixed(try serviceProvider(name, realm)) }
      guard case .source(let source, let copy) = try location.found(in: self) else {
        throw TokenError(.issuingMetadataImport, node: realm)
      }
      return .fetched(try fetch(realm, source, copy))
    }

    /// Reads for whom the tokens of a relying party are encrypted.
    private func readRecipient(of party: inout RelyingParty) throws(TokenError) {
      guard let name = file.recipientFileByRealm[party.realm] else { return }
      if party.format == .jwt {
        party.webRecipient = try webRecipient(name, file.encryptionByRealm[party.realm])
      } else {
        party.recipient = try EncryptionRecipient(certificate(name))
      }
    }

    /// The JSON Web Key of a relying party, or the one key for encryption of its JWK set.
    ///
    /// - Throws: `issuing.file-value`, `input.json-*`, `key.*`, `policy.mint-encryption-algorithm`.
    private func webRecipient(
      _ name: String, _ encryption: ContentEncryption?
    ) throws(TokenError) -> JSONWebEncryptionRecipient {
      let jwk = try octets(name)
      do throws(TokenError) {
        let recipient = try JSONWebEncryptionRecipient(jwk: jwk, encryption: encryption)
        guard recipient.algorithm.isOfPublicKeys else {
          throw TokenError(
            .issuingFileValue, expected: "a public key in a JSON Web Key",
            found: recipient.algorithm.name)
        }
        return recipient
      } catch {
        throw error.within(name)
      }
    }

    /// The service identities with all that is in files.
    ///
    /// - Throws: `issuing.file-value`, `key.*`.
    func identities() throws(TokenError) -> [ServiceIdentity] {
      var identities = file.identities
      for index in identities.indices {
        let name = identities[index].name
        if let file = file.secretFiles[.password(name)] {
          identities[index].password = try comparedSecret(file)
        }
        if let file = file.secretFiles[.identityKey(name)] {
          identities[index].key = try key(file)
        }
        guard let file = file.certificateFileByName[name] else { continue }
        identities[index].certificate = try certificate(file)
      }
      return identities
    }

    /// The initial access token of registration; nil where there is none.
    ///
    /// - Throws: `issuing.file-value`.
    func registrationToken() throws(TokenError) -> Secret? {
      if let name = file.secretFiles[.registration] { return try comparedSecret(name) }
      return file.registration?.token
    }

    /// The admins with their passwords.
    ///
    /// - Throws: `issuing.file-value`.
    func admins() throws(TokenError) -> [Admin] {
      var admins = file.admins
      for index in admins.indices {
        guard let name = file.secretFiles[.admin(admins[index].name)] else { continue }
        admins[index].password = try comparedSecret(name)
      }
      return admins
    }

    /// A secret that is compared and nothing else: it may be a digest.
    private func comparedSecret(_ name: String) throws(TokenError) -> Secret {
      let secret = try secret(name)
      guard HashedSecret.isReadable(secret.revealed) else {
        throw TokenError(
          .issuingFileValue, node: name, expected: HashedSecret.expected, found: "something else")
      }
      return secret
    }

    private func key(_ name: String) throws(TokenError) -> SymmetricKey {
      guard let key = ServiceFile.symmetricKey(try secret(name).revealed) else {
        throw TokenError(
          .issuingFileValue, node: name, expected: "32 octets or more in base64",
          found: "something else")
      }
      return key
    }

    /// The SAML 2.0 service provider of a file of metadata.
    ///
    /// - Throws: `issuing.file-value` for a file that cannot be read, `issuing.metadata-import` for what is in it.
    func serviceProvider(
      _ name: String, _ entityID: String
    ) throws(TokenError) -> SAMLServiceProvider {
      let octets = try octets(name)
      let entities: [EntityDescriptor]
      do throws(TokenError) {
        var reader = try MetadataReader()
        entities = try reader.consume(octets) + reader.finish()
      } catch {
        throw TokenError(
          .issuingMetadataImport, node: name, expected: error.expected,
          found: "\(error.code.rawValue) \(error.found ?? "")")
      }
      guard
        let service = entities.lazy.compactMap({ SAMLServiceProvider($0) })
          .first(where: { $0.entityID == entityID })
      else {
        throw TokenError(
          .issuingMetadataImport, node: name,
          expected: "a service provider of SAML 2.0 with the entityID \(entityID)",
          found: entities.first.map { TokenError.excerpt($0.entityID) })
      }
      return service
    }

    /// The rule groups that the admin pages changed; none without their file.
    ///
    /// - Throws: exit status 2 with every error in it.
    func changedRules() throws(CommandFailure) -> [RuleGroup] {
      try readChangedRules().groups
    }

    /// Rules of that file about providers that the service's file does not have, which are skipped.
    ///
    /// - Throws: as ``changedRules()``.
    func skippedRules() throws(CommandFailure) -> [TokenError] {
      try readChangedRules().skipped
    }

    private func readChangedRules() throws(CommandFailure) -> (
      groups: [RuleGroup], skipped: [TokenError]
    ) {
      let path = located(file.changedRules)
      let octets: [UInt8]?
      do throws(FileFailure) {
        octets = try AtomicFile(path: path).read(limit: Limits.hardByteLimit)
      } catch {
        throw CommandFailure(service: [
          error.error(.issuingFileValue, path, expected: "a file of rules, or none")
        ])
      }
      guard let octets else { return ([], []) }
      let (groups, errors, skipped) = RuleGroupFile.read(octets, beside: file)
      guard errors.isEmpty else { throw CommandFailure(service: errors, in: path) }
      return (groups, skipped)
    }

    /// As ``changedRules()``, while the service runs.
    ///
    /// - Throws: `issuing.file-value`; the first error in the file.
    func keptRules() throws(TokenError) -> [RuleGroup] {
      do throws(CommandFailure) {
        return try changedRules()
      } catch {
        throw error.causes.first
          ?? TokenError(.issuingFileValue, node: located(file.changedRules))
      }
    }

    /// Keeps rule groups that the admin pages changed.
    ///
    /// - Throws: `issuing.file-value`; what the file would be refused for at the next start.
    func keep(_ groups: [RuleGroup]) throws(TokenError) {
      let path = located(file.changedRules)
      let octets = RuleGroupFile.octets(groups)
      if let error = RuleGroupFile.read(octets, beside: file).errors.first { throw error }
      do throws(FileFailure) {
        try AtomicFile(path: path).replace(with: octets)
      } catch {
        throw error.error(.issuingFileValue, path, expected: "a file that can be written")
      }
    }

    /// Reads every file that the service's file names, but those that it makes itself.
    ///
    /// - Parameters:
    ///   - includingFaults: Whether what a service works without is an error, too.
    ///   - includingState: Whether the file of the state is read. Not by a process that has it open, whose locks end then.
    /// - Throws: exit status 2 with all that cannot be used.
    func checkFiles(
      includingFaults: Bool = false, includingState: Bool = true
    ) throws(CommandFailure) {
      var found = FoundErrors()
      checkTokens(&found, rules: try changedRules(), includingFaults: includingFaults)
      checkServer(&found, includingState: includingState)
      if includingFaults { file.faults.forEach { found.add($0) } }
      guard found.errors.isEmpty else { throw CommandFailure(service: found.errors, in: path) }
    }

    /// What tokens are judged and issued by.
    private func checkTokens(
      _ found: inout FoundErrors, rules changed: [RuleGroup], includingFaults: Bool
    ) {
      for var party in file.relyingParties {
        found.attempt { () throws(TokenError) in try readRecipient(of: &party) }
      }
      for name in file.certificateFileByName.values.sorted() {
        found.attempt { () throws(TokenError) in _ = try certificate(name) }
      }
      found.attempt { () throws(TokenError) in
        _ = try ServiceKeys(path: located(file.keys))
      }
      found.attempt { () throws(TokenError) in
        let rules = RuleEditor(file.ruleGroups, changed: changed) { _ in }
        let namespace = try ServiceNamespace(
          issuer: file.issuer.text, relyingParties: try relyingParties(),
          providers: file.providers, identities: try identities(),
          authorizationServers: file.authorizationServers, ruleGroups: rules.groups,
          keys: NamespaceKeys())
        if includingFaults { try namespace.checkPasses() }
      }
      found.attempt { () throws(TokenError) in _ = try registrationToken() }
      if !file.upstream.isEmpty {
        found.attempt { () throws(TokenError) in try ServiceAssembly.checkProviders(self) }
      }
      for (realm, location) in file.metadataByRealm.sorted(by: { $0.key < $1.key }) {
        guard let name = location.fileName else { continue }
        found.attempt { () throws(TokenError) in
          let provider = try serviceProvider(name, realm)
          guard includingFaults else { return }
          do throws(TokenError) {
            try provider.checkValidity(at: SystemTime().now)
          } catch {
            throw error.located(at: name)
          }
        }
      }
    }

    /// What listens, shows pages and keeps state.
    private func checkServer(_ found: inout FoundErrors, includingState: Bool) {
      found.attempt { () throws(TokenError) in _ = try admins() }
      found.attempt { () throws(TokenError) in _ = try logo(file.logo) }
      if let tls = file.tls {
        found.attempt { () throws(TokenError) in _ = try certificate(tls.certificate) }
        found.attempt { () throws(TokenError) in
          _ = try octets(tls.key)
          _ = try TLSFiles(certificate: located(tls.certificate), key: located(tls.key))
            .configuration()
        }
      }
      if includingState, let state = file.state {
        found.attempt { () throws(TokenError) in
          try SQLiteSessionStore.check(path: located(state))
        }
      }
      if let shared = file.shared {
        found.attempt { () throws(TokenError) in
          // Connects to nothing.
          _ = try SharedStores(
            shared, self, origin: file.issuer.origin, sealing: [[UInt8](repeating: 0, count: 32)],
            lifetime: 300, idle: 300)
        }
      }
    }
  }

  /// Sends nothing: a file is checked without the network.
  private struct NoNetwork: HTTPTransport {
    func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
      throw TokenError(.transportNoConnection, node: request.url.origin.description)
    }
  }

  /// Errors of several files, each once.
  private struct FoundErrors {
    private(set) var errors: [TokenError] = []

    mutating func attempt(_ read: () throws(TokenError) -> Void) {
      do throws(TokenError) { try read() } catch { add(error) }
    }

    mutating func add(_ error: TokenError) {
      guard !errors.contains(where: { "\($0)" == "\(error)" }) else { return }
      errors.append(error)
    }
  }
#endif
