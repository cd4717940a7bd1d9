#if CommandLine
  import ArgumentParser
  import Federation
  import StrictJSON

  struct VerifyCommand: ParsableCommand {
    // Parsed alone, what is below another command is not asked for completion scripts.
    static let configuration = CommandConfiguration(
      commandName: "verify", _superCommandName: "claims",
      abstract: "Verifies tokens against keys that you trust, and prints their claims.")

    @OptionGroup var input: InputOptions
    @OptionGroup var trust: TrustOptions
    @OptionGroup var projection: ProjectionOptions

    @Flag(help: "Add every check, in order, with what was expected and found.")
    var explain = false

    @Flag(help: "One token on each input line, one JSON object on each output line.")
    var lines = false

    @Option(help: "Worker threads for --lines; default the number of cores.")
    var jobs: Int?

    func validate() throws {
      if let jobs, jobs < 1 { throw ValidationError("--jobs must be 1 or more") }
    }

    func run() throws {
      let verifier = try TokenVerifier(
        trust: trust.resolve(pinned: input.pinned), expectations: trust.expectations,
        now: trust.now(),
        pinned: input.pinned, presentation: projection.presentation, explains: explain)
      if lines {
        let pipeline = LinePipeline(verifier: verifier, jobs: jobs ?? Process.coreCount)
        let outcome = try pipeline.run(input.files.isEmpty ? ["-"] : input.files)
        if !outcome.allRead { Process.exit(.inputOutput) }
        if outcome.rejected > 0 { Process.exit(.rejected) }
        return
      }
      var allValid = true
      let allRead = try input.forEachToken(limit: verifier.trust.limits.bytes) { octets in
        var json = JSONWriter()
        if !verifier.verify(octets[...], to: &json) { allValid = false }
        try Results.write(json.bytes)
      }
      if !allRead { Process.exit(.inputOutput) }
      if !allValid { Process.exit(.rejected) }
    }
  }
#endif
