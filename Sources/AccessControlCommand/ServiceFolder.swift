#if Server
  import AccessControl
  import CommandSupport
  import LocalFiles
  import ProviderAssembly
  import SecurityKeys

  /// The file of a service and those that it names, relative to its folder.
  struct ServiceFolder: ConfigurationFolder {
    let path: String
    let file: ServiceFile

    var valueCode: TokenError.Code { .issuingFileValue }

    /// Reads and checks the file.
    ///
    /// - Throws: ``ServiceFailure`` with every error.
    init(_ path: String) throws(ServiceFailure) {
      let octets: [UInt8]
      do throws(TokenError) {
        octets = try Self.contents(path)
      } catch {
        throw ServiceFailure([error])
      }
      let (file, errors) = ServiceFile.read(octets)
      guard let file else { throw ServiceFailure(errors) }
      self.path = path
      self.file = file
    }

    /// A path relative to the file.
    func located(_ name: String) -> String {
      guard !name.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return name }
      return path[...slash] + name
    }

    func octets(_ name: String) throws(TokenError) -> [UInt8] { try Self.contents(located(name)) }

    /// A certificate.
    ///
    /// - Throws: `issuing.file-value`, `key.*`.
    func certificate(_ name: String) throws(TokenError) -> Certificate {
      let key = try VerificationKey(pemOrDER: Self.contents(located(name)))
      guard case .certificate(let certificate) = key.material else {
        throw TokenError(
          .issuingFileValue, node: name, expected: "a certificate", found: key.kindName)
      }
      return certificate
    }

    /// The SAML 2.0 service provider of a file of metadata.
    ///
    /// - Throws: `issuing.file-value` for a file that cannot be read, `issuing.metadata-import` for what is in it.
    func serviceProvider(
      _ name: String, _ entityID: String
    ) throws(TokenError) -> SAMLServiceProvider {
      let octets = try Self.contents(located(name))
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
    /// - Throws: ``ServiceFailure`` with every error in it.
    func changedRules() throws(ServiceFailure) -> [RuleGroup] {
      let path = located(file.changedRules)
      let octets: [UInt8]?
      do throws(FileFailure) {
        octets = try AtomicFile(path: path).read(limit: Limits.hardByteLimit)
      } catch {
        throw ServiceFailure([
          error.error(.issuingFileValue, path, expected: "a file of rules, or none")
        ])
      }
      guard let octets else { return [] }
      let (groups, errors) = RuleGroupFile.read(octets, beside: file)
      guard errors.isEmpty else { throw ServiceFailure(errors, in: path) }
      return groups
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
    /// - Throws: ``ServiceFailure`` with all that cannot be used.
    func checkFiles() throws(ServiceFailure) {
      var errors: [TokenError] = []
      func attempt(_ read: () throws(TokenError) -> Void) {
        do throws(TokenError) { try read() } catch { errors.append(error) }
      }
      _ = try changedRules()
      for name in file.recipients.values.sorted() + file.certificates.values.sorted() {
        attempt { () throws(TokenError) in _ = try certificate(name) }
      }
      for (realm, name) in file.metadata.sorted(by: { $0.key < $1.key }) {
        attempt { () throws(TokenError) in _ = try serviceProvider(name, realm) }
      }
      if let tls = file.tls {
        attempt { () throws(TokenError) in _ = try certificate(tls.certificate) }
        attempt { () throws(TokenError) in
          _ = try octets(tls.key)
          _ = try TLSFiles(certificate: located(tls.certificate), key: located(tls.key))
            .configuration()
        }
      }
      guard errors.isEmpty else { throw ServiceFailure(errors) }
    }

    static func contents(_ path: String) throws(TokenError) -> [UInt8] {
      do throws(FileFailure) {
        return try OpenFile(reading: path).readAll(limit: Limits.hardByteLimit)
      } catch {
        throw error.error(.issuingFileValue, path, expected: "a readable file")
      }
    }
  }
#endif
