import Octets

/// Whose claims a rule looks at.
public enum RuleIssuer: Hashable, Sendable {
  /// An identity provider's, by the value of its identity provider claim, such as `Google`.
  case provider(String)
  /// Those that other rules gave: Access Control Service itself.
  case service

  /// The provider's name; nil for the service itself.
  public var name: String? {
    switch self {
    case .provider(let name): name
    case .service: nil
    }
  }

  /// By octets, as claims are compared.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.provider(let one), .provider(let other)): one.hasSameBytes(as: other)
    case (.service, .service): true
    case (.provider, .service), (.service, .provider): false
    }
  }
}
