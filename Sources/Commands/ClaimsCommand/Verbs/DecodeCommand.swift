#if CommandLine
  import ArgumentParser
  import CommandSupport
  import Federation
  import TokenBasics

  struct DecodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "decode",
      abstract: "Prints what a token says, without judging it.",
      discussion: """
        Examples:
          claims decode token.txt
          claims decode --claims-prefix http://schemas.xmlsoap.org/ --strip-prefix -
          claims decode --lines tokens.txt | jq -r .issuer

        A JSON Web Token has its "header". Of a message whose assertion is encrypted, or that says why \
        there is none, "envelope" has what stands around it, beside the error.
        With --lines each input line gives one record, as claims verify --lines reads them.
        """)

    @OptionGroup var input: InputOptions
    @OptionGroup var lines: LineOptions
    @OptionGroup var projection: ProjectionOptions
    @OptionGroup var decryption: DecryptionOptions

    func run() throws {
      if lines.areUsed { return try decodeLines() }
      let reader = try reader()
      var allParsed = true
      let allRead = try input.forEachToken(limit: reader.trust.limits.bytes) { octets, _ in
        var json = JSONWriter()
        // No clock: nothing is judged.
        let code = reader.verify(octets[...], at: Instant(secondsSinceEpoch: 0), to: &json)
        if code != nil { allParsed = false }
        try Results.write(json.bytes)
      }
      end(allRead: allRead, allParsed: allParsed)
    }

    private func decodeLines() throws {
      let current = try CurrentVerifier { (_) throws(CommandFailure) in try reader() }
      let (outcome, isTerminated) = lines.run(
        input.files, current, .fixed(Instant(secondsSinceEpoch: 0)))
      if isTerminated { ExitStatus.terminated.exit() }
      end(allRead: outcome.allRead, allParsed: outcome.tally.rejected == 0)
    }

    private func end(allRead: Bool, allParsed: Bool) {
      if !allRead { ExitStatus.inputOutput.exit() }
      if !allParsed { ExitStatus.rejected.exit() }
    }

    private func reader() throws(CommandFailure) -> TokenVerifier {
      do throws(TokenError) {
        return TokenVerifier(
          decodingWith: try decryption.trustOfNoIssuer(), pinned: input.pinned,
          presentation: projection.presentation)
      } catch {
        throw CommandFailure(usage: error)
      }
    }
  }
#endif
