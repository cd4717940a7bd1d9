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
    var tags: [Range<Int>] = []
    var number = 0
    for step in DocumentWalk(document) {
      guard case .start(let element) = step else { continue }
      guard number < written.startTags.count else { return nil }
      defer { number += 1 }
      guard Self.contains(target, element),
        !(coverage.isEnveloped && Self.contains(target, coverage.signature)
          && Self.contains(coverage.signature, element))
      else { continue }
      elements.append(element)
      tags.append(written.startTags[number])
    }
    guard elements.count == digested.startTags.count, let first = tags.first else { return nil }
    let end = Self.end(of: target, source, written) ?? source.count
    sourceCount = max(0, end - first.lowerBound)
    let inside = SourceMarkup(Array(source[first.lowerBound..<max(end, first.lowerBound)]))
    comments = inside.comments - digested.comments
    sections = inside.sections
    for (index, element) in elements.enumerated() {
      compare(element, source, tags[index], digested.startTags[index])
    }
  }

  private static func contains(_ outer: Element, _ inner: Element) -> Bool {
    outer.position <= inner.position && inner.position < outer.endPosition
  }

  /// Where the source of the element ends: before the start of the next that is outside, with what is between.
  private static func end(of element: Element, _ source: [UInt8], _ markup: SourceMarkup) -> Int? {
    var number = 0
    for step in DocumentWalk(element.document) {
      guard case .start(let other) = step else { continue }
      if other.position >= element.endPosition {
        return number < markup.startTags.count ? markup.startTags[number].lowerBound : nil
      }
      number += 1
    }
    return nil
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
