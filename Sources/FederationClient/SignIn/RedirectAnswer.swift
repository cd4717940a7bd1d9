import Octets
import TokenErrors

/// What a browser brought back to a program that listens on this machine.
public enum RedirectAnswer: Sendable {
  /// A code to exchange for a token.
  case code(Secret)
  /// A message that was posted; it is still to be judged.
  case posted(IncomingMessage)
  /// The person said no.
  case cancelled

  /// Reads the answer of the code flow from a query.
  /// - Parameter state: What the request had.
  /// - Throws: `client.state`; `client.parameter` for a code and an error at once, or neither;
  ///   `client.request-refused` for any error but `access_denied`; `client.duplicate-parameter`,
  ///   `client.malformed-form`.
  static func reading(query: String, state: String) throws(TokenError) -> Self {
    let form = try FormReader(query.utf8)
    guard let given = form["state"], given.hasSameBytes(as: state) else {
      throw TokenError(.clientState)
    }
    switch (form["code"], form["error"]) {
    case (let code?, nil) where !code.isEmpty: return .code(Secret(code))
    case (nil, "access_denied"?): return .cancelled
    case (nil, let error?):
      throw TokenError(.clientRequestRefused, found: TokenError.excerpt(error))
    default: throw TokenError(.clientParameter, node: "code", expected: "a code or an error")
    }
  }
}
