public import Claims
public import Federation
import HTTPExchange
public import TokenBasics

/// An error as Access Control Service answers it: the number that old clients log, and the status that they act on.
public struct ACSRefusal: Hashable, Sendable, CustomStringConvertible {
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

  /// The number.
  public let number: ACSNumber
  /// The HTTP status.
  public let status: Int

  /// `ACS50001` and the like.
  public var description: String { number.description }

  /// - Parameter status: Where it is not that of the number.
  private init(_ number: Int, _ status: Int? = nil) {
    self.number = ACSNumber(number)
    self.status = status ?? self.number.status ?? 500
  }

  /// The number of an error; ACS50000 for one that the service has no number for.
  public init(_ error: TokenError, at place: Place = .request) {
    self =
      Self.exceptional(error, place)
      ?? (Self.issuing[error.code] ?? Self.placed(error.code, error.node, place)
      ?? Self.byFamily(error.code)).map { Self($0) } ?? Self(ACSNumber.other.number)
  }

  /// What has another status than its number.
  private static func exceptional(_ error: TokenError, _ place: Place) -> Self? {
    switch error.code {
    case _ where place == .request && error.isOfClaims: Self(60_000, 400)
    // Too many claims of a provider are its doing, too many of the rules ours.
    case .rulesTooManyClaims where error.reason == .givenClaims: Self(60_000, 400)
    case .issuingRulesChanged: Self(90_004, 409)
    case .issuingAdminRole: Self(50_012, 403)
    // The next fetch may bring it.
    case .issuingMetadataUnavailable: Self(20_002, 503)
    default: nil
    }
  }

  private static let issuing: [TokenError.Code: Int] = [
    .issuingSOAPMessage: 10_000, .issuingSOAPHeader: 10_001, .issuingSOAPBody: 10_002,
    .issuingSOAPSecurity: 10_003, .issuingMetadata: 20_002, .issuingMetadataImport: 20_003,
    .metadataExpired: 20_002,
    .issuingRealm: 50_001, .issuingReplyAddress: 50_011, .issuingCredentials: 50_012,
    .issuingPassword: 50_012, .issuingCancelled: ACSNumber.cancelled.number,
    .issuingNoSymmetricKey: 50_003, .issuingNoCertificate: 50_004, .issuingNoEncryption: 50_005,
    .issuingRequest: 20_000, .issuingProvider: 20_000, .issuingField: 90_011,
    .issuingMethod: 90_007, .issuingGrantType: 70_003, .issuingGrant: 70_008,
    .issuingClient: 70_001, .issuingClientSecret: 70_002, .issuingRate: 90_055,
    .rulesNoOutput: 60_001, .rulesTooManyClaims: 60_000, .rulesTooManyPasses: 60_000,
    .issuingNoIdentifierKey: 50_003, .issuingSAMLRequest: 20_000,
    .issuingAuthorizationRequest: 20_000, .issuingSignIn: 20_000, .issuingNameFormat: 20_000,
    .issuingSubject: 20_001, .issuingFreshness: 20_001, .issuingReservedClaim: 60_000,
    .replayStoreFull: 90_046, .registrationFull: 90_046, .replayOlderThanStore: 70_008,
    .clientParameter: 90_011, .issuingProtocol: 20_000, .issuingUnencrypted: 20_000,
  ]

  private static func placed(
    _ code: TokenError.Code, _ node: String?, _ place: Place
  ) -> Int? {
    // A store that is away is not the fault of what was presented.
    if code.family == "store" { return nil }
    return switch place {
    case .request: nil
    case .assertion(let format): assertion(code, format)
    case .provider(let kind): provider(code, node, kind)
    }
  }

  private static func assertion(_ code: TokenError.Code, _ format: TokenFormat) -> Int? {
    switch code {
    case .noKey, .unknownKeyID: return 50_016
    case .certificateDates, .weakKey: return 50_017
    default: break
    }
    switch code.family {
    case "signature": return 50_006
    case "audience": return 50_010
    case "issuer": return 50_026
    default:
      switch format {
      case .swt: return 50_009
      case .jwt: return 50_027
      default: return 50_008
      }
    }
  }

  private static func provider(
    _ code: TokenError.Code, _ node: String?, _ kind: ProviderProtocol
  ) -> Int? {
    if kind == .facebook, node == "token_endpoint" { return 40_001 }
    if ["transport", "registry"].contains(code.family) { return 90_005 }
    switch kind {
    case .federation: return 20_001
    case .facebook: return 40_000
    case .openID:
      return ["signature", "key", "algorithm"].contains(code.family)
        ? 30_001 : 30_000
    }
  }

  private static func byFamily(_ code: TokenError.Code) -> Int? {
    switch code.family {
    case "input", "client": 90_004
    // A browser's message that is malformed, or signed by no known party.
    case "xml", "signature", "response", "time", "algorithm", "logout": 20_000
    case "session", "replay", "store": 60_021
    // The store of sessions remembers used codes too.
    case "signin" where code.fault == .service: 60_021
    case "signin" where code != .signInConfiguration: 20_000
    case "transport", "registry": 90_005
    case "exchange", "oauth", "registration": 20_000
    default: nil
    }
  }
}

extension TokenError {
  /// Whether the claims of the subject are such that a token of the format cannot carry them. Another format may, so that the
  /// request is refused and no fault of the service reported.
  var isOfClaims: Bool {
    [.mintCharacter, .mintClaimType, .mintClaimValue, .mintReservedName, .mintSubjectTwice]
      .contains(code)
  }
}
