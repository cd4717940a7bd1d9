/// Writes random documents with everything that a canonical form depends on. Every third is nearly in
/// canonical form already, as signers send it: with few of the variations of the others.
package struct RandomDocument {
  private var random: SplitMix64
  private var text = ""
  /// How many more elements there may be, and how deep.
  private var budget = 0
  private var depth = 0
  private var breadth = 0
  /// The probability of a variation, in per cent.
  private var untidiness = 100

  /// The document of a seed.
  package static func text(seed: UInt64) -> String {
    var document = RandomDocument(random: SplitMix64(seed: seed))
    if seed % 3 == 0 { document.untidiness = document.random.pick([1, 3, 10]) }
    document.write()
    return document.text
  }

  private init(random: SplitMix64) { self.random = random }

  private mutating func write() {
    switch random.below(40) {
    case 0: (budget, depth, breadth) = (85, 85, 2)
    case 1: (budget, depth, breadth) = (200, 3, 60)
    default: (budget, depth, breadth) = (1 + random.below(30), 9, 5)
    }
    if random.chance(3) { text += "\u{FEFF}" }
    if random.chance(30) { text += "<?xml version='1.0' encoding='UTF-8'?>\r\n" }
    writeOutside()
    writeElement(scope: ["": ""])
    writeOutside()
  }

  private mutating func writeOutside() {
    for _ in 0..<random.below(3) {
      switch random.below(4) {
      case 0: writeComment()
      case 1: writeInstruction()
      default: text += random.pick(["\n", "\r\n", "  ", "\t"])
      }
    }
  }

  private mutating func isUntidy() -> Bool { untidiness == 100 || random.chance(untidiness) }

  // MARK: Elements

  /// `scope`: the namespace of each prefix, empty for none.
  private mutating func writeElement(scope outer: [String: String]) {
    budget -= 1
    depth -= 1
    var scope = outer
    var parts = declarations(&scope)
    let name = qualifiedName(scope, isAttribute: false).text
    parts += attributes(scope)
    text += "<\(name)"
    if untidiness < 100 { parts.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
    while !parts.isEmpty {
      let isUntidy = isUntidy()
      text += isUntidy ? random.pick([" ", " ", "  ", "\n\t", "\r\n "]) : " "
      text += parts.remove(at: isUntidy ? random.below(parts.count) : 0)
    }
    if isUntidy(), random.chance(10) { text += " " }
    if isUntidy(), random.chance(15) {
      text += "/>"
    } else {
      text += ">"
      writeContent(scope)
      text += "</\(name)"
      if untidiness < 100, isUntidy() { text += random.pick([" ", "\n", "\r\n"]) }
      text += ">"
    }
    depth += 1
  }

  private mutating func writeContent(_ scope: [String: String]) {
    for _ in 0..<random.below(breadth + 1) {
      switch isUntidy() ? random.below(10) : random.pick([3, 9]) {
      case 0: writeComment()
      case 1: writeInstruction()
      case 2: writeSection()
      case 3, 4: writeText()
      default: if budget > 0, depth > 0 { writeElement(scope: scope) }
      }
    }
  }

  private mutating func declarations(_ scope: inout [String: String]) -> [String] {
    var declared: [String: String] = [:]
    guard isUntidy() || scope.count == 1 else { return [] }
    for _ in 0..<random.pick([0, 0, 0, 1, 1, 2, 4]) {
      let prefix = random.pick(["", ""] + Self.prefixes)
      declared[prefix] =
        prefix.isEmpty && random.chance(30) ? "" : random.pick(Self.namespaces)
    }
    if random.chance(2) { declared["xml"] = "http://www.w3.org/XML/1998/namespace" }
    // A dictionary's order differs between runs.
    return declared.sorted { $0.key < $1.key }.map { prefix, uri in
      if prefix != "xml" { scope[prefix] = uri }
      return (prefix.isEmpty ? "xmlns" : "xmlns:\(prefix)")
        + "=\"\(uri.replacing("&", with: "&amp;"))\""
    }
  }

  private mutating func attributes(_ scope: [String: String]) -> [String] {
    var parts: [String] = []
    var expanded: Set<String> = []
    for _ in 0..<random.pick([0, 0, 1, 2, 3, 7]) {
      let scope = isUntidy() ? scope : [:]
      let name = qualifiedName(scope, isAttribute: true)
      guard expanded.insert("{\(name.uri)}\(name.local)").inserted else { continue }
      parts.append("\(name.text)=\(attributeValue())")
    }
    guard isUntidy() else { return parts }
    if random.chance(15) { parts.append("xml:lang='\(random.pick(["en", "de", "", "fr-CA"]))'") }
    if random.chance(10) { parts.append("xml:space='\(random.pick(["default", "preserve"]))'") }
    if random.chance(10) { parts.append("xml:id='\(random.pick(["i", "j", "k"]))'") }
    if random.chance(5) { parts.append("xml:other=\(attributeValue())") }
    if random.chance(15) {
      let values = random.chance(70) ? Self.plainBases : Self.unusualBases
      parts.append("xml:base='\(random.pick(values))'")
    }
    return parts
  }

  private mutating func qualifiedName(
    _ scope: [String: String], isAttribute: Bool
  ) -> (text: String, uri: String, local: String) {
    let local = random.pick(Self.locals)
    let prefixes = scope.keys.filter { !$0.isEmpty }.sorted()
    guard !prefixes.isEmpty, isUntidy(), random.chance(50) else {
      return (local, isAttribute ? "" : scope[""] ?? "", local)
    }
    let prefix = random.pick(prefixes)
    return ("\(prefix):\(local)", scope[prefix] ?? "", local)
  }

  // MARK: Values and leaves

  private mutating func attributeValue() -> String {
    let quote = isUntidy() ? random.pick(["\"", "'"]) : "\""
    guard isUntidy() else { return quote + plainText() + quote }
    let pieces = Self.words + Self.references + ["\n", "\t", "\r\n", "\r", ">", "]]>"]
    var value = ""
    for _ in 0..<random.below(6) { value += random.pick(pieces) }
    if random.chance(20) { value += quote == "'" ? "\"" : "'" }
    return quote + value + quote
  }

  private mutating func plainText() -> String {
    (0..<random.below(8)).map { _ in
      random.pick(["word", " ", "x", "0123456789abcdef", "%20", "="])
    }
    .joined()
  }

  private mutating func writeText() {
    guard isUntidy() else { return text += plainText() }
    let pieces = Self.words + Self.references + ["\n", "\t", "\r\n", "\r", "\"", "'", "]]&gt;"]
    for _ in 0..<random.below(8) { text += random.pick(pieces) }
    // Runs longer than any block that an implementation may process at once.
    if random.chance(10) {
      for _ in 0..<random.below(30) { text += random.pick(Self.words) }
      text += random.pick(Self.references)
    }
  }

  private mutating func writeSection() {
    text += "<![CDATA["
    let pieces = Self.words + ["<", "&", "&amp;", ">", "]] >", "\r\n", "\r", "\""]
    for _ in 0..<random.below(5) { text += random.pick(pieces) }
    text += "]]>"
  }

  private mutating func writeComment() {
    text += "<!--"
    let pieces = Self.words + ["<a>", "&amp;", "\r\n", "\r", "\t", "\"", "- "]
    for _ in 0..<random.below(5) { text += random.pick(pieces) }
    text += "-->"
  }

  private mutating func writeInstruction() {
    text += "<?\(random.pick(["p", "target", "xml-stylesheet", "ü"]))"
    if random.chance(70) {
      text += random.pick([" ", "  ", "\n"])
      let pieces = Self.words + ["<a>", "&amp;", "\r\n", "\r", "\t", "\"", "? "]
      for _ in 0..<random.below(5) { text += random.pick(pieces) }
    }
    text += "?>"
  }

  // MARK: Alphabets

  private static let prefixes = ["p", "q", "r", "ns0", "P", "xs", "é", "unused"]
  private static let namespaces = [
    "urn:a", "urn:b", "urn:a:b", "urn:A", "http://e.example/", "http://e.example/?x=1#y",
  ]
  private static let locals = ["a", "b", "c", "ab", "A", "item", "_z", "x-y", "ä", "名", "ID"]
  private static let words = [
    "word", " ", "  ", "x", "0123456789abcdef", "é", "日本", "𝄞", "%20", "{}", "=", "\u{A0}",
  ]
  private static let references = [
    "&#9;", "&#10;", "&#13;", "&#xD;&#xA;", "&#x20;", "&quot;", "&apos;", "&lt;", "&gt;", "&amp;",
    "&#38;", "&#38;lt;", "&amp;#38;", "&#x1D11E;", "&#233;", "&#60;",
  ]
  /// Values that are joined without a `.` or `..`, a repeated slash, a query or a fragment.
  static let plainBases = [
    "a", "b/", "c/d", "c/d/", "/abs/", "/abs/e", "http://h.example/x/", "http://h.example/x/y",
  ]
  private static let unusualBases = [
    "", "..", "../", "../../z", ".", "./", "./w", "a/..", "a/../b", "a//b", "x#f", "#f", "?q",
    "y?q",
    "//host/p", "//host", "a/./b/", "x.", "file..", "urn:x:y", "/..", "/../g", "é/ü", "w s/", "...",
    "http://h.example", "http://h.example/a/../b", "mailto:m", "/", "a:b",
  ]
}
