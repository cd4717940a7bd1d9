import Octets
public import SecurityKeys
import Synchronization

/// An issuer and the keys that vouch for it. Trust is in the pair, never in a pool of keys.
public struct TrustedIssuer: Sendable {
  /// Which tokens the keys vouch for.
  public enum Name: Hashable, Sendable {
    /// Those that name exactly this issuer, byte for byte.
    case exactly(String)
    /// Those of any issuer: the holder of a key can use any name.
    case any
  }

  /// Where the keys come from, which decides between two entries of one name.
  public enum Source: Hashable, Sendable {
    /// Keys that the configuration names for this issuer: the issuer is pinned to them.
    case configuration
    /// Keys that metadata lists; they are used only for issuers that are not pinned.
    case metadata
  }

  /// Whose tokens the keys vouch for.
  public var name: Name {
    get { parts.value.name }
    set { parts.value.name = newValue }
  }

  /// The keys. Those of metadata are decoded on first use; one that cannot be used is left out.
  public var keys: [TrustedKey] {
    get { parts.value.keys.all }
    set { parts.value.keys = .made(newValue) }
  }

  /// The exceptions of all keys.
  package var exceptions: Set<LegacyException> { parts.value.keys.exceptions }

  /// The formats that the keys vouch for.
  public var formats: Set<TokenFormat> {
    get { parts.value.formats }
    set { parts.value.formats = newValue }
  }

  /// Which claims of this issuer are shown, and how.
  public var projection: ClaimProjection {
    get { parts.value.projection }
    set { parts.value.projection = newValue }
  }

  /// Where the keys come from.
  public var source: Source {
    get { parts.value.source }
    set { parts.value.source = newValue }
  }

  /// How a service's configuration names the issuer, for rules and sessions; nil where it does not. It is no part
  /// of the trust.
  public var id: String? {
    get { parts.value.id }
    set { parts.value.id = newValue }
  }

  /// What bearer tokens of the issuer have to be, for services that take them. It is no part of the verdict on a token.
  public var accessTokens: AccessTokenRules {
    get { parts.value.accessTokens }
    set { parts.value.accessTokens = newValue }
  }

  private struct Parts: Sendable {
    var id: String?
    var accessTokens = AccessTokenRules()
    var name: Name
    var keys: IssuerKeys
    var formats: Set<TokenFormat> { didSet { formatBits = Self.bits(of: formats) } }
    /// The same as bits, for the look-up of each token.
    private(set) var formatBits: UInt8
    var projection: ClaimProjection
    var source: Source

    init(
      _ name: Name, _ keys: IssuerKeys, _ formats: Set<TokenFormat>,
      _ projection: ClaimProjection, _ source: Source
    ) {
      self.name = name
      self.keys = keys
      self.formats = formats
      formatBits = Self.bits(of: formats)
      self.projection = projection
      self.source = source
    }

    private static func bits(of formats: Set<TokenFormat>) -> UInt8 {
      formats.reduce(0) { $0 | $1.bit }
    }
  }

  private var parts: Shared<Parts>

  /// Trusts `keys` for tokens of these formats that name this issuer.
  public init(
    _ name: Name, keys: [TrustedKey], formats: Set<TokenFormat>,
    projection: ClaimProjection = .all, source: Source = .configuration
  ) {
    parts = Shared(Parts(name, .made(keys), formats, projection, source))
  }

  /// Trusts the keys that metadata lists for the issuer, which are decoded on first use.
  ///
  /// - Parameter exceptions: The exceptions of the keys; nil to read them from the decoded keys.
  package init(
    metadata issuer: String, formats: Set<TokenFormat>, projection: ClaimProjection,
    exceptions: Set<LegacyException>?, keys: @escaping @Sendable () -> [TrustedKey]
  ) {
    let keys = IssuerKeys.deferred(DeferredKeys(exceptions: exceptions, keys))
    parts = Shared(Parts(.exactly(issuer), keys, formats, projection, .metadata))
  }

  /// The same with each key changed by `change`, which adds `exceptions` to those of the keys. Keys that
  /// are not decoded yet are changed when they are.
  package func mappingKeys(
    adding exceptions: Set<LegacyException> = [],
    _ change: @escaping @Sendable (TrustedKey) -> TrustedKey
  ) -> Self {
    var copy = self
    copy.parts.value.keys = parts.value.keys.mapped(adding: exceptions, change)
    return copy
  }

  /// Trusts `keys` for tokens that name `issuer`.
  ///
  /// - Parameters:
  ///   - issuer: The name of the issuer, compared as bytes.
  ///   - keys: The keys of which one must have signed.
  ///   - formats: What the keys vouch for; default SAML and JWT for public keys, SWT for secrets.
  public init(_ issuer: String, keys: [VerificationKey], formats: Set<TokenFormat>? = nil) {
    let hasSecret = keys.contains(where: \.isSecret)
    self.init(
      .exactly(issuer), keys: keys.map { TrustedKey($0) },
      formats: formats ?? (hasSecret ? [.swt] : [.saml11, .saml20, .jwt]))
  }

  /// Trusts `keys`, such as those of a JWK set, for tokens that name `issuer`.
  ///
  /// - Parameters:
  ///   - issuer: The name of the issuer, compared as bytes.
  ///   - keys: The keys of which one must have signed.
  ///   - formats: What the keys vouch for; default JWT alone.
  public init(_ issuer: String, keys: [TrustedKey], formats: Set<TokenFormat> = [.jwt]) {
    self.init(.exactly(issuer), keys: keys, formats: formats)
  }

  /// One entry for each set of keys: keys that vouch for different formats end up in entries whose
  /// formats do not overlap.
  package static func entries(
    _ name: Name, keys: [(key: TrustedKey, formats: Set<TokenFormat>)],
    projection: ClaimProjection = .all
  ) -> [Self] {
    var entries: [(places: [Int], formats: Set<TokenFormat>)] = []
    for format in TokenFormat.all {
      let places = keys.indices.filter { keys[$0].formats.contains(format) }
      if places.isEmpty { continue }
      if let same = entries.firstIndex(where: { $0.places == places }) {
        entries[same].formats.insert(format)
      } else {
        entries.append((places, [format]))
      }
    }
    return entries.map { entry in
      TrustedIssuer(
        name, keys: entry.places.map { keys[$0].key }, formats: entry.formats,
        projection: projection)
    }
  }

  /// The keys, to find the one that made a signature.
  package var ring: KeyRing { KeyRing(keys) }

  /// Whether the keys vouch for tokens of the format.
  package func vouches(for format: TokenFormat) -> Bool { parts.value.formatBits & format.bit != 0 }

  package func isIssuer(_ issuer: String) -> Bool { isIssuer(Array(issuer.utf8)[...]) }

  /// As ``isIssuer(_:)-(String)``, in UTF-8.
  package func isIssuer(_ issuer: ArraySlice<UInt8>) -> Bool {
    switch name {
    case .exactly(let name): issuer.hasBytes(of: name)
    case .any: true
    }
  }
}

/// The keys of an issuer: decoded, or decoded when a token first names the issuer. An aggregate lists
/// thousands of issuers, and a run sees tokens of a few.
enum IssuerKeys: Sendable {
  case made([TrustedKey])
  case deferred(DeferredKeys)

  var all: [TrustedKey] {
    switch self {
    case .made(let keys): keys
    case .deferred(let keys): keys.all
    }
  }

  /// The exceptions of the keys.
  var exceptions: Set<LegacyException> {
    switch self {
    case .made(let keys): keys.reduce(into: []) { $0.formUnion($1.exceptions) }
    case .deferred(let keys): keys.exceptions ?? Self.made(keys.all).exceptions
    }
  }

  /// The same keys, each changed by `change`, which adds `exceptions` to theirs.
  func mapped(
    adding exceptions: Set<LegacyException> = [],
    _ change: @escaping @Sendable (TrustedKey) -> TrustedKey
  ) -> Self {
    switch self {
    case .made(let keys): .made(keys.map(change))
    case .deferred(let keys):
      .deferred(
        DeferredKeys(exceptions: keys.exceptions?.union(exceptions)) { keys.all.map(change) })
    }
  }
}

/// Keys that are decoded once, on first use.
final class DeferredKeys: Sendable {
  /// The exceptions of the keys, where they are known before the keys are decoded.
  let exceptions: Set<LegacyException>?
  private let make: @Sendable () -> [TrustedKey]
  private let made = Mutex<[TrustedKey]?>(nil)

  init(exceptions: Set<LegacyException>?, _ make: @escaping @Sendable () -> [TrustedKey]) {
    self.exceptions = exceptions
    self.make = make
  }

  var all: [TrustedKey] {
    made.withLock { made in
      let keys = made ?? make()
      made = keys
      return keys
    }
  }
}
