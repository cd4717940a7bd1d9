import Federation
public import HTTPExchange
import Octets
import TokenBasics
import XMLTree

/// A SAML response that a browser posted, or that its artifact stood for; parsed and not verified.
public struct SAMLAnswer: Sendable {
  let token: SAMLToken
  let relayState: String?

  /// Reads a request to the assertion consumer service. Responses come by POST, or
  /// for an artifact over ``ServiceProvider/resolve(_:_:from:trust:used:at:)``.
  ///
  /// - Throws: `client.content-type`, `client.duplicate-parameter`, `client.malformed-form`,
  ///   `client.parameter`; `input.*`, `xml.*`, `response.*`, such as `response.status` for a refusal.
  public init(_ message: WebRequest, limits: Limits = Limits()) throws(TokenError) {
    let posted = try PostedMessage(message)
    guard !posted.isRequest else {
      throw TokenError(.clientParameter, node: "SAMLRequest", expected: "SAMLResponse")
    }
    try self.init(SAMLToken(parsing: posted.octets, limits: limits), posted.relayState)
  }

  /// The response that an artifact stood for.
  init(resolved response: Element, relayState: String?) throws(TokenError) {
    guard response.localName == "Response" else {
      throw TokenError(
        .unexpectedRoot, node: response.path, expected: "Response",
        found: TokenError.excerpt(response.localName))
    }
    try self.init(SAMLToken(response), relayState)
  }

  private init(_ token: SAMLToken, _ relayState: String?) throws(TokenError) {
    guard token.version == .v2 else {
      throw TokenError(.formatMismatch, expected: "saml20", found: "\(token.format)")
    }
    self.token = token
    self.relayState = relayState
  }

  /// The identifier of the request that the answer names; it only finds the pending sign-in.
  ///
  /// - Throws: `signin.unsolicited` if it names none, `signin.unknown-request` if it is not one of ours.
  public var request: String {
    get throws(TokenError) {
      guard let id = token.unverifiedRequest else { throw TokenError(.signInUnsolicited) }
      guard id.utf8.first == UInt8(ascii: "_"), id.utf8.count == 41,
        id.utf8.dropFirst().allSatisfy(Hex.isLowercaseDigit)
      else { throw TokenError(.signInUnknown, found: TokenError.excerpt(id)) }
      return String(id.dropFirst())
    }
  }

  /// Whether the answer names a request at all.
  public var namesRequest: Bool { token.unverifiedRequest != nil }

  /// The issuer that the answer names, without any proof: it only chooses a configured provider. Of an encrypted
  /// assertion it is the one of the message around it; empty where that names none.
  public var unverifiedIssuer: String {
    let own = token.unverifiedFacts.issuer
    return own.isEmpty ? token.unverifiedResponseIssuer ?? "" : own
  }
}

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
