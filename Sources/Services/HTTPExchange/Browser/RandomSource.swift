import Octets

/// A source of unpredictable octets: the system's generator, or a fixed one in tests.
public struct RandomSource: Sendable {
  private let make: @Sendable (Int) -> [UInt8]

  /// The system's cryptographic generator.
  public init() { self.init(SystemRandom.octets) }

  /// A source that calls `make`, which must return `count` octets.
  public init(_ make: @escaping @Sendable (_ count: Int) -> [UInt8]) { self.make = make }

  package func octets(_ count: Int) -> [UInt8] { make(count) }

  /// `count` octets as twice as many lower-case hexadecimal digits.
  package func hex(_ count: Int) -> String { Hex.encode(octets(count)) }
}
