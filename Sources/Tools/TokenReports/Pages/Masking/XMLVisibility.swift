import XMLTree

/// Which values of a document a masked page shows: what the protocols say about the message, not what the issuer
/// says about a person. Everything that is not listed is masked.
///
/// Digests, signature values and ciphertexts are masked too: with them a reader could try out what a masked value
/// is, or send an encrypted token once more.
enum XMLVisibility {
  /// Whether the text of the element is shown.
  static func showsText(of element: Element) -> Bool {
    isOfProtocol(element) && texts.contains(element.localName)
  }

  /// Whether the value of the attribute is shown.
  static func shows(_ attribute: Element.WrittenAttribute, of element: Element) -> Bool {
    switch attribute.namespaceURI {
    case "":
      guard isOfProtocol(element) else { return false }
      if attribute.localName == "Value" { return element.localName == "StatusCode" }
      return attributes.contains(attribute.localName)
    case "http://www.w3.org/2001/XMLSchema-instance": return attribute.localName == "type"
    case ExpandedName.xmlNamespace, ExpandedName.wsuNamespace:
      return ["id", "Id"].contains(attribute.localName)
    default:
      return ["mustUnderstand", "ValueType", "EncodingType", "TokenType"].contains(
        attribute.localName)
    }
  }

  private static func isOfProtocol(_ element: Element) -> Bool {
    let namespace = element.namespaceURI
    return namespaces.contains { namespace.utf8.elementsEqual($0.utf8) }
  }

  private static let texts: Set<String> = [
    "Issuer", "Audience", "AuthnContextClassRef", "AuthnContextDeclRef", "ConfirmationMethod",
    "AuthenticatingAuthority", "TokenType", "RequestType", "KeyType", "Created", "Expires",
    "Address", "StatusMessage",
  ]

  private static let attributes: Set<String> = [
    "ID", "Id", "AssertionID", "ResponseID", "URI", "Version", "MajorVersion", "MinorVersion",
    "IssueInstant", "NotBefore", "NotOnOrAfter", "AuthnInstant", "AuthenticationInstant",
    "SessionNotOnOrAfter", "Algorithm", "Format", "NameFormat", "Method", "AuthenticationMethod",
    "Name", "AttributeName", "AttributeNamespace", "Destination", "Recipient", "InResponseTo",
    "Type",
    "EncodingType", "ValueType", "PrefixList", "Issuer", "MimeType",
  ]

  private static let namespaces = [
    "urn:oasis:names:tc:SAML:2.0:assertion", "urn:oasis:names:tc:SAML:2.0:protocol",
    "urn:oasis:names:tc:SAML:1.0:assertion", "urn:oasis:names:tc:SAML:1.0:protocol",
    "http://www.w3.org/2000/09/xmldsig#", "http://www.w3.org/2001/10/xml-exc-c14n#",
    "http://www.w3.org/2001/04/xmlenc#", "http://www.w3.org/2009/xmlenc11#",
    "http://schemas.xmlsoap.org/ws/2005/02/trust",
    "http://docs.oasis-open.org/ws-sx/ws-trust/200512",
    "http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope",
    "http://www.w3.org/2005/08/addressing", ExpandedName.wsuNamespace,
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd",
  ]
}

/// Which members of a JSON Web Token and pairs of a Simple Web Token a masked page shows: issuer, audience, times and
/// what the signature needs.
enum MemberVisibility {
  static let header: Set<String> = ["alg", "typ", "cty", "kid", "crit", "b64", "enc", "zip"]
  static let payload: Set<String> = ["iss", "aud", "exp", "nbf", "iat", "auth_time"]
  static let pairs: Set<String> = ["Issuer", "Audience", "ExpiresOn"]
}
