import Octets

/// Finds the places of values in a JSON document, and writes the sentences of errors about them.
package struct DocumentPlaces: Sendable {
  private let bytes: [UInt8]
  private let document: JSONValue?
  private let lines: LineIndex

  package init(_ bytes: [UInt8], _ document: JSONValue?) {
    self.bytes = bytes
    self.document = document
    lines = LineIndex(bytes)
  }

  /// The line and column of a byte.
  package func place(of offset: Int) -> LinePlace { lines.linePlace(of: offset) }

  /// The path of a value, such as `providers[1].openID`; empty for the document itself.
  package func path(of json: JSONValue) -> String {
    var path = ""
    var outer = document
    while let value = outer, value.range != json.range {
      outer = nil
      switch value.kind {
      case .object(let members):
        if let index = Self.last(of: members.count, before: json, { members[$0].value }) {
          let step = Self.step(members[index].name)
          path += path.isEmpty ? step : ".\(step)"
          outer = members[index].value
        }
      case .array(let elements):
        if let index = Self.last(of: elements.count, before: json, { elements[$0] }) {
          path += "[\(index)]"
          outer = elements[index]
        }
      case .null, .bool, .number, .string: break
      }
    }
    return path
  }

  /// The child that a value is, or is inside of. Children are in document order, and there may be many of them with an
  /// error each: a binary search.
  private static func last(
    of count: Int, before json: JSONValue, _ child: (Int) -> JSONValue
  ) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if child(middle).range.lowerBound <= json.range.lowerBound {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low > 0 && child(low - 1).contains(json) ? low - 1 : nil
  }

  /// A member name as part of a path: a person wrote it, so it may hold anything.
  private static func step(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || "$-_".utf8.contains($0)
    }
    return isPlain && (1...40).contains(name.utf8.count) ? name : TokenError.excerpt(name)
  }

  /// Where the name of a member begins, whose value is known.
  package func nameOffset(before value: JSONValue) -> Int {
    let quote = UInt8(ascii: "\"")
    guard let end = bytes[..<value.range.lowerBound].lastIndex(of: quote) else {
      return value.range.lowerBound
    }
    var start = end
    while let earlier = bytes[..<start].lastIndex(of: quote) {
      let escapes = bytes[..<earlier].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
      if escapes.isMultiple(of: 2) { return earlier }
      start = earlier
    }
    return value.range.lowerBound
  }

  /// "must be …, not …", behind the path of a value.
  package func refusal(of json: JSONValue, expected: String, found: String) -> String {
    let path = path(of: json)
    return "\(path.isEmpty ? "the file" : path) must be \(expected), not \(found)"
  }

  /// "… is missing", for a required member of an object.
  package func missing(_ name: String, of json: JSONValue) -> String {
    let path = path(of: json)
    return "\(path.isEmpty ? name : "\(path).\(name)") is missing"
  }

  /// "unknown member …", with the known name nearest to it, or with all of them.
  package static func unknownMember(_ name: String, known: [String]) -> String {
    let excerpt = TokenError.excerpt(name)
    let shown = excerpt.hasSuffix("\"") ? "`\(excerpt.dropFirst().dropLast())`" : excerpt
    if let nearest = Spelling.nearest(to: name, among: known) {
      return "unknown member \(shown); did you mean `\(nearest)`?"
    }
    return "unknown member \(shown); known members: \(known.joined(separator: ", "))"
  }

  /// What an error shows of a value: a string as an excerpt, a number, true or false, and the type of anything else.
  package static func shown(_ json: JSONValue) -> String {
    switch json.kind {
    case .string(let text): TokenError.excerpt(text)
    case .number(let text): text.utf8.count > 40 ? json.kindName : text
    case .bool(let flag): flag ? "true" : "false"
    case .null, .array, .object: json.kindName
    }
  }
}

extension JSONValue {
  /// Whether another value of the same document is this one or inside it.
  fileprivate func contains(_ inner: JSONValue) -> Bool {
    range.lowerBound <= inner.range.lowerBound && inner.range.upperBound <= range.upperBound
  }
}
