import SecurityKeys
import TokenBasics
import XMLSecurity
import XMLTree

/// Each signature of a document and what it covers.
struct SignaturesSection: PageSection {
  let covered: CoveredDocument

  func write(to page: inout HTMLWriter) {
    if covered.coverages.isEmpty {
      page.element(.p, text: "The document has no signature.")
      return
    }
    page.table(
      "Every signature in the document, also where the verdict does not depend on it",
      ["Signature", "Refers to", "Covers", "Result"]
    ) { page in
      for coverage in covered.coverages { row(coverage, &page) }
    }
  }

  private func row(_ coverage: SignatureCoverage, _ page: inout HTMLWriter) {
    page.row { page in
      page.header { $0.value(coverage.signature.path) }
      page.cell("Refers to") { page in
        switch coverage.uri {
        case nil: page.text("no URI")
        case "": page.text("the whole document")
        case let uri?: page.value(uri)
        }
        if coverage.candidates.count > 1 {
          page.text(", the identifier of \(coverage.candidates.count) elements")
        }
      }
      page.cell("Covers") { page in
        if let target = coverage.target {
          page.value(target.path)
        } else {
          page.text("nothing: there is no such element")
        }
      }
      page.cell("Result") { page in
        switch coverage.state {
        case .valid(let match):
          page.element(.span, .styled("st passed"), text: "✓ valid")
          page.text(", ")
          page.value("\(match.algorithm.name) by \(match.key.fingerprint)")
        case .invalid(let error):
          page.element(.span, .styled("st failed"), text: "✗ not valid")
          page.text(": \(error.message) ")
          page.element(.code, text: error.code.rawValue)
        }
      }
    }
  }
}
