import Foundation
import TestSupport

/// `docs/claims.1`, written from the command's own description of its verbs and options.
enum ManualPage {
  static let file = TestVector.packageRoot.appending(path: "docs/claims.1")

  /// A verb, as ArgumentParser describes it.
  struct Verb: Decodable {
    let commandName: String
    let abstract: String?
    let discussion: String?
    let arguments: [Argument]?
    let subcommands: [Verb]?
  }

  /// How a shell completes a value; which way it does is not the page's.
  struct CompletionKind: Decodable {}

  /// An option, flag or file of a verb.
  struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String
    }

    let kind: String
    let names: [Name]?
    let valueName: String?
    let abstract: String?
    let defaultValue: String?
    let completionKind: CompletionKind?
    let isOptional: Bool
    let isRepeating: Bool
  }

  private struct Description: Decodable {
    let command: Verb
  }

  /// The command and its subcommands.
  static func described() throws -> Verb {
    let outcome = try ClaimsTool.run(["--experimental-dump-help"])
    return try JSONDecoder().decode(Description.self, from: Data(outcome.output.utf8)).command
  }

  static func text() throws -> String {
    let root = try described()
    let verbs = (root.subcommands ?? []).filter { $0.commandName != "help" }
    var page = """
      .\\" Written from the command itself: UPDATE_DOCUMENTATION=1 swift test --filter ManualPage
      .TH CLAIMS 1 "" "swift\\-federation" "User Commands"
      .SH NAME
      claims \\- \(escaped(root.abstract ?? ""))
      .SH SYNOPSIS
      .B claims
      .I verb
      .RI [ options ]
      .RI [ file " ...]"
      .SH DESCRIPTION

      """
    page += paragraphs(root.discussion ?? "")
    page += """
      .PP
      Every
      .I file
      may be \\- for standard input, which is also what is read where no file is named.
      .SH VERBS

      """
    for verb in verbs { page += section(verb, path: "claims") }
    page += """
      .SH EXIT STATUS
      .TP
      0
      Every token was accepted.
      .TP
      1
      At least one token was rejected.
      .TP
      2
      Wrong usage, or a key or trust file that cannot be read or understood.
      .TP
      3
      An input could not be read, or the output could not be written to its end. Nothing is said when the
      reader closed it.
      .SH COMPLETIONS
      .nf
      claims \\-\\-generate\\-completion\\-script bash > /etc/bash_completion.d/claims
      claims \\-\\-generate\\-completion\\-script zsh > /usr/local/share/zsh/site\\-functions/_claims
      claims \\-\\-generate\\-completion\\-script fish > ~/.config/fish/completions/claims.fish
      .fi
      .SH SEE ALSO
      docs/errors.md says what each error code means, docs/trust\\-file.md what a trust file holds.

      """
    return page
  }

  private static func section(_ verb: Verb, path: String) -> String {
    let path = "\(path) \(verb.commandName)"
    var text = ".SS \(escaped(path))\n"
    let arguments = verb.arguments ?? []
    let isGroup = !(verb.subcommands ?? []).isEmpty
    if !isGroup { text += synopsis(path, arguments) }
    text += paragraphs(verb.abstract ?? "") + paragraphs(verb.discussion ?? "")
    for argument in arguments where !isGroup { text += entry(argument) }
    for verb in verb.subcommands ?? [] { text += section(verb, path: path) }
    return text
  }

  private static func synopsis(_ path: String, _ arguments: [Argument]) -> String {
    var words = [path]
    words += arguments.filter { $0.kind == "option" && !$0.isOptional }.map { titles($0)[0] }
    if arguments.contains(where: { $0.kind != "positional" && $0.isOptional }) {
      words.append("[options]")
    }
    for argument in arguments where argument.kind == "positional" {
      let name = (argument.valueName ?? "") + (argument.isRepeating ? " ..." : "")
      words.append(argument.isOptional ? "[\(name)]" : name)
    }
    return ".nf\n\\fB\(escaped(words.joined(separator: " ")))\\fR\n.fi\n"
  }

  private static func entry(_ argument: Argument) -> String {
    var text = ".TP\n\\fB\(escaped(titles(argument).joined(separator: ", ")))\\fR\n"
    text += escaped(argument.abstract ?? "") + "\n"
    if let value = argument.defaultValue, !value.isEmpty {
      text += escaped("Default: \(value).") + "\n"
    }
    return text
  }

  /// Each spelling of an argument, with its value.
  private static func titles(_ argument: Argument) -> [String] {
    guard let names = argument.names else { return [argument.valueName ?? ""] }
    let value = argument.kind == "option" ? " \((argument.valueName ?? "").uppercased())" : ""
    return names.map { ($0.kind == "short" ? "-" : "--") + $0.name + value }
  }

  private static func paragraphs(_ text: String) -> String {
    var page = ""
    var isExample = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("  ") != isExample {
        isExample.toggle()
        page += isExample ? ".nf\n" : ".fi\n"
      }
      page += (isExample ? "" : ".PP\n") + "\(escaped(String(line)))\n"
    }
    return page + (isExample ? ".fi\n" : "")
  }

  /// Escapes a backslash, a hyphen that is a minus sign, and a line that would be a request.
  private static func escaped(_ text: String) -> String {
    let text = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }
}
