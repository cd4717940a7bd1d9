#if Server
  package import ArgumentParser
  import LocalFiles

  extension AsyncParsableCommand {
    /// Parses the arguments and runs the command. Ends with 2 on wrong usage and for a configuration that is
    /// refused: ArgumentParser would end with 64, and scripts rely on 2.
    ///
    /// - Parameter report: The lines for an error of a command; nil for one that it does not know.
    package static func runToEnd(
      _ report: @Sendable (any Error) -> [String]?
    ) async {
      let name = configuration.commandName ?? "\(self)"
      do {
        var command = try await asyncParseAsRoot()
        if var command = command as? any AsyncParsableCommand {
          try await command.run()
        } else {
          try command.run()
        }
      } catch {
        if let lines = report(error) {
          for line in lines { StandardError.line("\(name): \(line)") }
          exit(withError: ExitCode(2))
        }
        guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
        let arguments = Array(CommandLine.arguments.dropFirst())
        let usage = UsageMessage(
          arguments: arguments,
          words: configuration.subcommands.compactMap { $0.configuration.commandName },
          help: help(of: arguments)
        ).line(message(for: error))
        StandardError.line("\(name): error: \(usage)")
        StandardError.line("\(name): hint: see --help")
        exit(withError: ExitCode(2))
      }
    }

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
  }
#endif
