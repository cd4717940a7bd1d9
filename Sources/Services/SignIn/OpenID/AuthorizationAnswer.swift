import HTTPExchange
import Octets
import TokenBasics

/// The parameters of an answer of the authorization endpoint (RFC 6749, 4.1.2), each at most once.
struct AuthorizationAnswer {
  private let form: FormReader

  /// Reads the answer where the response mode puts it; any other place is refused (RP-12).
  ///
  /// - Throws: `client.content-type`, `client.duplicate-parameter`, `client.malformed-form`,
  ///   `client.parameter` for a token in the answer.
  init(_ message: WebRequest, _ mode: OpenIDResponseMode) throws(TokenError) {
    let query = try message.parameters
    switch mode {
    case .query:
      guard message.method == "GET" else {
        throw TokenError(
          .clientContentType, expected: "GET", found: TokenError.excerpt(message.method))
      }
      form = query
    case .formPost:
      form = try message.form
      guard !query.hasAny(of: Self.names) else {
        throw TokenError(.clientDuplicateParameter, expected: "parameters in the body alone")
      }
    }
    // The code flow has no token in the browser (OpenID Connect Core 1.0, 3.1.2.5).
    guard !form.hasAny(of: Self.tokens) else {
      throw TokenError(.clientParameter, expected: "the answer of the code flow", found: "a token")
    }
  }

  /// The `state`, which names the request.
  /// - Throws: `signin.unsolicited` without one, `signin.unknown-request` for one that is not ours.
  var request: String {
    get throws(TokenError) {
      guard let state = form["state"], !state.isEmpty else {
        throw TokenError(.signInUnsolicited, node: "state")
      }
      guard state.utf8.count == 40,
        state.utf8.allSatisfy({ ASCII.isDigit($0) || (0x61...0x66).contains($0) })
      else { throw TokenError(.signInUnknown, node: "state") }
      return state
    }
  }

  /// The issuer that answered (RFC 9207, 2), if the answer names it.
  var issuer: String? { form["iss"] }

  /// The code.
  /// - Throws: `signin.refused` with the provider's own error code; `client.parameter` without a code, or
  ///   for a code beside an error.
  var code: Secret {
    get throws(TokenError) {
      if let error = form["error"] {
        guard !form.hasAny(of: ["code"]) else {
          throw TokenError(.clientParameter, node: "code", found: "a code beside an error")
        }
        throw ProviderRefusal(name: error, words: form["error_description"]).error(at: "error")
      }
      return Secret(try form.require("code"))
    }
  }

  private static let tokens = ["id_token", "access_token", "token_type", "response"]
  private static let names = tokens + ["state", "code", "iss", "error"]
}
