import LocalFiles

/// What the command says to a person, on standard error.
enum Talk {
  static func write(_ text: String) {
    try? OpenFile.standardError.write(Array((text + "\n").utf8))
  }

  /// Only where somebody sits in front of it.
  static func progress(_ text: String) {
    if OpenFile.standardError.isTerminal { write(text) }
  }
}

/// Data for scripts, on standard output.
enum Results {
  /// One line.
  static func write(_ json: [UInt8]) { try? OpenFile.standardOutput.write(json + [0x0A]) }
}
