import Claims
import Federation
import SAML
import SecurityKeys
import TokenBasics
import XMLSecurity
import XMLTree

/// A document, its assertions, and what the signatures in it cover.
struct CoveredDocument {
  let document: Document
  let coverages: [SignatureCoverage]
  /// All assertions, encrypted or not, in document order.
  let assertions: [Element]
  /// Their numbers, from 1, by their position.
  private let numbers: [Int: Int]
  /// The assertion that the verdict is about.
  let read: Element?

  /// - Parameters:
  ///   - read: The assertion that the verdict is about, where there is one.
  init(_ document: Document, reading read: Element?, _ subject: PageSubject) {
    self.document = document
    self.read = read
    assertions = document.root.descendants(where: SAMLToken.isAssertion)
    numbers = Dictionary(
      uniqueKeysWithValues: assertions.enumerated().map { ($0.element.position, $0.offset + 1) })
    coverages = SignatureCoverage.all(
      in: document, keys: Self.keys(document, subject.trust), at: subject.now,
      limits: subject.trust.limits)
  }

  /// The keys that are trusted for any issuer that the document names.
  private static func keys(_ document: Document, _ trust: Trust) -> KeyRing {
    var names: Set<[UInt8]> = []
    for step in DocumentWalk(document) {
      guard names.count < 8, case .start(let element) = step else { continue }
      if element.localName == "Issuer", let text = try? element.textBytes() {
        names.insert(Array(text))
      } else if let issuer = element.attributeBytes(ExpandedName("Issuer")) {
        names.insert(Array(issuer))
      }
    }
    return KeyRing(names.flatMap { trust.entries(for: $0[...]) }.flatMap(\.keys))
  }

  /// How far a part of the document is covered.
  enum State: Comparable {
    /// By no signature.
    case bare
    /// By a signature that does not fit.
    case broken
    /// By a valid signature.
    case signed
  }

  /// The state of what is inside of an element, by the coverages that are active there.
  func state(_ active: [Int]) -> State {
    active.reduce(.bare) { max($0, coverages[$1].isValid ? .signed : .broken) }
  }

  /// How an element is covered.
  func state(of element: Element) -> State { state(active(at: element)) }

  /// The coverages of an element: those whose target it is in, unless it is in the signature that they leave out.
  func active(at element: Element) -> [Int] {
    coverages.indices.filter { number in
      let coverage = coverages[number]
      guard let target = coverage.target, Self.contains(target, element) else { return false }
      // A signature around its target leaves out nothing of it.
      return
        !(coverage.isEnveloped && Self.contains(target, coverage.signature)
        && Self.contains(coverage.signature, element))
    }
  }

  private static func contains(_ outer: Element, _ inner: Element) -> Bool {
    outer.position <= inner.position && inner.position < outer.endPosition
  }

  /// Which of the assertions the element, which is of this document, is, from 1.
  func number(of element: Element) -> Int? { numbers[element.position] }
}
