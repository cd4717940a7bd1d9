import TokenBasics
package import XMLTree

/// The text of an XML document with the ranges of its elements, for cutting and pasting.
///
/// Attacks are made by splicing text: a serializer would change bytes that were signed. No decision
/// depends on it.
package struct XMLText: Sendable {
  package typealias Attribute = SourceMarkup.Attribute
  package typealias Element = SourceMarkup.Element

  package let octets: [UInt8]
  package let markup: SourceMarkup
  /// In document order.
  package var elements: [Element] { markup.elements }

  package init(_ octets: [UInt8]) {
    self.octets = octets
    markup = SourceMarkup(octets)
  }

  package func text(_ range: Range<Int>) -> String {
    String(decoding: octets[range], as: UTF8.self)
  }

  /// What the value of an attribute says, its references resolved.
  package func value(of attribute: Attribute) -> String {
    String(decoding: ReversibleText(xml: octets[attribute.value]).decoded, as: UTF8.self)
  }

  /// How many elements are around one.
  package func depth(of index: Int) -> Int {
    var depth = 0
    var current = elements[index].parent
    while let parent = current {
      depth += 1
      current = elements[parent].parent
    }
    return depth
  }

  /// The elements directly inside of one.
  package func children(of index: Int) -> [Int] {
    elements.indices.filter { elements[$0].parent == index }
  }

  /// The first child with that local name.
  package func child(_ localName: String, of index: Int) -> Int? {
    children(of: index).first { elements[$0].localName == localName }
  }

  /// The elements inside of one at any depth, in document order.
  package func descendants(of index: Int) -> [Int] {
    let whole = elements[index].whole
    return elements.indices.filter {
      $0 != index && whole.contains(elements[$0].whole.lowerBound)
    }
  }

  /// The first element with that local name inside of one at any depth.
  package func descendant(_ localName: String, of index: Int) -> Int? {
    descendants(of: index).first { elements[$0].localName == localName }
  }

  /// The namespace of an element, by the declarations around it.
  package func namespace(of index: Int) -> String {
    let prefix = elements[index].prefix.dropLast()
    let wanted = prefix.isEmpty ? "xmlns" : "xmlns:" + prefix
    var current: Int? = index
    while let at = current {
      if let found = elements[at].attribute(wanted) { return value(of: found) }
      current = elements[at].parent
    }
    return ""
  }

  /// The greatest depth of nested elements.
  package var depth: Int {
    var depths: [Int] = []
    for element in elements {
      depths.append((element.parent.map { depths[$0] } ?? 0) + 1)
    }
    return depths.max() ?? 0
  }

  // MARK: Splicing

  /// A range of the text and its replacement.
  package struct Edit: Sendable {
    package let range: Range<Int>
    package let text: [UInt8]

    package init(_ range: Range<Int>, _ text: String) {
      self.range = range
      self.text = Array(text.utf8)
    }

    package init(at position: Int, _ text: String) {
      self.init(position..<position, text)
    }
  }

  /// The document with the edits, which do not overlap. Those at one position keep their order.
  package func applying(_ edits: [Edit]) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    let ordered = edits.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }
    for (_, edit) in ordered {
      result += octets[position..<max(position, edit.range.lowerBound)]
      result += edit.text
      position = max(position, edit.range.upperBound)
    }
    return result + octets[position...]
  }

  /// Inserts text at the beginning of an element's content.
  package func prepending(_ text: String, to index: Int) -> Edit {
    filling(index, text) ?? Edit(at: elements[index].content.lowerBound, text)
  }

  /// Inserts text at the end of an element's content.
  package func appending(_ text: String, to index: Int) -> Edit {
    filling(index, text) ?? Edit(at: elements[index].content.upperBound, text)
  }

  /// Replaces an element's content.
  package func replacingContent(of index: Int, with text: String) -> Edit {
    filling(index, text) ?? Edit(elements[index].content, text)
  }

  /// Removes an element.
  package func removing(_ index: Int) -> Edit { Edit(elements[index].whole, "") }

  /// Inserts an attribute into a start tag, before all others.
  package func addingAttribute(_ text: String, to index: Int) -> Edit {
    let tag = elements[index].startTag.lowerBound
    return Edit(at: tag + 1 + elements[index].name.utf8.count, " " + text)
  }

  /// Sets the value of an attribute, which is added when it is not there.
  package func settingAttribute(_ name: String, to value: String, of index: Int) -> Edit {
    guard let attribute = elements[index].attribute(name) else {
      return addingAttribute("\(name)=\"\(value)\"", to: index)
    }
    return Edit(attribute.value, value)
  }

  /// Removes an attribute.
  package func removingAttribute(_ name: String, of index: Int) -> Edit? {
    elements[index].attribute(name).map { Edit($0.whole, "") }
  }

  /// Gives content to a self-closing tag.
  private func filling(_ index: Int, _ text: String) -> Edit? {
    let element = elements[index]
    guard element.closesItself else { return nil }
    let end = element.startTag.upperBound
    return Edit((end - 2)..<end, ">\(text)</\(element.name)>")
  }
}
