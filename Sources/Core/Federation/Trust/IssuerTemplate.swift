import Octets

/// Names of issuers that no token bears, because they were copied from an example or a template.
package enum IssuerTemplate {
  /// A sentence about a name with a placeholder or with white space around it; nil for any other.
  package static func warning(about name: String) -> String? {
    let shown = TokenError.excerpt(name)
    if let first = name.utf8.first, let last = name.utf8.last,
      ASCII.isWhiteSpace(first) || ASCII.isWhiteSpace(last)
    {
      return "the issuer \(shown) has white space around it, which is part of the name: hardly a "
        + "token bears it"
    }
    guard let placeholder = placeholder(in: name) else { return nil }
    let advice =
      name.contains("login.microsoftonline.com") || placeholder.contains("tenant")
      ? "a token of Entra names the identifier of its tenant there: name each tenant that you trust"
      : "put the value of your issuer in its place"
    return "the issuer \(shown) is a template, \(TokenError.excerpt(placeholder)) stands for a "
      + "value and no token "
      + "bears it: \(advice)"
  }

  /// The first text in braces or angle brackets, neither of which a URI has (RFC 3986, 2).
  private static func placeholder(in name: String) -> String? {
    for (begin, end): (Character, Character) in [("{", "}"), ("<", ">")] {
      guard let start = name.firstIndex(of: begin), let stop = name[start...].firstIndex(of: end)
      else { continue }
      return String(name[start...stop])
    }
    return nil
  }
}
