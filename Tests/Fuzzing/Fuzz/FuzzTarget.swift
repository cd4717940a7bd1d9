import XMLOracle

/// One fuzz target: its seeds, its mutations, and its properties.
protocol FuzzTarget: Sendable {
  /// Inputs to start from: name and octets.
  var seeds: [(name: String, octets: [UInt8])] { get }

  /// Processes an input in every way of this target; ends the process when a property does not hold.
  func exercise(_ octets: [UInt8])

  /// A mutated input that respects the structure; nil to leave it to libFuzzer's own mutations.
  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]?

  /// Two inputs combined; nil to leave it to libFuzzer.
  func cross(_ first: [UInt8], _ second: [UInt8], _ random: inout SplitMix64) -> [UInt8]?
}

extension FuzzTarget {
  func cross(_ first: [UInt8], _ second: [UInt8], _ random: inout SplitMix64) -> [UInt8]? { nil }
}

/// The targets by name.
enum Targets {
  static let names = makers.keys.sorted()

  static func make(_ name: String) -> (any FuzzTarget)? { makers[name]?() }

  private static let makers: [String: @Sendable () -> any FuzzTarget] = [
    "swt": { SWTTarget() },
    "jwt": { JWTTarget() },
    "jwe": { EncryptedJWTTarget() },
    "sdjwt": { SDJWTTarget() },
    "xml": { XMLTreeTarget() },
    "c14n": { CanonicalizationTarget() },
    "signature": { SignatureTarget() },
    "saml": { SAMLTarget() },
    "wire": { WireTarget() },
    "metadata": { MetadataTarget() },
    "trustfile": { TrustFileTarget() },
    "browser": { BrowserTarget() },
    "gate": { GateTarget() },
    "openid": { OpenIDTarget() },
    "introspection": { IntrospectionTarget() },
    "ticket": { TicketTarget() },
    "acs": { AccessControlTarget() },
    "exchange": { ExchangeTarget() },
    "client": { ClientDescriptionTarget() },
    "signout": { SignOutTarget() },
    "redis": { RedisTarget() },
    "soap": { SOAPTarget() },
    "page": { PageTarget() },
    "capture": { CaptureTarget() },
  ]
}
