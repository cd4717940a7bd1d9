/// How a logout request is answered: through the browser, or in the SOAP response.
public enum LogoutAnswer: Sendable {
  /// The browser carries the answer to the identity provider.
  case browser(BrowserAction)
  /// The body of the response, of type `text/xml` (SAML Bindings 3.2.3.3).
  case soap([UInt8])
}
