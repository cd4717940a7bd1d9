import XMLSecurity
import XMLTree

/// What the signatures of a document cover, in a sentence or two: so that a wrapped token is recognised at a glance.
struct CoverageSummary {
  let text: String
  /// Whether a part of the document that a reader could take for the token is not covered.
  let isOdd: Bool

  init(_ covered: CoveredDocument) {
    let assertions = covered.assertions
    let states = assertions.map { covered.state(of: $0) }
    var sentences = [Self.count(assertions.count)]
    let numbers = assertions.indices
    let signed = numbers.filter { states[$0] == .signed }
    let broken = numbers.filter { states[$0] == .broken }
    let bare = numbers.filter { states[$0] == .bare }
    if assertions.count == 1, let state = states.first {
      sentences.append(Self.only(state, covered))
    } else if !assertions.isEmpty {
      if !signed.isEmpty {
        sentences.append("A valid signature covers \(Self.list(signed, covered)).")
      }
      if !broken.isEmpty {
        sentences.append(
          "A signature refers to \(Self.list(broken, covered)), but does not fit.")
      }
      if !bare.isEmpty {
        sentences.append(
          "\(Self.list(bare, covered, isFirst: true)) \(bare.count == 1 ? "is" : "are") not signed."
        )
      }
    }
    sentences += Self.others(covered)
    if let read = covered.read, assertions.count > 1, let number = covered.number(of: read) {
      sentences.append("The verdict is about assertion \(number).")
    }
    text = sentences.joined(separator: " ")
    isOdd = !bare.isEmpty || !broken.isEmpty || covered.coverages.contains { !$0.isValid }
  }

  private static func count(_ count: Int) -> String {
    switch count {
    case 0: "No assertion."
    case 1: "1 assertion."
    default: "\(count) assertions."
    }
  }

  private static func only(_ state: CoveredDocument.State, _ covered: CoveredDocument) -> String {
    switch state {
    case .signed: "A valid signature covers it."
    case .broken: "A signature refers to it, but does not fit."
    case .bare: covered.coverages.isEmpty ? "It has no signature." : "No signature covers it."
    }
  }

  /// What signatures cover beside assertions.
  private static func others(_ covered: CoveredDocument) -> [String] {
    var sentences: [String] = []
    for coverage in covered.coverages.prefix(4) {
      if coverage.candidates.count > 1 {
        sentences.append(
          "\(coverage.candidates.count) elements have the identifier that a signature refers to.")
      }
      guard coverage.isValid, let target = coverage.target, covered.number(of: target) == nil else {
        continue
      }
      // Whether it covers an assertion has been said.
      let holdsAssertion = covered.assertions.contains {
        target.position < $0.position && $0.position < target.endPosition
      }
      if !holdsAssertion {
        sentences.append("A valid signature covers \(target.path), which is no assertion.")
      }
    }
    return sentences
  }

  /// "the first (/Response/Assertion[1]) and the second (…)".
  private static func list(
    _ numbers: [Int], _ covered: CoveredDocument, isFirst: Bool = false
  ) -> String {
    var names = numbers.prefix(3).map { number in
      let word = ordinals.indices.contains(number) ? ordinals[number] : "number \(number + 1)"
      return "the \(word) (\(covered.assertions[number].path))"
    }
    if numbers.count > names.count { names.append("\(numbers.count - names.count) more") }
    var text = names.dropLast().joined(separator: ", ")
    if let last = names.last { text += (text.isEmpty ? "" : " and ") + last }
    return isFirst && text.hasPrefix("the ") ? "The " + text.dropFirst(4) : text
  }

  private static let ordinals = ["first", "second", "third", "fourth", "fifth"]
}
