import HTTPExchange
import TokenBasics

/// How an expired or rejected credential is replaced: without a prompt, by a new sign-in, or not at all.
public struct Renewal: Sendable {
  /// Returns the same session with a new credential.
  /// - Throws: `session.renewal-refused` when the service rejects the renewal for good; any other error
  ///   means that a later attempt may succeed. For an error other than `TokenError`, waiting requests throw
  ///   `session.renewal-failed` with `TokenError.underlying`.
  public typealias Refresh = @Sendable (Session) async throws -> Session
  /// Prompts the person to sign in again at the provider of the old session. Errors as for ``Refresh``.
  public typealias SignIn = @Sendable (Session) async throws -> SignInOutcome

  let refresh: Refresh?
  let signIn: SignIn?

  /// Refreshes without a prompt, and signs in again when that is rejected; nil leaves a step out.
  public init(refresh: Refresh? = nil, signIn: SignIn? = nil) {
    self.refresh = refresh
    self.signIn = signIn
  }

  /// No renewal: a rejected credential ends the session. For accounts with a password of their own, whose
  /// owner is not prompted unexpectedly.
  public static let logOut = Self()

  /// The result of a renewal.
  enum Result: Sendable {
    case renewed(Session)
    /// The session has ended, for that reason.
    case ended(TokenError)
    /// The renewal failed; the session is unchanged.
    case failed(TokenError)
  }

  func run(_ session: Session, isEnded: Bool) async -> Result {
    do {
      if !isEnded, let refresh {
        do {
          let renewed = try await refresh(session)
          guard renewed.principal == session.principal else {
            return .failed(TokenError(.sessionOtherPrincipal))
          }
          return .renewed(renewed)
        } catch let error as TokenError {
          guard error.code == .sessionRenewalRefused else { throw error }
          guard signIn != nil else { return .ended(error) }
        }
      }
      guard let signIn else {
        return .ended(TokenError(isEnded ? .sessionTimedOut : .sessionOver))
      }
      switch try await signIn(session) {
      case .signedIn(let renewed): return .renewed(renewed)
      case .cancelled: return .failed(TokenError(.sessionCancelled))
      }
    } catch {
      return .failed(TokenError(ofRenewal: error))
    }
  }
}
