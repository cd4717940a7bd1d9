#if Client
  import CommandSupport
  import ArgumentParser
  import LocalFiles

  /// The hints of errors for this command. The errors are those of the whole package, and some hints contain
  /// options that only `claims` has.
  enum CommandHint {
    /// Every option of every subcommand, such as `--store`.
    static let options = Set(UsageMessage.options(in: ClientCommand.wholeHelp).keys)

    /// The options in a text.
    static func options(in text: String) -> [String] {
      text.split { !($0.isLetter || $0.isNumber || $0 == "-") }
        .filter { $0.hasPrefix("--") && $0.count > 2 }.map(String.init)
    }

    /// The parts of a hint whose options exist here; nil if none is left.
    static func shown(_ hint: String) -> String? {
      let parts = hint.split(separator: "; ").filter { part in
        options(in: String(part)).allSatisfy { options.contains($0) }
      }
      return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
  }
#else
  enum CommandHint {
    static func shown(_ hint: String) -> String? { hint }
  }
#endif
