public import HTTPExchange
public import TokenBasics

/// The credential that a service expects with every request, and its scheme.
public struct Credential: Sendable {
  /// The header field and its syntax.
  public let scheme: CredentialScheme
  /// The credential itself, such as an access token, without the scheme's syntax.
  public let secret: Secret

  /// A credential in that scheme.
  public init(_ scheme: CredentialScheme, _ secret: Secret) {
    self.scheme = scheme
    self.secret = secret
  }

  /// Sets the credential's header field in the request and replaces an older value.
  /// - Throws: `transport.malformed-field` for a credential that is empty or not visible ASCII, or has
  ///   a quotation mark or backslash where the scheme quotes it.
  public func attach(to request: inout HTTPRequest) throws(TokenError) {
    let text = secret.revealed
    let isPlain = text.utf8.allSatisfy {
      $0 > 0x20 && $0 < 0x7F
        && !(scheme.isQuoted && ($0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")))
    }
    guard isPlain, !text.isEmpty else {
      throw TokenError(
        .transportMalformedField, node: scheme.field, expected: "visible ASCII without quotes")
    }
    try request.fields.set(scheme.field, scheme.value(text))
  }
}

/// The header field and syntax in which a service expects its credential.
public enum CredentialScheme: String, CaseIterable, Hashable, Sendable {
  /// `Authorization: Bearer …` (RFC 6750, 2.1).
  case bearer
  /// `Authorization: OAuth …`, as the toolkits of 2011 wrote it.
  case oauth
  /// `Authorization: WRAP access_token="…"` (OAuth WRAP 0.9).
  case wrap
  /// `Authorization: Token token="…"`, as Rails parses it.
  case token
  /// `X-ZUMO-AUTH: …` of Mobile Services and App Service.
  case zumo

  /// The header field's name.
  public var field: String { self == .zumo ? "X-ZUMO-AUTH" : "Authorization" }

  /// The header field's value.
  func value(_ text: String) -> String {
    switch self {
    case .bearer: "Bearer " + text
    case .oauth: "OAuth " + text
    case .wrap: "WRAP access_token=\"" + text + "\""
    case .token: "Token token=\"" + text + "\""
    case .zumo: text
    }
  }

  /// Whether the value is a quoted string, which a quotation mark or a backslash would end or change.
  var isQuoted: Bool { self == .wrap || self == .token }
}
