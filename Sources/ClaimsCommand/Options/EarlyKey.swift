import CAllocator
import Dispatch
import Federation
import SecurityKeys
import Synchronization

/// The first key that the arguments name, read and checked by another thread while they are parsed:
/// OpenSSL's start and its check of a key take longer than that.
///
/// The command may end with wrong usage while the thread is at it. So the thread only reads a file and
/// uses OpenSSL, which is told to have nothing done at the end.
final class EarlyKey: Sendable {
  private enum State: Sendable {
    case waiting
    case begun
    case made(Result<[TrustedKey], TokenError>)
  }

  private static let first = begun()

  private let specification: String
  private let state = Mutex(State.waiting)
  private let isMade = DispatchSemaphore(value: 0)

  private init(_ specification: String) { self.specification = specification }

  /// Begins, once.
  static func begin() { _ = first }

  /// The keys of a specification.
  static func keys(
    _ specification: String, _ files: ConfigurationFiles
  ) throws(TokenError) -> [TrustedKey] {
    guard let first, first.specification == specification else {
      return try KeySpecification.keys(specification, files: files)
    }
    return try first.keys()
  }

  private static func begun() -> EarlyKey? {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard let verb = arguments.first, verb == "verify" || verb == "explain" else { return nil }
    CryptographyLibrary.prepareForBriefUse()
    // Of many lines none waits for a key.
    if arguments.contains("--lines") { return nil }
    callocator_share()
    guard let specification = value(of: "--key", in: arguments) else {
      EarlyThread.start { CryptographyLibrary.useOnce() }
      return nil
    }
    let key = EarlyKey(specification)
    EarlyThread.start { key.make() }
    return key
  }

  private static func value(of option: String, in arguments: [String]) -> String? {
    for place in arguments.indices {
      if arguments[place] == option { return arguments.dropFirst(place + 1).first }
      if arguments[place].hasPrefix(option + "=") {
        return String(arguments[place].dropFirst(option.count + 1))
      }
    }
    return nil
  }

  /// The keys, made here and now if no thread has come to it, as on a busy machine.
  private func keys() throws(TokenError) -> [TrustedKey] {
    make()
    while true {
      if case .made(let result) = state.withLock({ $0 }) { return try result.get() }
      isMade.wait()
    }
  }

  /// Makes them, unless that was begun already.
  private func make() {
    let isFirst = state.withLock { state in
      guard case .waiting = state else { return false }
      state = .begun
      return true
    }
    guard isFirst else { return }
    let result = Result { () throws(TokenError) in
      try KeySpecification.keys(specification, files: ConfigurationFiles())
    }
    state.withLock { $0 = .made(result) }
    isMade.signal()
  }
}
