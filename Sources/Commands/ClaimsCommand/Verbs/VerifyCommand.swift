#if CommandLine
  import ArgumentParser
  import CommandSupport
  import Federation
  import TokenBasics

  struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify",
      abstract: "Verifies tokens against keys that you trust, and prints their claims.",
      discussion: """
        Examples:
          claims verify --trust trust.json token.txt
          claims verify --key idp.crt --audience https://rp.example/ token.txt
          claims verify --trust trust.json --lines --summary tokens.txt > claims.jsonl

        With --lines each input line gives one record, in input order, written when the lines that \
        are there are done. A line is a token, or {"id": ..., "token": "..."}: the id is any JSON and \
        comes back as it was written; one line end at the end of token does not count, as it would \
        not behind a bare token; token64 in place of token has the octets in base64. An error record has an id \
        when the line could be read as an object.
        Without --at the clock is read anew for each batch of lines. Processes that share one job, and \
        a repetition of it, agree on every verdict when all get the same --at.
        While --lines runs, the trust file and the key and metadata files are looked at when a batch \
        begins, once a second at most, and all are read again when one has other content, or at \
        SIGHUP. A file written within the last 0.1 s is left to its writer, for a second at most. Of a \
        file that does not load the last good content stays in use, beside what the others say now. \
        Either is said once on standard error. What came \
        from standard input or a pipe stays as it was; so do --audience and the other options.
        With --exit-on-reject never the exit code is 0 when every line has its record, whatever the \
        verdicts: engines that run a verifier take another code for a failure of the task. A last line \
        without a line feed, after the process was killed, is to be thrown away. At SIGTERM --lines \
        reads no further, writes the records of the lines that it has read to their end, and ends \
        with exit code 143.
        With --line-numbers each record begins with "line", counted from 1, and before it "file" when \
        several are given: a line that is too long or no JSON has a place, though no id. White space \
        or a byte order mark before the { of an object is refused as input.line-object.
        With --summary one JSON object on standard error counts the tokens at the end, also after \
        SIGTERM: {"tokens": 3, "accepted": 1, "rejected": 2, "codes": {"time.expired": 2}}; and, with \
        --lines, in "lastGood" the files of the trust that do not load, each with its code.
        While --lines writes to a file or a pipe and standard error is a terminal, that shows how far \
        it is.
        A reader that closes the output ends every verb with exit code 3 and without a message, \
        whatever the verdicts were.
        """)

    @OptionGroup var input: InputOptions
    @OptionGroup var trust: TrustOptions
    @OptionGroup var projection: ProjectionOptions

    @Flag(help: "Add every check, in order, with what was expected and found.")
    var explain = false

    @OptionGroup var lines: LineOptions

    @Flag(help: "Count the tokens by verdict and code, on standard error at the end.")
    var summary = false

    @Option(
      help: ArgumentHelp(
        "Whether a rejected token gives exit code 1: always or never.", valueName: "WHEN"))
    var exitOnReject = ExitOnReject.always

    /// When a rejected token shows in the exit code.
    enum ExitOnReject: String, WordArgument {
      case always
      case never
    }

    func run() throws {
      if lines.areUsed { return try verifyLines() }
      let clock = try trust.clock()
      let verifier = try verifier()
      var tally = Tally()
      let allRead = try input.forEachToken(limit: verifier.trust.limits.bytes) { octets, _ in
        var json = JSONWriter()
        let code = verifier.verify(octets[...], at: clock.now, to: &json)
        try Results.write(json.bytes)
        tally.count(code)
      }
      end(tally, verifier.trust, allRead: allRead)
    }

    private func verifyLines() throws {
      let clock = try trust.clock()
      let current = try CurrentVerifier { (log) throws(CommandFailure) in
        try verifier(log: log)
      }
      let (outcome, isTerminated) = lines.run(input.files, current, clock)
      end(
        outcome.tally, current.version().verifier.trust, current.kept, allRead: outcome.allRead,
        isTerminated: isTerminated)
    }

    private func end(
      _ tally: Tally, _ trust: Trust, _ kept: [LastGoodFiles.Kept] = [], allRead: Bool,
      isTerminated: Bool = false
    ) {
      if summary {
        StandardError.data(tally.summary(passedOver: trust.passedOver, kept: kept))
      }
      if isTerminated { ExitStatus.terminated.exit() }
      if !allRead { ExitStatus.inputOutput.exit() }
      if tally.rejected > 0, exitOnReject == .always { ExitStatus.rejected.exit() }
    }

    private func verifier(log: FileLog? = nil) throws(CommandFailure) -> TokenVerifier {
      TokenVerifier(
        trust: try trust.resolve(pinned: input.pinned, log: log),
        expectations: trust.expectations, pinned: input.pinned,
        presentation: projection.presentation, explains: explain)
    }
  }
#endif
