public import TokenErrors

/// What Access Control Service says went wrong.
///
/// Nobody signed it. It may be shown to people as plain text, never as HTML, and nothing follows from it
/// but an error message. Texts are cut and freed of control characters.
public struct AccessControlFailure: Hashable, Sendable {
  /// The HTTP status that the service gave, or says that it gave.
  public var status: Int?
  /// `invalid_client` and the like, from the OAuth endpoint.
  public var oauthError: String?
  public var codes: [AccessControlCode] = []
  /// What the service says to people.
  public var messages: [String] = []
  public var identityProvider: String?
  public var traceID: String?
  public var correlationID: String?
  public var timeStamp: String?
  /// The relying party's own state, handed back.
  public var context: String?

  /// Whether the person closed the provider's page, which is an outcome and no error.
  public var isCancelled: Bool { codes.contains(.cancelled) || oauthError == "access_denied" }

  /// The error of the first code that is known, else of the status.
  public var error: TokenError {
    let known = codes.first { $0.cause != nil }
    var found = known?.meaning ?? messages.first ?? oauthError ?? "no explanation"
    if let status { found += ", status \(status)" }
    if let traceID { found += ", trace \(traceID)" }
    return TokenError(
      isCancelled ? .sessionCancelled : known?.cause ?? causeOfStatus,
      node: (known ?? codes.first)?.description, found: found)
  }

  private var causeOfStatus: TokenError.Code {
    if let oauthError {
      let credentials = ["invalid_client", "invalid_grant", "unauthorized_client"]
      return credentials.contains(oauthError) ? .clientCredentials : .clientRequestRefused
    }
    return switch status ?? 0 {
    case 401, 403: .clientCredentials
    case 429, 503: .clientServiceBusy
    case 504: .clientProviderFailed
    case 500...: .clientServiceFailed
    default: .clientRequestRefused
    }
  }
}
