import LocalFiles
import SecurityKeys
import Synchronization
public import TokenErrors

/// Keeps credentials in one file, sealed with AES-256-GCM.
///
/// The file has mode 0600 and is replaced as a whole, so that a crash leaves the old or the new content.
/// To read it changes and creates nothing. A lock file beside it (`….lock`) lets any number of processes
/// write: each change is made to what the others wrote. A file that begins as one of credentials and fails
/// its seal is damaged: reading says so, and the next change keeps it aside under another name
/// (`….damaged-1`). A file under another key, and one that is no file of credentials, is left alone.
public final class FileCredentialStore: CredentialStore {
  private let file: AtomicFile
  private let key: StoreKey
  private let cost: Int
  private let patience: Duration
  // Making a key of a passphrase takes a third of a second: once is enough. Only a key that opened a file,
  // or that was made here, is kept.
  private let derived = Mutex<(derivation: Scrypt, key: SealingKey)?>(nil)

  /// A store in the file at `path`, whose folder exists.
  public convenience init(path: String, key: StoreKey) {
    self.init(path: path, key: key, cost: Scrypt.defaultCost)
  }

  /// - Parameters:
  ///   - cost: Of a passphrase: what is written takes at least that, and what is read at most that or
  ///     the usual cost, whichever is more.
  ///   - patience: How long to wait for the lock.
  package init(path: String, key: StoreKey, cost: Int, patience: Duration = .seconds(5)) {
    file = AtomicFile(path: path)
    self.key = key
    self.cost = cost
    self.patience = patience
  }

  /// What the file holds; nothing where there is none.
  /// - Throws: `session.store-foreign`, `.store-damaged`, `.store-key`, `.store-key-source`,
  ///   `.store-cost`, `.store-version`, `.store-file`.
  public func read() throws(TokenError) -> StoredCredentials {
    try opened()?.content ?? StoredCredentials()
  }

  /// A change that leaves everything as it is writes nothing.
  /// - Throws: What ``read()`` throws; `session.store-locked` where another program does not let go of the
  ///   lock for 5 s.
  @discardableResult
  public func update(
    _ change: @Sendable (inout StoredCredentials) throws(TokenError) -> Void
  ) throws(TokenError) -> StoredCredentials {
    try beforeLocking()
    return try locked { () throws(TokenError) in
      let before: Opened?
      do throws(TokenError) { before = try opened() } catch { throw try keptAside(error) }
      var content = before?.content ?? StoredCredentials()
      let former = before.map(\.content.json)
      try change(&content)
      let json = content.json
      guard json != former else { return content }
      let (key, derivation) = try sealingKey(after: before)
      guard let sealed = SealedContent(sealing: json, key: key, derivation: derivation)
      else { throw TokenError(.sessionStoreFile, node: file.path, found: "no encryption") }
      try naming { () throws(FileFailure) in try file.replace(with: sealed.octets) }
      return content
    }
  }

  /// Gives a damaged file another name, so that the next change begins anew.
  /// - Returns: That name; nil where the file is not damaged.
  /// - Throws: What ``update(_:)`` throws, but for `session.store-damaged`.
  @discardableResult
  public func keepDamagedAside() throws(TokenError) -> String? {
    do throws(TokenError) { _ = try opened() } catch {
      guard error.code == .sessionStoreDamaged else { throw error }
      return try locked { () throws(TokenError) in
        // Another process may have done it meanwhile.
        do throws(TokenError) { _ = try opened() } catch { return try keptAside(error).found }
        return nil
      }
    }
    return nil
  }

  /// 16 MiB.
  private static let limit = 1 << 24

  /// A file that is none of credentials gets no lock beside it, and a passphrase becomes a key while
  /// others may write.
  private func beforeLocking() throws(TokenError) {
    do throws(TokenError) { _ = try opened() } catch {
      guard error.code == .sessionStoreDamaged else { throw error }
    }
  }

  /// Runs `body` while nobody else on this machine does.
  private func locked<Value>(
    _ body: () throws(TokenError) -> Value
  ) throws(TokenError) -> Value {
    let patience = patience
    guard let lock = try naming({ () throws(FileFailure) in try file.lock(for: patience) }) else {
      throw TokenError(
        .sessionStoreLocked, node: file.path + ".lock", expected: "a free lock within \(patience)")
    }
    return try withExtendedLifetime(lock, body)
  }

  private func naming<Value>(
    _ body: () throws(FileFailure) -> Value
  ) throws(TokenError) -> Value {
    do throws(FileFailure) { return try body() } catch {
      throw error.error(.sessionStoreFile, file.path)
    }
  }

  /// Keeps the file aside where the error is damage; answers the error to throw. The caller has the lock.
  private func keptAside(_ error: TokenError) throws(TokenError) -> TokenError {
    guard error.code == .sessionStoreDamaged else { return error }
    let aside = try naming { () throws(FileFailure) in try file.keepAside() }
    return TokenError(.sessionStoreDamaged, node: file.path, found: "kept as \(aside)")
  }

  /// A file that opened.
  private struct Opened {
    let content: StoredCredentials
    let derivation: Scrypt?
  }

  /// What the file holds; nil where there is none. A file is replaced as a whole: to read needs no lock.
  private func opened() throws(TokenError) -> Opened? {
    let limit = Self.limit
    guard let octets = try naming({ () throws(FileFailure) in try file.read(limit: limit) }) else {
      return nil
    }
    guard octets.count <= limit else {
      throw TokenError(.sessionStoreFile, node: file.path, expected: "at most \(limit) bytes")
    }
    do throws(TokenError) {
      let sealed = try SealedContent(reading: octets, cost: max(cost, Scrypt.defaultCost))
      let key = try openingKey(for: sealed)
      guard ConstantTime.areEqual(key.checkValue, sealed.keyCheck) else {
        throw TokenError(.sessionStoreKey)
      }
      guard let content = sealed.open(with: key) else { throw TokenError(.sessionStoreDamaged) }
      let stored = try StoredCredentials(json: content)
      if let derivation = sealed.derivation { derived.withLock { $0 = (derivation, key) } }
      return Opened(content: stored, derivation: sealed.derivation)
    } catch {
      // What cannot be read by anybody is damage.
      var named = error.code.family == "session" ? error : TokenError(.sessionStoreDamaged)
      named.node = error.code.family == "session" ? error.node ?? file.path : file.path
      throw named
    }
  }

  private func openingKey(for sealed: SealedContent) throws(TokenError) -> SealingKey {
    if let given = try key.sealingKey() {
      // A file sealed with a passphrase does not open with a given key, and the other way round.
      guard sealed.derivation == nil else {
        throw TokenError(.sessionStoreKey, expected: "a passphrase")
      }
      return given
    }
    guard let derivation = sealed.derivation else {
      throw TokenError(.sessionStoreKey, expected: "a key, not a passphrase")
    }
    return try derive(derivation)
  }

  /// The key for a file that is to be written. One that costs less than it should is not used again.
  private func sealingKey(after before: Opened?) throws(TokenError) -> (SealingKey, Scrypt?) {
    if let given = try key.sealingKey() { return (given, nil) }
    if let derivation = before?.derivation, derivation.cost >= cost {
      return (try derive(derivation), derivation)
    }
    guard let derivation = Scrypt(cost: cost) else { throw TokenError(.sessionStoreKeySource) }
    let key = try derive(derivation)
    derived.withLock { $0 = (derivation, key) }
    return (key, derivation)
  }

  private func derive(_ derivation: Scrypt) throws(TokenError) -> SealingKey {
    if let known = derived.withLock({ $0 }), known.derivation == derivation { return known.key }
    guard case .passphrase(let passphrase) = key,
      let octets = derivation.derive(SealingKey.length, from: passphrase.revealed),
      let key = SealingKey(octets)
    else { throw TokenError(.sessionStoreKeySource, node: "passphrase", found: "no scrypt") }
    return key
  }
}
