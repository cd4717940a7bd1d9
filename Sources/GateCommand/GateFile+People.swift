#if Server
  import GateService

  extension GateFile {
    /// Checks what the trust file of bearer tokens says against the providers: whose people its issuers name, and
    /// the identifiers that rules use.
    ///
    /// - Throws: `gate.people`, `gate.file-value`; errors of the trust file.
    func checkPeople(_ providers: [SignInProvider], at now: Instant) throws(TokenError) {
      guard let name = configuration.tokens else { return }
      let issuers = try trust(name).issuers
      func names(_ issuer: TrustedIssuer, _ text: String) -> Bool { issuer.name == .exactly(text) }
      for issuer in issuers {
        guard let id = issuer.id else {
          if configuration.people == .byProvider {
            throw TokenError(
              .gateValue, node: name, expected: "id for each issuer, since people are by provider",
              found: Self.text(issuer.name))
          }
          continue
        }
        if let provider = providers.first(where: { $0.id == id }), !names(issuer, provider.issuer) {
          throw TokenError(
            .gateValue, node: name, expected: "an id that no provider of another issuer has",
            found: id)
        }
      }
      let strangers = issuers.filter { issuer in !providers.contains { names(issuer, $0.issuer) } }
      let count = providers.count + Set(strangers.map { Self.text($0.name) }).count
      guard configuration.people != nil || count < 2 else {
        throw TokenError(
          .gatePeople, node: "tokens",
          found: "\(providers.count) providers and the issuers of \(name)")
      }
      let known = providers.map(\.id) + issuers.compactMap(\.id)
      for rule in configuration.rules.rules {
        for id in rule.providers ?? [] where !known.contains(id) {
          throw TokenError(
            .gateValue, node: rule.place,
            expected: "the identifier of a provider or issuer: " + known.joined(separator: ", "),
            found: id)
        }
      }
    }

    /// The trust file of bearer tokens.
    private func trust(_ name: String) throws(TokenError) -> Trust {
      let registry = FileRegistry(trustFile: located(name))
      let now = SystemTime().now
      if let trust = registry.readyTrust(at: now) { return trust }
      throw registry.health(at: now).lazy.compactMap(\.lastError).first
        ?? TokenError(.registryUnavailable, node: name)
    }

    private static func text(_ name: TrustedIssuer.Name) -> String {
      if case .exactly(let text) = name { text } else { "any" }
    }
  }
#endif
