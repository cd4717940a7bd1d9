import XMLSecurity
import XMLTree

/// The source of what a signature covers beside the octets that are digested, tag by tag, where they differ.
struct CanonicalComparison {
  struct Row {
    let element: Element
    let source: [UInt8]
    let digested: [UInt8]
  }

  /// The octets that are digested.
  let octets: [UInt8]
  /// How many octets of source the covered element has; its signature is among them.
  let sourceCount: Int
  private(set) var rows: [Row] = []
  /// How many tags differ in nothing but that an empty element is written with two.
  private(set) var expanded = 0
  private(set) var comments = 0
  private(set) var sections = 0
  /// How many texts are written in another way.
  private(set) var texts = 0

  /// Nil where the source of an element cannot be told.
  init?(_ coverage: SignatureCoverage) {
    guard let target = coverage.target, let subtree = coverage.subtree,
      let method = coverage.method
    else { return nil }
    octets = Canonicalizer.octets(subtree, method)
    let document = target.document
    let source = document.source
    let written = SourceMarkup(source)
    let digested = SourceMarkup(octets)
    var elements: [Element] = []
    var tags: [SourceMarkup.Element] = []
    var number = 0
    for step in DocumentWalk(document) {
      guard case .start(let element) = step else { continue }
      guard number < written.elements.count else { return nil }
      defer { number += 1 }
      guard Self.contains(target, element),
        !(coverage.isEnveloped && Self.contains(target, coverage.signature)
          && Self.contains(coverage.signature, element))
      else { continue }
      elements.append(element)
      tags.append(written.elements[number])
    }
    guard elements.count == digested.elements.count, let first = tags.first else { return nil }
    // The first is the target itself.
    sourceCount = first.whole.count
    comments =
      written.count(.comment, in: first.whole) - digested.count(.comment, in: octets.indices)
    sections = written.count(.cdata, in: first.whole)
    for (index, element) in elements.enumerated() {
      compare(element, source, tags[index].startTag, digested.elements[index].startTag)
    }
  }

  private static func contains(_ outer: Element, _ inner: Element) -> Bool {
    outer.position <= inner.position && inner.position < outer.endPosition
  }

  private mutating func compare(
    _ element: Element, _ source: [UInt8], _ tag: Range<Int>, _ canonical: Range<Int>
  ) {
    var written = Array(source[tag])
    let digested = Array(octets[canonical])
    let isEmpty = written.dropLast().last == UInt8(ascii: "/")
    if isEmpty {
      written.remove(at: written.count - 2)
      while written.count > 2, written[written.count - 2] == 0x20 {
        written.remove(at: written.count - 2)
      }
    }
    if written != digested {
      rows.append(Row(element: element, source: Array(source[tag]), digested: digested))
    } else if isEmpty {
      expanded += 1
    }
    if Self.text(source, after: tag.upperBound) != Self.text(octets, after: canonical.upperBound),
      !isEmpty
    {
      texts += 1
    }
  }

  /// What follows a tag up to the next one.
  private static func text(_ octets: [UInt8], after start: Int) -> ArraySlice<UInt8> {
    octets[start...].prefix { $0 != UInt8(ascii: "<") }
  }

  /// Whether the digested octets are those of the source.
  var isUnchanged: Bool {
    rows.isEmpty && expanded == 0 && comments <= 0 && sections == 0 && texts == 0
  }
}
