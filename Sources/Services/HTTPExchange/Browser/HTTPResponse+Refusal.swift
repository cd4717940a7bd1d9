package import TokenErrors

extension HTTPResponse {
  /// Refuses a redirect, which an endpoint for programs has no reason to send and which is not followed.
  /// - Throws: `transport.redirect`.
  package func refuseRedirect(at node: String) throws(TokenError) {
    guard isRedirect else { return }
    throw TokenError(.transportRedirect, node: node, found: "status \(status)")
  }

  /// The error for a status that the endpoint's protocol does not define: `transport.status`.
  package func unexpected(at node: String) -> TokenError {
    TokenError(.transportStatus, node: node, found: "status \(status)")
  }
}
