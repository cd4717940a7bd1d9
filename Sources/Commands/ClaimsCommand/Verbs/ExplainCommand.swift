#if CommandLine
  import ArgumentParser
  import CommandSupport
  import LocalFiles
  import Federation
  import TokenReports

  struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "explain",
      abstract: "Says in words what was checked, what failed, where, and what to do.",
      discussion: """
        Examples:
          claims explain --trust trust.json token.txt
          claims explain --trust trust.json --at 2026-11-21 --html page.html token.txt

        Without --key, --trust or --metadata it shows what the tokens say, as decode does, and that nothing \
        was judged; the exit code is 2 then.
        """)

    @OptionGroup var input: InputOptions
    @OptionGroup var trust: TrustOptions

    @Option(
      help: ArgumentHelp(
        "Where to write the octets that were digested, when a digest does not fit.",
        valueName: "FILE"), completion: .file())
    var dumpCanonical: String?

    @Option(
      help: ArgumentHelp(
        """
        Where to write a page about the tokens too: one HTML file that marks what the signatures cover, \
        with the values of the tokens masked; it fetches nothing and runs nothing.
        """, valueName: "FILE"), completion: .file())
    var html: String?

    @Flag(help: "Show the values of the tokens in the page, which is as secret as they are then.")
    var showValues = false

    func validate() throws {
      guard !showValues || html != nil else { throw ValidationError("--show-values needs --html") }
      guard html.map({ !["", "-"].contains($0) }) ?? true else {
        throw ValidationError("--html needs a file: standard output has the text")
      }
      guard html == nil || input.files.count <= Self.pageTokens else {
        throw ValidationError("--html shows at most \(Self.pageTokens) tokens")
      }
    }

    /// The tokens of one page, which are in memory together.
    private static var pageTokens: Int { 32 }

    func run() throws {
      if trust.isEmpty, html == nil, dumpCanonical == nil { return try showUnjudged() }
      let verifier = try TokenVerifier(
        trust: trust.resolve(pinned: input.pinned), expectations: trust.expectations,
        pinned: input.pinned, presentation: ClaimPresentation(), explains: true)
      let clock = try trust.clock()
      for file in input.files { ReadFiles.note(path: file) }
      try ReadFiles.refuse(output: html)
      try ReadFiles.refuse(output: dumpCanonical)
      var allValid = true
      var subjects: [PageSubject] = []
      let allRead = try input.forEachToken(limit: verifier.trust.limits.bytes) { octets, path in
        let file = path == "-" ? nil : ShownPath.of(path)
        let explanation = Explanation(verifier, octets, at: clock.now, file: file)
        if !explanation.isAccepted { allValid = false }
        if html != nil { subjects.append(explanation.subject) }
        try Results.write(Array(explanation.text.utf8))
        if let path = dumpCanonical, let octets = explanation.digestedOctets {
          try DocumentOutput.write(octets, to: path)
        }
      }
      if let html, !subjects.isEmpty {
        try DocumentOutput.replace(
          with: TokenPage(
            subjects, showsValues: showValues, by: "claims \(ReleaseNumber.text)"
          ).octets, at: html)
      }
      if !allRead { ExitStatus.inputOutput.exit() }
      if !allValid { ExitStatus.rejected.exit() }
    }

    /// What the tokens say. Not a success: a script that lost its trust must not take it for one.
    private func showUnjudged() throws {
      let keys: Trust
      do throws(TokenError) {
        keys = try trust.decryption.trustOfNoIssuer()
      } catch {
        throw CommandFailure(usage: error)
      }
      let allRead = try input.forEachToken(limit: Limits().bytes) { octets, _ in
        let text = UnverifiedText.of(octets, as: input.pinned, decryptedBy: keys)
        try Results.write(Array(text.utf8))
      }
      if !allRead { ExitStatus.inputOutput.exit() }
      throw CommandFailure(
        .usage, "nothing is trusted, so nothing was judged",
        hint: "name a key with --key or a file with --trust or --metadata")
    }
  }
#endif
