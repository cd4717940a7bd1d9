import AccessControl
import Federation
import FederationClient
import GateService
import HTTPExchange
import IssuerRegistry
import RedisStores
import SignIn
import SignInAttack
import SocialFeeds
public import TokenBasics

/// The codes of all modules in the order of `docs/errors.md`.
public enum ErrorCatalogue {
  /// Each from the module that owns it.
  public static let codes: [TokenError.Code] = [
    TokenError.Code.validationCodes, TokenError.Code.transportCodes, TokenError.Code.listenCodes,
    TokenError.Code.clientCodes,
    TokenError.Code.feedCodes, TokenError.Code.registryCodes, TokenError.Code.signInCodes,
    TokenError.Code.gateCodes, TokenError.Code.wiringCodes,
    TokenError.Code.issuingCodes, TokenError.Code.exchangeCodes, TokenError.Code.oauthCodes,
    TokenError.Code.registrationCodes,
    TokenError.Code.serviceConfigurationCodes,
    TokenError.Code.storeCodes, TokenError.Code.attackCodes,
  ].flatMap(\.self)
}
