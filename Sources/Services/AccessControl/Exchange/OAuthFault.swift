import HTTPExchange
import Octets
import SignIn
import TokenBasics

/// Why a token endpoint gives nothing: the word that OAuth has for it, and the error behind it.
package struct OAuthFault: Error {
  let word: OAuthErrorName
  let error: TokenError
  /// What was refused, for its number.
  let place: ACSRefusal.Place

  init(_ word: OAuthErrorName, _ error: TokenError, at place: ACSRefusal.Place = .request) {
    self.word = word
    self.error = error
    self.place = place
  }

  /// Does something whose failure has that word.
  static func named<Result>(
    _ word: OAuthErrorName, at place: ACSRefusal.Place = .request,
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
    _ word: OAuthErrorName, at place: ACSRefusal.Place = .request,
    _ body: () throws(TokenError) -> Result
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
    let isOurs = error.code.fault.isOurs && !error.isOfClaims
    let refusal = isOurs ? own : ACSRefusal(error, at: fault.place)
    let trace = logged(error, refusal)
    var json = JSONWriter()
    json.object { json in
      let name = isOurs ? own.ownFault ?? .temporarilyUnavailable : fault.word
      json.member("error", name.rawValue)
      // Visible ASCII without quotes (RFC 6749, 5.2): the texts are ours.
      json.member(
        "error_description",
        "\(refusal): \(error.code.summary) (\(error.code.rawValue)). Trace ID: \(trace)")
    }
    let status =
      switch error.code {
      case _ where isOurs: own.status
      case _ where fault.word == .invalidClient: 401
      default: 400
      }
    return retrying(responder.response(status, "application/json", json.bytes), error)
  }
}
