import Octets
public import SecurityKeys
import Synchronization
public import TokenBasics

/// The issuers that are trusted and the audiences that we are: the long-lived half of a decision.
public struct Trust: Sendable {
  /// The audiences for which tokens are accepted.
  public enum Audiences: Hashable, Sendable {
    /// The token must name one of these, byte for byte.
    case oneOf([String])
    /// Any audience, or none, will do.
    case any
  }

  /// The trusted issuers with their keys. One issuer has one source of keys: entries that name it in the
  /// configuration decide alone, then entries of metadata, then entries for any issuer. Two entries of
  /// one source that vouch for the same format refuse its tokens (`issuer.ambiguous`).
  public var issuers: [TrustedIssuer] {
    get { parts.value.issuers }
    set {
      parts.value.issuers = newValue
      parts.value.index = IssuerIndex()
    }
  }

  /// The audiences for which tokens are accepted.
  public var audiences: Audiences {
    get { parts.value.audiences }
    set { parts.value.audiences = newValue }
  }

  /// Seconds by which the issuer's clock may differ from ours: 0 to 600.
  public private(set) var skew: Int {
    get { parts.value.skew }
    set { parts.value.skew = newValue }
  }

  /// Bounds of the work for one token.
  public var limits: Limits {
    get { parts.value.limits }
    set { parts.value.limits = newValue }
  }

  /// Our keys, for which issuers encrypt; several during a rollover. Each that fits is tried.
  public var decryptionKeys: [DecryptionKey] {
    get { parts.value.decryptionKeys }
    set { parts.value.decryptionKeys = newValue }
  }

  /// The algorithms of which an encrypted JSON Web Token may name one.
  public var encryptionAlgorithms: EncryptionAlgorithms {
    get { parts.value.encryptionAlgorithms }
    set { parts.value.encryptionAlgorithms = newValue }
  }

  /// The private keys among ``decryptionKeys``, which decrypt SAML.
  package var privateKeys: [PrivateKey] { decryptionKeys.compactMap(\.privateKey) }

  /// Why keys of its sources are passed over, each with the source and its place there: for a
  /// health endpoint or a message at start. Nothing is decided by it.
  public var passedOver: [TokenError] {
    get { parts.value.passedOver }
    set { parts.value.passedOver = newValue }
  }

  /// Issuers that a registry with a network has to fetch or ask; they verify nothing here.
  public var remoteIssuers: [RemoteIssuer] {
    get { parts.value.remoteIssuers }
    set { parts.value.remoteIssuers = newValue }
  }

  private struct Parts: Sendable {
    var remoteIssuers: [RemoteIssuer] = []
    var passedOver: [TokenError] = []
    var issuers: [TrustedIssuer]
    var index = IssuerIndex()
    var audiences: Audiences
    var skew: Int
    var limits: Limits
    var decryptionKeys: [DecryptionKey]
    var encryptionAlgorithms = Trust.everyEncryption
  }

  private var parts: Shared<Parts>

  /// Made once: a trust may be made for each token.
  private static let everyEncryption = EncryptionAlgorithms()

  /// Trusts `issuers`; tokens must be meant for one of `audiences`.
  public init(
    issuers: [TrustedIssuer], audiences: Audiences, limits: Limits = Limits(),
    decryptionKeys: [DecryptionKey] = []
  ) {
    parts = Shared(
      Parts(
        issuers: issuers, audiences: audiences, skew: Self.defaultSkew, limits: limits,
        decryptionKeys: decryptionKeys))
  }

  /// The positions of the entries that name `issuer`, a name in UTF-8, or any issuer.
  func places(naming issuer: ArraySlice<UInt8>) -> [Int] {
    let issuers = issuers
    // For a few entries the index costs more than the comparisons.
    guard issuers.count > 8 else { return issuers.indices.filter { issuers[$0].isIssuer(issuer) } }
    return parts.value.index.places(of: issuer, in: issuers)
  }

  /// As ``init(issuers:audiences:limits:decryptionKeys:)``, with another ``skew``.
  ///
  /// - Throws: `policy.limit` for a skew outside 0 to 600 seconds.
  public init(
    issuers: [TrustedIssuer], audiences: Audiences, skew: Int, limits: Limits = Limits(),
    decryptionKeys: [DecryptionKey] = []
  ) throws(TokenError) {
    self.init(
      issuers: issuers, audiences: audiences, limits: limits, decryptionKeys: decryptionKeys)
    try setSkew(skew)
  }

  /// Sets ``skew``.
  ///
  /// - Throws: `policy.limit` outside 0 to 600.
  public mutating func setSkew(_ seconds: Int) throws(TokenError) {
    guard Self.skewRange.contains(seconds) else {
      throw TokenError(
        .limitOutOfRange, node: "skew", expected: "0 to 600 seconds", found: "\(seconds)")
    }
    skew = seconds
  }

  /// A copy that shares no reference counts or locks of keys with this one. Threads that share them slow
  /// each other down.
  package func uncontendedCopy() -> Trust {
    var copy = self
    copy.issuers = issuers.map { $0.mappingKeys { $0.uncontendedCopy() } }
    return copy
  }

  /// Seconds: 60. Clocks that are kept by NTP differ by far less.
  public static let defaultSkew = 60
  /// Seconds: a wider window than ten minutes is no clock error.
  public static let skewRange = 0...600
}

extension Trust {
  /// The entries that speak for `issuer`, a name in UTF-8. Only the highest-ranking source counts, so that
  /// a name in metadata does not add keys to an issuer that the configuration pins.
  package func entries(for issuer: ArraySlice<UInt8>) -> [TrustedIssuer] {
    var entries: [TrustedIssuer] = []
    forEachEntry(for: issuer) { entries.append($0) }
    return entries
  }

  /// Calls `body` with each of ``entries(for:)``, without a list of them.
  func forEachEntry(for issuer: ArraySlice<UInt8>, _ body: (TrustedIssuer) -> Void) {
    let issuers = issuers
    let places = places(naming: issuer)
    var best = Rank.any
    for place in places { best = max(best, Rank(issuers[place])) }
    for place in places where Rank(issuers[place]) == best { body(issuers[place]) }
  }

  /// The names that metadata describes although the configuration pins them: their metadata is not used.
  package var namesPinnedAgainstMetadata: [String] {
    let pinned = Set(
      issuers.compactMap { entry -> [UInt8]? in
        guard entry.source == .configuration, case .exactly(let name) = entry.name else {
          return nil
        }
        return Array(name.utf8)
      })
    guard !pinned.isEmpty else { return [] }
    return issuers.compactMap { entry in
      guard entry.source == .metadata, case .exactly(let name) = entry.name,
        pinned.contains(Array(name.utf8))
      else { return nil }
      return name
    }
  }

  /// How an entry ranks among those that speak for one issuer.
  private enum Rank: Int, Comparable {
    case any
    case metadata
    case pinned

    init(_ entry: TrustedIssuer) {
      switch (entry.name, entry.source) {
      case (.any, _): self = .any
      case (.exactly, .metadata): self = .metadata
      case (.exactly, .configuration): self = .pinned
      }
    }

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }
}

/// The result of looking in a ``Trust`` for the entry that vouches for tokens of an issuer.
enum IssuerMatch {
  /// The one entry whose keys vouch for the issuer's tokens of the format.
  case entry(TrustedIssuer)
  /// No entry names the issuer.
  case untrusted
  /// Entries name the issuer, but none has a key for the format.
  case noKey
  /// So many entries of one source vouch for the format.
  case ambiguous(Int)
}

extension Trust {
  /// Looks for the entry that vouches for tokens of `issuer`, a name in UTF-8, in `format`.
  func match(_ issuer: ArraySlice<UInt8>, _ format: TokenFormat) -> IssuerMatch {
    // An empty trust lacks keys; that it lacks the issuer as well is no news.
    var isNamed = issuers.isEmpty
    var vouching: TrustedIssuer?
    var count = 0
    forEachEntry(for: issuer) { entry in
      isNamed = true
      guard entry.vouches(for: format), !entry.keys.isEmpty else { return }
      count += 1
      vouching = vouching ?? entry
    }
    guard isNamed else { return .untrusted }
    guard let vouching else { return .noKey }
    return count == 1 ? .entry(vouching) : .ambiguous(count)
  }
}

/// The positions of entries by the issuer that they name, built for the first token: a file of metadata has
/// thousands of entries, and each token names one.
final class IssuerIndex: Sendable {
  /// By octets: strings of different octets can be equal.
  private let places = Mutex<[ArraySlice<UInt8>: [Int]]?>(nil)

  /// The positions of the entries for `issuer`, a name in UTF-8, and of those for any issuer, in order.
  func places(of issuer: ArraySlice<UInt8>, in entries: [TrustedIssuer]) -> [Int] {
    places.withLock { places in
      let known = places ?? Self.places(entries)
      places = known
      let named = known[issuer, default: []]
      // No issuer has an empty name.
      let any = known[[], default: []]
      return any.isEmpty ? named : (named + any).sorted()
    }
  }

  private static func places(_ entries: [TrustedIssuer]) -> [ArraySlice<UInt8>: [Int]] {
    var places: [ArraySlice<UInt8>: [Int]] = [:]
    for (place, entry) in entries.enumerated() {
      switch entry.name {
      case .exactly(let name): places[Array(name.utf8)[...], default: []].append(place)
      case .any: places[[], default: []].append(place)
      }
    }
    return places
  }
}
