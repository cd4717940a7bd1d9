import Synchronization

/// A challenge handler for a screen with a form: what happens comes as a sequence, what the person types
/// goes in by calls.
///
/// While ``isChallenged`` a press of the button is ``submitChallengeAnswer(_:)``; otherwise it is
/// `login(securityCheck:credentials:)`.
public final class ChallengeForm: ChallengeHandler {
  public enum Event: Sendable {
    case challenged(SecurityChallenge)
    case succeeded(SecurityCheckSuccess)
    case failed(SecurityCheckFailure)
  }

  /// Everything that happens to the check, for one reader.
  public let events: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation
  private let pending = Mutex<CheckedContinuation<ChallengeAnswer, Never>?>(nil)

  public init() {
    (events, continuation) = AsyncStream.makeStream()
  }

  deinit { continuation.finish() }

  /// Whether the check waits for an answer.
  public var isChallenged: Bool { pending.withLock { $0 != nil } }

  /// Answers; nil leaves this check out.
  /// - Returns: Whether a challenge was waiting. Without one nothing happens.
  @discardableResult
  public func submitChallengeAnswer(_ answer: SecurityCheckCredentials?) -> Bool {
    resume(answer.map(ChallengeAnswer.submit) ?? .withhold)
  }

  /// Gives up.
  /// - Returns: Whether a challenge was waiting.
  @discardableResult
  public func cancel() -> Bool { resume(.cancel) }

  public func handleChallenge(_ challenge: SecurityChallenge) async -> ChallengeAnswer {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let older = pending.withLock { pending in
          let older = pending
          pending = waiter
          return older
        }
        // There is one question at a time; should there be two, the newer one counts.
        older?.resume(returning: .cancel)
        if Task.isCancelled { cancel() } else { continuation.yield(.challenged(challenge)) }
      }
    } onCancel: {
      cancel()
    }
  }

  public func handleSuccess(_ success: SecurityCheckSuccess) async {
    continuation.yield(.succeeded(success))
  }

  public func handleFailure(_ failure: SecurityCheckFailure) async {
    continuation.yield(.failed(failure))
  }

  private func resume(_ answer: ChallengeAnswer) -> Bool {
    let waiter = pending.withLock { pending in
      let waiter = pending
      pending = nil
      return waiter
    }
    waiter?.resume(returning: answer)
    return waiter != nil
  }
}
