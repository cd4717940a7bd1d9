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
