import HTTPExchange
import TokenErrors

/// A message of the WS-Federation passive profile, classified but not verified.
enum PassiveMessage {
  /// The posted response to a sign-in, with its `wctx`.
  case token(wresult: [UInt8], state: String?)
  /// The error that the service sent to the error URL.
  case failure(AccessControlFailure)
  /// The user signed out elsewhere: end the session of this browser.
  case signOutCleanup

  /// - Throws: `client.content-type`, `client.duplicate-parameter`, `client.malformed-form`,
  ///   `client.parameter`, `input.json-*`.
  init(_ message: WebRequest) throws(TokenError) {
    let form = try PassiveForm(message)
    if let details = form.parameters["ErrorDetails"] {
      guard form.parameters["wresult"] == nil || !form.isPosted else {
        throw TokenError(.clientParameter, node: "wresult", found: "an error and a token")
      }
      self = .failure(try AccessControlFailure(errorDetails: details))
    } else if form.isPosted {
      self = .token(wresult: try form.signInResult(), state: form.parameters["wctx"])
    } else {
      guard form.isSignOutCleanup else {
        throw TokenError(.clientParameter, node: "wa", expected: "wsignoutcleanup1.0 in a GET")
      }
      self = .signOutCleanup
    }
  }
}
