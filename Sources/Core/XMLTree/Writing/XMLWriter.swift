import Octets
package import TokenBasics

/// Writes elements in exclusive canonical form (Exclusive XML Canonicalization 1.0): every prefix is
/// declared where it is first used, attributes are sorted, nothing is self-closing.
///
/// Names come from the code; text and attribute values come from anywhere and are escaped. A character
/// that XML 1.0 does not have is an error, never dropped or replaced.
package struct XMLWriter: ~Copyable {
  /// An attribute; one without a value is left out.
  package typealias Attribute = (name: ExpandedName, value: String?)

  private var output = OctetWriter(capacity: 4096)
  /// Which namespace gets which prefix: a handful, compared in turn.
  private let prefixes: [(uri: [UInt8], prefix: [UInt8])]
  /// The namespaces that open elements declared.
  private var declared: [[UInt8]] = []
  private var signaturePlace: Int?

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
    return XMLFragment(writer.output.bytes, signaturePlace: writer.signaturePlace)
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
    self.prefixes = prefixes.map { (Array($0.key.utf8), Array($0.value.utf8)) }
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
    let sorted = sortedAttributes(attributes)
    output.append(literal: "<")
    append(tag)
    declare([tag] + sorted.map(\.name), and: namespace)
    for (name, value) in sorted {
      let value = Array(value.utf8)
      guard !Self.hasForeignCharacter(value) else { throw Self.foreign(at: "\(tag)/@\(name)") }
      output.append(literal: " ")
      append(name)
      output.append(literal: "=\"")
      Escaping.writeAttribute(value, 0..<value.count, to: &output)
      output.append(literal: "\"")
    }
    output.append(literal: ">")
    try content(&self)
    output.append(literal: "</")
    append(tag)
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
    try element(name, attributes) { writer throws(TokenError) in
      let bytes = Array(text.utf8)
      guard !Self.hasForeignCharacter(bytes) else {
        throw Self.foreign(at: "\(writer.qualified(name))")
      }
      Escaping.writeText(bytes, 0..<bytes.count, to: &writer.output)
    }
  }

  /// Puts an element here that was written before.
  package mutating func append(_ fragment: XMLFragment) { output.append(fragment.octets.span) }

  /// Leaves a place for the signature of the element that is being written: it is made when the element is
  /// complete (``XMLFragment/signed(with:)``).
  package mutating func leavePlaceForSignature() { signaturePlace = output.count }

  // MARK: Names

  private static let xml = Array("http://www.w3.org/XML/1998/namespace".utf8)
  private static let xmlPrefix = Array("xml".utf8)

  /// A name as it is written.
  private struct QualifiedName: CustomStringConvertible {
    let prefix: [UInt8]
    let parts: NameRegistry.Parts

    var description: String {
      String(decoding: prefix.isEmpty ? parts.local : prefix + [0x3A] + parts.local, as: UTF8.self)
    }
  }

  private mutating func append(_ name: QualifiedName) {
    if !name.prefix.isEmpty {
      output.append(name.prefix.span)
      output.append(literal: ":")
    }
    output.append(name.parts.local.span)
  }

  private func qualified(_ name: ExpandedName) -> QualifiedName {
    let parts = NameRegistry.parts(of: name)
    return QualifiedName(prefix: parts.uri.isEmpty ? [] : prefix(of: parts.uri), parts: parts)
  }

  /// A namespace that was given no prefix gets one of its own.
  private func prefix(of uri: [UInt8]) -> [UInt8] {
    if let known = prefixes.first(where: { $0.uri == uri }) { return known.prefix }
    if uri == Self.xml { return Self.xmlPrefix }
    let fingerprint = ExpandedName.fingerprint(uri: uri, local: [])
    return Array(("ns" + String(fingerprint, radix: 16)).utf8)
  }

  /// Declares the namespaces that nothing around declares, sorted by prefix.
  private mutating func declare(_ names: [QualifiedName], and namespace: String?) {
    var new: [(prefix: [UInt8], uri: [UInt8])] = []
    for name in names { note(name.parts.uri, name.prefix, in: &new) }
    if let namespace {
      let uri = Array(namespace.utf8)
      note(uri, prefix(of: uri), in: &new)
    }
    if new.count > 1 { new.sort { $0.prefix.lexicographicallyPrecedes($1.prefix) } }
    for (prefix, uri) in new {
      output.append(literal: " xmlns:")
      output.append(prefix.span)
      output.append(literal: "=\"")
      Escaping.writeAttribute(uri, 0..<uri.count, to: &output)
      output.append(literal: "\"")
    }
  }

  private mutating func note(
    _ uri: [UInt8], _ prefix: [UInt8], in new: inout [(prefix: [UInt8], uri: [UInt8])]
  ) {
    // Namespaces in XML 1.0, 3: `xml` is bound without a declaration, and canonical form has none.
    guard !uri.isEmpty, !declared.contains(uri), uri != Self.xml else { return }
    declared.append(uri)
    new.append((prefix, uri))
  }

  /// Canonical XML 1.0, 2.2: by namespace, then by local name.
  private func sortedAttributes(
    _ attributes: [Attribute]
  ) -> [(name: QualifiedName, value: String)] {
    var sorted: [(name: QualifiedName, value: String)] = []
    sorted.reserveCapacity(attributes.count)
    for (name, value) in attributes {
      guard let value else { continue }
      sorted.append((qualified(name), value))
    }
    if sorted.count > 1 { sorted.sort { Self.precedes($0.name.parts, $1.name.parts) } }
    return sorted
  }

  private static func precedes(_ left: NameRegistry.Parts, _ right: NameRegistry.Parts) -> Bool {
    left.uri == right.uri
      ? left.local.lexicographicallyPrecedes(right.local)
      : left.uri.lexicographicallyPrecedes(right.uri)
  }

  // MARK: Characters

  /// XML 1.0, production 2: of the control characters below U+0020 only tab, line feed and carriage
  /// return; neither U+FFFE nor U+FFFF.
  private static func hasForeignCharacter(_ bytes: [UInt8]) -> Bool {
    // Nearly no text has an octet that is worth a closer look.
    let isSuspect = ByteVector.hasAny(bytes.span) {
      ByteVector.below(0x20, $0) | ByteVector.equal(0xEF, $0)
    }
    guard isSuspect else { return false }
    return bytes.indices.contains { index in
      let byte = bytes[index]
      if byte < 0x20 { return !ASCII.isWhiteSpace(byte) }
      // U+FFFE and U+FFFF are EF BF BE and EF BF BF.
      return byte == 0xEF && bytes.count - index > 2 && bytes[index + 1] == 0xBF
        && bytes[index + 2] >= 0xBE
    }
  }

  private static func foreign(at node: String) -> TokenError {
    TokenError(.mintCharacter, node: node, expected: "characters of XML 1.0")
  }
}

/// Octets of one element that an ``XMLWriter`` wrote.
///
/// Nothing else makes one, so what is signed or put into another element was escaped: text that came
/// from outside is never taken for markup, and nothing that was received is ever passed on to be
/// signed.
package struct XMLFragment: Sendable {
  package let octets: [UInt8]
  /// Where the writer left a place for a signature.
  private let signaturePlace: Int?

  init(_ octets: [UInt8], signaturePlace: Int? = nil) {
    self.octets = octets
    self.signaturePlace = signaturePlace
  }

  /// The element with its signature where the writer left a place for it; unchanged if it left none.
  package func signed(with signature: XMLFragment) -> XMLFragment {
    guard let place = signaturePlace else { return self }
    var octets: [UInt8] = []
    octets.reserveCapacity(self.octets.count + signature.octets.count)
    octets += self.octets.prefix(place)
    octets += signature.octets
    octets += self.octets.dropFirst(place)
    return XMLFragment(octets)
  }
}
