#if CommandLine
  import ArgumentParser
  import Federation
  import LocalFiles
  import SecurityKeys
  import StrictJSON
  import XMLTree

  /// The `claims` command.
  @main
  struct ClaimsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "claims",
      abstract: "Reads, verifies and issues federation tokens: SWT, SAML 1.1, SAML 2.0, JWT.",
      discussion: """
        Results are JSON on standard output, one object a token; talk is on standard error.
        Exit codes: 0 all accepted, 1 some rejected, 2 wrong usage or configuration, 3 input or \
        output failed.
        --version --json, and nothing else, writes the versions as one JSON object.
        """,
      version: Version.text,
      subcommands: [
        DecodeCommand.self, VerifyCommand.self, ExplainCommand.self, MintCommand.self,
        MutateCommand.self, CaptureCommand.self, XMLCommand.self, TrustCommand.self,
        MetadataCommand.self,
        BenchCommand.self,
      ])

    /// The help of the verb that the words name, and of those below it, which lists every option that it has.
    private static func help(of words: [String]) -> String {
      var help = ""
      var command: any ParsableCommand.Type = Self.self
      for word in words {
        guard
          let verb = command.configuration.subcommands.first(where: {
            $0.configuration.commandName == word
          })
        else { break }
        command = verb
      }
      var waiting = [command]
      while let command = waiting.popLast() {
        help += helpMessage(for: command, columns: 400)
        waiting += command.configuration.subcommands
      }
      return help
    }

    /// ArgumentParser ends with 64 on wrong usage; the contract says 2.
    ///
    /// Synchronous: starting threads takes longer than verifying a token.
    static func main() {
      OpenFile.occupyStandardStreams()
      Process.ignoreClosedPipes()
      do {
        // The parser's own --version takes no other flag beside it.
        if Set(CommandLine.arguments.dropFirst()) == ["--version", "--json"] {
          return try Results.write(Version.json)
        }
        var command = try parseAsRoot()
        if let command = command as? any AsyncParsableCommand {
          let handedOver = HandedOver(command: command)
          try Blocking.run { () async throws(any Error) in
            var command = handedOver.command
            try await command.run()
          }
        } else {
          try command.run()
        }
      } catch let failure as CommandFailure {
        StandardError.error(failure)
        Process.exit(failure.exitCode)
      } catch {
        guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
        let arguments = Array(CommandLine.arguments.dropFirst())
        let message = UsageMessage(
          arguments: arguments,
          words: configuration.subcommands.compactMap { $0.configuration.commandName },
          help: help(of: arguments)
        ).line(message(for: error))
        StandardError.error(CommandFailure(.usage, message, hint: "see --help"))
        Process.exit(.usage)
      }
    }
  }

  /// A command that one thread parsed and another runs.
  private struct HandedOver: @unchecked Sendable {
    let command: any AsyncParsableCommand
  }

  enum Version {
    static var text: String {
      """
      claims \(ReleaseNumber.text)
      Swift \(swift)
      libxml2 \(XMLLibrary.version)
      OpenSSL \(CryptographyLibrary.version)
      """
    }

    /// The same for programs, with the formats and how it was built.
    static var json: [UInt8] {
      var json = JSONWriter()
      json.object { json in
        let versions = [
          ("claims", ReleaseNumber.text), ("swift", swift), ("libxml2", XMLLibrary.version),
          ("openssl", CryptographyLibrary.version), ("configuration", configuration),
        ]
        for (name, version) in versions {
          json.name(text: name)
          json.string(version)
        }
        json.name("formats")
        json.array { json in for format in TokenFormat.all { json.string(format.name) } }
      }
      json.endLine()
      return json.bytes
    }

    private static var configuration: String {
      #if DEBUG
        "debug"
      #else
        "release"
      #endif
    }

    private static var swift: String {
      #if compiler(>=6.4)
        "6.4 or later"
      #elseif compiler(>=6.3)
        "6.3"
      #else
        "6.2"
      #endif
    }
  }
#else
  /// Without the `CommandLine` trait there is no argument parser and so no command.
  @main
  enum ClaimsCommand {
    static func main() {
      StandardError.write("claims: error: built without the CommandLine trait")
      Process.exit(.usage)
    }
  }
#endif
