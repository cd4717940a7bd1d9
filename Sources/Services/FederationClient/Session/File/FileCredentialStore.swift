import LocalFiles
import SecurityKeys
import Synchronization
public import TokenBasics

/// Stores credentials in one file, encrypted with AES-256-GCM.
///
/// The file has mode 0600 and is replaced as a whole, so that a crash leaves the old or the new content.
/// Reading changes and creates nothing. A lock file beside it (`….lock`) lets any number of processes
/// write: each change applies to the content that the others wrote. A file with the right beginning that
/// fails authentication is damaged: reading throws, and the next change renames it (`….damaged-1`). A file
/// under another key, and one that is no credential file, is not changed.
public final class FileCredentialStore: CredentialStore {
  private let file: AtomicFile
  private let key: StoreKey
  private let cost: Int
  private let patience: Duration
  // Deriving a key from a passphrase takes a third of a second, so the key is cached, once it has opened a
  // file or was made for a new one.
  private let derived = Mutex<(derivation: Scrypt, key: SealingKey)?>(nil)

  /// A store in the file at `path`, whose folder exists.
  public convenience init(path: String, key: StoreKey) {
    self.init(path: path, key: key, cost: Scrypt.defaultCost)
  }

  /// - Parameters:
  ///   - cost: The scrypt cost for a passphrase: the minimum for writing. The maximum for reading is this or
  ///     the default cost, whichever is higher.
  ///   - patience: The time limit for the lock.
  package init(path: String, key: StoreKey, cost: Int, patience: Duration = .seconds(5)) {
    file = AtomicFile(path: path)
    self.key = key
    self.cost = cost
    self.patience = patience
  }

  /// The content of the file; empty if there is no file.
  /// - Throws: `session.store-foreign`, `.store-damaged`, `.store-key`, `.store-key-source`,
  ///   `.store-cost`, `.store-version`, `.store-file`.
  public func read() throws(TokenError) -> StoredCredentials {
    try opened()?.content ?? StoredCredentials()
  }

  /// Changes the content under the lock. Writes nothing if `change` changes nothing.
  /// - Throws: What ``read()`` throws; `session.store-locked` if another program does not release the lock
  ///   within 5 s.
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

  /// Renames a damaged file, so that the next change begins with an empty store.
  /// - Returns: `kept as` and the new name; nil if the file is not damaged.
  /// - Throws: What ``update(_:)`` throws, except `session.store-damaged`.
  @discardableResult
  public func keepDamagedAside() throws(TokenError) -> String? {
    do throws(TokenError) { _ = try opened() } catch {
      guard error.code == .sessionStoreDamaged else { throw error }
      return try locked { () throws(TokenError) in
        // Another process may have renamed it meanwhile.
        do throws(TokenError) { _ = try opened() } catch { return try keptAside(error).found }
        return nil
      }
    }
    return nil
  }

  /// The maximum size of the file: 16 MiB.
  private static let limit = 1 << 24

  /// Opens the file before it takes the lock: a foreign file gets no lock file, and a key is derived from a
  /// passphrase while others may write.
  private func beforeLocking() throws(TokenError) {
    do throws(TokenError) { _ = try opened() } catch {
      guard error.code == .sessionStoreDamaged else { throw error }
    }
  }

  /// Runs `body` with the lock held.
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

  /// Renames the file if the error is damage; returns the error to throw. The caller holds the lock.
  private func keptAside(_ error: TokenError) throws(TokenError) -> TokenError {
    guard error.code == .sessionStoreDamaged else { return error }
    let aside = try naming { () throws(FileFailure) in try file.keepAside() }
    return TokenError(.sessionStoreDamaged, node: file.path, found: "kept as \(aside)")
  }

  /// The content of a file that was decrypted.
  private struct Opened {
    let content: StoredCredentials
    let derivation: Scrypt?
  }

  /// The content of the file; nil if there is none. Files are replaced as a whole, so reading needs no lock.
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
      // Content that no key and no version can read is damage.
      var named = error.code.family == "session" ? error : TokenError(.sessionStoreDamaged)
      named.node = error.code.family == "session" ? error.node ?? file.path : file.path
      throw named
    }
  }

  private func openingKey(for sealed: SealedContent) throws(TokenError) -> SealingKey {
    if let given = try key.sealingKey() {
      // A file for a passphrase does not open with a given key, and vice versa.
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

  /// The key for a file to be written. A derivation with less than the minimum cost is not reused.
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
