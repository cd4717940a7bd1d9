package import SecurityKeys
package import TokenErrors
import XMLSecurity
package import XMLTree

/// A SAML 2.0 message that we send: an `Issuer`, perhaps a signature, then the content.
package struct OutgoingMessage: Sendable {
  private let name: ExpandedName
  private let header: MessageHeader
  private let attributes: [XMLWriter.Attribute]
  private let content: @Sendable (inout XMLWriter) throws(TokenError) -> Void

  init(
    _ name: ExpandedName, _ header: MessageHeader, _ attributes: [XMLWriter.Attribute] = [],
    _ content: @escaping @Sendable (inout XMLWriter) throws(TokenError) -> Void
  ) {
    self.name = name
    self.header = header
    self.attributes = attributes
    self.content = content
  }

  /// The octets, with an enveloped signature if there is a key.
  ///
  /// - Throws: `policy.mint-*`.
  package func octets(signedWith key: SigningKey?) throws(TokenError) -> [UInt8] {
    try fragment(signedWith: key).octets
  }

  /// As ``octets(signedWith:)``, to be put into an envelope.
  package func fragment(signedWith key: SigningKey?) throws(TokenError) -> XMLFragment {
    try XMLIdentifier.check(header.id, "id")
    let plain = try written()
    guard let key else { return plain }
    return try SignatureWriter(key).signed(plain, id: header.id)
  }

  private func written() throws(TokenError) -> XMLFragment {
    try XMLWriter.fragment(
      name, header.attributes(attributes), prefixes: ProtocolName.prefixes
    ) { writer throws(TokenError) in
      try writer.element(SAML2Name.issuer, text: header.issuer)
      writer.leavePlaceForSignature()
      try content(&writer)
    }
  }
}

/// How a SAML 2.0 message travels (SAML Bindings 3).
public enum SAMLBinding: String, Hashable, Sendable, CaseIterable {
  /// In the query of an address, with its signature beside it (3.4).
  case redirect = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
  /// In a form that the browser posts (3.5).
  case post = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
  /// By reference, resolved over a back channel (3.6).
  case artifact = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact"
  /// In a SOAP envelope from server to server (3.2).
  case soap = "urn:oasis:names:tc:SAML:2.0:bindings:SOAP"
}
