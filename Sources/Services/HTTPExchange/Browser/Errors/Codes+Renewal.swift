public import TokenErrors

extension TokenError.Code {
  /// Code of the application that was to renew the credential failed.
  public static let sessionRenewalFailed = Self(
    "session.renewal-failed",
    "the application's own renewal threw an error that is not of this package",
    hint: "TokenError.underlying is that error; the session stays as it is")
}
