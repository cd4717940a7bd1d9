import TokenBasics

/// A JSON value as lines, members below each other.
struct MemberView {
  let disclosure: Disclosure
  /// The outermost members whose values a masked page shows.
  let visible: Set<String>
  private var shown = 0

  init(disclosure: Disclosure, visible: Set<String>) {
    self.disclosure = disclosure
    self.visible = visible
  }

  mutating func write(_ json: JSONValue, named name: String, to page: inout HTMLWriter) {
    write(json, name, isPublic: false, depth: 0, page.count, &page)
  }

  /// The depth of JSON is bounded by its parser.
  private mutating func write(
    _ json: JSONValue, _ name: String, isPublic: Bool, depth: Int, _ start: Int,
    _ page: inout HTMLWriter
  ) {
    shown += 1
    let open = page.depth
    page.begin(.div, [.styled("l")])
    page.begin(.span, [.styled("n")])
    page.value(name)
    page.close(to: page.depth - 1)
    switch json.kind {
    case .object(let members):
      page.text(" {\(members.isEmpty ? "}" : "")")
      page.close(to: open)
      let inside = members.map { ($0.name, $0.value, depth == 0 && visible.contains($0.name)) }
      write(inside, "}", depth, start, &page)
    case .array(let elements):
      page.text(" [\(elements.isEmpty ? "]" : "")")
      page.close(to: open)
      let inside = elements.enumerated().map { ("\($0.offset)", $0.element, isPublic) }
      write(inside, "]", depth, start, &page)
    default:
      page.text(" = ")
      page.value(Self.text(json), disclosure, isPublic: isPublic)
      page.close(to: open)
    }
  }

  private mutating func write(
    _ inside: [(String, JSONValue, Bool)], _ end: String, _ depth: Int, _ start: Int,
    _ page: inout HTMLWriter
  ) {
    guard !inside.isEmpty else { return }
    let open = page.depth
    page.begin(.div, [.styled("k")])
    for (number, (name, value, isPublic)) in inside.enumerated() {
      guard shown < PageLimits.elements, page.count - start < PageLimits.sectionOctets else {
        page.element(.div, .styled("l"), text: "… \(inside.count - number) more are left out")
        break
      }
      write(value, name, isPublic: isPublic, depth: depth + 1, start, &page)
    }
    page.close(to: open)
    page.element(.div, .styled("l"), text: end)
  }

  /// A value that has none inside.
  static func text(_ json: JSONValue) -> String {
    switch json.kind {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let text), .string(let text): text
    case .array, .object: ""
    }
  }
}
