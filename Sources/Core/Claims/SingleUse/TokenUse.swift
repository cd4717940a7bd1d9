import SecurityKeys
public import TokenBasics

/// One use of a token, a sign-in or a request that is good for one use.
public struct TokenUse: Sendable {
  /// When it came into being, by whose clock. A store that began later cannot know whether it was used.
  public enum Origin: Hashable, Sendable {
    /// Begun by this service, by the clock of a node.
    case begun(Instant)
    /// Issued by another party, by its clock; nil where it does not say when.
    case issued(Instant?)
  }

  /// What is used.
  public let identity: TokenIdentity
  /// When it came into being.
  public let origin: Origin
  /// The end of its validity as it states it, without skew.
  public let end: Instant
  /// Seconds after ``end`` during which it is accepted all the same.
  public let skew: Int64

  /// A use of something that is valid until `end`, and accepted for `skew` seconds more.
  public init(
    _ identity: TokenIdentity, _ origin: Origin, until end: Instant, skew: Int64 = 0
  ) {
    self.identity = identity
    self.origin = origin
    self.end = end
    self.skew = skew
  }

  /// The one use of a sign-in, which every node remembers until it has expired by the clock of each.
  package init(signIn state: String, begun: Instant, until end: Instant) {
    self.init(
      TokenIdentity(signIn: state), .begun(begun), until: end, skew: Self.clockDifference)
  }

  /// One attempt to renew what is due: of all nodes one makes it.
  package init(renewalOf name: String, due: Instant, attempt: Int64, at now: Instant) {
    self.init(
      TokenIdentity(renewalOf: "\(due.seconds):\(attempt):\(name)"), .begun(now),
      until: now.advanced(bySeconds: 60), skew: Self.clockDifference)
  }

  /// Seconds by which the clock of another node may be behind: 600, the largest skew that a trust may have.
  package static let clockDifference: Int64 = 600
}

/// The identity of a token for single use: issuer and identifier or, in a format without identifiers, the
/// signed octets. Not the whole message, because its envelope, the encoding of the signature and white space
/// can vary. Of an SD-JWT the signed octets always: its holder chooses whether the identifier is shown.
public struct TokenIdentity: Hashable, Sendable {
  /// A SHA-256 digest: nothing of the token can be learned from it.
  public let octets: [UInt8]

  /// The identity of a verified token.
  ///
  /// - Parameters:
  ///   - verified: The verified token.
  ///   - provider: The provider at which it is used, by its identifier in a service's configuration:
  ///     two providers of one issuer are asked apart. Nil for a service of one.
  public init<Token: SecurityToken>(_ verified: Verified<Token>, at provider: String? = nil) {
    let rest: [UInt8]
    if let id = verified.facts.tokenID, verified.token.format != .sdjwt {
      rest = Array("id".utf8) + Array(id.utf8)
    } else {
      let signed = verified.container?.token._signedOctets ?? verified.token._signedOctets
      rest = Array("octets".utf8) + signed
    }
    var text = PrefixedTexts.octets([verified.facts.issuer]) + rest
    if let provider { text = Array("at:\(PrefixedTexts.text(provider)):".utf8) + text }
    octets = Self.digest(text)
  }

  /// The identity of a sign-in that is finished once, which no token has.
  package init(signIn state: String) {
    octets = Self.digest(Array("sign-in:\(state)".utf8))
  }

  /// The identity of an attempt to renew something.
  package init(renewalOf name: String) { octets = Self.digest(Array("renewal:\(name)".utf8)) }

  private static func digest(_ text: [UInt8]) -> [UInt8] {
    DigestAlgorithm.sha256.digest(of: text) ?? text
  }
}
