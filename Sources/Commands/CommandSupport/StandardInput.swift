package import LocalFiles

/// Standard input as a file of tokens, keys or configuration.
package enum StandardInput {
  /// Standard input. Where it is a terminal a person is told that the command waits for them.
  package static var file: OpenFile {
    if OpenFile.standardInput.isTerminal {
      StandardError.progress(
        "reading from the terminal, which cuts lines after 4095 octets; Ctrl-D ends the input")
    }
    return OpenFile.standardInput
  }
}
