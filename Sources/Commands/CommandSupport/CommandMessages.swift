import LocalFiles

/// What a command says to a person on standard error, under its own name: `acs: error: …`. Each message is one line,
/// so that no text of another author begins another.
package struct CommandMessages: Sendable {
  package let command: String
  private let hint: @Sendable (String) -> String

  /// - Parameter hint: Says a hint in the words of the command, such as with its options.
  package init(of command: String, hint: @escaping @Sendable (String) -> String = { $0 }) {
    self.command = command
    self.hint = hint
  }

  /// An event that ends nothing.
  package func note(_ text: String) { StandardError.line("\(command): \(text)") }

  /// What is allowed and probably not meant.
  package func warning(_ text: String) { say("warning:", .yellow, text) }

  /// Why the command ends without a result.
  package func error(_ text: String) { say("error:", .red, text) }

  private func say(_ word: String, _ colour: TerminalColour, _ text: String) {
    StandardError.line("\(command): ", word, colour, " \(text)")
  }

  /// The messages of a failure; its record goes to standard output.
  package func report(_ failure: CommandFailure) {
    for message in failure.messages {
      error(message.text)
      if let hint = message.hint { say("hint:", .cyan, self.hint(hint)) }
    }
    // The failure ends the command, whether or not the record can be written.
    if let record = failure.record { try? Results.write(line: record) }
  }

  /// Reports a failure and ends the process.
  package func end(_ failure: CommandFailure) -> Never {
    report(failure)
    failure.status.exit()
  }

  /// Ends a command that was built without the trait that has its parts.
  package func endWithout(trait: String) -> Never {
    end(
      CommandFailure(
        .usage, "built without trait \(trait)",
        hint: "swift build --traits \(trait) --product \(command)"))
  }
}
