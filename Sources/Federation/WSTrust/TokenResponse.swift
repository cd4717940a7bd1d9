package import Instants
import Octets
package import XMLTree

/// A WS-Trust response (February 2005) around a token of any format.
///
/// Nothing in the envelope is signed; its lifetime and audience repeat the token's for readers of the envelope.
package struct TokenResponse {
  /// The token.
  package let token: XMLFragment
  /// The URI of its type.
  package let type: String
  package let created: Instant
  package let expires: Instant
  /// The relying party; nil to leave it out: readers do not agree about an AppliesTo of several.
  package let appliesTo: String?
  /// What the request carried along.
  package let context: String?
  /// The URI of the kind of proof key; nil to leave it out.
  package let keyType: String?

  package init(
    token: XMLFragment, type: String, created: Instant, expires: Instant, appliesTo: String?,
    context: String? = nil, keyType: String? = nil
  ) {
    self.token = token
    self.type = type
    self.created = created
    self.expires = expires
    self.appliesTo = appliesTo
    self.context = context
    self.keyType = keyType
  }

  /// The kind of proof key of a bearer token: none.
  package static let bearer = "http://schemas.xmlsoap.org/ws/2005/05/identity/NoProofKey"

  /// The response.
  ///
  /// - Throws: `policy.mint-character`.
  package func octets() throws(TokenError) -> [UInt8] {
    let trust = WSSName.trust2005
    return try XMLWriter.fragment(
      trust.response, [(ExpandedName("Context"), context)], prefixes: WSSName.prefixes
    ) { writer throws(TokenError) in
      try writer.element(trust.lifetime) { writer throws(TokenError) in
        try writer.element(WSSName.created, text: created.withMilliseconds)
        try writer.element(WSSName.expires, text: expires.withMilliseconds)
      }
      if let appliesTo {
        try writer.element(WSSName.appliesTo) { writer throws(TokenError) in
          try writer.element(WSSName.endpointReference) { writer throws(TokenError) in
            try writer.element(WSSName.address, text: appliesTo)
          }
        }
      }
      try writer.element(trust.requestedToken) { writer throws(TokenError) in
        writer.append(token)
      }
      try writer.element(trust.tokenType, text: type)
      try writer.element(trust.requestType, text: trust.namespace + "/Issue")
      if let keyType { try writer.element(trust.keyType, text: keyType) }
    }.octets
  }

  /// A Simple Web Token or a JSON Web Token as a `wsse:BinarySecurityToken`.
  ///
  /// - Throws: `policy.mint-character`.
  package static func binary(
    _ token: [UInt8], type: String, id: String
  ) throws(TokenError) -> XMLFragment {
    try XMLWriter.fragment(
      WSSName.binarySecurityToken,
      [
        (ExpandedName("Id", in: WSSName.utility), id), (WSSName.valueType, type),
        (WSSName.encodingType, WSSName.base64Binary),
      ], text: Base64.encode(token), prefixes: WSSName.prefixes)
  }
}
