/// A kind of token. An open set: later releases add values.
public struct TokenFormat: Hashable, Sendable, CustomStringConvertible {
  private enum Known: UInt8 {
    case swt
    case saml11
    case saml20
    case jwt
  }

  private let known: Known

  /// One bit for each format.
  var bit: UInt8 { 1 << known.rawValue }

  /// The name that the command, the trust file and reports use.
  public var name: String {
    switch known {
    case .swt: "swt"
    case .saml11: "saml11"
    case .saml20: "saml20"
    case .jwt: "jwt"
    }
  }

  /// ``name``.
  public var description: String { name }

  /// Simple Web Token.
  public static let swt = Self(known: .swt)
  /// A SAML 1.1 assertion, alone or in a response.
  public static let saml11 = Self(known: .saml11)
  /// A SAML 2.0 assertion, alone or in a response.
  public static let saml20 = Self(known: .saml20)
  /// JSON Web Token in compact form.
  public static let jwt = Self(known: .jwt)

  /// Every format.
  public static let all: [Self] = [.swt, .saml11, .saml20, .jwt]

  /// The format of that name.
  public init?(_ name: String) {
    guard let known = Self.all.first(where: { $0.name == name }) else { return nil }
    self = known
  }

  private init(known: Known) { self.known = known }
}
