public import HTTPExchange
import Federation
import Octets

/// A reference to a response that the identity provider keeps until it is asked for it (SAML Bindings 3.6), as a
/// browser brought it. Its description contains no secret.
public struct SAMLArtifact: Sendable, CustomStringConvertible, CustomReflectable {
  /// The artifact as received: whoever has it can ask for the response.
  let text: Secret
  /// The index of the endpoint that resolves it.
  let index: Int
  /// SHA-1 of the entity identifier of the identity provider: a name, which proves nothing.
  let source: [UInt8]
  let relayState: String?

  /// Reads a request to the assertion consumer service; nil where it brings no artifact.
  ///
  /// - Throws: `client.duplicate-parameter`, `client.malformed-form`, `client.content-type`;
  ///   `client.parameter` for what is no artifact of type 4 (SAML Bindings 3.6.4).
  public init?(_ message: WebRequest) throws(TokenError) {
    let query = try message.parameters
    let parameters: FormReader
    if message.method.hasSameBytes(as: "GET") {
      parameters = query
    } else {
      guard message.hasForm else { return nil }
      parameters = try message.form
      guard !query.hasAny(of: ["SAMLart"]) else { throw TokenError(.clientDuplicateParameter) }
    }
    guard let text = parameters["SAMLart"] else { return nil }
    guard !parameters.hasAny(of: ["SAMLRequest", "SAMLResponse"]) else {
      throw TokenError(
        .clientParameter, node: "SAMLart", expected: "one of SAMLart and SAMLResponse")
    }
    let octets = try? Base64.decode(text.utf8, whiteSpace: .refused)
    guard let octets, octets.count == Self.size, octets[0] == 0, octets[1] == 4 else {
      throw TokenError(
        .clientParameter, node: "SAMLart", expected: "\(Self.size) octets of type 4 in base64")
    }
    self.text = Secret(text)
    index = Int(octets[2]) << 8 | Int(octets[3])
    source = Array(octets[4..<24])
    relayState = parameters["RelayState"]
  }

  /// The identifier of the request that RelayState names; it only finds the pending sign-in.
  ///
  /// - Throws: `signin.unsolicited` without RelayState.
  public var request: String {
    get throws(TokenError) {
      guard let relayState, !relayState.isEmpty else { throw TokenError(.signInUnsolicited) }
      return relayState
    }
  }

  /// The index of the endpoint alone.
  public var description: String { "SAMLArtifact(index: \(index))" }

  /// Has no children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }

  /// Type, endpoint index, source and message handle.
  private static let size = 2 + 2 + 20 + 20
}
