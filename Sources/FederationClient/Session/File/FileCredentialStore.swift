import LocalFiles
import SecurityKeys
import Synchronization
public import TokenErrors

/// Keeps credentials in one file, sealed with AES-256-GCM.
///
/// The file has mode 0600 and is replaced as a whole, so that a crash leaves the old or the new content.
/// A lock file beside it (`….lock`) lets any number of processes read and write: each change is made to
/// what the others wrote. A damaged file is reported once and kept aside under another name
/// (`….damaged-1`); a file under another key is left alone.
public final class FileCredentialStore: CredentialStore {
  private let file: AtomicFile
  private let key: StoreKey
  private let cost: Int
  // Making a key of a passphrase takes a third of a second: once is enough.
  private let derived = Mutex<(derivation: Scrypt, key: SealingKey)?>(nil)

  /// A store in the file at `path`, whose folder exists.
  public convenience init(path: String, key: StoreKey) {
    self.init(path: path, key: key, cost: Scrypt.defaultCost)
  }

  package init(path: String, key: StoreKey, cost: Int) {
    file = AtomicFile(path: path)
    self.key = key
    self.cost = cost
  }

  public func read() throws(TokenError) -> StoredCredentials {
    try locked { () throws(TokenError) in try current() }
  }

  @discardableResult
  public func update(
    _ change: @Sendable (inout StoredCredentials) throws(TokenError) -> Void
  ) throws(TokenError) -> StoredCredentials {
    try locked { () throws(TokenError) in
      var content = try current()
      try change(&content)
      let (key, derivation) = try sealingKey(for: nil)
      guard let sealed = SealedContent(sealing: content.json, key: key, derivation: derivation)
      else { throw TokenError(.sessionStoreFile, node: file.path, found: "no encryption") }
      try naming { () throws(FileFailure) in try file.replace(with: sealed.octets) }
      return content
    }
  }

  /// 16 MiB.
  private static let limit = 1 << 24

  /// Runs `body` while nobody else on this machine does.
  private func locked<Value>(
    _ body: () throws(TokenError) -> Value
  ) throws(TokenError) -> Value {
    let lock = try naming { () throws(FileFailure) in try file.lock() }
    return try withExtendedLifetime(lock, body)
  }

  private func naming<Value>(
    _ body: () throws(FileFailure) -> Value
  ) throws(TokenError) -> Value {
    do throws(FileFailure) { return try body() } catch {
      throw error.error(.sessionStoreFile, file.path)
    }
  }

  /// What the file holds; the caller has the lock.
  private func current() throws(TokenError) -> StoredCredentials {
    let limit = Self.limit
    guard let octets = try naming({ () throws(FileFailure) in try file.read(limit: limit) }) else {
      return StoredCredentials()
    }
    guard octets.count <= limit else {
      throw TokenError(.sessionStoreFile, node: file.path, expected: "at most \(limit) bytes")
    }
    do throws(TokenError) {
      let sealed = try SealedContent(reading: octets)
      let (key, _) = try sealingKey(for: sealed)
      guard ConstantTime.areEqual(key.checkValue, sealed.keyCheck) else {
        throw TokenError(.sessionStoreKey, node: file.path)
      }
      guard let content = sealed.open(with: key) else { throw TokenError(.sessionStoreDamaged) }
      return try StoredCredentials(json: content)
    } catch {
      // Only what cannot be read by anybody is damage.
      guard error.code.family != "session" || error.code == .sessionStoreDamaged else {
        throw error
      }
      let aside = try naming { () throws(FileFailure) in try file.keepAside() }
      throw TokenError(.sessionStoreDamaged, node: file.path, found: "kept as \(aside)")
    }
  }

  /// The key for a file that is there, or for one that is to be written.
  private func sealingKey(
    for sealed: SealedContent?
  ) throws(TokenError) -> (SealingKey, Scrypt?) {
    if let given = try key.sealingKey() {
      // A file sealed with a passphrase does not open with a given key, and the other way round.
      guard sealed?.derivation == nil else {
        throw TokenError(.sessionStoreKey, node: file.path, expected: "a passphrase")
      }
      return (given, nil)
    }
    guard case .passphrase(let passphrase) = key else { throw TokenError(.sessionStoreKeySource) }
    let known = derived.withLock { $0 }
    if let sealed {
      guard let derivation = sealed.derivation else {
        throw TokenError(.sessionStoreKey, node: file.path, expected: "a key, not a passphrase")
      }
      if let known, known.derivation == derivation { return (known.key, derivation) }
      return try derive(derivation, from: passphrase)
    }
    if let known { return (known.key, known.derivation) }
    guard let derivation = Scrypt(cost: cost) else { throw TokenError(.sessionStoreKeySource) }
    return try derive(derivation, from: passphrase)
  }

  private func derive(
    _ derivation: Scrypt, from passphrase: Secret
  ) throws(TokenError) -> (SealingKey, Scrypt?) {
    guard let octets = derivation.derive(SealingKey.length, from: passphrase.revealed),
      let key = SealingKey(octets)
    else { throw TokenError(.sessionStoreKeySource, node: "passphrase", found: "no scrypt") }
    derived.withLock { $0 = (derivation, key) }
    return (key, derivation)
  }
}
