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
