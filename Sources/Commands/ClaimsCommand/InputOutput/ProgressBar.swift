import CommandSupport
import LocalFiles
import Synchronization

/// How far a long run is, for a person who waits at a terminal.
final class ProgressBar: Sendable {
  private struct State: Sendable {
    var bytes = 0
    var tokens = 0
    var nextDrawing = ContinuousClock.now + .milliseconds(200)
  }

  /// Nil if some input has no size, such as a pipe.
  private let total: Int?
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  /// Nil unless standard error is a terminal, and records go elsewhere.
  ///
  /// - Parameter paths: The input, `-` for standard input.
  init?(of paths: [String]) {
    guard OpenFile.standardError.isTerminal, !OpenFile.standardOutput.isTerminal else { return nil }
    var total: Int? = 0
    for path in paths {
      let file = path == "-" ? OpenFile.standardInput : try? OpenFile(readingAtOnce: path)
      guard let sum = total, let size = file?.status?.size else {
        total = nil
        break
      }
      total = sum + size
    }
    self.total = total
  }

  /// Counts what is done, and shows it five times a second at most.
  func add(bytes: Int, tokens: Int) {
    let now = ContinuousClock.now
    let shown = state.withLock { state -> (bytes: Int, tokens: Int)? in
      state.bytes += bytes
      state.tokens += tokens
      guard now >= state.nextDrawing else { return nil }
      state.nextDrawing = now + .milliseconds(200)
      return (state.bytes, state.tokens)
    }
    guard let (bytes, tokens) = shown else { return }
    StandardError.status(
      Self.text(bytes: bytes, of: total, tokens: tokens, seconds: (now - start) / .seconds(1)))
  }

  /// Takes the bar away.
  func end() { StandardError.status("") }

  /// The bar, in fewer than 80 columns.
  static func text(bytes: Int, of total: Int?, tokens: Int, seconds: Double) -> String {
    let rate = seconds > 0 ? Double(tokens) / seconds : 0
    let counts = "\(megabytes(bytes)), \(tokens) tokens, \(Int(rate.rounded()))/s"
    guard let total, total > 0, bytes > 0 else { return counts }
    let share = min(1, Double(bytes) / Double(total))
    let filled = Int(share * 20)
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: 20 - filled)
    let left = Int((seconds * (1 - share) / share).rounded(.up))
    return "[\(bar)] \(Int(share * 100)) %  \(counts), \(duration(left)) left"
  }

  private static func megabytes(_ bytes: Int) -> String { "\(bytes / 1_000_000) MB" }

  private static func duration(_ seconds: Int) -> String {
    seconds < 120 ? "\(seconds) s" : "\(seconds / 60) min"
  }
}
