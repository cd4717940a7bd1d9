import Federation
package import HTTPExchange
import TokenBasics

/// A sign-out at a provider, as a service hears of it that gave other services something for the session there.
package enum ProviderSignOut: Sendable {
  /// A verified message of the provider ends these sessions; nil for one that names none. The reply says what became of them.
  case demanded(
    EndedSessions?,
    reply: @Sendable (_ outcome: LogoutOutcome) throws(TokenError) -> ReceivedSignOut.Reply)
  /// The session of this browser ends, whoever asks; then it goes to an address of the provider, or gets a picture.
  case ofBrowser(returningTo: HTTPURL?)
  /// The browser comes back from a sign-out of ours.
  case finished(isComplete: Bool)

  /// Answers in place of the site; nil leaves it the answer.
  package typealias Relay =
    @Sendable (ProviderSignOut, WebRequest) async throws(TokenError) -> HTTPResponse?
}
