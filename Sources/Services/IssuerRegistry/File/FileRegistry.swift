import LocalFiles
import Synchronization

/// What an owner demands of a trust beside what the file's own rules say. It throws for a trust that must not come into
/// use.
package typealias TrustCheck = @Sendable (Trust) throws(TokenError) -> Void

/// The trust of a trust file, which is reloaded without a restart when it changes.
///
/// Detects changes of the trust file and of any file that it names. Of a file that is unreadable or invalid
/// the last valid content stays in use, beside what the others say now, and ``health(at:)`` shows the error. Reading is synchronous, at most
/// once every ``checkInterval``, on the thread that asks first; others get the trust of before meanwhile.
public final class FileRegistry: IssuerRegistry {
  private struct State {
    var trust: Trust?
    /// How often another trust came into use.
    var generation = 0
    /// The files that the trust in use was read from.
    var files: WatchedFiles?
    /// The files of the last check, valid or not.
    var tried: WatchedFiles?
    var lastSuccess: Instant?
    var lastCheck: Instant?
    var failures = 0
    var lastError: TokenError?
    /// For the observer after the lock is released; with a value for a measurement.
    var notices: [(Activity, Double?)] = []
  }

  /// The minimum number of seconds between two checks of the files; 1 by default.
  public let checkInterval: Int64
  private let path: String
  /// Whether the owner fetches the keys of issuers that the file names with an address.
  private let fetchesKeys: Bool
  /// What the owner demands of a trust before it comes into use.
  private let accepts: TrustCheck
  /// The path up to its last slash, and the rest.
  private let folder: String
  private let name: String
  private let observer: any ActivityObserver
  private let lastGood = LastGoodFiles()
  private let state = Mutex(State())
  /// Held while the files are read, which takes as long as they do: a FIFO has ten seconds.
  private let checking = Mutex(())

  /// A registry for the trust file at `path`, which is first read on first use.
  ///
  /// - Parameters:
  ///   - path: The trust file. Paths in it are relative to its folder.
  ///   - checkInterval: Seconds; negative counts as 0.
  ///   - observer: Hears of what happens, for logs, metrics and traces.
  public convenience init(
    trustFile path: String, checkInterval: Int64 = 1,
    observer: any ActivityObserver = NoObserver()
  ) {
    self.init(
      trustFile: path, fetchesKeys: false, checkInterval: checkInterval, observer: observer)
  }

  /// - Parameters:
  ///   - fetchesKeys: Whether the caller fetches the keys of issuers that the file names with an address.
  ///   - accepts: What the caller demands of a trust; one that it refuses counts as an invalid file.
  init(
    trustFile path: String, fetchesKeys: Bool, checkInterval: Int64,
    observer: any ActivityObserver, accepts: @escaping TrustCheck = { (_) throws(TokenError) in }
  ) {
    self.path = path
    self.fetchesKeys = fetchesKeys
    self.accepts = accepts
    folder = FileFolder(of: path).path
    name = String(path.dropFirst(folder.count))
    self.checkInterval = max(0, checkInterval)
    self.observer = observer
  }

  /// The current trust; checks the files first if ``checkInterval`` is over. Nil if they were never valid.
  public func readyTrust(at now: Instant) -> Trust? { ready(at: now)?.trust }

  /// As ``readyTrust(at:)``, with a number that is another one for another trust.
  func ready(at now: Instant) -> (trust: Trust, generation: Int)? {
    let (hasTrust, isDue) = state.withLock { ($0.trust != nil, needsCheck($0, at: now)) }
    if !hasTrust {
      // Without a trust of before there is nothing but to wait.
      checking.withLock { _ in check(at: now) }
    } else if isDue {
      _ = checking.withLockIfAvailable { _ in check(at: now) }
    }
    let (trust, generation, notices) = state.withLock { state in
      defer { state.notices = [] }
      return (state.trust, state.generation, state.notices)
    }
    for (activity, value) in notices {
      if let value {
        observer.measured(activity, value: value)
      } else {
        observer.happened(activity)
      }
    }
    return trust.map { ($0, generation) }
  }

  /// The current trust, as ``readyTrust(at:)``.
  /// - Throws: The error of the file, as long as it was never valid: `policy.trust-file-*` and others,
  ///   `registry.unreadable-file`.
  public func trust(at now: Instant) async throws(TokenError) -> Trust {
    if let trust = readyTrust(at: now) { return trust }
    throw state.withLock { $0.lastError }
      ?? TokenError(.registryUnavailable, node: ShownPath.of(path))
  }

  /// One entry, named by the path of the trust file.
  public func health(at now: Instant) -> [RegistryHealth] {
    state.withLock { state in
      let isGood = state.failures == 0
      return [
        RegistryHealth(
          source: path, status: state.trust == nil ? .empty : isGood ? .good : .failing,
          issuers: state.trust?.issuers.count ?? 0, lastSuccess: state.lastSuccess,
          lastAttempt: state.lastCheck, consecutiveFailures: state.failures,
          lastError: state.lastError,
          nextRefresh: state.lastCheck?.advanced(bySeconds: checkInterval), validUntil: nil,
          passedOver: state.trust?.passedOver ?? [])
      ]
    }
  }

  private func needsCheck(_ state: State, at now: Instant) -> Bool {
    guard let last = state.lastCheck, last <= now else { return true }
    return now >= last.advanced(bySeconds: checkInterval)
  }

  /// Reads the files where that is due and they changed. The caller holds `checking`, and not `state`.
  private func check(at now: Instant) {
    let (isDue, tried) = state.withLock { state in
      let isDue = needsCheck(state, at: now)
      if isDue { state.lastCheck = now }
      return (isDue, state.tried)
    }
    guard isDue else { return }
    if let tried, !tried.mayHaveChanged {
      // An invalid file stays invalid; a valid one is confirmed.
      state.withLock { if $0.lastError == nil { $0.lastSuccess = now } }
      return
    }
    let files = WatchedFiles(folder: folder, lastGood: lastGood)
    lastGood.begin()
    let outcome: Result<Trust, TokenError>
    do throws(TokenError) {
      let trust = try TrustFile.trust(
        at: name, fetchesKeys: fetchesKeys, read: { () throws(TokenError) in try files.read(name) },
        files: files)
      try accepts(trust)
      outcome = .success(trust)
    } catch {
      outcome = .failure(error)
    }
    let kept = lastGood.kept
    if case .success = outcome { lastGood.commit() }
    state.withLock { state in
      state.tried = files
      switch outcome {
      case .success(let trust): note(good: trust, files, kept, in: &state, at: now)
      case .failure(let error): note(error, in: &state)
      }
      state.notices.append(
        (
          Activity("registry.consecutive-failures", [("source", ShownPath.of(path))]),
          Double(state.failures)
        ))
    }
  }

  private func note(_ error: TokenError, in state: inout State) {
    state.failures += 1
    state.lastError = error
    state.notices.append(
      (
        Activity(
          "registry.refused",
          [
            ("source", ShownPath.of(path)), ("code", error.code.rawValue),
            ("error", error.description),
          ]), nil
      ))
  }

  private func note(
    good trust: Trust, _ files: WatchedFiles, _ kept: [LastGoodFiles.Kept], in state: inout State,
    at now: Instant
  ) {
    let isNew = !(state.files.map { files.hasSameContent(as: $0, besides: kept) } ?? false)
    if let first = kept.first {
      let error =
        first.path == name
        ? first.error
        : TokenError(
          .trustFileReference, node: first.path, expected: first.error.expected,
          found: "\(first.error.code): \(first.error.message)")
      note(error, in: &state)
    } else {
      state.lastSuccess = now
      state.failures = 0
      state.lastError = nil
    }
    guard isNew else { return }
    state.files = files
    state.trust = trust
    state.generation += 1
    state.notices.append((Activity("registry.accepted", [("source", ShownPath.of(path))]), nil))
    state.notices += trust.passedOver.map { (.passedOver($0, of: ShownPath.of(path)), nil) }
    state.notices.append(
      (Activity("registry.issuers", [("source", ShownPath.of(path))]), Double(trust.issuers.count)))
  }
}
