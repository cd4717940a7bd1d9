package import XMLTree

/// The names of WS-Security, WS-Trust and SOAP that token requests and responses use.
package enum WSSName {
  static let binarySecurityToken = ExpandedName("BinarySecurityToken", in: security)
  static let valueType = ExpandedName("ValueType")
  static let encodingType = ExpandedName("EncodingType")
  static let base64Binary =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary"

  package static let security =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"

  package static let utility = ExpandedName.wsuNamespace
  package static let created = ExpandedName("Created", in: utility)
  package static let expires = ExpandedName("Expires", in: utility)
  private static let policy = "http://schemas.xmlsoap.org/ws/2004/09/policy"
  package static let appliesTo = ExpandedName("AppliesTo", in: policy)
  package static let addressing = "http://www.w3.org/2005/08/addressing"
  package static let endpointReference = ExpandedName("EndpointReference", in: addressing)
  package static let address = ExpandedName("Address", in: addressing)

  /// The prefixes with which responses are written.
  package static let prefixes = [
    trust2005.namespace: "t", trust13.namespace: "trust", utility: "wsu", policy: "wsp",
    addressing: "wsa", security: "wsse", soap11.namespace: "s", soap12.namespace: "s",
  ]

  /// The names of one version of WS-Trust.
  package struct Trust: Sendable {
    package let request: ExpandedName
    let response: ExpandedName
    let collection: ExpandedName
    let requestedToken: ExpandedName
    package let tokenType: ExpandedName
    let lifetime: ExpandedName
    package let requestType: ExpandedName
    package let keyType: ExpandedName
    package let namespace: String

    init(_ namespace: String) {
      self.namespace = namespace
      lifetime = ExpandedName("Lifetime", in: namespace)
      requestType = ExpandedName("RequestType", in: namespace)
      keyType = ExpandedName("KeyType", in: namespace)
      request = ExpandedName("RequestSecurityToken", in: namespace)
      response = ExpandedName("RequestSecurityTokenResponse", in: namespace)
      collection = ExpandedName("RequestSecurityTokenResponseCollection", in: namespace)
      requestedToken = ExpandedName("RequestedSecurityToken", in: namespace)
      tokenType = ExpandedName("TokenType", in: namespace)
    }
  }

  /// February 2005 and WS-Trust 1.3, which 1.4 reuses for these elements.
  package static let trust2005 = Trust("http://schemas.xmlsoap.org/ws/2005/02/trust")
  package static let trust13 = Trust("http://docs.oasis-open.org/ws-sx/ws-trust/200512")
  package static let trustVersions = [trust2005, trust13]

  /// The names of one version of SOAP.
  package struct SOAP: Sendable {
    package let envelope: ExpandedName
    package let header: ExpandedName
    package let body: ExpandedName
    package let fault: ExpandedName
    package let namespace: String

    init(_ namespace: String) {
      self.namespace = namespace
      envelope = ExpandedName("Envelope", in: namespace)
      header = ExpandedName("Header", in: namespace)
      body = ExpandedName("Body", in: namespace)
      fault = ExpandedName("Fault", in: namespace)
    }
  }

  package static let soap11 = SOAP("http://schemas.xmlsoap.org/soap/envelope/")
  package static let soap12 = SOAP("http://www.w3.org/2003/05/soap-envelope")
  package static let soapVersions = [soap11, soap12]
}
