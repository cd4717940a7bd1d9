import Foundation
import Testing
import XMLTree

/// Random documents, canonicalized by us and by libxml2.
///
/// `C14N_DOCUMENTS` says how many, `C14N_SEED` where to start; a report names the seed that makes its
/// document the first one.
@Suite("Canonical forms against libxml2")
struct CanonicalizerOracleTests {
  @Test("Random documents and subtrees have libxml2's canonical octets")
  func agreesWithLibXML2() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["C14N_DOCUMENTS"].flatMap(Int.init) ?? 1_500
    let start = environment["C14N_SEED"].flatMap(UInt64.init) ?? 1
    var comparison = Comparison()
    for seed in start..<start + UInt64(count) where comparison.mismatches < 5 {
      try comparison.compare(seed: seed)
    }
    #expect(comparison.mismatches == 0)
    if environment["C14N_DOCUMENTS"] != nil {
      print("\(count) documents, \(comparison.forms) canonical forms compared")
    }
  }
}

private struct Comparison {
  var forms = 0
  var mismatches = 0

  mutating func compare(seed: UInt64) throws {
    let text = RandomDocument.text(seed: seed)
    let document: Document
    do {
      document = try Document(parsing: Array(text.utf8))
    } catch {
      mismatches += 1
      Issue.record("seed \(seed) does not parse: \(error)\n\(text)")
      return
    }
    let oracle = try #require(LibXML2Tree(parsing: Array(text.utf8)), "\(text)")
    var random = SplitMix64(seed: ~seed)
    let element = ElementFinder(document, oracle)

    try compare(nil, omitting: nil, document.subtree)
    for _ in 0..<2 {
      let apex = random.below(oracle.elementCount)
      try compare(apex, omitting: nil, element(apex).subtree)
    }
    // As an enveloped signature is left out.
    if oracle.elementCount > 1 {
      let omitted = 1 + random.below(oracle.elementCount - 1)
      try compare(nil, omitting: omitted, document.subtree(omitting: element(omitted)))
      let apex = random.below(oracle.elementCount)
      if oracle.last(apex) > apex {
        let omitted = apex + 1 + random.below(oracle.last(apex) - apex)
        try compare(apex, omitting: omitted, element(apex).omitting(element(omitted)).subtree)
      }
    }

    func compare(_ apex: Int?, omitting omitted: Int?, _ subtree: Subtree) throws {
      for method in methods(&random) {
        forms += 1
        let expected = try #require(oracle.octets(apex, omitting: omitted, method), "\(text)")
        let found = Canonicalizer.octets(subtree, method)
        if found == expected { continue }
        let bases = apex.map { oracle.bases($0) } ?? []
        if method.algorithm == .inclusive11,
          Deviation.remove(from: found, joining: bases)
            == Deviation.remove(from: expected, joining: bases)
        {
          continue
        }
        mismatches += 1
        Issue.record(
          """
          seed \(seed), \(method.uri) \(method.inclusivePrefixes), \
          element \(apex ?? -1) without \(omitted ?? -1)
          document: \(text)
          libxml2:  \(String(decoding: expected, as: UTF8.self))
          ours:     \(String(decoding: found, as: UTF8.self))
          """)
      }
    }
  }

  private func methods(_ random: inout SplitMix64) -> [CanonicalizationMethod] {
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

/// Our element for libxml2's, by name and the number of elements before it that have this name.
private struct ElementFinder {
  private let document: Document
  private var places: [(name: ExpandedName, position: Int)] = []

  init(_ document: Document, _ oracle: LibXML2Tree) {
    self.document = document
    var counts: [ExpandedName: Int] = [:]
    for element in 0..<oracle.elementCount {
      let (uri, local) = oracle.name(element)
      let name = ExpandedName(local, in: uri)
      places.append((name, counts[name, default: 0]))
      counts[name, default: 0] += 1
    }
  }

  func callAsFunction(_ element: Int) throws -> Element {
    let (name, position) = places[element]
    let found = document.root.descendants(named: name)
    return try #require(found.count > position ? found[position] : nil, "\(name) is missing")
  }
}

/// Where libxml2 deviates from Canonical XML 1.1, 2.4. All of it is about `xml:base`.
///
/// - "Fixup is only performed if an element with an xml:base attribute is removed", and only then is
///   an empty result not written; libxml2 drops every `xml:base=""`, even of a whole document.
/// - It joins values by RFC 3986 and not as that section changes it.
private enum Deviation {
  /// The octets without what may differ: empty values, and the value of the apex where one was joined
  /// that is not plain.
  static func remove(from octets: [UInt8], joining bases: [String]) -> String {
    var text = String(decoding: octets, as: UTF8.self)
    let isJoined = bases.count > 1 && !bases.allSatisfy(RandomDocument.plainBases.contains)
    if isJoined, let value = text.firstRange(of: #/ xml:base="[^"]*"/#),
      value.lowerBound < endOfTag(text)
    {
      text.removeSubrange(value)
    }
    return text.replacing(" xml:base=\"\"", with: "")
  }

  /// Where the first start tag ends: values are quoted and may hold a `>`.
  private static func endOfTag(_ text: String) -> String.Index {
    var isQuoted = false
    return text.firstIndex { character in
      if character == "\"" { isQuoted.toggle() }
      return character == ">" && !isQuoted
    } ?? text.endIndex
  }
}
