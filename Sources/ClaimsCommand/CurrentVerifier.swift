import Dispatch
import LocalFiles
import Synchronization

/// The verifier of a long run. Its trust is loaded again when one of its files changes, or on
/// request; a failed load changes nothing.
final class CurrentVerifier: Sendable {
  /// The verifier of one worker.
  struct Version: Sendable {
    fileprivate var number: Int
    fileprivate(set) var verifier: TokenVerifier
  }

  /// Makes the verifier, and records the files that it was made from.
  typealias Load = @Sendable (FileLog) throws(CommandFailure) -> TokenVerifier

  private struct State: Sendable {
    var version: Version
    /// The files of the verifier in use.
    var used: FileLog
    /// The files of the last load, successful or not.
    var tried: FileLog
    /// Nanoseconds of the machine's uptime.
    var nextLook: UInt64
    /// Why the files cannot be used, as it was reported.
    var trouble: String?
    var isAtEnd = false
  }

  private let load: Load
  private let state: Mutex<State>

  init(_ load: @escaping Load) throws(CommandFailure) {
    self.load = load
    let (result, log) = Self.load(after: nil, load)
    state = Mutex(
      State(
        version: Version(number: 0, verifier: try result.get()), used: log, tried: log,
        nextLook: Self.nextLook()))
  }

  /// A version for one more worker.
  func version() -> Version {
    let version = state.withLock { $0.version }
    return Version(number: version.number, verifier: version.verifier.uncontendedCopy())
  }

  /// Updates a worker's version, before each batch: the files are checked once a second at most, and
  /// workers that call this during a load wait for it.
  func update(_ version: inout Version) {
    let latest = state.withLock { state in
      if DispatchTime.now().uptimeNanoseconds >= state.nextLook {
        let change = state.tried.change()
        if change == .done { reload(&state, isAsked: false) }
        state.nextLook = Self.nextLook(isSoon: change == .underWay)
      }
      return state.version
    }
    guard latest.number != version.number else { return }
    version = Version(number: latest.number, verifier: latest.verifier.uncontendedCopy())
  }

  /// Loads everything again, changed or not.
  func reload() {
    state.withLock { state in
      if !state.isAtEnd { reload(&state, isAsked: true) }
    }
  }

  /// Stops all loading, so that the process may end.
  func end() { state.withLock { $0.isAtEnd = true } }

  private func reload(_ state: inout State, isAsked: Bool) {
    let (result, log) = Self.load(after: state.used, load)
    state.tried = log
    do throws(CommandFailure) {
      let verifier = try result.get()
      let changes = log.differences(from: state.used)
      if !changes.isEmpty {
        state.version = Version(number: state.version.number + 1, verifier: verifier)
        state.used = log
        StandardError.note("trust reloaded: \(Self.list(changes)) changed")
      } else if isAsked || state.trouble != nil {
        StandardError.note("trust reloaded; nothing changed")
      }
      state.trouble = nil
    } catch {
      guard isAsked || state.trouble != error.message else { return }
      state.trouble = error.message
      StandardError.note("trust not reloaded, the last good one stays in use: \(error.message)")
    }
  }

  /// Files that change during a load are loaded again.
  private static func load(
    after earlier: FileLog?, _ load: Load
  ) -> (Result<TokenVerifier, CommandFailure>, FileLog) {
    var log = FileLog(after: earlier)
    for attempt in 1...3 {
      if attempt > 1 { log = FileLog(after: log) }
      let result = Result { () throws(CommandFailure) in try load(log) }
      if log.isConsistent { return (result, log) }
    }
    return (.failure(CommandFailure(.usage, "key or trust files change while they are read")), log)
  }

  private static func list(_ paths: [String]) -> String {
    let shown = paths.prefix(3).map(ShownPath.of).joined(separator: ", ")
    return paths.count > 3 ? "\(shown) and \(paths.count - 3) more" : shown
  }

  private static func nextLook(isSoon: Bool = false) -> UInt64 {
    DispatchTime.now().uptimeNanoseconds &+ (isSoon ? 20_000_000 : 1_000_000_000)
  }
}
