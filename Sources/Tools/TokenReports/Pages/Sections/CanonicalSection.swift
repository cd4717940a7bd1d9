import XMLSecurity
import XMLTree

/// The octets that were digested, beside the source where they differ.
struct CanonicalSection: PageSection {
  let covered: CoveredDocument
  let disclosure: Disclosure

  func write(to page: inout HTMLWriter) {
    for coverage in covered.coverages.prefix(4) {
      guard let target = coverage.target, let method = coverage.method,
        let comparison = CanonicalComparison(coverage)
      else { continue }
      page.element(.p) { page in
        page.text("Of ")
        page.element(.code, text: target.path)
        page.text(" the octets that are digested are those of ")
        page.element(.code, text: method.uri)
        page.text(": \(comparison.octets.count). \(summary(coverage, comparison))")
      }
      if !comparison.rows.isEmpty { table(comparison, &page) }
      if disclosure.showsValues { octets(comparison, &page) }
    }
  }

  private func summary(_ coverage: SignatureCoverage, _ comparison: CanonicalComparison) -> String {
    var parts: [String] = []
    func add(_ count: Int, _ one: String, _ many: String) {
      if count > 0 { parts.append("\(count) \(count == 1 ? one : many)") }
    }
    add(
      comparison.rows.count, "start tag is written in another way",
      "start tags are written in another way")
    add(comparison.expanded, "empty element has two tags", "empty elements have two tags")
    add(comparison.texts, "text is written in another way", "texts are written in another way")
    add(comparison.comments, "comment is left out", "comments are left out")
    add(comparison.sections, "CDATA section is text", "CDATA sections are text")
    if coverage.isEnveloped { parts.append("the signature is left out") }
    guard !comparison.isUnchanged else {
      return coverage.isEnveloped
        ? "They are those of the source, without the signature." : "They are those of the source."
    }
    return "Compared to the source: \(parts.joined(separator: ", "))."
  }

  private func table(_ comparison: CanonicalComparison, _ page: inout HTMLWriter) {
    let shown = comparison.rows.prefix(20)
    page.table(
      "Start tags that differ" + (shown.count < comparison.rows.count ? ", the first 20" : ""),
      ["Element", "In the source", "As digested"]
    ) { page in
      for row in shown {
        page.row { page in
          page.header { $0.value(row.element.path) }
          page.cell("In the source") { $0.tag(row.source, of: row.element, disclosure) }
          page.cell("As digested") { $0.tag(row.digested, of: row.element, disclosure) }
        }
      }
    }
  }

  private func octets(_ comparison: CanonicalComparison, _ page: inout HTMLWriter) {
    let limit = 16 * PageLimits.inputOctets
    page.element(.pre) { page in
      page.text(String(decoding: comparison.octets.prefix(limit), as: UTF8.self))
      if comparison.octets.count > limit { page.text("… (\(comparison.octets.count) octets)") }
    }
  }
}
