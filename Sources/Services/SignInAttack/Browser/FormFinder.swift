import Octets
import TokenBasics

/// A form of a page, as far as a browser without scripts knows it.
package struct PageForm: Sendable, Equatable {
  /// A value that the form sends.
  package struct Field: Sendable, Equatable {
    package let name: String
    package var value: String
  }

  /// Where it goes, as the page has it; nil for the page's own address.
  package let action: String?
  package let isPost: Bool
  package var fields: [Field]

  /// The value of a field.
  package subscript(_ name: String) -> String? {
    fields.first { $0.name.hasSameBytes(as: name) }?.value
  }
}

/// Finds the forms of a page: tags, attributes and character references as HTML has them (HTML, 13.2.5), no tree and no
/// scripts.
package struct FormFinder {
  private static let greaterThan = UInt8(ascii: ">")

  private var rest: ArraySlice<UInt8>
  private var forms: [PageForm] = []
  /// The form that is open.
  private var open: PageForm?
  /// Whether the open form has its button.
  private var isPressed = false

  /// The forms of a page, in order; a page of at most 1 MiB is read.
  package static func forms(in page: [UInt8]) -> [PageForm] {
    var finder = Self(rest: page.prefix(1 << 20)[...])
    finder.read()
    return finder.forms
  }

  private init(rest: ArraySlice<UInt8>) { self.rest = rest }

  private mutating func read() {
    while let start = rest.firstIndex(of: ASCII.lessThan) {
      rest = rest[start...].dropFirst()
      if take("!--") {
        skip(behind: "-->")
      } else if rest.first == UInt8(ascii: "/") {
        rest = rest.dropFirst()
        endTag(name())
      } else if let first = rest.first, ASCII.isLetter(first) {
        startTag(name())
      }
    }
    close()
  }

  private mutating func endTag(_ name: String) {
    if name == "form" { close() }
  }

  private mutating func close() {
    if let open { forms.append(open) }
    open = nil
    isPressed = false
  }

  private mutating func startTag(_ name: String) {
    let attributes = attributes()
    switch name {
    case "form":
      // A form in a form is none (HTML, 13.2.6.4.7).
      guard open == nil else { return }
      open = PageForm(
        action: attributes["action"].flatMap { $0.isEmpty ? nil : $0 },
        isPost: attributes["method"].map { $0.lowercasedASCII == "post" } ?? false, fields: [])
    case "input": input(attributes)
    case "button":
      let type = attributes["type"].map(\.lowercasedASCII) ?? "submit"
      if type == "submit" { button(attributes) }
    case "textarea": textArea(attributes)
    case "script", "style", "title", "xmp", "noframes": skip(behind: "</" + name)
    default: return
    }
  }

  private mutating func input(_ attributes: [String: String]) {
    guard open != nil, let name = attributes["name"], !name.isEmpty, attributes["disabled"] == nil
    else { return }
    switch attributes["type"].map(\.lowercasedASCII) ?? "text" {
    case "submit": button(attributes)
    case "image", "button", "reset", "file": return
    case "checkbox", "radio":
      if attributes["checked"] != nil { add(name, attributes["value"] ?? "on") }
    default: add(name, attributes["value"] ?? "")
    }
  }

  /// A browser sends the button that is pressed: the first one.
  private mutating func button(_ attributes: [String: String]) {
    guard open != nil, !isPressed, attributes["disabled"] == nil else { return }
    isPressed = true
    guard let name = attributes["name"], !name.isEmpty else { return }
    add(name, attributes["value"] ?? "")
  }

  private mutating func textArea(_ attributes: [String: String]) {
    guard let name = attributes["name"], !name.isEmpty else { return skip(behind: "</textarea") }
    let start = rest
    skip(behind: "</textarea")
    let text = start[..<(rest.startIndex)].dropLast("</textarea".utf8.count)
    // The first line end is none of its text.
    add(name, Self.unescaped(text.first == ASCII.lineFeed ? text.dropFirst() : text))
  }

  private mutating func add(_ name: String, _ value: String) {
    open?.fields.append(PageForm.Field(name: name, value: value))
  }

  // MARK: Tags

  /// The name of a tag, in lower case.
  private mutating func name() -> String {
    let octets = rest.prefix {
      !ASCII.isWhiteSpace($0) && $0 != 0x0C && $0 != UInt8(ascii: "/") && $0 != Self.greaterThan
    }
    rest = rest[octets.endIndex...]
    return String(decoding: octets.map(ASCII.lowercased), as: UTF8.self)
  }

  /// The attributes up to the end of the tag. Of two with one name the first counts (HTML, 13.2.5.33).
  private mutating func attributes() -> [String: String] {
    var found: [String: String] = [:]
    while true {
      rest = rest.drop { Self.isSpace($0) || $0 == UInt8(ascii: "/") }
      guard let first = rest.first, first != Self.greaterThan else {
        rest = rest.dropFirst()
        return found
      }
      let octets = rest.dropFirst().prefix {
        !Self.isSpace($0) && $0 != UInt8(ascii: "/") && $0 != Self.greaterThan && $0 != ASCII.equals
      }
      let name = String(decoding: ([first] + octets).map(ASCII.lowercased), as: UTF8.self)
      rest = rest[octets.endIndex...].drop(while: Self.isSpace)
      var value = ""
      if rest.first == ASCII.equals {
        rest = rest.dropFirst().drop(while: Self.isSpace)
        value = attributeValue()
      }
      if found[name] == nil { found[name] = value }
    }
  }

  private mutating func attributeValue() -> String {
    let value: ArraySlice<UInt8>
    if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      value = rest.dropFirst().prefix { $0 != quote }
      rest = rest[value.endIndex...].dropFirst()
    } else {
      value = rest.prefix { !Self.isSpace($0) && $0 != Self.greaterThan }
      rest = rest[value.endIndex...]
    }
    return Self.unescaped(value)
  }

  private mutating func take(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  /// Goes on behind a text of ASCII, compared without case; to the end where there is none.
  private mutating func skip(behind text: String) {
    let wanted = Array(text.utf8)
    var place = rest
    while place.count >= wanted.count {
      if place.prefix(wanted.count).lazy.map(ASCII.lowercased).elementsEqual(wanted) {
        rest = place.dropFirst(wanted.count)
        return
      }
      place = place.dropFirst()
    }
    rest = rest.suffix(0)
  }

  private static func isSpace(_ octet: UInt8) -> Bool { ASCII.isWhiteSpace(octet) || octet == 0x0C }

  // MARK: Character references

  /// A text with its character references replaced: numbers, and the names that writers of forms use.
  private static func unescaped(_ octets: ArraySlice<UInt8>) -> String {
    var text: [UInt8] = []
    var rest = octets
    while let ampersand = rest.firstIndex(of: ASCII.ampersand) {
      text += rest[..<ampersand]
      let body = rest[ampersand...].dropFirst().prefix(10)
      guard let end = body.firstIndex(of: UInt8(ascii: ";")), let octets = character(body[..<end])
      else {
        text.append(ASCII.ampersand)
        rest = rest[ampersand...].dropFirst()
        continue
      }
      text += octets
      rest = rest[end...].dropFirst()
    }
    return String(decoding: text + rest, as: UTF8.self)
  }

  private static func character(_ name: ArraySlice<UInt8>) -> [UInt8]? {
    guard name.first == UInt8(ascii: "#") else {
      return MarkupEscaping.names.first { $0.name.utf8.elementsEqual(name) }.map { [$0.octet] }
    }
    let digits = name.dropFirst()
    let isHexadecimal = digits.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
    let text = String(decoding: isHexadecimal ? digits.dropFirst() : digits, as: UTF8.self)
    guard let number = UInt32(text, radix: isHexadecimal ? 16 : 10),
      let scalar = Unicode.Scalar(number)
    else { return nil }
    return Array(String(Character(scalar)).utf8)
  }
}
