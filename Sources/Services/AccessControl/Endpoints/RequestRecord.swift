import HTTPExchange
import Synchronization

/// Who sent a request, and who and what it was about: noted where it becomes known, for its lines in the log and for limits.
final class RequestRecord: Sendable {
  /// The record of the request that is being answered.
  @TaskLocal static var current: RequestRecord?

  private struct Names {
    var client: String?
    var party: String?
    var provider: String?
    var wait: Duration?
  }

  private let names = Mutex(Names())
  /// By which the sender and the log name the request.
  let reference: String
  /// The network address of the sender; nil where it is not known.
  let sender: String?

  init(_ reference: String, from sender: String?) {
    self.reference = reference
    self.sender = sender
  }

  /// Notes what became known; nil leaves what was known.
  static func note(client: String? = nil, party: String? = nil, provider: String? = nil) {
    current?.names.withLock { names in
      names.client = client ?? names.client
      names.party = party ?? names.party
      names.provider = provider ?? names.provider
    }
  }

  /// The client or, where none is known, the relying party that the request is about; nil for neither.
  static var clientOrParty: String? { current?.names.withLock { $0.client ?? $0.party } }

  /// Notes how long the sender has to wait, where a limit refuses the request.
  static func note(wait: Duration) {
    current?.names.withLock { $0.wait = max($0.wait ?? .zero, wait) }
  }

  /// Seconds until the request would be within the limits again: at least one.
  static var secondsToWait: Int {
    let wait = current?.names.withLock { $0.wait } ?? .zero
    let (seconds, rest) = wait.components
    return max(1, Int(clamping: seconds) + (rest > 0 ? 1 : 0))
  }

  /// What is known, with texts of strangers cut.
  static var attributes: [(name: StaticString, value: String)] {
    guard let names = current?.names.withLock({ $0 }) else { return [] }
    let pairs: [(name: StaticString, value: String?)] = [
      ("client", names.client), ("party", names.party), ("provider", names.provider),
    ]
    return pairs.compactMap { name, value in
      value.map { (name: name, value: TokenError.excerpt($0)) }
    }
  }
}
