public import SecurityKeys
public import TokenErrors

/// Whom we trust and who we are: the long-lived half of a decision.
public struct Trust: Sendable {
  /// Who we are.
  public enum Audiences: Hashable, Sendable {
    /// The token must name one of these, byte for byte.
    case oneOf([String])
    /// Any audience, or none, will do.
    case any
  }

  public var issuers: [TrustedIssuer]
  public var audiences: Audiences
  /// Seconds by which the issuer's clock may differ from ours: 0 to 600.
  public private(set) var skew: Int
  /// How much work one token may cause.
  public var limits: Limits
  /// Our own keys, to which issuers encrypt; several for a rollover. Each is tried.
  public var decryptionKeys: [PrivateKey]

  /// Trusts `issuers`; tokens must be meant for one of `audiences`.
  public init(
    issuers: [TrustedIssuer], audiences: Audiences, limits: Limits = Limits(),
    decryptionKeys: [PrivateKey] = []
  ) {
    self.issuers = issuers
    self.audiences = audiences
    skew = Self.defaultSkew
    self.limits = limits
    self.decryptionKeys = decryptionKeys
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

  /// Seconds: 60. Clocks that are kept by NTP differ by far less.
  public static let defaultSkew = 60
  /// Seconds: a wider window than ten minutes is no clock error.
  public static let skewRange = 0...600
}
