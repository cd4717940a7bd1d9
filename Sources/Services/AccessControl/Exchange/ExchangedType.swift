import Federation
import Octets
package import SignIn
import TokenBasics

/// A kind of token, as token exchange names it (RFC 8693, 3).
package enum ExchangedType: Hashable, CaseIterable {
  case saml20
  case saml11
  case swt
  case jwt
  case idToken
  case accessToken
  /// What another authorization server takes for a grant (Identity Assertion JWT Authorization Grant, 4).
  case grant

  /// Its URI.
  package var uri: String {
    switch self {
    case .saml20: Self.prefix + "saml2"
    case .saml11: Self.prefix + "saml1"
    case .swt: TokenTypeURI.swt
    case .jwt: Self.prefix + "jwt"
    case .idToken: Self.prefix + "id_token"
    case .accessToken: Self.prefix + "access_token"
    case .grant: Self.prefix + "id-jag"
    }
  }

  private static let prefix = "urn:ietf:params:oauth:token-type:"

  /// - Throws: `exchange.token-type`.
  init(uri: String, of parameter: String) throws(TokenError) {
    guard let known = Self.allCases.first(where: { $0.uri.hasSameBytes(as: uri) }) else {
      throw TokenError(
        .exchangeTokenType, node: parameter,
        expected: Self.allCases.map(\.uri).joined(separator: ", "),
        found: TokenError.excerpt(uri))
    }
    self = known
  }

  /// The kind of a token that is issued in a format.
  init(_ format: TokenFormat) {
    switch format {
    case .swt: self = .swt
    case .jwt: self = .jwt
    case .saml11: self = .saml11
    default: self = .saml20
    }
  }

  /// The format in which it is issued; nil for what only clients and authorization servers read.
  var format: TokenFormat? {
    switch self {
    case .saml20: .saml20
    case .saml11: .saml11
    case .swt: .swt
    case .jwt: .jwt
    case .idToken, .accessToken, .grant: nil
    }
  }

  /// As what a subject or an actor token of this kind is read; nil for a grant, which is none.
  package var presented: PresentedToken.Kind? {
    switch self {
    case .saml20: .saml20
    case .saml11: .saml11
    case .swt: .swt
    case .jwt, .accessToken: .jwt
    case .idToken: .idToken
    case .grant: nil
    }
  }

  private var isAssertion: Bool { self == .saml20 || self == .saml11 }

  /// The octets of a token as it travels: assertions are base64url (RFC 8693, 3).
  ///
  /// - Throws: `exchange.token-type`.
  package func octets(of text: String) throws(TokenError) -> [UInt8] {
    guard isAssertion else { return Array(text.utf8) }
    guard let octets = try? Base64.decode(Array(text.utf8), .url) else {
      throw TokenError(.exchangeTokenType, expected: "an assertion in base64url without padding")
    }
    return octets
  }

  /// A token as it travels.
  func text(of octets: [UInt8]) -> String {
    isAssertion ? Base64.encode(octets, .url) : String(decoding: octets, as: UTF8.self)
  }
}
