import TokenErrors

/// The cause of the command's own failure, as opposed to a token that is rejected.
struct CommandFailure: Error {
  let exitCode: Process.ExitCode
  let message: String
  let hint: String?

  init(_ exitCode: Process.ExitCode, _ message: String, hint: String? = nil) {
    self.exitCode = exitCode
    self.message = message
    self.hint = hint
  }

  /// A key, a trust file or an argument that cannot be used.
  init(usage error: TokenError) {
    self.init(.usage, error.description, hint: error.hint)
  }
}
