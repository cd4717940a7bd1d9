import Octets

/// Where unpredictable octets come from: the system's generator, or a test's.
public struct RandomOctets: Sendable {
  private let make: @Sendable (Int) -> [UInt8]

  /// The system's cryptographic generator.
  public init() { self.init(SystemRandom.octets) }

  /// Octets of the caller's making.
  public init(_ make: @escaping @Sendable (_ count: Int) -> [UInt8]) { self.make = make }

  package func octets(_ count: Int) -> [UInt8] { make(count) }

  /// Twice as many lower-case hexadecimal digits.
  package func hex(_ count: Int) -> String { Hex.encode(octets(count)) }
}
