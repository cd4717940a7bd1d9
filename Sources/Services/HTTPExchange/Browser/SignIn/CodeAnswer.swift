import Octets
package import TokenBasics

/// What an authorization endpoint answers through the browser (RFC 6749, 4.1.2): the state, and a code or an
/// error.
package struct CodeAnswer: Sendable {
  /// A code or an error.
  package enum Result: Sendable {
    /// The code, to be exchanged.
    case code(Secret)
    /// The error, such as ``denied``.
    case error(String)
  }

  /// The error of a person who denied access (RFC 6749, 4.1.2.1).
  package static let denied = "access_denied"

  private let state: String?
  /// The code or the error; nil for both at once, and for neither.
  package let result: Result?

  /// Reads the parameters of an answer.
  package init(_ parameters: [String: String]) {
    self.init(parameters["state"], parameters["code"], parameters["error"])
  }

  /// Reads the parameters of an answer.
  package init(_ form: FormReader) { self.init(form["state"], form["code"], form["error"]) }

  private init(_ state: String?, _ code: String?, _ error: String?) {
    self.state = state
    switch (code, error) {
    case (let code?, nil) where !code.isEmpty: result = .code(Secret(code))
    case (nil, let error?): result = .error(error)
    default: result = nil
    }
  }

  /// Compares the state with that of the request, before anything else in the answer counts.
  /// - Throws: `client.state`.
  package func check(state expected: String) throws(TokenError) {
    guard let state, state.hasSameBytes(as: expected) else {
      throw TokenError(.clientState, node: "state")
    }
  }
}

/// The members in which the token endpoints of all services agree (RFC 6749, 5.1).
package struct BearerTokens: Sendable {
  /// The token for requests.
  package let accessToken: Secret
  /// Obtains the next access token, if the service issues one; null is none.
  package let refreshToken: Secret?
  /// Seconds; nil where the answer says none.
  package let lifetime: Int64?

  /// - Parameters:
  ///   - answer: The body of the answer.
  ///   - type: The `token_type` that it must name, in any case; nil where the caller reads it.
  /// - Throws: `transport.malformed-response`.
  package init(_ answer: JSONValue, type: String? = "bearer") throws(TokenError) {
    let json = answer.withoutNulls
    if let type {
      let given = try JSONAnswer.string("token_type", in: json)
      guard given.utf8.span.equalsIgnoringCase(type.utf8.span) else {
        throw JSONAnswer.malformed("token_type \(type)", found: TokenError.excerpt(given))
      }
    }
    accessToken = Secret(try JSONAnswer.string("access_token", in: json))
    refreshToken =
      json["refresh_token"] == nil
      ? nil : Secret(try JSONAnswer.string("refresh_token", in: json))
    // oPRO writes `false` for a token without an end.
    let end = json["expires_in"]
    lifetime = try JSONAnswer.lifetime(end?.bool == false ? nil : end)
  }
}
