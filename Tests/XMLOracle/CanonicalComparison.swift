package import XMLTree

/// Canonicalizes documents with our code and with libxml2's, and reports where they differ.
package struct CanonicalComparison {
  /// Canonical forms that were compared.
  package private(set) var forms = 0
  /// Forms that differ only by a known ``Deviation`` of libxml2.
  package private(set) var deviations = 0

  package init() {}

  /// Compares the document and some of its subtrees, chosen by `random`.
  ///
  /// - Returns: The differences; empty when there are none.
  package mutating func compare(
    _ octets: [UInt8], _ document: Document, _ random: inout SplitMix64
  ) -> [String] {
    guard let oracle = LibXML2Tree(parsing: octets) else {
      return ["libxml2 does not parse \(String(decoding: octets, as: UTF8.self))"]
    }
    let element = ElementFinder(document, oracle)
    var differences: [String] = []
    func compare(_ apex: Int?, omitting omitted: Int?) {
      var subtree = omitted.flatMap(element.callAsFunction).map(document.subtree(omitting:))
      if let apex {
        guard let found = element(apex) else { return differences.append("no element \(apex)") }
        subtree = omitted.flatMap(element.callAsFunction).map { found.omitting($0).subtree }
        if omitted == nil { subtree = found.subtree }
      }
      let chosen = subtree ?? document.subtree
      for method in Self.methods(&random) {
        let bases = apex.map { oracle.bases($0) } ?? []
        let expected = oracle.octets(apex, omitting: omitted, method)
        forms += 1
        guard let difference = difference(chosen, method, expected, bases) else { continue }
        differences.append(
          """
          \(method.uri) \(method.inclusivePrefixes), element \(apex ?? -1) without \(omitted ?? -1)
          document: \(String(decoding: octets, as: UTF8.self))
          \(difference)
          """)
      }
    }
    compare(nil, omitting: nil)
    for _ in 0..<2 { compare(random.below(oracle.elementCount), omitting: nil) }
    // As an enveloped signature is left out.
    if oracle.elementCount > 1 {
      compare(nil, omitting: 1 + random.below(oracle.elementCount - 1))
      let apex = random.below(oracle.elementCount)
      if oracle.last(apex) > apex {
        compare(apex, omitting: apex + 1 + random.below(oracle.last(apex) - apex))
      }
    }
    return differences
  }

  private mutating func difference(
    _ subtree: Subtree, _ method: CanonicalizationMethod, _ expected: [UInt8]?, _ bases: [String]
  ) -> String? {
    let found = Canonicalizer.octets(subtree, method)
    guard let expected else {
      return "libxml2: nothing\nours:    \(String(decoding: found, as: UTF8.self))"
    }
    if found == expected { return nil }
    // On both sides, because a comment may have a `&#38;` of its own.
    let ours = Deviation.unescape(found)
    let theirs = Deviation.unescape(expected)
    if ours == theirs {
      deviations += 1
      return nil
    }
    // A document may have both: an `&` in a namespace name, and a base.
    if method.algorithm == .inclusive11,
      Deviation.remove(from: ours, joining: bases) == Deviation.remove(from: theirs, joining: bases)
    {
      deviations += 1
      return nil
    }
    return """
      libxml2:  \(String(decoding: expected, as: UTF8.self))
      ours:     \(String(decoding: found, as: UTF8.self))
      """
  }

  private static func methods(_ random: inout SplitMix64) -> [CanonicalizationMethod] {
    let tokens = ["#default", "p", "q", "r", "ns0", "xs", "é", "undeclared", "xml", "xmlns", "p"]
    let prefixes = (0..<random.pick([0, 0, 1, 2, 5])).map { _ in random.pick(tokens) }
    return [CanonicalizationMethod.Algorithm.inclusive10, .inclusive11, .exclusive].flatMap {
      algorithm in
      [false, true].map {
        CanonicalizationMethod(
          algorithm, withComments: $0,
          inclusivePrefixes: algorithm == .exclusive ? prefixes : [])
      }
    }
  }
}
