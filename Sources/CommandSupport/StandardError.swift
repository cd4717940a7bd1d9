#if Server
  import LocalFiles

  /// Messages for the operator.
  package enum StandardError {
    /// Writes a line.
    package static func write(_ text: String) {
      try? OpenFile.standardError.write(Array((text + "\n").utf8))
    }
  }
#endif
