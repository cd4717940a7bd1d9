import Octets

/// Reads the members of a configuration file and collects every error with its line.
package struct MemberReader {
  private let octets: [UInt8]
  private let lines: LineIndex
  private let memberCode: TokenError.Code
  private let valueCode: TokenError.Code
  /// What was wrong, in the order in which it was found.
  package private(set) var errors: [TokenError] = []

  /// - Parameters:
  ///   - member: The code of a member that is unknown or missing.
  ///   - value: The code of a value that is refused.
  package init(_ octets: [UInt8], member: TokenError.Code, value: TokenError.Code) {
    self.octets = octets
    lines = LineIndex(octets)
    memberCode = member
    valueCode = value
  }

  /// The document of a file.
  ///
  /// - Parameter code: For what is no strict JSON.
  /// - Throws: `code` with the place.
  package static func document(
    _ octets: [UInt8], orThrow code: TokenError.Code
  ) throws(TokenError) -> JSONValue {
    do throws(TokenError) {
      return try JSONParser.parse(octets)
    } catch {
      throw TokenError(
        code, node: error.node, expected: error.expected, found: error.found,
        hint: JSONSlip(octets, error)?.hint)
    }
  }

  /// Refuses what is no object, and members beside `allowed`.
  package mutating func members(_ json: JSONValue, _ allowed: [String]) {
    guard let members = json.members else {
      refuse(json, "an object")
      return
    }
    for (name, value) in members where !allowed.contains(name) {
      let places = places
      add(
        memberCode, at: places.nameOffset(before: value), expected: allowed.joined(separator: ", "),
        found: TokenError.excerpt(name), DocumentPlaces.unknownMember(name, known: allowed))
    }
  }

  /// Refuses what is no object, and members beside `allowed` and `$schema`, by which an editor finds the schema of the
  /// file.
  package mutating func fileMembers(_ json: JSONValue, _ allowed: [String]) {
    members(json, allowed + [Self.schema])
    _ = text(json[Self.schema])
  }

  /// The member that names a JSON Schema.
  package static let schema = "$schema"

  /// Refuses an object without a member; always nil, so that it stands behind `??`.
  package mutating func required<Value>(_ json: JSONValue, _ name: String) -> Value? {
    if json[name] == nil {
      add(
        memberCode, at: json.range.lowerBound, expected: name, found: "nothing",
        places.missing(name, of: json))
    }
    return nil
  }

  /// A string that is not empty; nil for no value.
  package mutating func text(_ json: JSONValue?) -> String? {
    guard let json else { return nil }
    guard let text = json.string, !text.isEmpty else {
      refuse(json, "a string that is not empty")
      return nil
    }
    return text
  }

  /// A list of strings; empty for no value.
  package mutating func texts(_ json: JSONValue?) -> [String] {
    list(json).compactMap { text($0) }
  }

  /// A list; empty for no value.
  package mutating func list(_ json: JSONValue?) -> [JSONValue] {
    guard let json else { return [] }
    guard let list = json.array else {
      refuse(json, "a list")
      return []
    }
    return list
  }

  /// `true` or `false`; false for no value.
  package mutating func flag(_ json: JSONValue?) -> Bool {
    guard let json else { return false }
    guard let flag = json.bool else {
      refuse(json, "true or false")
      return false
    }
    return flag
  }

  /// A number of seconds within a range; `standard` for no value.
  package mutating func seconds(
    _ json: JSONValue?, _ standard: Int, _ range: ClosedRange<Int>
  ) -> Int {
    guard let json else { return standard }
    guard let number = json.integer, range.contains(number) else {
      refuse(json, "a number of seconds from \(range.lowerBound) to \(range.upperBound)")
      return standard
    }
    return number
  }

  /// Refuses a value.
  package mutating func refuse(_ json: JSONValue, _ expected: String, _ found: String? = nil) {
    let found = found.map { TokenError.excerpt($0) } ?? DocumentPlaces.shown(json)
    add(
      valueCode, at: json.range.lowerBound, expected: expected, found: found,
      places.refusal(of: json, expected: expected, found: found))
  }

  /// The places in the file, which is read again: errors are rare.
  private var places: DocumentPlaces {
    do throws(TokenError) {
      return DocumentPlaces(octets, try JSONParser.parse(octets))
    } catch {
      return DocumentPlaces(octets, nil)
    }
  }

  private mutating func add(
    _ code: TokenError.Code, at offset: Int, expected: String, found: String, _ sentence: String
  ) {
    let place = lines.linePlace(of: offset)
    var error = TokenError(code, node: place.description, expected: expected, found: found)
    error.setting = SettingPlace(place, sentence: sentence)
    add(error)
  }

  /// Adds an error of another kind.
  package mutating func add(_ error: TokenError) { errors.append(error) }

  /// The line and column of a value.
  package func place(_ json: JSONValue) -> String { lines.place(of: json.range.lowerBound) }
}

/// Where the lines of a text begin, for many places in it.
package struct LineIndex: Sendable {
  private var starts = [0]

  package init(_ bytes: [UInt8]) {
    for (index, byte) in bytes.enumerated() where byte == ASCII.lineFeed {
      starts.append(index + 1)
    }
  }

  /// The line and column of a byte, both from 1.
  package func place(of offset: Int) -> String { linePlace(of: offset).description }

  /// The line and column of a byte, both from 1.
  package func linePlace(of offset: Int) -> LinePlace {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return LinePlace(line: low + 1, column: offset - starts[low] + 1)
  }
}
