#if CommandLine
  import ArgumentParser
  import CommandSupport
  import Federation
  import Octets

  struct DecodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "decode", abstract: "Prints what a token says, without judging it.")

    @OptionGroup var input: InputOptions
    @OptionGroup var projection: ProjectionOptions
    @OptionGroup var decryption: DecryptionOptions

    func run() throws {
      let limits = Limits()
      let keys: Trust
      do throws(TokenError) {
        keys = try decryption.trustOfNoIssuer()
      } catch {
        throw CommandFailure(usage: error)
      }
      var allParsed = true
      let allRead = try input.forEachToken(limit: limits.bytes) { octets in
        var json = JSONWriter()
        do throws(TokenError) {
          let token = projection.presentation.named(
            try AnyToken(reading: octets, as: input.pinned, limits: limits))
          try Record.decoded(
            token, decryptedBy: keys, as: projection.presentation, to: &json)
        } catch {
          allParsed = false
          json = JSONWriter()
          Record.unreadable(error, verb: "verified", to: &json)
        }
        try Results.write(json.bytes)
      }
      if !allRead { ExitStatus.inputOutput.exit() }
      if !allParsed { ExitStatus.rejected.exit() }
    }
  }
#endif
