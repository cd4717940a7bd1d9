import COpenSSL
import Octets

/// A message digest that XML Signature names.
public enum DigestAlgorithm: String, CaseIterable, Hashable, Sendable {
  /// SHA-1, 20 bytes. Collisions are known since 2017: used only where it is allowed by name.
  case sha1
  /// SHA-256, 32 bytes (FIPS 180-4).
  case sha256
  /// SHA-384, 48 bytes (FIPS 180-4).
  case sha384
  /// SHA-512, 64 bytes (FIPS 180-4).
  case sha512

  /// The name that policies and reports use.
  public var name: String { rawValue }

  /// The `Algorithm` URI of `ds:DigestMethod` (RFC 9231).
  public var uri: String { spelledURI.description }

  private var spelledURI: StaticString {
    switch self {
    case .sha1: "http://www.w3.org/2000/09/xmldsig#sha1"
    case .sha256: "http://www.w3.org/2001/04/xmlenc#sha256"
    case .sha384: "http://www.w3.org/2001/04/xmldsig-more#sha384"
    case .sha512: "http://www.w3.org/2001/04/xmlenc#sha512"
    }
  }

  /// The algorithm with exactly this URI, byte for byte.
  package static func named(uri: Span<UInt8>) -> Self? {
    for algorithm in allCases where uri.hasBytes(of: algorithm.spelledURI) { return algorithm }
    return nil
  }

  /// Whether it may be used only where it is allowed by name.
  public var isLegacy: Bool { self == .sha1 }

  /// The length of a digest in bytes.
  public var length: Int {
    switch self {
    case .sha1: 20
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  /// The digest of `bytes`, or nil when OpenSSL refuses (a provider without the algorithm).
  package func value(of bytes: Span<UInt8>) -> Digest? {
    let value = Digest(count: length) { output in
      var written: UInt32 = 0
      let status = unsafe bytes.withUnsafeBufferPointer { bytes in
        unsafe output.withUnsafeMutableBufferPointer { output in
          unsafe EVP_Digest(
            bytes.baseAddress, bytes.count, output.baseAddress, &written, implementation.pointer,
            nil)
        }
      }
      return status == 1 && Int(written) == length
    }
    if value == nil { ErrorQueue.clear() }
    return value
  }

  /// As ``value(of:)``, in an array.
  package func digest(of bytes: [UInt8]) -> [UInt8]? { value(of: bytes.span)?.bytes }

  var implementation: Implementation {
    switch self {
    case .sha1: Implementation.sha1
    case .sha256: Implementation.sha256
    case .sha384: Implementation.sha384
    case .sha512: Implementation.sha512
    }
  }

  /// A fetched `EVP_MD`, retained for the life of the process: each fetch takes a microsecond and a
  /// lock. Immutable once fetched, so sharing it is safe.
  @safe struct Implementation: @unchecked Sendable {
    let pointer: OpaquePointer?
    init(_ name: String) { unsafe pointer = EVP_MD_fetch(nil, name, nil) }

    static let sha1 = Self("SHA1")
    static let sha256 = Self("SHA2-256")
    static let sha384 = Self("SHA2-384")
    static let sha512 = Self("SHA2-512")
  }
}

/// A digest of octets that come in parts.
@safe package struct RunningDigest: ~Copyable {
  private let algorithm: DigestAlgorithm
  private let context: OpaquePointer?
  private var isSound: Bool
  /// How many octets there were.
  package private(set) var count = 0

  package init(_ algorithm: DigestAlgorithm) {
    self.algorithm = algorithm
    unsafe context = EVP_MD_CTX_new()
    isSound =
      unsafe context != nil
      && EVP_DigestInit_ex2(context, algorithm.implementation.pointer, nil) == 1
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  /// Adds octets.
  package mutating func add(_ bytes: Span<UInt8>) {
    count += bytes.count
    guard isSound else { return }
    let status = unsafe bytes.withUnsafeBufferPointer {
      unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count)
    }
    isSound = status == 1
  }

  /// The digest, or nil where OpenSSL refused, as ``DigestAlgorithm/value(of:)`` does.
  package consuming func finish() -> Digest? {
    let value = Digest(count: algorithm.length) { output in
      guard isSound else { return false }
      var written: UInt32 = 0
      let status = unsafe output.withUnsafeMutableBufferPointer {
        unsafe EVP_DigestFinal_ex(context, $0.baseAddress, &written)
      }
      return status == 1 && Int(written) == algorithm.length
    }
    if value == nil { ErrorQueue.clear() }
    return value
  }
}

/// The value of a message digest, stored inline: a signature needs several, and none allocates.
package struct Digest: Sendable {
  private let octets: InlineArray<64, UInt8>
  package let count: Int

  /// A digest of `count` bytes, which `body` writes; nil when `body` returns false.
  init?(count: Int, _ body: (inout MutableSpan<UInt8>) -> Bool) {
    guard count <= 64 else { return nil }
    var octets = InlineArray<64, UInt8>(repeating: 0)
    var room = octets.mutableSpan
    guard body(&room) else { return nil }
    self.octets = octets
    self.count = count
  }

  /// A digest computed elsewhere; nil for more bytes than any has.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count <= 64 else { return nil }
    var octets = InlineArray<64, UInt8>(repeating: 0)
    var room = octets.mutableSpan
    Bytes.copy(bytes, to: &room)
    self.octets = octets
    count = bytes.count
  }

  /// Lends the bytes.
  package func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    body(octets.span.extracting(first: count))
  }

  /// The bytes as an array.
  package var bytes: [UInt8] { withBytes { bytes in bytes.indices.map { bytes[$0] } } }
}
