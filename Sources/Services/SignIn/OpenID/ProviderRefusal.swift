import TokenBasics

/// The refusal of an authorization or token endpoint (RFC 6749, 4.1.2.1 and 5.2), for who runs the service: the name of the error
/// decides, and what the provider says about it is shown.
struct ProviderRefusal {
  /// The member or parameter `error`.
  let name: String
  /// The member or parameter `error_description`.
  let words: String?

  /// The error. Anybody can put words into an answer through the browser, so at most 200 characters of them are shown, and none
  /// that a log would take for a line of its own.
  ///
  /// - Parameter secrets: What the request had and no log shows.
  func error(at node: String, without secrets: [Secret] = []) -> TokenError {
    var found = TokenError.excerpt(name)
    if var words, !words.isEmpty {
      for secret in secrets where secret.revealed.utf8.count > 3 {
        words = words.replacing(secret.revealed, with: "…")
      }
      found += ", " + TokenError.excerpt(words, length: 200)
    }
    return TokenError(
      .signInRefused, node: node, found: found, .named(OAuthErrorName(rawValue: name)))
  }
}
