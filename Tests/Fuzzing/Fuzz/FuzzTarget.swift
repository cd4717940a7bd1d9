import XMLOracle

/// One thing that is fuzzed: what it starts from, how inputs are changed, and what must hold of each.
protocol FuzzTarget: Sendable {
  /// Inputs to start from: name and octets.
  var seeds: [(name: String, octets: [UInt8])] { get }

  /// Does everything with an input that this target is about; ends the process when a property does
  /// not hold.
  func exercise(_ octets: [UInt8])

  /// A changed input that knows the structure; nil to leave it to libFuzzer's own mutations.
  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]?

  /// Two inputs made one; nil to leave it to libFuzzer.
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
    "xml": { XMLTreeTarget() },
    "c14n": { CanonicalizationTarget() },
    "signature": { SignatureTarget() },
    "saml": { SAMLTarget() },
    "wire": { WireTarget() },
    "metadata": { MetadataTarget() },
    "trustfile": { TrustFileTarget() },
  ]
}
