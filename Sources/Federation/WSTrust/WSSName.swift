import XMLTree

/// The names of WS-Security, WS-Trust and SOAP that a token response uses.
enum WSSName {
  static let binarySecurityToken = ExpandedName("BinarySecurityToken", in: security)
  static let valueType = ExpandedName("ValueType")
  static let encodingType = ExpandedName("EncodingType")
  static let base64Binary =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary"

  private static let security =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"

  static let utility = ExpandedName.wsuNamespace
  static let created = ExpandedName("Created", in: utility)
  static let expires = ExpandedName("Expires", in: utility)
  static let policy = "http://schemas.xmlsoap.org/ws/2004/09/policy"
  static let appliesTo = ExpandedName("AppliesTo", in: policy)
  static let addressing = "http://www.w3.org/2005/08/addressing"
  static let endpointReference = ExpandedName("EndpointReference", in: addressing)
  static let address = ExpandedName("Address", in: addressing)

  /// The prefixes with which responses are written.
  static let prefixes = [
    trust2005.namespace: "t", utility: "wsu", policy: "wsp", addressing: "wsa",
    security: "wsse",
  ]

  /// The names of one version of WS-Trust.
  struct Trust {
    let response: ExpandedName
    let collection: ExpandedName
    let requestedToken: ExpandedName
    let tokenType: ExpandedName
    let lifetime: ExpandedName
    let requestType: ExpandedName
    let keyType: ExpandedName
    let namespace: String

    init(_ namespace: String) {
      self.namespace = namespace
      lifetime = ExpandedName("Lifetime", in: namespace)
      requestType = ExpandedName("RequestType", in: namespace)
      keyType = ExpandedName("KeyType", in: namespace)
      response = ExpandedName("RequestSecurityTokenResponse", in: namespace)
      collection = ExpandedName("RequestSecurityTokenResponseCollection", in: namespace)
      requestedToken = ExpandedName("RequestedSecurityToken", in: namespace)
      tokenType = ExpandedName("TokenType", in: namespace)
    }
  }

  /// February 2005 and WS-Trust 1.3, which 1.4 reuses for these elements.
  static let trust2005 = Trust("http://schemas.xmlsoap.org/ws/2005/02/trust")
  static let trustVersions = [
    trust2005, Trust("http://docs.oasis-open.org/ws-sx/ws-trust/200512"),
  ]

  /// The names of one version of SOAP.
  struct SOAP {
    let envelope: ExpandedName
    let header: ExpandedName
    let body: ExpandedName
    let fault: ExpandedName

    init(_ namespace: String) {
      envelope = ExpandedName("Envelope", in: namespace)
      header = ExpandedName("Header", in: namespace)
      body = ExpandedName("Body", in: namespace)
      fault = ExpandedName("Fault", in: namespace)
    }
  }

  static let soapVersions = [
    SOAP("http://schemas.xmlsoap.org/soap/envelope/"),
    SOAP("http://www.w3.org/2003/05/soap-envelope"),
  ]
}
