import LocalFiles

/// The command's messages for a person, on standard error.
enum StandardError {
  static func write(_ text: String) {
    try? OpenFile.standardError.write(Array((ShownText.of(text) + "\n").utf8))
  }

  /// A message about an event that changes no record.
  static func note(_ text: String) { write("claims: \(text)") }

  static func error(_ failure: CommandFailure) {
    write("claims: error: \(failure.message)")
    if let hint = failure.hint { write("claims: hint: \(hint)") }
  }
}
