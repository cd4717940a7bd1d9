/// A JSON value, with its position.
package struct JSONValue: Sendable {
  package enum Kind: Sendable {
    case null
    case bool(Bool)
    /// A number as its text: nothing is rounded.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// Members in document order; no name occurs twice.
    case object([(name: String, value: JSONValue)])
  }

  package let kind: Kind
  /// The bytes of the text that are this value.
  package let range: Range<Int>

  /// The string, if it is one.
  package var string: String? {
    if case .string(let text) = kind { text } else { nil }
  }

  /// The boolean, if it is one.
  package var bool: Bool? {
    if case .bool(let value) = kind { value } else { nil }
  }

  /// The integer, if it is one that fits, written without fraction or exponent.
  package var integer: Int? {
    if case .number(let text) = kind { Int(text) } else { nil }
  }

  /// The elements, if it is an array.
  package var array: [JSONValue]? {
    if case .array(let elements) = kind { elements } else { nil }
  }

  /// The members, if it is an object.
  package var members: [(name: String, value: JSONValue)]? {
    if case .object(let members) = kind { members } else { nil }
  }

  /// The member of exactly this name, if it is an object that has one.
  package subscript(name: String) -> JSONValue? {
    members?.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// The value without its members that are null, at every depth. In a document of another party, or a payload, a member that
  /// is null is not there: where one is needed, it is missing. Headers of JOSE and our own files refuse null.
  package var withoutNulls: JSONValue {
    switch kind {
    case .array(let elements): JSONValue(kind: .array(elements.map(\.withoutNulls)), range: range)
    case .object(let members):
      JSONValue(
        kind: .object(
          members.compactMap { name, value in
            if case .null = value.kind { nil } else { (name, value.withoutNulls) }
          }), range: range)
    default: self
    }
  }

  /// What kind of value it is, for an error.
  package var kindName: String {
    let kind: JSONKind =
      switch kind {
      case .null: .null
      case .bool: .boolean
      case .number: .number
      case .string: .string
      case .array: .array
      case .object: .object
      }
    return kind.rawValue
  }
}

extension JSONValue {
  /// The whole text.
  package init(_ document: JSONDocument) { self.init(document, 0) }

  /// The value of that number, with all that is inside.
  init(_ document: JSONDocument, _ number: Int) {
    let node = document.nodes[number]
    range = node.range
    switch node.kind {
    case .null:
      kind = .null
    case .boolean:
      kind = .bool(document.octets[node.range.lowerBound] == UInt8(ascii: "t"))
    case .number:
      kind = .number(document.string(node.range))
    case .string:
      kind = .string(document.string(node.textRange))
    case .array:
      kind = .array(document.children(of: number).map { JSONValue(document, $0.number) })
    case .object:
      kind = .object(
        document.children(of: number).map {
          (document.string($0.node.nameRange), JSONValue(document, $0.number))
        })
    }
  }
}

/// What kind of value a JSON value is; the raw value is what an error calls it.
package enum JSONKind: String, BitwiseCopyable, Sendable {
  case null = "null"
  case boolean = "a boolean"
  case number = "a number"
  case string = "a string"
  case array = "an array"
  case object = "an object"
}
