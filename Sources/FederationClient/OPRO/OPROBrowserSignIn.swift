public import BrowserExchange
public import HTTPExchange
public import TokenErrors

/// Sign-in on oPRO's consent page.
///
/// The server does not check the redirect address and supports no proof key, so only the state ties the
/// response to the request.
public struct OPROBrowserSignIn: Sendable {
  /// What a program may do; the server always grants reading.
  public enum Permission: String, Hashable, Sendable {
    /// Read the user's data.
    case read
    /// Change the user's data.
    case write
  }

  /// The address of the consent page, to open in the browser.
  public let start: HTTPURL
  private let redirect: HTTPURL
  private let state: Secret

  /// A sign-in with a new random state; sends nothing.
  ///
  /// - Parameters:
  ///   - service: The service at which the person signs in.
  ///   - permissions: What the application asks for.
  ///   - redirect: The address to which the browser returns.
  ///   - random: The source of random octets; another one in tests alone.
  /// - Throws: `transport.malformed-address`.
  public init(
    _ service: OPROService, permissions: Set<Permission>, redirect: HTTPURL,
    random: RandomOctets = RandomOctets()
  ) throws(TokenError) {
    // The server writes the state into an address unescaped, so it consists of hexadecimal digits.
    try self.init(
      service, permissions: permissions, redirect: redirect, state: random.hex(16))
  }

  init(
    _ service: OPROService, permissions: Set<Permission>, redirect: HTTPURL, state: String
  ) throws(TokenError) {
    let scopes = permissions.map(\.rawValue).sorted().map { ("scope[]", $0) }
    start = try service.root.appending(["oauth", "new"]).adding(
      [("client_id", service.clientID), ("redirect_uri", redirect.text)] + scopes
        + [("response_type", "code"), ("state", state)])
    self.redirect = redirect
    self.state = Secret(state)
  }

  /// The grant in the address to which the browser returned.
  ///
  /// - Throws: `client.state` for another address or state; `session.cancelled` when the person denied
  ///   access; `client.parameter`, `client.duplicate-parameter`.
  public func grant(from address: HTTPURL) throws(TokenError) -> OPROGrant {
    guard address.origin == redirect.origin, address.path == redirect.path else {
      throw TokenError(.clientState, expected: "the redirect address")
    }
    let answer = CodeAnswer(try QueryParameters.read(address.query ?? ""))
    try answer.check(state: state.revealed)
    switch answer.result {
    case .code(let code): return .code(code)
    case .error(CodeAnswer.denied): throw TokenError(.sessionCancelled)
    case .error(let error):
      throw TokenError(.clientParameter, node: "error", found: TokenError.excerpt(error))
    case nil: throw TokenError(.clientParameter, node: "code", expected: "a code or an error")
    }
  }
}
