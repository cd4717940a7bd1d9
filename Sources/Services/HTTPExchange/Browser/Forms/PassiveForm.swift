import Octets
package import TokenBasics

/// A message of the WS-Federation passive profile (WS-Federation 1.2, 13), parsed and not verified.
package struct PassiveForm: Sendable {
  /// The parameters: those of the body of a POST, or of the query of a GET.
  package let parameters: FormReader
  /// Whether it was posted.
  package let isPosted: Bool

  /// Every parameter name that the profile defines, and Access Control Service's `ErrorDetails`.
  private static let names = [
    "wa", "wresult", "wresultptr", "wctx", "wtrealm", "wreply", "wct", "whr", "wauth", "wfresh",
    "wreq", "wreqptr", "wp", "wfed", "wencoding", "wres", "wattr", "wattrptr", "wpseudo",
    "wpseudoptr", "ErrorDetails",
  ]
  private static let pointers = ["wresultptr", "wreqptr", "wattrptr", "wpseudoptr"]

  /// Reads a request to an endpoint of ours. Parameters that point to the message at another address are
  /// refused; they are never fetched (WSF-9).
  ///
  /// - Throws: `client.content-type`, `client.duplicate-parameter`, `client.malformed-form`,
  ///   `client.parameter`.
  package init(_ message: WebRequest) throws(TokenError) {
    let query = try message.parameters
    switch message.method {
    case "GET":
      parameters = query
      isPosted = false
    case "POST":
      parameters = try message.form
      // The address may have a query of its own, but no parameter of the profile in it.
      guard !query.hasAny(of: Self.names) else { throw TokenError(.clientDuplicateParameter) }
      isPosted = true
    default: throw TokenError(.clientContentType, expected: "GET or POST")
    }
    guard !parameters.hasAny(of: Self.pointers) else {
      throw TokenError(.clientParameter, node: "wresultptr", expected: "the message itself")
    }
  }

  /// The `wresult` of a posted sign-in response.
  ///
  /// - Throws: `client.parameter`.
  package func signInResult() throws(TokenError) -> [UInt8] {
    guard isPosted, parameters["wa"] == "wsignin1.0" else {
      throw TokenError(.clientParameter, node: "wa", expected: "wsignin1.0 in a POST")
    }
    let wresult = Array(try parameters.require("wresult").utf8)
    // One encoding only: base64 and DEFLATE belong to other bindings.
    guard wresult.first(where: { !ASCII.isWhiteSpace($0) }) == ASCII.lessThan else {
      throw TokenError(.clientParameter, node: "wresult", expected: "XML")
    }
    return wresult
  }

  /// Whether it asks for the end of this browser's session (WS-Federation 1.2, 13.2.4).
  package var isSignOutCleanup: Bool {
    !isPosted && parameters["wa"] == "wsignoutcleanup1.0" && parameters["wresult"] == nil
  }
}

/// The parameters that a relying party sends to a service of the WS-Federation passive profile.
package enum PassiveRequestParameters {
  /// A sign-in request (WS-Federation 1.2, 13.2.2). Nil and empty texts leave a parameter out.
  ///
  /// - Parameter state: Comes back as `wctx`.
  package static func signIn(
    realm: String, reply: HTTPURL?, state: String, homeRealm: String?,
    authenticationType: String?, freshness: Int?, at now: Instant
  ) -> [(String, String)] {
    var parameters = [("wa", "wsignin1.0"), ("wtrealm", realm)]
    if let reply { parameters.append(("wreply", reply.text)) }
    parameters.append(("wctx", state))
    parameters.append(("wct", Instant(secondsSinceEpoch: now.seconds).rfc3339))
    for (name, text) in [("whr", homeRealm), ("wauth", authenticationType)] {
      if let text, !text.isEmpty { parameters.append((name, text)) }
    }
    if let freshness { parameters.append(("wfresh", "\(max(0, freshness))")) }
    return parameters
  }

  /// A sign-out request (WS-Federation 1.2, 13.2.4).
  package static func signOut(realm: String, reply: HTTPURL?) -> [(String, String)] {
    let parameters = [("wa", "wsignout1.0"), ("wtrealm", realm)]
    return parameters + (reply.map { [("wreply", $0.text)] } ?? [])
  }
}
