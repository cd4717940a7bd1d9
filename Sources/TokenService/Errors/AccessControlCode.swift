import BrowserExchange
public import Claims
public import TokenErrors

/// An error as Access Control Service numbers it: what old clients log, and the status that they act on.
public struct AccessControlCode: Hashable, Sendable, CustomStringConvertible {
  /// What was refused, where one of our codes has several of theirs.
  public enum Place: Hashable, Sendable {
    /// A request of a browser or a program.
    case request
    /// A token that a program presented.
    case assertion(TokenFormat)
    /// What an identity provider answered.
    case provider(ProviderProtocol)
  }

  /// The protocol of an identity provider.
  public enum ProviderProtocol: Hashable, Sendable {
    /// WS-Federation or SAML.
    case federation
    /// OpenID.
    case openID
    /// Facebook's sign-in.
    case facebook
  }

  /// The five digits.
  public let number: Int
  /// The HTTP status.
  public let status: Int

  /// `ACS50001` and the like.
  public var description: String { "ACS\(number)" }

  private init(_ number: Int, _ status: Int) {
    self.number = number
    self.status = status
  }

  /// The number of an error; ACS50000 for one that the service has no number for.
  public init(_ error: TokenError, at place: Place = .request) {
    // Too many claims of a provider are its doing, too many of the rules ours.
    if error.code == .rulesTooManyClaims, error.node == "input" {
      self = Self(60_000, 400)
      return
    }
    self =
      Self.issuing[error.code] ?? Self.placed(error.code, error.node, place) ?? Self.byFamily(
        error.code)
      ?? Self(50_000, 500)
  }

  private static let issuing: [TokenError.Code: Self] = [
    .issuingSOAPMessage: Self(10_000, 400), .issuingSOAPHeader: Self(10_001, 400),
    .issuingSOAPBody: Self(10_002, 400), .issuingSOAPSecurity: Self(10_003, 400),
    .issuingMetadata: Self(20_002, 400), .issuingMetadataImport: Self(20_003, 400),
    .issuingRulesChanged: Self(90_004, 409), .issuingRealm: Self(50_001, 400),
    .issuingReplyAddress: Self(50_011, 400),
    .issuingCredentials: Self(50_012, 401), .issuingPassword: Self(50_012, 401),
    .issuingCancelled: Self(50_019, 401),
    .issuingNoSymmetricKey: Self(50_003, 500), .issuingNoCertificate: Self(50_004, 500),
    .issuingNoEncryption: Self(50_005, 500), .issuingRequest: Self(20_000, 400),
    .issuingProvider: Self(20_000, 400), .issuingField: Self(90_011, 400),
    .issuingMethod: Self(90_007, 405), .issuingGrantType: Self(70_003, 400),
    .issuingGrant: Self(70_008, 400), .issuingClient: Self(70_001, 401),
    .issuingClientSecret: Self(70_002, 401), .issuingRate: Self(90_055, 429),
    .rulesNoOutput: Self(60_001, 401), .rulesTooManyClaims: Self(60_000, 500),
    .rulesTooManyPasses: Self(60_000, 500), .issuingNoIdentifierKey: Self(50_003, 500),
    .issuingSAMLRequest: Self(20_000, 400), .issuingAuthorizationRequest: Self(20_000, 400),
    .issuingSignIn: Self(20_000, 400), .issuingNameFormat: Self(20_000, 400),
    .issuingSubject: Self(20_001, 400), .issuingFreshness: Self(20_001, 400),
    .issuingReservedClaim: Self(60_000, 500),
    .replayStoreFull: Self(90_046, 503), .replayOlderThanStore: Self(70_008, 400),
    .clientParameter: Self(90_011, 400),
  ]

  private static func placed(
    _ code: TokenError.Code, _ node: String?, _ place: Place
  ) -> Self? {
    // A store that is away is not the fault of what was presented.
    if code.family == "store" { return nil }
    return switch place {
    case .request: nil
    case .assertion(let format): assertion(code, format)
    case .provider(let kind): provider(code, node, kind)
    }
  }

  private static func assertion(_ code: TokenError.Code, _ format: TokenFormat) -> Self? {
    switch code {
    case .noKey, .unknownKeyID: return Self(50_016, 401)
    case .certificateDates, .weakKey: return Self(50_017, 401)
    default: break
    }
    switch code.family {
    case "signature": return Self(50_006, 401)
    case "audience": return Self(50_010, 401)
    case "issuer": return Self(50_026, 401)
    default:
      switch format {
      case .swt: return Self(50_009, 401)
      case .jwt: return Self(50_027, 401)
      default: return Self(50_008, 401)
      }
    }
  }

  private static func provider(
    _ code: TokenError.Code, _ node: String?, _ kind: ProviderProtocol
  ) -> Self? {
    if kind == .facebook, node == "token_endpoint" { return Self(40_001, 400) }
    if ["transport", "registry"].contains(code.family) { return Self(90_005, 504) }
    switch kind {
    case .federation: return Self(20_001, 400)
    case .facebook: return Self(40_000, 400)
    case .openID:
      return ["signature", "key", "algorithm"].contains(code.family)
        ? Self(30_001, 400) : Self(30_000, 400)
    }
  }

  private static func byFamily(_ code: TokenError.Code) -> Self? {
    switch code.family {
    case "input", "client": Self(90_004, 400)
    // A message of a browser that is none, or that nobody known signed.
    case "xml", "signature", "response", "time", "algorithm", "logout": Self(20_000, 400)
    case "session", "replay", "store": Self(60_021, 503)
    // The store of sessions remembers used codes too.
    case "signin" where code.rawValue.hasPrefix("signin.session"): Self(60_021, 503)
    case "signin" where code.rawValue != "signin.configuration": Self(20_000, 400)
    case "transport", "registry": Self(90_005, 504)
    default: nil
    }
  }
}
