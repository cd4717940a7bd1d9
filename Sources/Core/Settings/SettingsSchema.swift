import TokenBasics

extension SettingsDescription {
  /// The JSON Schema (2020-12) of a file, as indented JSON.
  ///
  /// - Parameters:
  ///   - name: The name of the schema's file.
  ///   - title: What the file is for.
  package func schema(named name: String, title: String) -> String {
    let head: [(String, SchemaText)] = [
      ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
      ("$id", .text("https://swift-federation.example/schemas/\(name)")), ("title", .text(title)),
    ]
    return SchemaText.object(head + schemaMembers).indented + "\n"
  }

  fileprivate var schemaMembers: [(String, SchemaText)] {
    var schema: [(String, SchemaText)] = [
      ("type", .text("object")),
      ("properties", .object(members.map { ($0.name, $0.schema) })),
      ("additionalProperties", .plain("false")),
    ]
    let required = members.filter(\.isRequired).map { SchemaText.text($0.name) }
    if !required.isEmpty { schema.append(("required", .list(required))) }
    if !rules.isEmpty { schema.append(("allOf", .list(rules.map { SchemaText(json: $0) }))) }
    return schema
  }
}

extension SettingMember {
  fileprivate var schema: SchemaText {
    var members = shape.schemaMembers
    members.append(("description", .text(plainWords)))
    return .object(members)
  }

  /// The words without links.
  private var plainWords: String {
    var plain = ""
    var rest = words[...]
    while let open = rest.firstIndex(of: "["),
      let turn = rest[open...].firstRange(of: "]("),
      let close = rest[turn.upperBound...].firstIndex(of: ")")
    {
      plain += rest[..<open] + rest[rest.index(after: open)..<turn.lowerBound]
      rest = rest[rest.index(after: close)...]
    }
    return plain + rest
  }
}

extension SettingShape {
  private var schema: SchemaText { .object(schemaMembers) }

  fileprivate var schemaMembers: [(String, SchemaText)] {
    switch self {
    case .text(nil): [("type", .text("string")), ("minLength", .plain("1"))]
    case .text(let pattern?):
      [("type", .text("string")), ("minLength", .plain("1")), ("pattern", .text(pattern))]
    case .anyText: [("type", .text("string"))]
    case .words(let words): [("enum", .list(words.map { SchemaText.text($0) }))]
    case .flag: [("type", .text("boolean"))]
    case .yes: [("const", .plain("true"))]
    case .whole(let range):
      [
        ("type", .text("integer")), ("minimum", .plain("\(range.lowerBound)")),
        ("maximum", .plain("\(range.upperBound)")),
      ]
    case .list(let item, 0): [("type", .text("array")), ("items", item.schema)]
    case .list(let item, let least):
      [("type", .text("array")), ("items", item.schema), ("minItems", .plain("\(least)"))]
    case .object(let description): description.schemaMembers
    case .kinds(let kinds): Self.schema(of: kinds[...])
    case .map(let value):
      [("type", .text("object")), ("additionalProperties", value.schema)]
    case .either(let shapes): [("anyOf", .list(shapes.map(\.schema)))]
    case .schema(let json):
      if case .object(let members) = SchemaText(json: json) { members } else { [] }
    }
  }

  private static func schema(
    of kinds: ArraySlice<(kind: SettingsKind, description: SettingsDescription)>
  ) -> [(String, SchemaText)] {
    guard let (kind, description) = kinds.first else { return [] }
    guard kinds.count > 1 else { return description.schemaMembers }
    let marks = kind.marks.map { SchemaText.object([("required", .list([.text($0)]))]) }
    return [
      ("if", .object([("anyOf", .list(marks))])), ("then", .object(description.schemaMembers)),
      ("else", .object(schema(of: kinds.dropFirst()))),
    ]
  }
}

/// JSON whose members keep their order.
private indirect enum SchemaText {
  case text(String)
  /// A number, `true`, `false` or `null`.
  case plain(String)
  case list([SchemaText])
  case object([(String, SchemaText)])

  init(_ value: JSONValue) {
    self =
      switch value.kind {
      case .null: .plain("null")
      case .bool(let flag): .plain("\(flag)")
      case .number(let text): .plain(text)
      case .string(let text): .text(text)
      case .array(let elements): .list(elements.map { SchemaText($0) })
      case .object(let members): .object(members.map { ($0.name, SchemaText($0.value)) })
      }
  }

  /// JSON that a declaration holds; a text for anything else, which no schema accepts.
  init(json: String) {
    do throws(TokenError) {
      self.init(try JSONParser.parse(Array(json.utf8)))
    } catch {
      self = .text(json)
    }
  }

  var indented: String { indented(by: "") }

  private func indented(by margin: String) -> String {
    let inner = margin + "  "
    switch self {
    case .text(let text): return JSONWriter.literal(text)
    case .plain(let text): return text
    case .list(let elements):
      if elements.isEmpty { return "[]" }
      return "[\n"
        + elements.map { inner + $0.indented(by: inner) }.joined(separator: ",\n") + "\n\(margin)]"
    case .object(let members):
      if members.isEmpty { return "{}" }
      return "{\n"
        + members.map { "\(inner)\(JSONWriter.literal($0)): \($1.indented(by: inner))" }
        .joined(separator: ",\n") + "\n\(margin)}"
    }
  }
}
