import Synchronization
import TokenService

/// The last sign-ins and their outcome, for the admin page; neither subject nor token.
public final class RecentSignIns: Sendable {
  /// A sign-in.
  public struct Entry: Sendable {
    /// When.
    public let time: Instant
    /// For which relying party.
    public let realm: String
    /// The identity provider, or the service identity.
    public let source: String
    /// The format, or the code of the refusal.
    public let outcome: String
  }

  private let entries = Mutex<[Entry]>([])
  private static let most = 100

  /// None yet.
  public init() {}

  func add(_ entry: Entry) {
    entries.withLock { entries in
      if entries.count >= Self.most { entries.removeFirst() }
      entries.append(entry)
    }
  }

  /// The last hundred, the newest first.
  public var list: [Entry] { entries.withLock { $0.reversed() } }
}
