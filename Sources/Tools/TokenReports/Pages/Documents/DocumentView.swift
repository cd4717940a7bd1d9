import Federation
import SAML
import SecurityKeys
import XMLSecurity
import XMLTree

/// A document as a tree, each part marked by what covers it: by a label, a border and a colour.
struct DocumentView {
  private let covered: CoveredDocument
  private let disclosure: Disclosure
  /// Of the open elements: the depth of the page's elements outside of each, the coverages inside, and what is said
  /// at the end, where a region ends.
  private var open: [(depth: Int, active: [Int], ending: String?)] = []
  private var abridgement: Abridgement

  /// The kind of a region: the name of its style, and its label.
  private struct Region {
    let style: StaticString
    let label: String

    /// The first word of the label, for people who cannot see where the region ends.
    var ending: String { "End of: \(label.prefix { $0 != "·" })" }
  }

  init(_ covered: CoveredDocument, _ disclosure: Disclosure) {
    self.covered = covered
    self.disclosure = disclosure
    abridgement = Abridgement(covered)
  }

  /// Writes the tree.
  mutating func write(to page: inout HTMLWriter) {
    let start = page.count
    let depth = page.depth
    page.begin(.div, [.styled("doc")])
    var walk = DocumentWalk(covered.document)
    while !abridgement.isOver, page.count - start < 2 * PageLimits.sectionOctets,
      let step = walk.next()
    {
      write(step, &walk, isLong: page.count - start >= PageLimits.sectionOctets, &page)
    }
    writeOmitted(&page)
    page.close(to: depth)
    if walk.next() != nil {
      page.element(
        .p, .styled("note"),
        text:
          "The rest of the document is left out here; what signatures cover in it is in the table.")
    }
  }

  private mutating func write(
    _ step: DocumentWalk.Step, _ walk: inout DocumentWalk, isLong: Bool, _ page: inout HTMLWriter
  ) {
    switch step {
    case .start(let element):
      guard abridgement.shows(element, isLong: isLong) else { return walk.skipContent() }
      writeOmitted(&page)
      begin(element, &walk, &page)
    case .end(let element):
      writeOmitted(&page)
      end(element, &page)
    case .text(let range):
      // White space between elements is left out.
      let text = covered.document.root.string(range)
      guard !text.unicodeScalars.allSatisfy({ $0.properties.isWhitespace }) else { return }
      guard abridgement.showsLeaf(isLong: isLong) else { return }
      writeLeaf("", range, "", &page)
    case .comment(let range):
      guard abridgement.showsLeaf(isLong: isLong) else { return }
      writeLeaf("<!--", range, "-->", &page)
    case .instruction(let target, let range):
      guard abridgement.showsLeaf(isLong: isLong) else { return }
      writeLeaf("<?\(target) ", range, "?>", &page)
    }
  }

  private mutating func writeOmitted(_ page: inout HTMLWriter) {
    let count = abridgement.takeOmitted()
    guard count > 0 else { return }
    page.element(.div, .styled("l"), text: "… \(count) more are left out here")
  }

  // MARK: Elements

  private mutating func begin(
    _ element: Element, _ walk: inout DocumentWalk, _ page: inout HTMLWriter
  ) {
    let depth = page.depth
    let active = covered.active(at: element)
    let region = region(of: element, active)
    if let region {
      page.begin(.div, [.styled(region.style)])
      page.element(.p, .styled("rl"), text: region.label)
    }
    page.begin(.div, [.styled("l")])
    writeTag(element, &page)
    if let text = element.plainTextRange {
      if !text.isEmpty {
        page.value(
          element.string(text), disclosure, isPublic: XMLVisibility.showsText(of: element))
      }
      page.text("</\(short(element.qualifiedName))>")
      if let region { writeEnding(region.ending, &page) }
      page.close(to: depth)
      walk.skipContent()
      return
    }
    page.close(to: page.depth - 1)
    // Deep documents stay on the screen.
    page.begin(.div, [.styled(open.count < 12 ? "k" : "deep")])
    open.append((depth, active, region?.ending))
    abridgement.enter()
  }

  private mutating func end(_ element: Element, _ page: inout HTMLWriter) {
    guard let last = open.popLast() else { return }
    abridgement.leave()
    page.close(to: page.depth - 1)
    page.element(.div, .styled("l"), text: "</\(short(element.qualifiedName))>")
    if let ending = last.ending { writeEnding(ending, &page) }
    page.close(to: last.depth)
  }

  private func writeEnding(_ ending: String, _ page: inout HTMLWriter) {
    page.element(.span, .styled("vh"), text: ending)
  }

  /// The region that begins with an element, where what covers it is not what covers the element around it.
  private func region(of element: Element, _ active: [Int]) -> Region? {
    let outer = open.last?.active
    let number = covered.number(of: element)
    let isSignature = covered.coverages.contains { $0.signature.isSameNode(as: element) }
    guard active != outer || number != nil || isSignature else { return nil }
    let state = covered.state(active)
    if isSignature, state != .signed, number == nil {
      return Region(style: "r bare", label: "SIGNATURE · not covered by itself")
    }
    let subject = number.map { number in
      let isRead = covered.read.map { $0.isSameNode(as: element) } ?? false
      return covered.assertions.count == 1
        ? "the assertion"
        : "assertion \(number) of \(covered.assertions.count)"
          + (isRead ? ", which the verdict is about" : "")
    }
    let what = subject.map { " · \($0)" } ?? ""
    switch state {
    case .signed: return Region(style: "r signed", label: "SIGNED\(what) · \(signers(active))")
    case .broken: return Region(style: "r broken", label: "NOT VALID\(what) · \(failures(active))")
    case .bare where SAMLToken.isEncrypted(element):
      return Region(
        style: "r bare", label: "NOT SIGNED\(what) · encrypted: a signature may be inside")
    case .bare:
      // What a reader could take for the token.
      return Region(style: number == nil ? "r bare" : "r bare alien", label: "NOT SIGNED\(what)")
    }
  }

  private func signers(_ active: [Int]) -> String {
    let keys = active.compactMap { number -> String? in
      guard case .valid(let match) = covered.coverages[number].state else { return nil }
      return "\(match.algorithm.name) by \(match.key.fingerprint)"
    }
    return keys.joined(separator: ", and ")
  }

  private func failures(_ active: [Int]) -> String {
    let codes = active.compactMap { number -> String? in
      guard case .invalid(let error) = covered.coverages[number].state else { return nil }
      return "\(error.message) [\(error.code)]"
    }
    return "a signature refers to this: " + codes.joined(separator: ", and ")
  }

  private func writeTag(_ element: Element, _ page: inout HTMLWriter) {
    page.text("<")
    page.element(.span, .styled("n"), text: short(element.qualifiedName))
    for declaration in element.namespaceDeclarations {
      let name = declaration.prefix.isEmpty ? "xmlns" : "xmlns:\(declaration.prefix)"
      writeAttribute(name, declaration.uri, isPublic: true, &page)
    }
    for attribute in element.attributes {
      writeAttribute(
        attribute.qualifiedName, element.string(attribute.value),
        isPublic: XMLVisibility.shows(attribute, of: element), &page)
    }
    page.text(">")
  }

  private func writeAttribute(
    _ name: String, _ value: String, isPublic: Bool, _ page: inout HTMLWriter
  ) {
    page.text(" ")
    page.element(.span, .styled("a"), text: short(name))
    page.text("=\"")
    page.value(value, disclosure, isPublic: isPublic)
    page.text("\"")
  }

  // MARK: Leaves

  private func writeLeaf(
    _ start: String, _ range: Range<Int>, _ end: String, _ page: inout HTMLWriter
  ) {
    let depth = page.depth
    page.begin(.div, [.styled("l")])
    page.text(short(start))
    page.value(covered.document.root.string(range), disclosure)
    page.text(end)
    page.close(to: depth)
  }

  /// A name, cut: names are a stranger's.
  private func short(_ name: String) -> String { PageText.cut(name, 200) }
}

/// Which nodes of a document a page shows: all of a usual one; of a long one the first inside of each element, and
/// those around assertions, signatures and what these cover, so that padding hides none of them.
struct Abridgement {
  /// The positions of the elements that are always shown, ascending.
  private let landmarks: [Int]
  /// Of the document and of each open element, how many nodes inside were shown and left out.
  private var levels: [(shown: Int, omitted: Int)] = [(0, 0)]
  private var shown = 0

  init(_ covered: CoveredDocument) {
    let signatures = covered.coverages.flatMap { [$0.signature] + $0.candidates.prefix(4) }
    landmarks = (covered.assertions + signatures).map(\.position).sorted()
  }

  /// Whether even landmarks are too many.
  var isOver: Bool { shown >= 2 * PageLimits.elements }

  /// Whether the page shows an element.
  ///
  /// - Parameter isLong: Whether the part of the page is as long as it may be.
  mutating func shows(_ element: Element, isLong: Bool) -> Bool {
    showsNode(isLong: isLong) { [landmarks] in
      Self.hasLandmark(landmarks, element.position..<element.endPosition)
    }
  }

  /// Whether the page shows a text, a comment or an instruction.
  mutating func showsLeaf(isLong: Bool) -> Bool { showsNode(isLong: isLong) { false } }

  private mutating func showsNode(isLong: Bool, isLandmark: () -> Bool) -> Bool {
    let last = levels.count - 1
    let isLong = isLong || shown >= PageLimits.elements || levels[last].shown >= PageLimits.children
    guard !isLong || isLandmark() else {
      levels[last].omitted += 1
      return false
    }
    levels[last].shown += 1
    shown += 1
    return true
  }

  /// Goes into the element that was shown last.
  mutating func enter() { levels.append((0, 0)) }

  /// Leaves it; the document itself is never left.
  mutating func leave() { if levels.count > 1 { levels.removeLast() } }

  /// How many nodes were left out since the last that was shown, to be said once.
  mutating func takeOmitted() -> Int {
    let last = levels.count - 1
    defer { levels[last].omitted = 0 }
    return levels[last].omitted
  }

  private static func hasLandmark(_ landmarks: [Int], _ range: Range<Int>) -> Bool {
    var (low, high) = (0, landmarks.count)
    while low < high {
      let middle = (low + high) / 2
      if landmarks[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low < landmarks.count && landmarks[low] < range.upperBound
  }
}

/// The octets of a start tag that the parser found well-formed, cut where its values are.
struct TagText {
  /// The text before a value, with its quote, and the value.
  private(set) var values: [(before: String, name: String, value: String)] = []
  private(set) var rest = ""

  init(_ tag: [UInt8]) {
    var start = 0
    for attribute in SourceMarkup(fragment: tag).elements.first?.attributes ?? [] {
      values.append(
        (
          before: String(decoding: tag[start..<attribute.value.lowerBound], as: UTF8.self),
          name: attribute.name, value: String(decoding: tag[attribute.value], as: UTF8.self)
        ))
      start = attribute.value.upperBound
    }
    rest = String(decoding: tag[start...], as: UTF8.self)
  }
}

extension HTMLWriter {
  /// A start tag as it is written, values masked.
  mutating func tag(_ octets: [UInt8], of element: Element, _ disclosure: Disclosure) {
    let tag = TagText(octets)
    let attributes = element.attributes
    begin(.code)
    for (before, name, value) in tag.values.prefix(64) {
      text(PageText.cut(before, PageLimits.characters))
      let isDeclaration = name == "xmlns" || name.hasPrefix("xmlns:")
      let attribute = attributes.first { $0.qualifiedName == name }
      self.value(
        value, disclosure,
        isPublic: isDeclaration || attribute.map { XMLVisibility.shows($0, of: element) } == true)
    }
    text(tag.values.count > 64 ? "…" : PageText.cut(tag.rest, PageLimits.characters))
    close(to: depth - 1)
  }
}
