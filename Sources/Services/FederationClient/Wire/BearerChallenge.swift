import HTTPExchange

/// A `Bearer` challenge of `WWW-Authenticate` and its parameters (RFC 6750, 3).
struct BearerChallenge {
  private var parameters: [String: String] = [:]

  /// The challenge of an answer; nil when there is none or its parameters are not well formed.
  init?(_ answer: HTTPResponse) {
    let values = answer.fields.values("WWW-Authenticate")
    guard
      let value = values.first(where: { value in
        value.prefix { $0 != " " }.utf8.map { $0 | 0x20 } == Array("bearer".utf8)
      })
    else { return nil }
    var rest = value.drop { $0 != " " }
    while true {
      rest = rest.drop { $0 == " " || $0 == "," }
      if rest.isEmpty { return }
      let name = rest.prefix { $0 != "=" && $0 != " " && $0 != "," }
      rest = rest[name.endIndex...]
      guard rest.first == "=", !name.isEmpty else { return nil }
      rest = rest.dropFirst()
      guard let text = Self.value(&rest), parameters.updateValue(text, forKey: String(name)) == nil
      else { return nil }
    }
  }

  subscript(name: String) -> String? { parameters[name] }

  /// A token or a quoted string.
  private static func value(_ rest: inout Substring) -> String? {
    guard rest.first == "\"" else {
      let token = rest.prefix { $0 != "," && $0 != " " }
      rest = rest[token.endIndex...]
      return String(token)
    }
    var text = ""
    var index = rest.index(after: rest.startIndex)
    while index < rest.endIndex {
      let character = rest[index]
      index = rest.index(after: index)
      if character == "\"" {
        rest = rest[index...]
        return text
      }
      if character == "\\", index < rest.endIndex {
        text.append(rest[index])
        index = rest.index(after: index)
      } else {
        text.append(character)
      }
    }
    return nil
  }
}
