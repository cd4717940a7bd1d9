/// A kind of token. An open set: later releases add values.
public struct TokenFormat: Hashable, Sendable, CustomStringConvertible {
  /// The name that the command, the trust file and reports use.
  public let name: String

  public var description: String { name }

  // There are so few that a comparison costs less than hashing the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name.utf8.count) }

  /// Simple Web Token.
  public static let swt = Self(name: "swt")
  /// A SAML 1.1 assertion, alone or in a response.
  public static let saml11 = Self(name: "saml11")
  /// A SAML 2.0 assertion, alone or in a response.
  public static let saml20 = Self(name: "saml20")
  /// JSON Web Token in compact form.
  public static let jwt = Self(name: "jwt")

  /// Every format.
  public static let all: [Self] = [.swt, .saml11, .saml20, .jwt]

  /// The format of that name.
  public init?(_ name: String) {
    guard let known = Self.all.first(where: { $0.name == name }) else { return nil }
    self = known
  }

  private init(name: String) { self.name = name }
}
