/// What the command says to a person, on standard error.
enum Talk {
  static func write(_ text: String) { File.write(Array((text + "\n").utf8), to: 2) }

  /// Only where somebody sits in front of it.
  static func progress(_ text: String) {
    if File.isTerminal(2) { write(text) }
  }
}

/// Data for scripts, on standard output.
enum Results {
  /// One line.
  static func write(_ json: [UInt8]) { File.write(json + [0x0A], to: 1) }
}
