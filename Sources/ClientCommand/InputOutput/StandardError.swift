import LocalFiles

/// Messages to the person, on standard error.
enum StandardError {
  static func write(_ text: String) {
    try? OpenFile.standardError.write(Array((ShownText.of(text) + "\n").utf8))
  }

  /// Writes only where standard error is a terminal.
  static func progress(_ text: String) {
    if OpenFile.standardError.isTerminal { write(text) }
  }
}

/// Data for scripts, on standard output.
enum Results {
  /// One line.
  static func write(_ json: [UInt8]) { try? OpenFile.standardOutput.write(json + [0x0A]) }
}
