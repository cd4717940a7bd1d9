public import Claims
public import SAML
public import TokenBasics
package import XMLTree

/// A WS-Trust response (a `RequestSecurityTokenResponse` of 2005/02 or 1.3), alone or in a collection.
///
/// Everything in it but the token is unsigned: lifetime and audience are ignored, and the type can
/// only cause a rejection.
package struct WSTrustResponse {
  /// The one token.
  let token: Element
  private let declaredType: Element?

  /// Nil when `element` is no such response.
  ///
  /// - Throws: `response.no-assertion`, `response.several-assertions`, `xml.*`.
  init?(reading element: Element) throws(TokenError) {
    guard let response = try Self.bare(element) else { return nil }
    self = response
  }

  private init(token: Element, declaredType: Element?) {
    self.token = token
    self.declaredType = declaredType
  }

  /// The token's format by the response's type, where that is a supported type.
  ///
  /// - Throws: `xml.mixed-content`.
  func declaredFormat() throws(TokenError) -> TokenFormat? {
    guard let declaredType else { return nil }
    return TokenTypeURI.format(try declaredType.collapsedText())
  }

  /// `token`, unless the response declares another type.
  ///
  /// - Throws: `response.token-type`.
  func checked(_ token: AnyToken) throws(TokenError) -> AnyToken {
    guard let format = try declaredFormat(), format != token.format else { return token }
    throw TokenError(
      .tokenType, node: declaredType?.path, expected: token.format.name, found: format.name)
  }

  private static func bare(_ element: Element) throws(TokenError) -> Self? {
    for version in WSSName.trustVersions {
      if element.isNamed(version.response) { return try token(in: element, version) }
      guard element.isNamed(version.collection) else { continue }
      let responses = try element.children()
      guard let response = responses.first else {
        throw TokenError(.noAssertion, node: element.path)
      }
      guard responses.count == 1 else {
        throw TokenError(
          .severalAssertions, node: element.path, expected: "1", found: "\(responses.count)")
      }
      guard response.isNamed(version.response) else {
        throw TokenError(
          .unexpectedElement, node: response.path, expected: "RequestSecurityTokenResponse")
      }
      return try token(in: response, version)
    }
    return nil
  }

  private static func token(
    in response: Element, _ version: WSSName.Trust
  ) throws(TokenError) -> Self {
    let children = try response.children()
    let requested = children.filter { $0.isNamed(version.requestedToken) }
    guard let holder = requested.first else { throw TokenError(.noAssertion, node: response.path) }
    guard requested.count == 1 else {
      throw TokenError(.severalAssertions, node: requested[1].path, expected: "1")
    }
    let tokens = try holder.children()
    guard let token = tokens.first else { throw TokenError(.noAssertion, node: holder.path) }
    guard tokens.count == 1 else {
      throw TokenError(
        .severalAssertions, node: holder.path, expected: "1", found: "\(tokens.count)")
    }
    return Self(token: token, declaredType: children.first { $0.isNamed(version.tokenType) })
  }
}

extension WSTrustResponse {
  /// A WS-Trust response around a token of any format: of February 2005, or of WS-Trust 1.3, which has it in a collection.
  ///
  /// Nothing in the envelope is signed; its lifetime and audience repeat the token's for readers of the envelope.
  package struct Draft {
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
    private let version: WSSName.Trust

    package init(
      token: XMLFragment, type: String, created: Instant, expires: Instant, appliesTo: String?,
      context: String? = nil, keyType: String? = nil, version: WSSName.Trust = WSSName.trust2005
    ) {
      self.version = version
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
      try XMLWriter.fragment(
        version.response, attributes, prefixes: WSSName.prefixes, content
      ).octets
    }

    /// Writes the response into an element of its own, such as the body of an envelope.
    ///
    /// - Throws: `policy.mint-character`.
    package func write(into writer: inout XMLWriter) throws(TokenError) {
      guard version.namespace != WSSName.trust2005.namespace else {
        return try writer.element(version.response, attributes, content)
      }
      try writer.element(version.collection) { writer throws(TokenError) in
        try writer.element(version.response, attributes, content)
      }
    }

    private var attributes: [XMLWriter.Attribute] { [(ExpandedName("Context"), context)] }

    private func content(_ writer: inout XMLWriter) throws(TokenError) {
      let trust = version
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
}

extension SAMLIssuer {
  /// A WS-Trust response (February 2005) around a signed assertion: the `wresult` of a WS-Federation
  /// sign-in, as ACS and ADFS post it.
  ///
  /// Nothing in the envelope is signed; its lifetime and audience repeat the assertion's for readers
  /// of the envelope. As in theirs, its creation is the beginning of the assertion's validity.
  ///
  /// - Throws: as `assertion(_:delivery:)`.
  public func tokenResponse(
    _ draft: TokenDraft, delivery: SAMLDelivery = SAMLDelivery()
  ) throws(TokenError) -> [UInt8] {
    let assertion = try assertionFragment(draft, delivery)
    return try WSTrustResponse.Draft(
      token: assertion, type: version == .v2 ? TokenTypeURI.saml20 : TokenTypeURI.saml11,
      created: draft.validFrom, expires: draft.expires,
      appliesTo: draft.audiences.count == 1 ? draft.audiences.first : nil
    ).octets()
  }
}
