import BrowserExchange
import Octets
import TokenErrors

/// A message of the WS-Federation passive profile, classified but not verified.
enum PassiveMessage {
  /// The posted response to a sign-in, with its `wctx`.
  case token(wresult: [UInt8], state: String?)
  /// The error that the service sent to the error URL.
  case failure(AccessControlFailure)
  /// The user signed out elsewhere: end the session of this browser.
  case signOutCleanup

  /// Every parameter name that the profile defines.
  private static let names = [
    "wa", "wresult", "wresultptr", "wctx", "wtrealm", "wreply", "wct", "whr", "wauth", "wfresh",
    "wreq", "wreqptr", "wp", "wfed", "wencoding", "wres", "wattr", "wattrptr", "wpseudo",
    "wpseudoptr", "ErrorDetails",
  ]
  private static let pointers = ["wresultptr", "wreqptr", "wattrptr", "wpseudoptr"]

  /// - Throws: `client.content-type`, `client.duplicate-parameter`, `client.malformed-form`,
  ///   `client.parameter`, `input.json-*`.
  init(_ message: IncomingMessage) throws(TokenError) {
    let query = try FormReader((message.query ?? "").utf8)
    switch message.method {
    case "GET": self = try Self.get(query)
    case "POST":
      guard FormReader.isForm(message.contentType) else {
        throw TokenError(.clientContentType, expected: FormReader.mediaType)
      }
      let form = try FormReader(message.body)
      // The address may have a query of its own, but no parameter of the profile in it.
      guard !query.hasAny(of: Self.names) else { throw TokenError(.clientDuplicateParameter) }
      self = try Self.post(form)
    default: throw TokenError(.clientContentType, expected: "GET or POST")
    }
  }

  private static func get(_ query: FormReader) throws(TokenError) -> Self {
    try refusePointers(query)
    if let details = query["ErrorDetails"] {
      return .failure(try AccessControlFailure(errorDetails: details))
    }
    guard query["wa"] == "wsignoutcleanup1.0", query["wresult"] == nil else {
      throw TokenError(.clientParameter, node: "wa", expected: "wsignoutcleanup1.0 in a GET")
    }
    return .signOutCleanup
  }

  private static func post(_ form: FormReader) throws(TokenError) -> Self {
    try refusePointers(form)
    if let details = form["ErrorDetails"] {
      guard form["wresult"] == nil else {
        throw TokenError(.clientParameter, node: "wresult", found: "an error and a token")
      }
      return .failure(try AccessControlFailure(errorDetails: details))
    }
    guard form["wa"] == "wsignin1.0" else {
      throw TokenError(.clientParameter, node: "wa", expected: "wsignin1.0 in a POST")
    }
    let wresult = Array(try form.require("wresult").utf8)
    // One encoding only: base64 and DEFLATE belong to other bindings.
    guard wresult.first(where: { !ASCII.isWhiteSpace($0) }) == ASCII.lessThan else {
      throw TokenError(.clientParameter, node: "wresult", expected: "XML")
    }
    return .token(wresult: wresult, state: form["wctx"])
  }

  /// Rejects parameters that point to the message at another address; they are never fetched.
  private static func refusePointers(_ form: FormReader) throws(TokenError) {
    guard !form.hasAny(of: pointers) else {
      throw TokenError(.clientParameter, node: "wresultptr", expected: "the message itself")
    }
  }
}
