#if Client
  import ArgumentParser
  import LocalFiles
  import TokenErrors

  /// The `claims-client` command.
  @main
  struct ClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "claims-client",
      abstract: "Signs in at an Access Control Service, stores the session, posts to feeds.",
      discussion: """
        Results are JSON on standard output; messages go to standard error. Passwords, keys and tokens \
        come from files or environment variables, never from arguments, and are never shown.
        Exit codes: 0 done, 1 rejected by the service, by verification or by the person, 2 wrong usage \
        or configuration, 3 network, input or output failed.
        """,
      subcommands: [
        ProvidersCommand.self, SignInCommand.self, SessionCommand.self, TokenCommand.self,
        CallCommand.self, RegisterCommand.self, PostCommand.self,
      ])

    /// The help of the command and of each verb, which lists every option.
    static var wholeHelp: String { help(of: []) }

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

    /// ArgumentParser exits with 64 on wrong usage; scripts rely on 2.
    static func main() async {
      ExitCode.ignoreClosedPipes()
      do {
        if let number = ProcessArguments.firstMalformed {
          throw CommandFailure(
            .usage, "argument \(number) is not UTF-8",
            hint: "rename the file, or pass its content on standard input, as -")
        }
        var command = try await asyncParseAsRoot()
        if var command = command as? any AsyncParsableCommand {
          try await command.run()
        } else {
          try command.run()
        }
      } catch let failure as CommandFailure {
        failure.report()
        failure.code.exit()
      } catch let error as TokenError {
        let failure = CommandFailure(error)
        failure.report()
        failure.code.exit()
      } catch {
        guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
        let arguments = Array(CommandLine.arguments.dropFirst())
        let message = UsageMessage(
          arguments: arguments,
          words: configuration.subcommands.compactMap { $0.configuration.commandName },
          help: help(of: arguments)
        ).line(message(for: error))
        CommandFailure(.usage, message, hint: "see --help").report()
        ExitCode.usage.exit()
      }
    }
  }
#else
  /// Without the `Client` trait there is no network, and the command only reports that.
  @main
  enum ClientCommand {
    static func main() {
      StandardError.write("claims-client: error: built without the Client trait")
      ExitCode.usage.exit()
    }
  }
#endif
