import Federation
import FederationClient
import HTTPExchange
import IssuerRegistry
import SocialFeeds
import TokenErrors

/// The codes of all modules, each from its owner, in the order of `docs/errors.md`.
enum ErrorCatalogue {
  static let codes: [TokenError.Code] = [
    TokenError.Code.validationCodes, TokenError.Code.transportCodes, TokenError.Code.clientCodes,
    TokenError.Code.feedCodes, TokenError.Code.registryCodes,
  ].flatMap(\.self)
}
