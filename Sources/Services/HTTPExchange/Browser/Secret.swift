import Octets

/// Text that must not be displayed by accident: a password, a session token, a provider's access token.
///
/// Neither its description nor its mirror contains the text, and it is not `Codable`. Only ``revealed``
/// returns it, so that a search of the sources finds every use.
public struct Secret: Sendable, CustomStringConvertible, CustomReflectable {
  /// The text itself.
  public let revealed: String

  /// A secret with that text.
  public init(_ text: String) { revealed = text }

  /// Always `(secret)`.
  public var description: String { "(secret)" }

  /// Has no children, so that a dump does not show the text.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

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
