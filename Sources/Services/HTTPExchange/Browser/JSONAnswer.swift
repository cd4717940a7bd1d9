package import TokenBasics

/// Parses a response as JSON and rejects anything else: a proxy often sends a login page with status 200.
package enum JSONAnswer {
  /// The value of the body.
  /// - Throws: `transport.malformed-response`; `input.json-duplicate-name`, `input.json-too-deep`.
  package static func read(_ response: HTTPResponse) throws(TokenError) -> JSONValue {
    if let type = response.fields["Content-Type"], !isJSON(type) {
      let page = RecognisedText.of(response.body).kind.isPage ? TextKind.page.rawValue + ", " : ""
      throw malformed("JSON", found: page + TokenError.excerpt(type))
    }
    do throws(TokenError) {
      return try JSONParser.parse(response.body)
    } catch {
      // Syntax errors quote the body, which may be a secret or a page; its size is enough.
      guard error == TokenError(.malformedJSON) || error == TokenError(.notUTF8) else {
        throw TokenError(error.code, node: error.node)
      }
      let isPage = RecognisedText.of(response.body).kind.isPage
      throw malformed(
        "JSON",
        found: isPage ? TextKind.page.rawValue : "\(response.body.count) bytes that are not")
    }
  }

  /// The string member of an object.
  /// - Throws: `transport.malformed-response`.
  package static func string(_ name: String, in object: JSONValue) throws(TokenError) -> String {
    guard let member = object[name] else {
      throw malformed("a member \(name)", found: object.kindName)
    }
    guard let text = member.string, !text.isEmpty else {
      throw malformed("a string in \(name)", found: member.kindName)
    }
    return text
  }

  /// The lifetime of a token in seconds, if present: an integer or digits in a string, from one
  /// second to ten years.
  /// - Throws: `transport.malformed-response`.
  package static func lifetime(_ member: JSONValue?) throws(TokenError) -> Int64? {
    guard let member else { return nil }
    let number: Int?
    switch member.kind {
    case .null: return nil
    case .number: number = member.integer
    case .string(let text): number = text.utf8.count <= 10 ? Int(text) : nil
    default: number = nil
    }
    guard let number, (1...315_360_000).contains(number) else {
      throw malformed("a lifetime of 1 to 315360000 seconds", found: member.kindName)
    }
    return Int64(number)
  }

  package static func malformed(_ expected: String, found: String? = nil) -> TokenError {
    TokenError(.transportMalformedResponse, expected: expected, found: found)
  }

  private static func isJSON(_ contentType: String) -> Bool {
    let type = contentType.prefix { $0 != ";" && $0 != " " }.utf8.map { $0 | 0x20 }
    // Graph sent `text/javascript` for years.
    return ["application/json", "text/json", "text/javascript"].contains {
      $0.utf8.map { $0 | 0x20 } == type
    } || type.suffix(5) == Array("+json".utf8.map { $0 | 0x20 })[...]
  }
}
