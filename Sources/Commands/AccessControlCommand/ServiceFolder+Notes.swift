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

    /// The relying parties whose metadata has ended, and those whose metadata ends within two weeks.
    func metadataWarnings(_ parties: [RelyingParty], at now: Instant) -> [String] {
      parties.compactMap { party in
        // Metadata at an address is refreshed, and health has a line for it.
        guard case .fixed(let provider) = party.metadata, let end = provider.validUntil,
          let name = file.metadataByRealm[party.realm]?.fileName,
          end < now.advanced(bySeconds: 1_209_600)
        else { return nil }
        let state =
          end <= now
          ? "ended at \(end.rfc3339), so its sign-ins are refused"
          : "ends at \(end.rfc3339), and its sign-ins are refused from then on"
        return "\(located(name)): the metadata of relying party \(party.realm) \(state). "
          + "Replace the file by current metadata of the service."
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

    /// Names the protocols that follow from the other members of a relying party, and the line that changes them; nil where
    /// the file lists its protocols.
    static func assumedProtocols(of party: RelyingParty) -> String? {
      guard party.listedProtocols == nil else { return nil }
      let assumed = PartyProtocol.allCases.filter(party.protocols.contains)
      let list = assumed.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      return "relying party \(party.realm) has no protocols; assumed is \"protocols\": [\(list)]. "
        + "Write that line, with more or fewer of them, to change it."
    }

    /// Says how exchanged tokens of a relying party name people, and the line that decides it; nil where the file has that line, and for
    /// a party whose tokens no client exchanges. Files of before had the name of the rules there.
    static func exchangedNames(of party: RelyingParty) -> String? {
      guard !party.exchange.clients.isEmpty, !party.hasPublicIdentifiers,
        !party.demandsPairwiseIdentifiers
      else { return nil }
      return "relying party \(party.realm) has no identifiers; JWT and SAML 2.0 by exchange have "
        + "its pairwise identifier, as its access tokens do. Write \"identifiers\": \"pairwise\" to "
        + "keep that, or \"identifiers\": \"public\" for the name that the rules give."
    }

    /// Names a relying party and a service identity that have one name; nil for a name of one of them alone.
    static func sharedName(of party: RelyingParty, _ identities: [ServiceIdentity]) -> String? {
      guard identities.contains(where: { $0.name == party.realm }) else { return nil }
      return
        "relying party and service identity \(party.realm) have one name: at the token endpoint of "
        + "OpenID Connect it is the relying party. Give the service identity another \"name\"."
    }

    /// Tells which protocols the file leaves open, and which relying parties share a key or a name.
    ///
    /// - Throws: exit status 2.
    func noteAssumptions() throws(CommandFailure) {
      let parties: [RelyingParty]
      do throws(TokenError) {
        parties = try relyingParties()
      } catch {
        throw CommandFailure(service: [error], in: path)
      }
      for party in parties {
        if let line = Self.sharedName(of: party, file.identities) {
          CommandMessages.own.warning("\(path): \(line)")
        }
        for case let line? in [Self.assumedProtocols(of: party), Self.exchangedNames(of: party)] {
          CommandMessages.own.note("\(path): \(line)")
        }
      }
      let sharing = parties.filter { $0.format == .swt && $0.key == nil }.map(\.realm)
      guard sharing.count > 1 else { return }
      CommandMessages.own.warning(
        "\(path): \(sharing.joined(separator: ", ")) share the key of Simple Web Tokens, so each can "
          + "write the tokens of the others; \"key\": \"file:NAME\" gives one a key of its own")
    }
  }
#endif
