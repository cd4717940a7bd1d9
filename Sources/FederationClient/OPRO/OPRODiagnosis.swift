import StrictJSON

/// What the server's tester says about a token.
public struct OPRODiagnosis: Hashable, Sendable {
  /// Why a request is not taken for the person's.
  public enum Finding: String, CaseIterable, Hashable, Sendable {
    /// The header did not arrive: a proxy took it, or its spelling is wrong.
    case noToken = "No OAuth token provided"
    /// The application does not take tokens at this place.
    case notAllowed = "`Allow OAuth` is set to false"
    /// The token is unknown: rotated by another login, or expired. The tester does not tell which.
    case unknownToken = "OAuth user not found"
    /// The application has used up its requests for now.
    case rateLimited = "rate limited"
    /// The person has not granted the request.
    case notPermitted = "not permitted"
    /// The request writes, and the person granted reading only.
    case writeRequired = "write permission required"
  }

  /// Whether the token can be used for the request.
  public let isWorking: Bool
  /// The person's number at the server, when all is well.
  public let userID: Int?
  /// What prevents its use; empty when the token works.
  public let findings: Set<Finding>

  /// `status` is a number when it worked and text when it did not. `params`, which repeats the request
  /// with its secrets, is not looked at.
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
