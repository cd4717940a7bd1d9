public import HTTPExchange

/// Everything that is stored between two runs of a program.
public struct StoredCredentials: Sendable, CustomStringConvertible, CustomReflectable {
  /// Sessions by account name, which the program chooses.
  public var sessions: [String: Session] = [:]
  /// The person's last choices, by question; nothing secret.
  public var choices: [String: String] = [:]
  /// Secrets that outlive a session, such as keys, by name.
  public var secrets: [String: Secret] = [:]
  // By account: the number of changes of the session, and the process that renews it. A store must store
  // these two as well.
  var generations: [String: Int] = [:]
  var renewals: [String: RenewalTurn] = [:]

  /// Empty content.
  public init() {}

  /// The numbers of sessions, choices and secrets.
  public var description: String {
    "\(sessions.count) sessions, \(choices.count) choices, \(secrets.count) secrets"
  }

  /// Has no children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
