import Octets

/// The URIs with which envelopes declare the type of their token.
package enum TokenTypeURI {
  package static let swt = "http://schemas.xmlsoap.org/ws/2009/11/swt-token-profile-1.0"
  package static let jwt = "urn:ietf:params:oauth:token-type:jwt"

  package static let saml11 = "urn:oasis:names:tc:SAML:1.0:assertion"
  package static let saml20 = "urn:oasis:names:tc:SAML:2.0:assertion"

  /// The format that `uri` names; nil for an unsupported one.
  package static func format(_ uri: String) -> TokenFormat? {
    known.first { $0.0.hasSameBytes(as: uri) }?.1
  }

  private static let known: [(String, TokenFormat)] = [
    (swt, .swt), (jwt, .jwt),
    (saml11, .saml11),
    ("http://docs.oasis-open.org/wss/oasis-wss-saml-token-profile-1.1#SAMLV1.1", .saml11),
    ("http://schemas.microsoft.com/ws/2006/05/identitymodel/tokens/Saml", .saml11),
    (saml20, .saml20),
    ("http://docs.oasis-open.org/wss/oasis-wss-saml-token-profile-1.1#SAMLV2.0", .saml20),
  ]
}
