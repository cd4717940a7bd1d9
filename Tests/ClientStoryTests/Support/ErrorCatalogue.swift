import Federation
import FederationClient
import HTTPExchange
import SocialFeeds
import TokenErrors

/// Every code that the client and its command can show.
enum ErrorCatalogue {
  static let codes: [TokenError.Code] = [
    TokenError.Code.validationCodes, TokenError.Code.transportCodes, TokenError.Code.clientCodes,
    TokenError.Code.feedCodes,
  ].flatMap(\.self)
}
