/// What a person reads when a sign-in is refused.
public struct RefusalPage: Sendable {
  /// What happened, in one sentence.
  public let sentence: String
  /// What to do.
  public let advice: String
  /// The error's code.
  public let code: String
  /// The number under which the service logged it.
  public let reference: String
  /// Where to try again; nil where that cannot help.
  public let retry: String?

  init(_ error: TokenError, reference: String, retry: String?) {
    sentence = Self.sentence(error)
    advice = Self.advice(error.code)
    code = error.code.rawValue
    self.reference = reference
    self.retry = retry
  }

  /// Words for people. What an error found may be an attacker's text, so of it only the difference of clocks
  /// is shown, which is ours.
  private static func sentence(_ error: TokenError) -> String {
    if case .difference(let difference) = error.reason {
      switch error.code {
      case .notYetValid, .confirmationNotYetValid:
        return "Your identity provider's clock differs by \(difference)."
      default:
        return "The answer expired \(difference) ago, or your identity provider's clock is slow."
      }
    }
    return switch error.code {
    case .signInUnknown, .signInCookie:
      "This browser has no sign-in under way that fits the answer."
    case .signInExpired: "The sign-in took too long."
    case .signInFinished, .replayUsed: "This sign-in was finished before."
    case .responseStatus, .signInRefused: "Your identity provider refused the sign-in."
    case .signInUnsolicited: "Nobody began this sign-in here."
    case .signInLoop: "The sign-in goes round in circles, so it was stopped."
    default: "You are not signed in: \(error.code.summary)."
    }
  }

  private static func advice(_ code: TokenError.Code) -> String {
    switch code {
    case .signInUnknown, .signInCookie:
      "Allow cookies for this site, close other tabs in which you sign in, and try again."
    case .signInExpired: "Try again, and finish within ten minutes."
    case .signInFinished, .replayUsed:
      "A double click or the back button does that. Open the page that you wanted again."
    case .signInLoop:
      "Your browser does not send our cookie back. Cookies that are blocked, a wrong clock, or two gates on "
        + "one path do that."
    default:
      "Try again. If it happens again, tell the people who run this service the number below."
    }
  }
}
