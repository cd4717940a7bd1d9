import Claims
import TokenBasics

/// Every check in order.
struct ChecksSection: PageSection {
  let subject: PageSubject
  let disclosure: Disclosure

  func write(to page: inout HTMLWriter) {
    page.table(
      "Every check in the order in which it was made",
      ["Check", "Result", "Expected", "Found", "Where"]
    ) { page in
      for check in subject.checks { row(check, &page) }
    }
  }

  private func row(_ check: Check, _ page: inout HTMLWriter) {
    let isDigest = check.error?.code == .digestMismatch
    let style: StaticString =
      switch check.outcome {
      case .passed: "passed"
      case .failed: "failed"
      case .skipped: "skipped"
      }
    page.row(style) { page in
      page.header { $0.text(check.name.rawValue) }
      page.cell("Result") { page in
        switch check.outcome {
        case .passed: page.element(.span, .styled("st passed"), text: "✓ passed")
        case .failed: page.element(.span, .styled("st failed"), text: "✗ failed")
        case .skipped: page.element(.span, .styled("st skipped"), text: "– skipped")
        }
        // The verdict above has the words and the code of its own error.
        if let error = check.error, error.code != subject.error?.code {
          page.text(" \(error.message) ")
          page.element(.code, text: error.code.rawValue)
        }
      }
      page.cell("Expected") { page in
        if let text = check.expected {
          page.finding(text, against: check.found, isDigest: isDigest, disclosure)
        }
      }
      page.cell("Found") { page in
        if let text = check.found {
          page.finding(text, against: check.expected, isDigest: isDigest, disclosure)
        }
      }
      page.cell("Where") { page in if let node = check.node { page.value(node) } }
    }
  }
}
