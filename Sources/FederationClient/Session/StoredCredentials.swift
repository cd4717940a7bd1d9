/// Everything that is kept between two runs of a program.
public struct StoredCredentials: Sendable, CustomStringConvertible, CustomReflectable {
  /// Sessions by the name of their account, which the program chooses.
  public var sessions: [String: Session] = [:]
  /// What a person chose last, by question: nothing secret.
  public var choices: [String: String] = [:]
  /// Keys and the like that outlive a session, by name.
  public var secrets: [String: Secret] = [:]
  // Of accounts: how often each changed hands, and who renews it now. A store keeps this value whole, and
  // with it these two.
  var generations: [String: Int] = [:]
  var renewals: [String: RenewalTurn] = [:]

  /// Empty content.
  public init() {}

  /// The numbers of entries.
  public var description: String {
    "\(sessions.count) sessions, \(choices.count) choices, \(secrets.count) secrets"
  }

  /// No children, so that `dump` shows nothing secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
