#if Server
  import CommandSupport
  import Dispatch
  import Synchronization
  import TokenBasics

  /// Lines on their way to standard error. Whoever adds a line does not wait for a reader that stalls: beyond a bound lines are
  /// dropped and counted.
  package final class LogBuffer: Sendable {
    /// The lines of this process.
    package static let standardError = LogBuffer { StandardError.data($0) }

    private struct State {
      var lines: [String] = []
      var isWriting = false
      var format = LogFormat.text
      /// Lines that were dropped since the start, and those of which the log says so.
      var dropped = 0
      var toldOf = 0
    }

    private let capacity: Int
    private let write: @Sendable (String) -> Void
    private let queue = DispatchQueue(label: "log")
    private let state = Mutex(State())

    /// - Parameters:
    ///   - capacity: The most lines that wait.
    ///   - write: Writes a line, and may take any time.
    package init(capacity: Int = 10_000, write: @escaping @Sendable (String) -> Void) {
      self.capacity = capacity
      self.write = write
    }

    /// The lines that were dropped.
    package var dropped: Int { state.withLock { $0.dropped } }

    /// The form of the line that says how many were dropped.
    func use(_ format: LogFormat) { state.withLock { $0.format = format } }

    /// Adds a line, which is written soon.
    package func add(_ line: String) {
      let begins = state.withLock { state in
        guard state.lines.count < capacity else {
          state.dropped += 1
          return false
        }
        state.lines.append(line)
        defer { state.isWriting = true }
        return !state.isWriting
      }
      if begins { queue.async { self.writeAll() } }
    }

    /// Waits until the lines are written, or for a limit.
    package func flush(within limit: Duration) {
      let isWritten = DispatchSemaphore(value: 0)
      queue.async { isWritten.signal() }
      _ = isWritten.wait(timeout: .now() + limit / .seconds(1))
    }

    private func writeAll() {
      while let lines = next() {
        for line in lines { write(line) }
      }
    }

    /// The lines that wait; nil for none.
    private func next() -> [String]? {
      state.withLock { state in
        var lines = state.lines
        state.lines = []
        if state.dropped > state.toldOf {
          lines.append(
            state.format.line(
              SystemTime().now.withMilliseconds, "log.dropped",
              [("lines", "\(state.dropped - state.toldOf)")]))
          state.toldOf = state.dropped
        }
        state.isWriting = !lines.isEmpty
        return lines.isEmpty ? nil : lines
      }
    }
  }
#endif
