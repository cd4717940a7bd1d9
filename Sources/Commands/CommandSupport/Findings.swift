import LocalFiles
package import TokenBasics

/// One line of the output of `--json`: what a command found, with `code`, `severity`, `file`, `line`, `message` and `hint`
/// where they apply.
package struct Finding {
  /// How much a finding matters.
  package enum Severity: String, Sendable {
    /// The file is refused, or the check failed.
    case error
    /// The file is accepted and probably means something else.
    case warning
    /// Something that was examined and is in order.
    case ok
    /// Something that was not examined.
    case skipped
  }

  private let severity: Severity
  private let file: String?
  private let error: TokenError?
  private let message: String?
  private let hint: String?

  /// A finding without an error code.
  package init(_ severity: Severity, file: String? = nil, _ message: String? = nil) {
    self.severity = severity
    self.file = file
    error = nil
    self.message = message
    hint = nil
  }

  /// An error with its code, place and hint.
  package init(_ error: TokenError, file: String? = nil, hint: String? = nil) {
    severity = .error
    self.file = file
    self.error = error
    message = nil
    self.hint = hint
  }

  /// Writes the line to standard output.
  package func write() throws(CommandFailure) {
    var json = JSONWriter()
    json.object { json in
      json.member("code", error?.code.rawValue)
      json.member("severity", severity.rawValue)
      json.member("file", error?.setting?.file ?? file)
      if let place = error?.setting?.place {
        json.name("line")
        json.integer(place.line)
      }
      json.member("message", error.map { $0.setting?.sentence ?? $0.asRemark } ?? message)
      json.member("hint", hint ?? error?.hint)
    }
    json.endLine()
    try Results.write(json.bytes)
  }

  /// Warns on standard error, and with `--json` in a line too.
  package static func warn(
    _ warning: String, file: String, json: Bool, by command: CommandMessages
  ) throws(CommandFailure) {
    if json { try Finding(.warning, file: file, warning).write() }
    command.warning(warning)
  }

  /// Says that a file is in order.
  package static func accept(_ file: String, json: Bool) throws(CommandFailure) {
    if json {
      try Finding(.ok, file: file).write()
    } else {
      try Results.write(line: "\(file): ok")
    }
  }

  /// Runs a check of a file, and writes a line for each error with which it ends. The failure goes on to the caller, which
  /// reports it on standard error and ends with its status.
  package static func reporting(
    file: String, if isAsked: Bool, _ body: () async throws -> Void
  ) async throws {
    do {
      try await body()
    } catch {
      guard isAsked else { throw error }
      let name = ShownPath.of(file)
      switch error {
      case let failure as CommandFailure:
        for cause in failure.causes { try Finding(cause, file: name).write() }
        if failure.causes.isEmpty { try Finding(.error, file: name, failure.text).write() }
      case let failure as TokenError: try Finding(failure, file: name).write()
      default: break
      }
      throw error
    }
  }
}
