#if Server
  import CommandSupport
  import FederationNetwork
  import GateService
  import LocalFiles
  import Octets
  import SecurityKeys
  import TokenBasics

  /// The gate's file and those that it names, relative to its folder.
  struct GateFile: ConfigurationFolder {
    let path: String
    let configuration: GateConfiguration

    static var valueCode: TokenError.Code { .gateValue }

    /// Reads and checks the file.
    ///
    /// - Throws: exit status 2 with every error.
    init(_ path: String) throws(CommandFailure) {
      configuration = try Self.content(of: path) {
        let (configuration, errors) = GateConfiguration.read($0)
        return (configuration, errors)
      }
      self.path = path
    }

    /// What a file holds, as `read` has it.
    ///
    /// - Throws: Errors of `read` and `gate.file-value`, with the member and the file.
    func reading<Value>(
      _ member: String, _ name: String, _ read: ([UInt8]) throws(TokenError) -> Value
    ) throws(TokenError) -> Value {
      let octets = try octets(name)
      do throws(TokenError) {
        return try read(octets)
      } catch {
        throw error.within("\(member), \(located(name))")
      }
    }

    /// A private key.
    ///
    /// - Throws: `gate.file-value`, `key.*`.
    func privateKey(_ member: String, _ name: String) throws(TokenError) -> PrivateKey {
      try reading(member, name) { octets throws(TokenError) in try PrivateKey(pemOrDER: octets) }
    }

    /// The keys of cookies, and of what a shared store keeps; nil for random ones.
    ///
    /// - Throws: `gate.file-value` with the line.
    func cookieKeys() throws(TokenError) -> [[UInt8]]? {
      guard let name = configuration.cookieKeys else { return nil }
      return try reading("cookieKeys", name) { octets throws(TokenError) in
        var keys: [[UInt8]] = []
        let lines = octets.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() where !line.allSatisfy(ASCII.isWhiteSpace) {
          let key = try? Base64.decode(Array(line).span, whiteSpace: .skipped)
          guard let key, key.count == SealingKey.length else {
            throw TokenError(
              .gateValue, node: "line \(number + 1)",
              expected: "\(SealingKey.length) octets in base64 and nothing else",
              found: key.map { "\($0.count) octets" } ?? "no base64")
          }
          keys.append(key)
        }
        guard !keys.isEmpty else {
          throw TokenError(.gateValue, expected: "a key", found: "an empty file")
        }
        return keys
      }
    }

    /// A warning for each file of secrets that every user of the machine may write.
    var openSecrets: [String] {
      var names = configuration.signingKeys + [configuration.cookieKeys].compactMap(\.self)
      names += configuration.decryptKeys + (configuration.identityToken?.keyFiles ?? [])
      names += configuration.providers.flatMap(\.exchange.secretFiles)
      if case .shared(let store) = configuration.store, let name = store.password {
        names.append(name)
      }
      var seen: Set<String> = []
      return names.compactMap { name in
        guard seen.insert(name).inserted else { return nil }
        let path = located(name)
        guard let status = try? OpenFile(reading: path).status, status.mode & 0o002 != 0 else {
          return nil
        }
        return "every user may write \(path), mode \(String(status.mode, radix: 8)): chmod 600 it"
      }
    }
  }

  extension GateFile {
    /// The issuers of bearer tokens, of which nothing more is fetched yet. An edit of the trust file comes into force only
    /// where it passes the checks of the start.
    ///
    /// - Parameters:
    ///   - providers: The providers of the gate, against which the trust file is checked.
    ///   - dependencies: The boundaries, one for each issuer.
    ///   - former: The issuers of the gate whose place this one takes, with the keys that they fetched; nil for none.
    /// - Throws: Errors of the trust file and of the secrets and addresses in it; as ``TokenIssuers/check(_:named:)``.
    func tokenIssuers(
      _ name: String, beside providers: [SignInProvider], replacing former: BearerTokenRegistry?,
      transport: any HTTPTransport, dependencies: Dependencies, at now: Instant,
      observer: any ActivityObserver
    ) throws(TokenError) -> BearerTokenRegistry {
      let issuers = TokenIssuers(configuration, beside: providers)
      let registry = BearerTokenRegistry(
        trustFile: located(name), transport: transport, observer: observer,
        dependencies: dependencies, replacing: former
      ) { (trust) throws(TokenError) in try issuers.check(trust, named: name) }
      guard let trust = registry.fileTrust(at: now) else {
        let error =
          registry.health(at: now).lazy.compactMap(\.lastError).first
          ?? TokenError(.registryUnavailable)
        // Errors of the check beside the providers name the place themselves.
        throw error.code.family == "gate" ? error : error.within("tokens, \(name)")
      }
      do throws(TokenError) {
        try registry.check(trust)
      } catch {
        throw error.within("tokens, \(name)")
      }
      return registry
    }
  }
#endif
