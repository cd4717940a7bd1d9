#if CommandLine
  import ArgumentParser
  import Federation
  import StrictJSON

  struct TrustCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "trust", abstract: "Works with trust files.",
      subcommands: [CheckCommand.self])

    struct CheckCommand: ParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Says what is wrong with a trust file, with the line.")

      @Argument(help: "The trust file.")
      var file: String

      func run() throws {
        let trustFile: TrustFile
        do throws(TokenError) {
          trustFile = try TrustFileLoader.load(file)
        } catch {
          throw CommandFailure(usage: error)
        }
        var json = JSONWriter()
        json.object { json in
          json.name("valid")
          json.bool(trustFile.errors.isEmpty)
          json.name("issuers")
          json.integer(trustFile.trust?.issuers.count ?? 0)
          json.name("errors")
          json.array { json in
            for error in trustFile.errors { json.object { Record.members(of: error, &$0) } }
          }
          json.name("warnings")
          json.array { json in trustFile.warnings.forEach { json.string($0) } }
        }
        json.endLine()
        try Results.write(json.bytes)
        for error in trustFile.errors {
          Talk.write("claims: error: \(file): \(error)")
        }
        if !trustFile.errors.isEmpty { Process.exit(.usage) }
      }
    }
  }
#endif
