import LocalFiles
import Synchronization

/// The command's messages for a person, on standard error.
enum StandardError {
  /// Whether the terminal's last line has a status that the next text replaces.
  private static let hasStatus = Mutex(false)
  /// Back to the first column, and clear the line.
  private static let clearing = "\r\u{1B}[K"

  static func write(_ text: String) { line(ShownText.of(text)) }

  /// Writes a line of JSON.
  static func data(_ json: String) { line(json) }

  /// A message about an event that changes no record.
  static func note(_ text: String) { line("claims: " + ShownText.line(text)) }

  static func error(_ failure: CommandFailure) {
    // In one line each: a line feed in a text must not begin another message.
    line("claims: error: " + ShownText.line(failure.message))
    if let hint = failure.hint { line("claims: hint: " + ShownText.line(hint)) }
  }

  /// Shows a status on a terminal's last line, until the next text; nothing takes it away.
  static func status(_ text: String) {
    hasStatus.withLock { hasStatus in
      guard hasStatus || !text.isEmpty else { return }
      put(clearing + text)
      hasStatus = !text.isEmpty
    }
  }

  private static func line(_ text: String) {
    hasStatus.withLock { hasStatus in
      put((hasStatus ? clearing : "") + text + "\n")
      hasStatus = false
    }
  }

  private static func put(_ text: String) { try? OpenFile.standardError.write(Array(text.utf8)) }
}
