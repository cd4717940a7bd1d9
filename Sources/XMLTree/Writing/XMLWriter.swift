import Octets
package import TokenErrors

/// Writes elements in exclusive canonical form (Exclusive XML Canonicalization 1.0): every prefix is
/// declared where it is first used, attributes are sorted, nothing is self-closing.
///
/// Names come from the code; text and attribute values come from anywhere and are escaped. A character
/// that XML 1.0 does not have is an error, never dropped or replaced.
package struct XMLWriter: ~Copyable {
  /// An attribute; one without a value is left out.
  package typealias Attribute = (name: ExpandedName, value: String?)

  private var output = OctetWriter(capacity: 4096)
  /// Which namespace gets which prefix.
  private let prefixes: [[UInt8]: String]
  /// The namespaces that open elements declared.
  private var declared: [[UInt8]] = []

  /// Writes one element with what `content` puts into it.
  ///
  /// - Parameter prefixes: The prefixes of namespaces; one that has none here gets one.
  /// - Throws: `policy.mint-character`, and what `content` throws.
  package static func fragment(
    _ name: ExpandedName, _ attributes: [Attribute] = [], prefixes: [String: String],
    _ content: (inout XMLWriter) throws(TokenError) -> Void
  ) throws(TokenError) -> XMLFragment {
    var writer = XMLWriter(prefixes: prefixes)
    try writer.element(name, attributes, content)
    return XMLFragment(writer.output.bytes)
  }

  /// Writes one element that holds a text.
  ///
  /// - Throws: `policy.mint-character`.
  package static func fragment(
    _ name: ExpandedName, _ attributes: [Attribute] = [], text: String,
    prefixes: [String: String]
  ) throws(TokenError) -> XMLFragment {
    var writer = XMLWriter(prefixes: prefixes)
    try writer.element(name, attributes, text: text)
    return XMLFragment(writer.output.bytes)
  }

  private init(prefixes: [String: String]) {
    self.prefixes = Dictionary(
      prefixes.map { (Array($0.key.utf8), $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// Writes an element.
  ///
  /// - Parameter namespace: A namespace that a value uses and no name. Its declaration has no place in the
  ///   canonical form, so such an element cannot be signed.
  package mutating func element(
    _ name: ExpandedName, _ attributes: [Attribute] = [], declaring namespace: String? = nil,
    _ content: (inout XMLWriter) throws(TokenError) -> Void
  ) throws(TokenError) {
    let outer = declared.count
    let tag = qualified(name)
    output.append(literal: "<")
    output.append(tag)
    let present = attributes.filter { $0.value != nil }
    declare([name.uri] + present.map(\.name.uri) + (namespace.map { [Array($0.utf8)] } ?? []))
    for attribute in present.sorted(by: { Self.precedes($0.name, $1.name) }) {
      let value = Array((attribute.value ?? "").utf8)
      try Self.check(value, at: "\(tag)/@\(attribute.name)")
      output.append(literal: " ")
      output.append(qualified(attribute.name))
      output.append(literal: "=\"")
      Escaping.writeAttribute(value, 0..<value.count, to: &output)
      output.append(literal: "\"")
    }
    output.append(literal: ">")
    try content(&self)
    output.append(literal: "</")
    output.append(tag)
    output.append(literal: ">")
    declared.removeLast(declared.count - outer)
  }

  /// Writes an element without content.
  package mutating func element(
    _ name: ExpandedName, _ attributes: [Attribute] = []
  ) throws(TokenError) {
    try element(name, attributes) { (_) throws(TokenError) in }
  }

  /// Writes an element that holds a text.
  package mutating func element(
    _ name: ExpandedName, _ attributes: [Attribute] = [], text: String
  ) throws(TokenError) {
    let tag = qualified(name)
    try element(name, attributes) { writer throws(TokenError) in
      let bytes = Array(text.utf8)
      try Self.check(bytes, at: tag)
      Escaping.writeText(bytes, 0..<bytes.count, to: &writer.output)
    }
  }

  /// Puts an element here that was written before; nil puts nothing.
  package mutating func append(_ fragment: XMLFragment?) {
    guard let fragment else { return }
    output.append(fragment.octets.span)
  }

  // MARK: Names

  private static let xml = Array("http://www.w3.org/XML/1998/namespace".utf8)

  private func qualified(_ name: ExpandedName) -> String {
    name.uri.isEmpty ? "\(name)" : "\(prefix(of: name.uri)):\(name)"
  }

  /// A namespace that was given no prefix gets one of its own.
  private func prefix(of uri: [UInt8]) -> String {
    uri == Self.xml
      ? "xml"
      : prefixes[uri] ?? "ns" + String(ExpandedName.fingerprint(uri: uri, local: []), radix: 16)
  }

  /// Declares the namespaces that nothing around declares, sorted by prefix.
  private mutating func declare(_ used: [[UInt8]]) {
    var new: [(prefix: String, uri: [UInt8])] = []
    // Namespaces in XML 1.0, 3: `xml` is bound without a declaration, and canonical form has none.
    for uri in used where !uri.isEmpty && uri != Self.xml && !declared.contains(uri) {
      declared.append(uri)
      new.append((prefix(of: uri), uri))
    }
    for (prefix, uri) in new.sorted(by: { $0.prefix.utf8.lexicographicallyPrecedes($1.prefix.utf8) }
    ) {
      output.append(literal: " xmlns:")
      output.append(prefix)
      output.append(literal: "=\"")
      Escaping.writeAttribute(uri, 0..<uri.count, to: &output)
      output.append(literal: "\"")
    }
  }

  /// Canonical XML 1.0, 2.2: by namespace, then by local name.
  private static func precedes(_ left: ExpandedName, _ right: ExpandedName) -> Bool {
    left.uri == right.uri
      ? left.local.lexicographicallyPrecedes(right.local)
      : left.uri.lexicographicallyPrecedes(right.uri)
  }

  // MARK: Characters

  /// XML 1.0, production 2: of the control characters below U+0020 only tab, line feed and carriage
  /// return; neither U+FFFE nor U+FFFF.
  ///
  /// - Throws: `policy.mint-character`.
  private static func check(_ bytes: [UInt8], at node: String) throws(TokenError) {
    let isForeign = bytes.indices.contains { index in
      let byte = bytes[index]
      if byte < 0x20 { return !ASCII.isWhiteSpace(byte) }
      // U+FFFE and U+FFFF are EF BF BE and EF BF BF.
      return byte == 0xEF && bytes.count - index > 2 && bytes[index + 1] == 0xBF
        && bytes[index + 2] >= 0xBE
    }
    guard !isForeign else {
      throw TokenError(.mintCharacter, node: node, expected: "characters of XML 1.0")
    }
  }
}
