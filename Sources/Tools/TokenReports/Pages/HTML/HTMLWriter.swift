/// Writes a page. Names are the program's, text is escaped on its way in, and what is open is closed: no caller can
/// write markup that is none.
///
/// What it writes is well-formed as XML too, but for the document type.
package struct HTMLWriter {
  package private(set) var octets: [UInt8] = []
  private var open: [HTMLName] = []

  /// An empty page.
  package init() {}

  /// How much has been written.
  var count: Int { octets.count }
  /// How many elements are open.
  var depth: Int { open.count }

  /// An element with what `content` writes.
  package mutating func element(
    _ name: HTMLName, _ attributes: HTMLAttribute..., content: (inout HTMLWriter) -> Void = { _ in }
  ) {
    begin(name, attributes)
    guard !name.isVoid else { return }
    let depth = depth
    content(&self)
    close(to: depth - 1)
  }

  /// An element with a text alone.
  package mutating func element(_ name: HTMLName, _ attributes: HTMLAttribute..., text: String) {
    begin(name, attributes)
    guard !name.isVoid else { return }
    self.text(text)
    close(to: depth - 1)
  }

  /// Opens an element that ``close(to:)`` closes: for trees, which are walked without recursion.
  mutating func begin(_ name: HTMLName, _ attributes: [HTMLAttribute] = []) {
    append("<")
    append(name.rawValue)
    for attribute in attributes { write(attribute) }
    append(name.isVoid ? "/>" : ">")
    if !name.isVoid { open.append(name) }
  }

  /// Closes elements until `depth` are open.
  mutating func close(to depth: Int) {
    while open.count > max(depth, 0), let name = open.popLast() {
      append("</")
      append(name.rawValue)
      append(">")
    }
  }

  /// Text, escaped, on one line or several.
  package mutating func text(_ text: String) { PageText.append(text, to: &octets) }

  /// A text of the token, set apart from what is around it, at most ``PageLimits/characters`` of it.
  package mutating func value(_ text: String) {
    begin(.span, [.styled("v")])
    PageText.append(text, limit: PageLimits.characters, to: &octets) { hidden, octets in
      octets += Array("<span class=\"u\">".utf8) + Array(hidden.utf8) + Array("</span>".utf8)
    }
    close(to: depth - 1)
  }

  /// What stands before the document element.
  package mutating func documentType() { append("<!DOCTYPE html>\n") }

  /// The head of a page that fetches nothing, runs nothing and has the one style sheet.
  package mutating func head(_ title: String) {
    element(.head) { page in
      page.meta("charset", "utf-8")
      page.meta(
        "http-equiv", "Content-Security-Policy",
        "default-src 'none'; style-src \(StyleSheet.source); base-uri 'none'; form-action 'none'")
      page.meta("name", "viewport", "width=device-width, initial-scale=1")
      page.meta("name", "referrer", "no-referrer")
      page.meta("name", "robots", "noindex")
      page.meta("name", "color-scheme", "light dark")
      page.element(.title, text: title)
      page.style()
    }
  }

  /// The style sheet, which is the program's.
  private mutating func style() {
    append("<style>")
    append(StyleSheet.text)
    append("</style>")
  }

  /// A text of the token that is held against another one: what is in it alone is marked.
  mutating func value(_ text: String, against other: String) {
    guard let part = Difference.part(of: text, against: other), !part.isEmpty else {
      return value(text)
    }
    begin(.span, [.styled("v")])
    self.text(String(text[..<part.lowerBound]))
    element(.b, .styled("diff"), text: String(text[part]))
    self.text(String(text[part.upperBound...]))
    close(to: depth - 1)
  }

  /// A `meta` element of the program's with one attribute.
  mutating func meta(_ name: StaticString, _ value: StaticString) {
    append("<meta \(name)=\"\(value)\"/>")
  }

  /// A `meta` element of the program's.
  mutating func meta(_ kind: StaticString, _ name: StaticString, _ content: String) {
    append("<meta \(kind)=\"\(name)\" content=\"")
    PageText.append(content, to: &octets)
    append("\"/>")
  }

  private mutating func append(_ text: String) { octets += Array(text.utf8) }

  private mutating func write(_ attribute: HTMLAttribute) {
    switch attribute {
    case .styled(let name): append(" class=\"\(name)\"")
    case .id(let anchor): append(" id=\"\(anchor.text)\"")
    case .link(let anchor): append(" href=\"#\(anchor.text)\"")
    case .labelledBy(let anchor): append(" aria-labelledby=\"\(anchor.text)\"")
    case .label(let text):
      append(" aria-label=\"")
      PageText.append(text, limit: PageLimits.characters, to: &octets)
      append("\"")
    case .fixed(let name, let value): append(" \(name)=\"\(value)\"")
    case .number(let name, let value): append(" \(name)=\"\(value)\"")
    }
  }
}

/// The elements that a page may have: none that fetches, runs or submits anything.
package enum HTMLName: String {
  case html, head, title, meta, body, main, header, footer, section, nav
  case h1, h2, h3, p, div, span, ul, ol, li, dl, dt, dd, a, b, code, pre, details, summary
  case table, caption, thead, tbody, tr, th, td
  case svg, rect, line, circle

  /// Whether it has no content and no end tag.
  var isVoid: Bool { self == .meta }
}

/// An attribute of a page. Text of a token has one place among them, ``label(_:)``; all others hold what the program
/// says. No case takes an address or a style.
package enum HTMLAttribute {
  case styled(StaticString)
  case id(PageAnchor)
  /// A place in the same page.
  case link(PageAnchor)
  case labelledBy(PageAnchor)
  case label(String)
  /// An attribute of the program's, such as `scope`.
  case fixed(StaticString, StaticString)
  /// A length or a position in a drawing.
  case number(StaticString, Int)
}

/// A place in a page that has one of each: of the token with this number, and of the part with this name.
package struct PageAnchor {
  let token: Int
  let name: StaticString

  package init(token: Int, name: StaticString) {
    self.token = token
    self.name = name
  }

  var text: String { "t\(token)-\(name)" }
}
