#if Server
  import LocalFiles

  /// Messages for the operator.
  package enum StandardError {
    /// Writes a line; control characters are shown as escapes.
    package static func write(_ text: String) {
      try? OpenFile.standardError.write(Array((ShownText.of(text) + "\n").utf8))
    }

    /// Writes a message in one line: a line feed in a text must not begin another one.
    package static func line(_ text: String) { write(ShownText.line(text)) }
  }
#endif
