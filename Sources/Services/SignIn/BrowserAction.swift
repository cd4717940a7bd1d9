public import HTTPExchange

/// What a browser is told to do: open an address, or post a form to one.
public enum BrowserAction: Sendable {
  /// A redirect with status 302 or 303.
  case redirect(HTTPURL)
  /// A page with a form that is posted to `address` (SAML Bindings 3.5.4).
  case post(HTTPURL, fields: [(name: String, value: String)])

  /// The address that the browser is sent to.
  public var address: HTTPURL {
    switch self {
    case .redirect(let address), .post(let address, _): address
    }
  }
}

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
