import Octets
package import TokenErrors

/// An element, seen as what it contains: attributes, child elements, text.
///
/// A view may omit one descendant (the signature that is being verified): it is then absent for every
/// reader that starts here, exactly as it is absent from the canonical octets of ``subtree``.
package struct Element: Sendable {
  package let document: Document
  let node: UInt32
  let omitted: UInt32?

  init(_ document: Document, _ node: UInt32, omitting omitted: UInt32? = nil) {
    self.document = document
    self.node = node
    self.omitted = omitted
  }

  /// This element without `descendant`.
  package func omitting(_ descendant: Element) -> Element {
    Element(document, node, omitting: descendant.node)
  }

  /// What a canonicalizer digests for this element.
  package var subtree: Subtree { Subtree(document: document, apex: node, omitted: omitted) }

  /// Whether both are the same node of the same document.
  package func isSameNode(as other: Element) -> Bool {
    node == other.node && document.storage === other.document.storage
  }

  /// Whether the element is exactly that namespace and local name.
  package func isNamed(_ name: ExpandedName) -> Bool {
    storage.vocabulary.isNamed(record.name, name)
  }

  /// The local name.
  package var localName: String {
    storage.vocabulary.text(storage.vocabulary.names[Int(record.name)].local)
  }

  /// The namespace URI, empty for none.
  package var namespaceURI: String {
    storage.vocabulary.text(storage.vocabulary.names[Int(record.name)].uri)
  }

  /// The bytes of the attribute with exactly this name, if there is one.
  package func attributeBytes(_ name: ExpandedName) -> ArraySlice<UInt8>? {
    for attribute in storage.attributes[record.attributeRange]
    where storage.vocabulary.isNamed(attribute.name, name) {
      return storage.pool[attribute.range]
    }
    return nil
  }

  /// The attribute with exactly this name, if there is one.
  package func attribute(_ name: ExpandedName) -> String? {
    attributeBytes(name).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The attribute with exactly this name.
  ///
  /// - Throws: `xml.missing-attribute`.
  package func requiredAttribute(_ name: ExpandedName) throws(TokenError) -> String {
    guard let value = attribute(name), !value.isEmpty else {
      throw TokenError(.missingAttribute, node: path, expected: "@\(name)")
    }
    return value
  }

  /// Whether there is an attribute whose name is not one of `names`; those in other namespaces are
  /// always allowed.
  package func hasPlainAttribute(otherThan names: [ExpandedName]) -> Bool {
    storage.attributes[record.attributeRange].contains { attribute in
      storage.vocabulary.names[Int(attribute.name)].uri == 0
        && !names.contains { storage.vocabulary.isNamed(attribute.name, $0) }
    }
  }

  /// The text of an element that may hold nothing but text. Comments do not divide it.
  ///
  /// - Throws: `xml.mixed-content` for a child element or a processing instruction.
  package func text() throws(TokenError) -> String {
    let bytes = try textBytes()
    return String(decoding: bytes, as: UTF8.self)
  }

  /// As ``text()``, in UTF-8.
  package func textBytes() throws(TokenError) -> ArraySlice<UInt8> {
    var whole: ArraySlice<UInt8> = []
    for index in (node + 1)..<record.end {
      let child = storage.nodes[Int(index)]
      switch child.kind {
      case .comment:
        continue
      case .text:
        let part = storage.pool[child.textRange]
        if whole.isEmpty { whole = part } else { whole += part }
      default:
        throw TokenError(.mixedContent, node: path)
      }
    }
    return whole
  }

  /// The child elements in order, comments and white space left out.
  ///
  /// - Throws: `xml.unexpected-text` when text stands between them.
  package func children() throws(TokenError) -> [Element] {
    var children: [Element] = []
    var index = node + 1
    while index < record.end {
      let child = storage.nodes[Int(index)]
      switch child.kind {
      case .element where index != omitted:
        children.append(Element(document, index, omitting: omitted))
      case .text:
        guard storage.pool[child.textRange].isAllWhiteSpace else {
          throw TokenError(.unexpectedText, node: path)
        }
      default:
        break
      }
      index = child.end
    }
    return children
  }

  /// Whether there is any child element.
  package var hasChildElements: Bool {
    var index = node + 1
    while index < record.end {
      if storage.nodes[Int(index)].kind == .element, index != omitted { return true }
      index = storage.nodes[Int(index)].end
    }
    return false
  }

  /// All elements of the subtree with that name, this one included, in document order.
  package func descendants(named name: ExpandedName) -> [Element] {
    descendants { $0.isNamed(name) }
  }

  /// All elements of the subtree that `isWanted`, this one included, in document order.
  package func descendants(where isWanted: (Element) -> Bool) -> [Element] {
    var found: [Element] = []
    var index = node
    while index < record.end {
      if index == omitted {
        index = storage.nodes[Int(index)].end
        continue
      }
      if storage.nodes[Int(index)].kind == .element {
        let element = Element(document, index, omitting: omitted)
        if isWanted(element) { found.append(element) }
      }
      index += 1
    }
    return found
  }

  /// The parent element, unless this is the document element.
  package var parent: Element? {
    let parent = record.parent
    guard storage.nodes[Int(parent)].kind == .element else { return nil }
    return Element(document, parent, omitting: omitted)
  }

  /// The namespace that `prefix` is bound to here (empty: the default namespace).
  package func namespace(forPrefix prefix: String) -> String? {
    var current = node
    while storage.nodes[Int(current)].kind == .element {
      for declaration in storage.namespaces[storage.nodes[Int(current)].namespaceRange]
      where storage.vocabulary.text(declaration.prefix).utf8.elementsEqual(prefix.utf8) {
        return storage.vocabulary.text(declaration.uri)
      }
      current = storage.nodes[Int(current)].parent
    }
    return nil
  }

  /// The namespaces that are in scope here, by prefix (empty: the default namespace), the reserved
  /// `xml` left out.
  package var namespacesInScope: [String: String] {
    var found: [String: String] = [:]
    var current = node
    while storage.nodes[Int(current)].kind == .element {
      for declaration in storage.namespaces[storage.nodes[Int(current)].namespaceRange] {
        let prefix = storage.vocabulary.text(declaration.prefix)
        if prefix != "xml", found[prefix] == nil {
          found[prefix] = storage.vocabulary.text(declaration.uri)
        }
      }
      current = storage.nodes[Int(current)].parent
    }
    return found.filter { !$0.value.isEmpty }
  }

  /// Where the element stands, such as `/Response/Assertion[2]/Signature`. A number is there where
  /// siblings share the name.
  package var path: String {
    var parts: [String] = []
    var current = node
    while storage.nodes[Int(current)].kind == .element {
      parts.append(step(of: current))
      current = storage.nodes[Int(current)].parent
    }
    return "/" + parts.reversed().joined(separator: "/")
  }

  private func step(of node: UInt32) -> String {
    let record = storage.nodes[Int(node)]
    let local = storage.vocabulary.text(storage.vocabulary.names[Int(record.name)].local)
    let shown = local.utf8.count <= 64 ? local : String(local.prefix(64)) + "…"
    let parent = storage.nodes[Int(record.parent)]
    var index = record.parent + 1
    var position = 0
    var count = 0
    while index < parent.end {
      let sibling = storage.nodes[Int(index)]
      if sibling.kind == .element, sibling.name == record.name {
        count += 1
        if index == node { position = count }
      }
      index = sibling.end
    }
    return count > 1 ? "\(shown)[\(position)]" : shown
  }

  var storage: Document.Storage { document.storage }
  var record: Document.Node { document.storage.nodes[Int(node)] }
}
