import HTTPExchange
import Octets
import SignIn
import TokenBasics

/// Why a token endpoint gives nothing: the word that OAuth has for it, and the error behind it.
package struct OAuthFault: Error {
  /// RFC 6749, 4.1.2.1 and 5.2; RFC 8693, 2.2.2; RFC 7009, 2.2.1.
  enum Word: String {
    case invalidRequest = "invalid_request"
    case invalidClient = "invalid_client"
    case invalidGrant = "invalid_grant"
    case unauthorizedClient = "unauthorized_client"
    case unsupportedGrantType = "unsupported_grant_type"
    case unsupportedTokenType = "unsupported_token_type"
    case invalidScope = "invalid_scope"
    case invalidTarget = "invalid_target"
    case unsupportedResponseType = "unsupported_response_type"
  }

  let word: Word
  let error: TokenError
  /// What was refused, for its number.
  let place: ACSRefusal.Place

  init(_ word: Word, _ error: TokenError, at place: ACSRefusal.Place = .request) {
    self.word = word
    self.error = error
    self.place = place
  }

  /// Does something whose failure has that word.
  static func named<Result>(
    _ word: Word, at place: ACSRefusal.Place = .request,
    _ body: () async throws(TokenError) -> Result
  ) async throws(OAuthFault) -> Result {
    do throws(TokenError) {
      return try await body()
    } catch {
      throw OAuthFault(word, error, at: place)
    }
  }

  /// As ``named(_:at:_:)``, for what does not wait.
  static func now<Result>(
    _ word: Word, at place: ACSRefusal.Place = .request, _ body: () throws(TokenError) -> Result
  ) throws(OAuthFault) -> Result {
    do throws(TokenError) {
      return try body()
    } catch {
      throw OAuthFault(word, error, at: place)
    }
  }
}

extension IssuingService {
  /// The refusal of a token endpoint. What is no fault of the request, such as a store that is away, is said to be ours.
  func refusal(_ fault: OAuthFault) -> HTTPResponse {
    let error = fault.error
    let own = ACSRefusal(error)
    let isOurs = Self.isOurs(error.code)
    let refusal = isOurs ? own : ACSRefusal(error, at: fault.place)
    let trace = logged(error, refusal)
    var json = JSONWriter()
    json.object { json in
      json.member("error", isOurs ? own.ownFault ?? "temporarily_unavailable" : fault.word.rawValue)
      // Visible ASCII without quotes (RFC 6749, 5.2): the texts are ours.
      json.member(
        "error_description",
        "\(refusal): \(error.code.summary) (\(error.code.rawValue)). Trace ID: \(trace)")
    }
    let status = isOurs ? own.status : fault.word == .invalidClient ? 401 : 400
    return retrying(responder.response(status, "application/json", json.bytes), error)
  }

  /// Whether an error says nothing of the request: a store, a provider's keys or a key of ours is away, a claim cannot be
  /// written, or too many ask at once.
  private static func isOurs(_ code: TokenError.Code) -> Bool {
    TokenAuthenticator.isOurs(code) || code.rawValue.hasPrefix("policy.mint")
      || [
        .issuingRate, .issuingNoSymmetricKey, .issuingNoCertificate, .issuingNoEncryption,
        .issuingNoIdentifierKey,
      ].contains(code)
  }
}
