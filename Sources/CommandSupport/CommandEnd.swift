#if Server
  package import ArgumentParser

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
          for line in lines { StandardError.write("\(name): \(line)") }
          exit(withError: ExitCode(2))
        }
        guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
        StandardError.write("\(name): error: \(message(for: error))")
        StandardError.write("\(name): hint: see --help")
        exit(withError: ExitCode(2))
      }
    }
  }
#endif
