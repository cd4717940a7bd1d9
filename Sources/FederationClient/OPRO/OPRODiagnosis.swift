import StrictJSON

/// The result of the server's test of a token.
public struct OPRODiagnosis: Hashable, Sendable {
  /// Why a request is not authenticated as the user, by the text in the server's message.
  public enum Finding: String, CaseIterable, Hashable, Sendable {
    /// The header did not arrive: a proxy removed it, or it is misspelled.
    case noToken = "No OAuth token provided"
    /// The application does not accept tokens at this address.
    case notAllowed = "`Allow OAuth` is set to false"
    /// The token is unknown: replaced by another login, or expired. The test does not distinguish them.
    case unknownToken = "OAuth user not found"
    /// The request exceeds a rate limit.
    case rateLimited = "rate limited"
    /// The token lacks the permission for the request.
    case notPermitted = "not permitted"
    /// The request writes, and the user granted reading only.
    case writeRequired = "write permission required"
  }

  /// Whether the server accepts the token (both statuses are 200).
  public let isWorking: Bool
  /// The user's number at the server, if the token is accepted.
  public let userID: Int?
  /// The reasons in the message; empty if the token is accepted.
  public let findings: Set<Finding>

  /// `status` is a number on success and text on failure. `params`, which repeats the request with its
  /// secrets, is not read.
  init?(_ json: JSONValue, httpStatus: Int) {
    guard let message = json["message"]?.string, let status = json["status"] else { return nil }
    guard status.integer != nil || status.string != nil else { return nil }
    isWorking = httpStatus == 200 && status.integer == 200
    userID = json["user_id"]?.integer
    findings =
      isWorking
      ? [] : Set(Finding.allCases.filter { finding in message.contains(finding.rawValue) })
  }
}
