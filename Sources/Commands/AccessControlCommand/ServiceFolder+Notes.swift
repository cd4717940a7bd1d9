#if Server
  import AccessControl
  import CommandSupport
  import LocalFiles
  import SignIn
  import TokenBasics

  extension ServiceFolder {
    /// Says which rules are skipped, since the file does not have their provider.
    ///
    /// - Throws: exit status 2.
    func skippedRuleWarnings() throws(CommandFailure) -> [String] {
      try skippedRules().map {
        "\(located(file.changedRules)): a rule is skipped, since its provider is not in \(path): "
          + $0.description
      }
    }

    /// Tells what is to be registered at the OpenID providers of the file.
    func noteRegistrations() {
      for (shown, provider) in openIDProviders {
        let name = provider.address ?? provider.id
        CommandMessages.own.note(
          "\(path): register at provider \(shown): redirect URI \(address(name, "callback")), "
            + "post-logout redirect URI \(address(name, "signed-out")), back-channel logout URI "
            + address(name, "logout"))
      }
    }

    /// OpenID providers whose addresses were by their place in the file in earlier versions, and are by their id now.
    var addressWarnings: [String] {
      openIDProviders.compactMap { shown, provider in
        guard provider.address == nil else { return nil }
        let former = provider.formerIDs.first.map {
          " Add \"address\": \"\($0)\" to keep \(address($0, "callback")), which earlier versions sent."
        }
        return "\(path): provider \(shown) has no address: the redirect URI that it is sent is "
          + "\(address(provider.id, "callback")).\(former ?? "") Add \"address\": "
          + "\"\(provider.id)\" once that is registered."
      }
    }

    /// Each OpenID provider, with its name in the file.
    private var openIDProviders: [(shown: String, provider: ProviderConfiguration)] {
      file.providers.compactMap { provider in
        guard case .upstream(let name) = provider.kind,
          let found = file.upstream.first(where: { $0.id == name }), found.isOpenID
        else { return nil }
        return (provider.id, found)
      }
    }

    private func address(_ name: String, _ leaf: String) -> String {
      file.issuer.text + "v2/upstream/openid/\(name)/\(leaf)"
    }

    /// Tells which protocols the file leaves open, and which relying parties share a key.
    ///
    /// - Throws: exit status 2.
    func noteAssumptions() throws(CommandFailure) {
      let parties: [RelyingParty]
      do throws(TokenError) {
        parties = try relyingParties()
      } catch {
        throw CommandFailure(service: [error], in: path)
      }
      for party in parties where party.listedProtocols == nil {
        let assumed = PartyProtocol.allCases.filter(party.protocols.contains)
        let list = assumed.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        CommandMessages.own.note(
          "\(path): relying party \(party.realm) has no protocols; assumed is "
            + "\"protocols\": [\(list)]. Write that line, with more or fewer of them, to change it."
        )
      }
      let sharing = parties.filter { $0.format == .swt && $0.key == nil }.map(\.realm)
      guard sharing.count > 1 else { return }
      CommandMessages.own.warning(
        "\(path): \(sharing.joined(separator: ", ")) share the key of Simple Web Tokens, so each can "
          + "write the tokens of the others; \"key\": \"file:NAME\" gives one a key of its own")
    }
  }
#endif
