import Octets

/// Where unpredictable octets come from: the system's generator, or a test's.
public struct RandomOctets: Sendable {
  private let make: @Sendable (Int) -> [UInt8]

  /// The system's cryptographic generator.
  public init() {
    self.init { count in
      var generator = SystemRandomNumberGenerator()
      return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
  }

  /// Octets of the caller's making.
  public init(_ make: @escaping @Sendable (_ count: Int) -> [UInt8]) { self.make = make }

  func octets(_ count: Int) -> [UInt8] { make(count) }

  /// Twice as many lower-case hexadecimal digits.
  func hex(_ count: Int) -> String { Hex.encode(octets(count)) }
}
