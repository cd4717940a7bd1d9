#if CommandLine
  package import ArgumentParser
  import LocalFiles
  import TokenBasics

  /// What all commands do alike around their verbs: the start, wrong usage, help, versions and the end.
  package struct CommandShell: Sendable {
    let messages: CommandMessages
    let version: CommandVersion
    let failure: @Sendable (any Error) -> CommandFailure?

    /// - Parameter failure: How the command ends for an error of a verb; nil for one that it does not know.
    package init(
      _ messages: CommandMessages, version: CommandVersion,
      failure: @escaping @Sendable (any Error) -> CommandFailure?
    ) {
      self.messages = messages
      self.version = version
      self.failure = failure
    }
  }

  extension ParsableCommand {
    /// Parses the arguments and runs the command on this thread: to start others takes longer than to verify a token.
    ///
    /// - Parameter wait: Runs what is asynchronous.
    package static func runToEnd(
      _ shell: CommandShell, waiting wait: (any AsyncParsableCommand) throws -> Void
    ) -> Never {
      do {
        if var command = try parsed(shell) {
          if let command = command as? any AsyncParsableCommand {
            try wait(command)
          } else {
            try command.run()
          }
        }
      } catch {
        end(error, shell)
      }
      ExitStatus.success.exit()
    }

    /// Parses the arguments and runs the command.
    package static func runToEnd(_ shell: CommandShell) async -> Never {
      do {
        if var command = try parsed(shell) {
          if var command = command as? any AsyncParsableCommand {
            try await command.run()
          } else {
            try command.run()
          }
        }
      } catch {
        end(error, shell)
      }
      ExitStatus.success.exit()
    }

    /// The help of the command and of each verb, which lists every option.
    package static var wholeHelp: String { help(of: []) }

    /// The verb that the words name, as far as they name one.
    private static func verb(
      of words: [String]
    ) -> (verb: any ParsableCommand.Type, depth: Int) {
      var verb: any ParsableCommand.Type = Self.self
      var depth = 0
      for word in words {
        let verbs = verb.configuration.subcommands
        guard let next = verbs.first(where: { $0.configuration.commandName == word }) else { break }
        verb = next
        depth += 1
      }
      return (verb, depth)
    }

    /// The help of the verb that the words name, and of those below it, which lists every option that it has.
    private static func help(of words: [String]) -> String {
      let verb = verb(of: words).verb
      var help = ""
      var waiting = [verb]
      while let command = waiting.popLast() {
        help += helpMessage(for: command, columns: 400)
        waiting += command.configuration.subcommands
      }
      return help
    }

    /// The verbs that have an option, each with the words before it.
    private static func verbs(with option: String) -> [String] {
      var found: [String] = []
      var waiting: [(path: String, verb: any ParsableCommand.Type)] = [("", Self.self)]
      while !waiting.isEmpty {
        let (path, verb) = waiting.removeFirst()
        let verbs = verb.configuration.subcommands
        // A line of its own: texts about one verb name options of others.
        if verbs.isEmpty, helpMessage(for: verb, columns: 400).contains("\n  \(option) ") {
          found.append(path)
        }
        waiting += verbs.map {
          ((path.isEmpty ? "" : path + " ") + ($0.configuration.commandName ?? ""), $0)
        }
      }
      return found
    }

    /// What to do about wrong usage.
    ///
    /// - Parameter sentence: What the parser says of it.
    private static func hint(_ usage: UsageMessage, _ sentence: String) -> String {
      if let option = usage.optionBeforeDash(sentence) {
        return "a value that begins with a dash is joined by an equals sign: \(option)=VALUE"
      }
      guard let option = usage.unknownName else {
        return usage.optionBeforeVerb == nil
          ? "see --help" : "the verb comes first, its options behind it; see --help"
      }
      let verbs = verbs(with: option)
      guard !verbs.isEmpty, verbs.count <= 4 else { return "see --help" }
      let last = verbs.count > 1 ? " and " + verbs[verbs.count - 1] : ""
      let first = verbs.count > 1 ? verbs.dropLast().joined(separator: ", ") : verbs[0]
      return "\(option) is an option of \(first)\(last); see --help"
    }

    /// The verb to run; nil where the arguments are answered already.
    private static func parsed(_ shell: CommandShell) throws -> (any ParsableCommand)? {
      CommandStart.prepare()
      if let number = ProcessArguments.firstMalformed {
        throw CommandFailure(
          .usage, "argument \(number) is not UTF-8",
          hint: "rename the file, or pass its content on standard input, as -")
      }
      // The parser's own --version takes no other flag beside it.
      if Set(CommandLine.arguments.dropFirst()) == ["--version", "--json"] {
        try Results.write(line: shell.version.json)
        return nil
      }
      let arguments = Array(CommandLine.arguments.dropFirst())
      if arguments.first == "help" { try checkHelp(arguments.dropFirst()) }
      if Set(arguments).count < arguments.count || arguments.contains(where: { $0.contains("=") }) {
        try checkRepetition(arguments)
      }
      return try parseAsRoot()
    }

    /// The parser shows the help of the command for a verb that it does not know.
    private static func checkHelp(_ arguments: ArraySlice<String>) throws(CommandFailure) {
      let words = arguments.filter { !$0.hasPrefix("-") }
      let (verb, depth) = verb(of: words)
      guard depth < words.count else { return }
      let verbs = verb.configuration.subcommands.compactMap { $0.configuration.commandName }
      let usage = UsageMessage(arguments: words, words: verbs, depth: depth)
      throw CommandFailure(
        .usage, usage.line("Unexpected argument '\(words[depth])'"), hint: "see --help")
    }

    /// The parser takes the last value of an option and passes over the others.
    private static func checkRepetition(_ arguments: [String]) throws(CommandFailure) {
      let names = arguments.prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) }
      let counted = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
      guard names.contains(where: { $0.hasPrefix("--") && counted[$0, default: 0] > 1 }) else {
        return
      }
      let single = singleOptions(of: verb(of: arguments).verb)
      guard let option = names.first(where: { counted[$0, default: 0] > 1 && single.contains($0) })
      else { return }
      throw CommandFailure(
        .usage, "\(option) is given several times, and takes one value", hint: "see --help")
    }

    /// The options of a verb that take one value. The parser tells them in its description of a command alone.
    private static func singleOptions(of verb: any ParsableCommand.Type) -> Set<String> {
      do {
        _ = try verb.parseAsRoot(["--experimental-dump-help"])
        return []
      } catch {
        let description = try? JSONParser.parse(Array(verb.fullMessage(for: error).utf8))
        let options = (description?["command"]?["arguments"]?.array ?? []).filter {
          $0["kind"]?.string == "option" && $0["isRepeating"]?.bool == false
        }
        let names = options.flatMap { $0["names"]?.array ?? [] }
        return Set(names.compactMap { $0["name"]?.string.map { "--" + $0 } })
      }
    }

    /// Ends with the error's status: ArgumentParser would end with 64 on wrong usage, and scripts rely on 2.
    private static func end(_ error: any Error, _ shell: CommandShell) -> Never {
      if let failure = error as? CommandFailure ?? shell.failure(error) {
        shell.messages.end(failure)
      }
      let status = exitCode(for: error)
      switch status {
      case .success:
        // Help, versions and completion scripts are results; the parser would not notice that they reach no reader.
        do throws(CommandFailure) {
          try Results.write(line: HelpText.wrapped(fullMessage(for: error)))
          ExitStatus.success.exit()
        } catch {
          shell.messages.end(error)
        }
      case .validationFailure:
        let arguments = Array(CommandLine.arguments.dropFirst())
        let (verb, depth) = verb(of: arguments)
        let verbs = verb.configuration.subcommands.compactMap { $0.configuration.commandName }
        let usage = UsageMessage(
          arguments: arguments, words: verbs.isEmpty ? [] : verbs + ["help"], depth: depth,
          help: help(of: arguments))
        let sentence = message(for: error)
        shell.messages.end(
          CommandFailure(.usage, usage.line(sentence), hint: hint(usage, sentence)))
      default:
        let message = message(for: error)
        if !message.isEmpty { shell.messages.error(message) }
        (ExitStatus(rawValue: status.rawValue) ?? .rejected).exit()
      }
    }
  }
#endif
