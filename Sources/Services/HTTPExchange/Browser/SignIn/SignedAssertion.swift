/// How a client proves itself at a token endpoint with a token that it signed (RFC 7523, 2.2).
package enum SignedAssertion {
  /// The fields of the form around it.
  package static func fields(_ assertion: String) -> [(name: String, value: String)] {
    [
      ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
      ("client_assertion", assertion),
    ]
  }
}
