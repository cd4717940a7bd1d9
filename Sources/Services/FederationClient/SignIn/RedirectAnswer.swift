public import HTTPExchange
import TokenErrors

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
