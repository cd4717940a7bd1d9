import COpenSSL
import Synchronization
public import TokenBasics

/// A shared secret, for HMAC (RFC 2104) or as the key of a cipher. Its bytes cannot be read back, printed or logged.
public struct SymmetricKey: Sendable {
  private let storage: Storage

  /// A secret of any length above zero. Keys under 32 bytes verify nothing unless
  /// ``LegacyException/hmacShortKey`` is allowed.
  ///
  /// - Throws: `key.hmac-length` for an empty one.
  public init(bytes: [UInt8]) throws(TokenError) {
    guard !bytes.isEmpty else {
      throw TokenError(.hmacKeyLength, expected: "32 bytes or more", found: "0 bytes")
    }
    storage = Storage(bytes)
  }

  private init(_ storage: Storage) { self.storage = storage }

  /// The same key with contexts of its own.
  func uncontendedCopy() -> Self { Self(Storage(storage.bytes)) }

  /// Length in bytes.
  public var byteCount: Int { storage.bytes.count }

  /// The key itself, for ciphers of this module.
  var octets: [UInt8] { storage.bytes }

  /// SHA-256 of the key, for telling keys apart.
  package var digest: [UInt8] { DigestAlgorithm.sha256.digest(of: storage.bytes) ?? [] }

  /// The MAC of `message`, or nil when OpenSSL fails.
  package func authenticate(_ message: Span<UInt8>, with digest: DigestAlgorithm) -> [UInt8]? {
    storage.authenticate(message, digest)
  }

  /// Whether `mac` is the MAC of `message`; compared in constant time.
  package func isMAC(
    _ mac: Span<UInt8>, of message: Span<UInt8>, with digest: DigestAlgorithm
  ) -> Bool {
    storage.isMAC(mac, message, digest)
  }

  private final class Storage: Sendable {
    let bytes: [UInt8]
    /// The context of SHA-256, which nearly every token uses; used in place, not taken out.
    private let usual = Mutex<MACContext?>(nil)
    /// Contexts of other digests, and those for threads that find the usual one in use.
    private let pool = ContextPool<DigestAlgorithm, MACContext>()

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func authenticate(_ message: Span<UInt8>, _ digest: DigestAlgorithm) -> [UInt8]? {
      withContext(digest) { $0.authenticate(message, length: digest.length) } ?? nil
    }

    func isMAC(_ mac: Span<UInt8>, _ message: Span<UInt8>, _ digest: DigestAlgorithm) -> Bool {
      withContext(digest) { $0.isMAC(mac, of: message, length: digest.length) } ?? false
    }

    @inline(__always)
    private func withContext<Result: Sendable>(
      _ digest: DigestAlgorithm, _ body: (MACContext) -> Result
    ) -> Result? {
      if digest == .sha256 {
        let result = usual.withLockIfAvailable { usual -> Result? in
          if usual == nil { usual = MACContext(key: bytes, digest: digest) }
          return usual.map(body)
        }
        if let result { return result }
      }
      return withPooledContext(digest, body)
    }

    private func withPooledContext<Result: Sendable>(
      _ digest: DigestAlgorithm, _ body: (MACContext) -> Result
    ) -> Result? {
      guard let context = pool.take(digest) ?? MACContext(key: bytes, digest: digest) else {
        return nil
      }
      defer { pool.give(context, for: digest) }
      return body(context)
    }
  }
}

/// An `EVP_MAC_CTX` that retains its key: initialising it again takes a third of the time of a new one.
///
/// Used by one thread at a time (``ContextPool`` lends it to one), hence Sendable.
@safe private final class MACContext: @unchecked Sendable {
  private let pointer: OpaquePointer

  init?(key: [UInt8], digest: DigestAlgorithm) {
    guard let mac = unsafe Self.hmac.pointer, let pointer = unsafe EVP_MAC_CTX_new(mac) else {
      return nil
    }
    unsafe self.pointer = pointer
    // OpenSSL 3 uses these names of digests; the buffer must outlive the call only.
    var name = Array(digest.rawValue.utf8CString)
    let status = unsafe name.withUnsafeMutableBufferPointer { name in
      var parameters = unsafe [
        cossl_mac_digest(name.baseAddress),
        OSSL_PARAM_construct_end(),
      ]
      return unsafe EVP_MAC_init(pointer, key, key.count, &parameters)
    }
    guard status == 1 else {
      ErrorQueue.clear()
      return nil
    }
  }

  deinit { unsafe EVP_MAC_CTX_free(pointer) }

  func authenticate(_ message: Span<UInt8>, length: Int) -> [UInt8]? {
    let mac = unsafe [UInt8](unsafeUninitializedCapacity: length) { output, count in
      count = unsafe authenticate(message, into: output)
    }
    return mac.count == length ? mac : nil
  }

  /// Compares in constant time with a MAC on the stack.
  func isMAC(_ mac: Span<UInt8>, of message: Span<UInt8>, length: Int) -> Bool {
    guard mac.count == length else { return false }
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { output in
      guard unsafe authenticate(message, into: output) == length else { return false }
      return unsafe mac.withUnsafeBufferPointer { mac in
        unsafe CRYPTO_memcmp(output.baseAddress, mac.baseAddress, length) == 0
      }
    }
  }

  /// Returns how many bytes were written, 0 when OpenSSL fails.
  private func authenticate(
    _ message: Span<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var written = 0
    let isDone = unsafe message.withUnsafeBufferPointer { message in
      unsafe EVP_MAC_init(pointer, nil, 0, nil) == 1
        && EVP_MAC_update(pointer, message.baseAddress, message.count) == 1
        && EVP_MAC_final(pointer, output.baseAddress, &written, output.count) == 1
    }
    guard isDone else {
      ErrorQueue.clear()
      return 0
    }
    return written
  }

  /// Fetched once and retained; immutable.
  @safe private struct Implementation: @unchecked Sendable {
    let pointer: OpaquePointer?
  }
  private static let hmac = unsafe Implementation(pointer: EVP_MAC_fetch(nil, "HMAC", nil))
}
