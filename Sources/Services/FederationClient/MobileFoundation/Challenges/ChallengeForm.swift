import Synchronization

/// A challenge handler for a screen with a form: events arrive as a sequence, the input of the person is
/// passed by method calls.
///
/// While ``isChallenged``, the form's button calls ``submitChallengeAnswer(_:)``; otherwise
/// ``MobileFoundation/login(securityCheck:credentials:)``.
public final class ChallengeForm: ChallengeHandler {
  /// An event of the security check.
  public enum Event: Sendable {
    /// The check requests credentials.
    case challenged(SecurityChallenge)
    /// The check is satisfied.
    case succeeded(SecurityCheckSuccess)
    /// The check rejects the user for good.
    case failed(SecurityCheckFailure)
  }

  /// The events of the check in order, for one reader.
  public let events: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation
  private let pending = Mutex<CheckedContinuation<ChallengeAnswer, Never>?>(nil)

  /// A handler without a pending challenge.
  public init() {
    (events, continuation) = AsyncStream.makeStream()
  }

  deinit { continuation.finish() }

  /// Whether the check waits for an answer.
  public var isChallenged: Bool { pending.withLock { $0 != nil } }

  /// Answers the pending challenge; nil leaves this check out.
  /// - Returns: Whether a challenge was pending. Without one the call has no effect.
  @discardableResult
  public func submitChallengeAnswer(_ answer: SecurityCheckCredentials?) -> Bool {
    resume(answer.map(ChallengeAnswer.submit) ?? .withhold)
  }

  /// Cancels the pending challenge.
  /// - Returns: Whether a challenge was pending.
  @discardableResult
  public func cancel() -> Bool { resume(.cancel) }

  /// Yields ``Event/challenged(_:)`` and waits for the answer. Cancelling the task cancels the challenge.
  public func handleChallenge(_ challenge: SecurityChallenge) async -> ChallengeAnswer {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let older = pending.withLock { pending in
          let older = pending
          pending = waiter
          return older
        }
        // There is one challenge at a time; a newer one would cancel the older one.
        older?.resume(returning: .cancel)
        if Task.isCancelled { cancel() } else { continuation.yield(.challenged(challenge)) }
      }
    } onCancel: {
      cancel()
    }
  }

  /// Yields ``Event/succeeded(_:)``.
  public func handleSuccess(_ success: SecurityCheckSuccess) async {
    continuation.yield(.succeeded(success))
  }

  /// Yields ``Event/failed(_:)``.
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

/// Answers the challenges of one security check and receives their results.
///
/// The client calls one method at a time, and always before the call that caused it returns. A handler
/// must not call the client from these methods: the client waits for them.
public protocol ChallengeHandler: Sendable {
  /// Answers a challenge. A wrong answer leads to another challenge, with
  /// ``SecurityChallenge/errorMessage``.
  func handleChallenge(_ challenge: SecurityChallenge) async -> ChallengeAnswer
  /// The check is satisfied.
  func handleSuccess(_ success: SecurityCheckSuccess) async
  /// The check rejects the user for good; the flow fails with `client.security-check`.
  func handleFailure(_ failure: SecurityCheckFailure) async
}

extension ChallengeHandler {
  /// Does nothing.
  public func handleSuccess(_ success: SecurityCheckSuccess) async {}
  /// Does nothing.
  public func handleFailure(_ failure: SecurityCheckFailure) async {}
}

/// The answer of a ``ChallengeHandler``.
public enum ChallengeAnswer: Sendable {
  /// Sends these credentials to the check.
  case submit(SecurityCheckCredentials)
  /// Leaves this check out: only the other checks' answers are sent.
  case withhold
  /// The person cancelled: this flow and all that wait for it fail with `session.cancelled`.
  case cancel
}
