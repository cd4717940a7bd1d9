import HTTPExchange
import Octets

/// A SAML message in a posted form (SAML Bindings 3.5), as it was received.
package struct PostedMessage: Sendable {
  /// The decoded XML.
  package let octets: [UInt8]
  /// Whether it came as `SAMLRequest`.
  package let isRequest: Bool
  package let relayState: String?

  /// The parameters of all bindings: none of them may be in the query of a posted form (BIND-2).
  private static let names = [
    "SAMLRequest", "SAMLResponse", "SAMLart", "RelayState", "SigAlg", "Signature",
  ]

  /// Reads a request to an endpoint of ours.
  ///
  /// - Throws: `client.content-type` unless it is a posted form; `client.duplicate-parameter`,
  ///   `client.malformed-form`, `client.parameter`, `input.*`.
  package init(_ message: WebRequest) throws(TokenError) {
    let form = try message.form
    guard try !message.parameters.hasAny(of: Self.names) else {
      throw TokenError(.clientDuplicateParameter)
    }
    guard (form["SAMLRequest"] == nil) != (form["SAMLResponse"] == nil) else {
      throw TokenError(
        .clientParameter, node: "SAMLResponse", expected: "one of SAMLRequest and SAMLResponse")
    }
    isRequest = form["SAMLRequest"] != nil
    let name = isRequest ? "SAMLRequest" : "SAMLResponse"
    // One encoding: neither XML as it is nor DEFLATE (BIND-1).
    octets = try Base64.decode(try form.require(name).utf8, whiteSpace: .skipped)
    guard
      octets.first(where: { !ASCII.isWhiteSpace($0) }) == ASCII.lessThan
        || octets.starts(with: [0xEF, 0xBB, 0xBF])
    else { throw TokenError(.clientParameter, node: name, expected: "XML in base64") }
    relayState = form["RelayState"]
  }
}
