import CommandSupport
import FederationClient
import HTTPExchange
import SocialFeeds
import TokenBasics

extension CommandMessages {
  static let own = CommandMessages(of: "claims-client")
}

extension CommandFailure {
  /// An error of the client, by its code: a rejection is also JSON on standard output.
  init(_ error: TokenError) {
    self.init(error, hint: error.hint)
  }

  /// An attempt at a post whose outcome is unknown.
  init(_ error: TokenError, attempt: PostAttempt, isRecognised: Bool) {
    let hint =
      isRecognised
      ? "repeat the command with --attempt \(attempt.text) within the hour, which cannot post twice"
      : "look at the feed before you try again: this service does not recognise a repetition"
    self.init(error, hint: hint, attempt: isRecognised ? attempt.text : nil)
  }

  private init(_ error: TokenError, hint: String?, attempt: String? = nil) {
    let status = Self.status(of: error.code)
    self.init(
      status, [Message(error.description, hint: hint)], causes: [error],
      record: status == .rejected ? PrintedJSON.error(error, attempt: attempt) : nil)
  }

  private static func status(of code: TokenError.Code) -> ExitStatus {
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
      default: .rejected
      }
    }
  }
}
