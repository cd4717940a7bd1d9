public import HTTPExchange
public import TokenBasics

/// Listens on loopback for the browser that returns from a sign-in.
///
/// An implementation listens on 127.0.0.1 or ::1 only, on a port that the system chooses, and accepts one
/// connection after the other.
public protocol RedirectListener: Sendable {
  /// Starts to listen.
  /// - Returns: `http://127.0.0.1:PORT/`.
  func open() async throws(TokenError) -> HTTPURL
  /// The next request and the value of its `Host` field.
  /// - Throws: `transport.cancelled` after ``close()``.
  func next() async throws(TokenError) -> (message: WebRequest, host: String?)
  /// Sends the response to the request that ``next()`` returned last.
  func answer(_ response: HTTPResponse) async
  /// Stops listening and closes all connections.
  func close() async
}

/// The answer that a browser delivered to a listener on this machine.
public enum RedirectAnswer: Sendable {
  /// A code to exchange for a token.
  case code(Secret)
  /// A posted message, not yet verified.
  case posted(WebRequest)
  /// The person denied access.
  case cancelled

  /// Reads the answer of the code flow from a query.
  /// - Parameter state: The state of the request.
  /// - Throws: `client.state`; `client.parameter` for a code and an error at once, or neither;
  ///   `client.request-refused` for any error but `access_denied`; `client.duplicate-parameter`,
  ///   `client.malformed-form`.
  static func reading(_ form: FormReader, state: String) throws(TokenError) -> Self {
    let answer = CodeAnswer(form)
    try answer.check(state: state)
    switch answer.result {
    case .code(let code): return .code(code)
    case .error(CodeAnswer.denied): return .cancelled
    case .error(let error):
      throw TokenError(.clientRequestRefused, found: TokenError.excerpt(error))
    case nil: throw TokenError(.clientParameter, node: "code", expected: "a code or an error")
    }
  }
}
