#if CommandLine
  import ArgumentParser
  import Federation

  struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "explain",
      abstract: "Says in words what was checked, what failed, where, and what to do.")

    @OptionGroup var input: InputOptions
    @OptionGroup var trust: TrustOptions

    @Option(help: "Where to write the octets that were digested, when a digest does not fit.")
    var dumpCanonical: String?

    func run() throws {
      let verifier = try TokenVerifier(
        trust: trust.resolve(pinned: input.pinned), expectations: trust.expectations,
        pinned: input.pinned, presentation: ClaimPresentation(), explains: true)
      let clock = try trust.clock()
      var allValid = true
      let allRead = try input.forEachToken(limit: verifier.trust.limits.bytes) { octets in
        let explanation = Explanation(verifier, octets, at: clock.now)
        if !explanation.isAccepted { allValid = false }
        try Results.write(Array(explanation.text.utf8))
        if let path = dumpCanonical, let octets = explanation.digestedOctets {
          try DocumentOutput.write(octets, to: path)
        }
      }
      if !allRead { Process.exit(.inputOutput) }
      if !allValid { Process.exit(.rejected) }
    }
  }
#endif
