public import TokenErrors

/// The record of one validation: its checks in order, its warnings and its first failure.
@usableFromInline
package struct CheckJournal: Sendable {
  @usableFromInline package private(set) var checks: [Check] = []
  @usableFromInline package private(set) var warnings: [String] = []
  @usableFromInline package private(set) var firstFailure: TokenError?
  /// Whether passed and skipped checks are recorded too. Failures and warnings always are.
  package let isDetailed: Bool

  init(isDetailed: Bool) { self.isDetailed = isDetailed }

  package mutating func pass(
    _ name: Check.Name, node: @autoclosure () -> String? = nil,
    expected: @autoclosure () -> String? = nil, found: @autoclosure () -> String? = nil
  ) {
    guard isDetailed else { return }
    checks.append(
      Check(
        name: name, outcome: .passed, expected: expected(), found: found(), node: node(), error: nil
      ))
  }

  package mutating func skip(_ name: Check.Name, because reason: @autoclosure () -> String) {
    guard isDetailed else { return }
    checks.append(
      Check(
        name: name, outcome: .skipped, expected: nil, found: reason(), node: nil, error: nil))
  }

  @usableFromInline
  package mutating func fail(_ name: Check.Name, _ error: TokenError) {
    if firstFailure == nil { firstFailure = error }
    checks.append(
      Check(
        name: name, outcome: .failed, expected: error.expected, found: error.found,
        node: error.node, error: error))
  }

  package mutating func warn(_ texts: [String]) {
    guard !texts.isEmpty else { return }
    // Mostly they are the first, and the array is passed on.
    if warnings.isEmpty { warnings = texts } else { warnings += texts }
  }

  /// The parts of a report, without a copy.
  @usableFromInline
  consuming func notes() -> Verdict.Notes { Verdict.Notes(checks: checks, warnings: warnings) }
}
