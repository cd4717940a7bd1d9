package import Octets
package import TokenErrors

/// The parameters of a query received from a browser or in a `Location`, each at most once.
package enum QueryParameters {
  /// - Throws: `client.duplicate-parameter`; `input.percent-escape`, `input.not-utf8`.
  package static func read(
    _ query: String, plus: FormEncoding.Plus = .isSpace
  ) throws(TokenError) -> [String: String] {
    var parameters: [String: String] = [:]
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = try text(parts[0], plus)
      let value = parts.count == 2 ? try text(parts[1], plus) : ""
      guard parameters.updateValue(value, forKey: name) == nil else {
        throw TokenError(.clientDuplicateParameter, node: TokenError.excerpt(name))
      }
    }
    return parameters
  }

  package static func text(_ encoded: Substring, _ plus: FormEncoding.Plus) throws(TokenError)
    -> String
  {
    let octets = try FormEncoding.decode(Array(encoded.utf8)[...], plus: plus)
    guard let text = String(validating: octets, as: UTF8.self) else { throw TokenError(.notUTF8) }
    return text
  }
}
