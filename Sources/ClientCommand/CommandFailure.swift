import HTTPExchange
import LocalFiles
import SocialFeeds
import FederationClient
import TokenErrors

/// The error with which the command ends.
struct CommandFailure: Error {
  let code: ExitCode
  let message: String
  let hint: String?
  /// The attempt at a post whose outcome is unknown; nil for any other error.
  private var attempt: String?
  /// The cause, for the JSON on standard output; nil if there is no error code.
  let cause: TokenError?

  init(_ code: ExitCode, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
    cause = nil
  }

  init(_ error: TokenError) {
    code = Self.exitCode(of: error.code)
    message = error.description
    hint = CommandHint.shown(error.hint)
    cause = error
  }

  /// An attempt at a post whose outcome is unknown.
  init(_ error: TokenError, attempt: PostAttempt, isRecognised: Bool) {
    code = Self.exitCode(of: error.code)
    message = error.description
    hint =
      isRecognised
      ? "repeat the command with --attempt \(attempt.text) within the hour, which cannot post twice"
      : "look at the feed before you try again: this service does not recognise a repetition"
    cause = error
    self.attempt = isRecognised ? attempt.text : nil
  }

  /// Writes message and hint to standard error, and JSON to standard output for a rejection.
  func report() {
    // In one line each: a line feed in a text must not begin another message.
    StandardError.write("claims-client: error: " + ShownText.line(message))
    if let hint { StandardError.write("claims-client: hint: " + ShownText.line(hint)) }
    if code == .refused, let cause { Results.write(Shown.error(cause, attempt: attempt)) }
  }

  private static func exitCode(of code: TokenError.Code) -> ExitCode {
    switch code {
    case .transportMalformedAddress, .transportInsecureAddress, .sessionStoreKey,
      .sessionStoreKeySource, .sessionStoreForeign, .feedTemplate:
      .usage
    case .sessionStoreFile, .sessionStoreDamaged, .sessionStoreCost, .sessionStoreLocked:
      .inputOutput
    default:
      switch code.family {
      case "transport": .inputOutput
      case "policy", "key": .usage
      default: .refused
      }
    }
  }
}
