#if Client
  import FederationClient

  /// What to tell a person about an error of the client.
  func words(for error: TokenError) -> String {
    switch error.code {
    case .sessionCancelled:
      "You did not sign in."
    case .sessionNone, .sessionOver, .sessionTimedOut, .sessionRenewalRefused:
      "Please sign in again."
    case .transportNoConnection, .transportUnreachable, .transportTimeout:
      "The service cannot be reached. Please try again later."
    case .transportUntrustedServer, .transportRedirect:
      "This is not the service that was expected. Nothing was sent to it."
    default:
      // The code and the words hold no secret.
      "\(error.code): \(error.message). \(error.hint)"
    }
  }
#endif
