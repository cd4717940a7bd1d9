import LocalFiles
import Synchronization

/// Standard error: text for a person, safe for a terminal.
package enum StandardError {
  /// Whether the terminal's last line has a status that the next text replaces.
  private static let hasStatus = Mutex(false)
  /// Back to the first column, and clear the line.
  private static let clearing = "\r\u{1B}[K"

  /// Writes one line or several; control characters other than line feeds are shown as escapes.
  package static func write(_ text: String) { put(line: ShownText.of(text)) }

  /// Writes one line: a line feed is shown as an escape too.
  package static func line(_ text: String) { put(line: ShownText.line(text)) }

  /// Writes one line, of which a terminal shows a word in a colour.
  static func line(_ start: String, _ word: String, _ colour: TerminalColour, _ text: String) {
    put(line: ShownText.line(start) + colour.of(word) + ShownText.line(text))
  }

  /// Writes a line of JSON.
  package static func data(_ json: String) { put(line: json) }

  /// Writes only where standard error is a terminal.
  package static func progress(_ text: String) {
    if OpenFile.standardError.isTerminal { write(text) }
  }

  /// As ``status(_:)``, where standard error is a terminal.
  package static func progressStatus(_ text: String) {
    if OpenFile.standardError.isTerminal { status(ShownText.line(text)) }
  }

  /// Shows a status on a terminal's last line, until the next text; nothing takes it away.
  package static func status(_ text: String) {
    hasStatus.withLock { hasStatus in
      guard hasStatus || !text.isEmpty else { return }
      put(clearing + text)
      hasStatus = !text.isEmpty
    }
  }

  private static func put(line text: String) {
    hasStatus.withLock { hasStatus in
      put((hasStatus ? clearing : "") + text + "\n")
      hasStatus = false
    }
  }

  private static func put(_ text: String) { try? OpenFile.standardError.write(Array(text.utf8)) }
}
