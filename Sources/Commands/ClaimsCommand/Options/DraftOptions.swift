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

    @Option(
      help: ArgumentHelp(
        """
        Issues so many tokens, one JSON object per line, as verify --lines reads them: {"id": 1, "token": "..."}. \
        {n} in the subject and in values of claims is the number.
        """, valueName: "COUNT"))
    var count: Int?

    func validate() throws {
      guard count.map({ (1...1_000_000).contains($0) }) ?? true else {
        throw ValidationError("--count must be from 1 to 1000000")
      }
    }

    /// The draft; without `id` the identifier is unpredictable.
    ///
    /// - Parameter number: The number that replaces `{n}`; nil for one token alone.
    func draft(
      id: String? = nil, notBefore: Instant? = nil, number: Int? = nil
    ) throws(CommandFailure) -> TokenDraft {
      func numbered(_ text: String) -> String {
        number.map { text.replacing("{n}", with: String($0)) } ?? text
      }
      var draft = TokenDraft(
        issuer: issuer, audiences: audiences, subject: subject.map(numbered),
        claims: ClaimSet(
          try claimList().map { claim in
            var claim = claim
            claim.value = numbered(claim.value)
            return claim
          }),
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
