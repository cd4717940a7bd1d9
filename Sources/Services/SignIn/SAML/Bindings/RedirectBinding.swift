import HTTPExchange
import Federation
import Octets
import SecurityKeys

/// Writes SAML messages into the query of an address (SAML Bindings 3.4.4.1).
package enum RedirectBinding {
  /// The address with the message, signed if there is a key.
  ///
  /// - Parameters:
  ///   - name: `SAMLRequest` or `SAMLResponse`.
  ///   - octets: The message, without a signature of its own.
  /// - Throws: `policy.mint-signature`, `transport.malformed-address`.
  package static func address(
    _ destination: HTTPURL, _ name: String, _ octets: [UInt8], relayState: String?,
    key: SigningKey?
  ) throws(TokenError) -> HTTPURL {
    guard let deflated = Deflate.deflate(octets) else {
      throw TokenError(.mintSignature, node: name)
    }
    var parameters = [(name, Base64.encode(deflated))]
    if let relayState { parameters.append(("RelayState", relayState)) }
    guard let key else { return destination.adding(parameters) }
    parameters.append(("SigAlg", key.algorithm.uri))
    let text = parameters.map { HTTPURL.percentEncoded($0.0) + "=" + HTTPURL.percentEncoded($0.1) }
      .joined(separator: "&")
    let signature = Base64.encode(try key.sign(Array(text.utf8)))
    return destination.adding(parameters + [("Signature", signature)])
  }
}
