#if Server
  import CommandSupport
  import GateService

  extension GateFile {
    /// Checks what the trust file of bearer tokens says against the providers.
    ///
    /// - Throws: As ``TokenIssuers/check(_:named:)``; errors of the trust file.
    func checkPeople(_ providers: [SignInProvider], at now: Instant) throws(TokenError) {
      guard let name = configuration.tokens else { return }
      let registry = FileRegistry(trustFile: located(name))
      guard let trust = registry.readyTrust(at: now) else {
        throw registry.health(at: now).lazy.compactMap(\.lastError).first
          ?? TokenError(.registryUnavailable, node: name)
      }
      try TokenIssuers(configuration, beside: providers).check(trust, named: name)
    }
  }
#endif
