/// A sign-in that begins: what the browser does, and what the service keeps in its cookie.
public struct BegunSignIn: Sendable {
  /// What the browser is told.
  public let action: BrowserAction
  /// What the answer is compared with.
  public var pending: PendingSignIn

  /// A sign-in that begins so.
  public init(action: BrowserAction, pending: PendingSignIn) {
    self.action = action
    self.pending = pending
  }
}
