public import Federation
public import TokenErrors

/// An error reported by Access Control Service.
///
/// It is unauthenticated: show it as plain text, never as HTML, and base no decision on it. Texts are
/// shortened and contain no control characters.
public struct AccessControlFailure: Hashable, Sendable {
  /// The HTTP status of the response, or `httpReturnCode` of `ErrorDetails`.
  public var status: Int?
  /// `error` of the OAuth endpoint, such as `invalid_client`.
  public var oauthError: String?
  /// The ACS codes in order of appearance, each once per text.
  public var codes: [ACSNumber] = []
  /// The service's messages for people, one line each.
  public var messages: [String] = []
  /// The provider of the failed sign-in (`identityProvider` of `ErrorDetails`).
  public var identityProvider: String?
  /// The service's trace ID, for its support.
  public var traceID: String?
  /// The correlation ID of the OAuth endpoint.
  public var correlationID: String?
  /// The service's time of the error, as text.
  public var timeStamp: String?
  /// The relying party's own state (`context`), returned by the service.
  public var context: String?

  /// Whether the person closed the provider's page or denied access, which is an outcome, not an error.
  public var isCancelled: Bool { codes.contains(.cancelled) || oauthError == "access_denied" }

  /// The error for the first documented code, else for ``oauthError``, else for the status.
  public var error: TokenError {
    let known = codes.first { $0.code != nil }
    var found = known?.meaning ?? messages.first ?? oauthError ?? "no explanation"
    if let status { found += ", status \(status)" }
    if let traceID { found += ", trace \(traceID)" }
    return TokenError(
      isCancelled ? .sessionCancelled : known?.code ?? causeOfStatus,
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
