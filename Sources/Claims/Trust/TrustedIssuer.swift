import Octets
public import SecurityKeys

/// An issuer and the keys that vouch for it. Trust is in the pair, never in a pool of keys.
public struct TrustedIssuer: Sendable {
  /// Which tokens the keys vouch for.
  public enum Name: Hashable, Sendable {
    /// Those that name exactly this issuer, byte for byte.
    case exactly(String)
    /// Those of any issuer: whoever holds the key may call itself what it likes.
    case any
  }

  public var name: Name
  public var keys: [TrustedKey]
  /// The formats that the keys vouch for.
  public var formats: Set<TokenFormat>
  /// Which claims of this issuer are shown, and how.
  public var projection: ClaimProjection

  /// Trusts `keys` for tokens of these formats that name this issuer.
  public init(
    _ name: Name, keys: [TrustedKey], formats: Set<TokenFormat>, projection: ClaimProjection = .all
  ) {
    self.name = name
    self.keys = keys
    self.formats = formats
    self.projection = projection
  }

  /// Trusts `keys` for tokens of these formats that name `issuer`.
  public init(_ issuer: String, keys: [VerificationKey], formats: Set<TokenFormat>) {
    self.init(.exactly(issuer), keys: keys.map { TrustedKey($0) }, formats: formats)
  }

  package func isIssuer(_ issuer: String) -> Bool {
    switch name {
    case .exactly(let name): name.hasSameBytes(as: issuer)
    case .any: true
    }
  }
}
