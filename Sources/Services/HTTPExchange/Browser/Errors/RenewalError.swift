package import TokenBasics

extension TokenError {
  /// The error for one that the application's renewal threw.
  package init(ofRenewal error: any Error) {
    switch error {
    case let error as TokenError: self = error
    case is CancellationError: self.init(.transportCancelled)
    default: self.init(.sessionRenewalFailed, throwing: error)
    }
  }
}
