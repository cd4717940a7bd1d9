#if CommandLine
  import ArgumentParser
  import CommandSupport
  import Federation

  /// The content of a token to issue, in every format.
  struct DraftOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Who issues the token.", valueName: "NAME"))
    var issuer: String

    @Option(
      name: .customLong("audience"),
      help: ArgumentHelp("Whom the token is for. Repeatable in SAML.", valueName: "NAME"))
    var audiences: [String]

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "Whom the token is about; default none.", valueName: "NAME"))
    var subject: String?

    @Option(
      name: .customLong("claim"), parsing: .unconditionalSingleValue,
      help: ArgumentHelp(
        "A claim; the first = divides. Repeatable; values of one type stand together.",
        valueName: "TYPE=VALUE"))
    var claims: [String] = []

    @Option(
      help: ArgumentHelp(
        "Seconds that the token is valid, from when it is issued.", valueName: "SECONDS"))
    var lifetime: Int = TokenDraft.defaultLifetime

    @Option(
      help: ArgumentHelp(
        "When it is issued; default now. RFC 3339, a date (its midnight in UTC) or seconds since 1970.",
        valueName: "INSTANT"))
    var at: String?

    /// The draft; without `id` the identifier is unpredictable.
    func draft(id: String? = nil, notBefore: Instant? = nil) throws(CommandFailure) -> TokenDraft {
      var draft = TokenDraft(
        issuer: issuer, audiences: audiences, subject: subject, claims: ClaimSet(try claimList()),
        issuedAt: try Arguments.instant(at), notBefore: notBefore, lifetime: lifetime)
      if let id { draft.id = id }
      return draft
    }

    private func claimList() throws(CommandFailure) -> [Claim] {
      var list: [Claim] = []
      for text in claims {
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
          throw CommandFailure(.usage, "--claim needs TYPE=VALUE", hint: "see --help")
        }
        let value = text[text.utf8.index(after: equals)...]
        list.append(Claim(ClaimType(String(text[..<equals])), String(value)))
      }
      return list
    }
  }
#endif
