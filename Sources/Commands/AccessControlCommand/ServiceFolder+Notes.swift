#if Server
  import AccessControl
  import CommandSupport
  import LocalFiles
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
