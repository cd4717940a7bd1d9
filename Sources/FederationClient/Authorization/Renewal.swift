import TokenErrors

/// How a credential that a service no longer takes is replaced: silently, by asking the person, or not
/// at all.
public struct Renewal: Sendable {
  /// Brings the same session with a new credential.
  /// - Throws: `session.renewal-refused` when the service says that it never will; anything else means
  ///   that another try may succeed. A request that waits for the renewal gets an error that is no
  ///   ``TokenError`` as `session.renewal-failed`, with ``TokenError/underlying``.
  public typealias Refresh = @Sendable (Session) async throws -> Session
  /// Asks the person to sign in again, by the provider of the old session. Errors as of ``Refresh``.
  public typealias SignIn = @Sendable (Session) async throws -> SignInOutcome

  let refresh: Refresh?
  let signIn: SignIn?

  /// Silently, and by asking when that is refused.
  public init(refresh: Refresh? = nil, signIn: SignIn? = nil) {
    self.refresh = refresh
    self.signIn = signIn
  }

  /// Not at all: a refused credential ends the session. The way of accounts with a password of their
  /// own, whose owners are never asked for it behind their back.
  public static let logOut = Self()

  /// What came of it.
  enum Result: Sendable {
    case renewed(Session)
    /// The session is over, for that reason.
    case ended(TokenError)
    /// Nothing came of it; the session stays as it is.
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

extension TokenError {
  /// What a renewal of the application threw.
  package init(ofRenewal error: any Error) {
    switch error {
    case let error as TokenError: self = error
    case is CancellationError: self.init(.transportCancelled)
    default: self.init(.sessionRenewalFailed, throwing: error)
    }
  }
}
