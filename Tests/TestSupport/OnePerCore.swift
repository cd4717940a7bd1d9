import Foundation
import Synchronization
public import Testing

/// Runs as many test cases at once as there are processors, and no more: stories over sockets, stores and thousands of
/// requests, whose times say something only then.
public struct OnePerCore: TestTrait, SuiteTrait, TestScoping {
  /// Each case takes a turn, not the suite around it.
  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil, !Self.hasTurn else { return try await function() }
    await Self.turns.take()
    defer { Self.turns.giveBack() }
    try await Self.$hasTurn.withValue(true) { try await function() }
  }

  /// Whether a suite around this one has taken the turn.
  @TaskLocal private static var hasTurn = false
  private static let turns = Turns(ProcessInfo.processInfo.activeProcessorCount)
}

extension Trait where Self == OnePerCore {
  /// As many test cases at once as there are processors.
  public static var onePerCore: Self { OnePerCore() }
}

private final class Turns: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: count)) }

  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free == 0 else {
          state.free -= 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  func giveBack() {
    let next = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil as CheckedContinuation<Void, Never>?
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
