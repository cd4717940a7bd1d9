import CommandSupport
import Dispatch
import Federation
import LocalFiles
import Synchronization

/// The verifier of a long run. Its trust is loaded again when one of its files changes, or on
/// request. Of a file that does not load the last good content stays in use, beside what others say now.
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
    /// Why files cannot be used, as it was reported.
    var trouble: String?
    /// The files that do not load, with their last good content in use.
    var kept: [LastGoodFiles.Kept] = []
    /// Since when some file seems to be written.
    var waitingSince: UInt64?
    var isAtEnd = false
  }

  private let load: Load
  private let state: Mutex<State>

  init(_ load: @escaping Load) throws(CommandFailure) {
    self.load = load
    let (result, log) = Self.load(after: nil, load)
    let verifier = try result.get()
    log.lastGood.commit()
    state = Mutex(
      State(
        version: Version(number: 0, verifier: verifier), used: log, tried: log,
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
      let now = DispatchTime.now().uptimeNanoseconds
      if now >= state.nextLook {
        var change = state.tried.change()
        if change == .underWay {
          let since = state.waitingSince ?? now
          state.waitingSince = since
          // A file that is written all the time keeps nobody waiting.
          if now &- since >= Self.longestWait { change = .done }
        }
        if change != .underWay { state.waitingSince = nil }
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
      let kept = log.lastGood.kept
      log.lastGood.commit()
      let changes = log.differences(from: state.used).filter { path in
        !kept.contains { $0.isFile(at: path) }
      }
      if !changes.isEmpty {
        state.version = Version(number: state.version.number + 1, verifier: verifier)
        state.used = log
        CommandMessages.own.note("trust reloaded: \(Self.list(changes)) changed")
      } else if kept.isEmpty, isAsked || state.trouble != nil {
        CommandMessages.own.note("trust reloaded; nothing changed")
      }
      let trouble = kept.map { "\($0.path): \($0.error)" }.joined(separator: "\n")
      if isAsked || state.trouble != trouble {
        for file in kept {
          CommandMessages.own.note(
            "\(file.path) does not load, the last good one stays in use: \(file.error)")
        }
      }
      state.trouble = kept.isEmpty ? nil : trouble
      state.kept = kept
    } catch {
      guard isAsked || state.trouble != error.text else { return }
      state.trouble = error.text
      CommandMessages.own.note("trust not reloaded, the last good one stays in use: \(error.text)")
    }
  }

  /// The files that do not load now, with their last good content in use.
  var kept: [LastGoodFiles.Kept] { state.withLock { $0.kept } }

  /// Files that change during a load are loaded again.
  private static func load(
    after earlier: FileLog?, _ load: Load
  ) -> (Result<TokenVerifier, CommandFailure>, FileLog) {
    var log = FileLog(after: earlier)
    var busy: Set<String> = []
    for attempt in 1...4 {
      // At last without those that are written all the time.
      if attempt > 1 { log = FileLog(after: log, leaving: attempt == 4 ? busy : []) }
      log.lastGood.begin()
      let result = Result { () throws(CommandFailure) in try load(log) }
      let inconsistent = log.inconsistent
      if inconsistent.isEmpty { return (result, log) }
      busy.formUnion(inconsistent)
    }
    return (.failure(CommandFailure(.usage, "key or trust files change while they are read")), log)
  }

  private static func list(_ paths: [String]) -> String {
    let shown = paths.prefix(3).map(ShownPath.of).joined(separator: ", ")
    return paths.count > 3 ? "\(shown) and \(paths.count - 3) more" : shown
  }

  /// A second.
  private static let longestWait: UInt64 = 1_000_000_000

  private static func nextLook(isSoon: Bool = false) -> UInt64 {
    DispatchTime.now().uptimeNanoseconds &+ (isSoon ? 20_000_000 : 1_000_000_000)
  }
}
