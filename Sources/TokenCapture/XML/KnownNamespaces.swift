/// Namespaces whose names are kept where a standard has them.
enum KnownNamespaces {
  static func contains(_ uri: String) -> Bool { all.contains(uri) }

  private static let all: Set<String> = [
    "urn:oasis:names:tc:SAML:1.0:assertion", "urn:oasis:names:tc:SAML:1.0:protocol",
    "urn:oasis:names:tc:SAML:2.0:assertion", "urn:oasis:names:tc:SAML:2.0:protocol",
    "urn:oasis:names:tc:SAML:2.0:profiles:SSO:ecp", "urn:liberty:paos:2003-08",
    "urn:liberty:paos:2006-08",
    "http://www.w3.org/2000/09/xmldsig#", "http://www.w3.org/2009/xmldsig11#",
    "http://www.w3.org/2001/04/xmlenc#", "http://www.w3.org/2009/xmlenc11#",
    "http://www.w3.org/2001/10/xml-exc-c14n#", "http://www.w3.org/2001/XMLSchema-instance",
    "http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope",
    "http://schemas.xmlsoap.org/ws/2005/02/trust",
    "http://docs.oasis-open.org/ws-sx/ws-trust/200512",
    "http://schemas.xmlsoap.org/ws/2004/09/policy", "http://www.w3.org/2005/08/addressing",
    "http://schemas.xmlsoap.org/ws/2004/08/addressing", "http://www.w3.org/XML/1998/namespace",
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd",
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd",
    "http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd",
  ]
}
