import TokenReports

/// The report as one HTML file that fetches nothing and runs nothing: what was accepted first, each with the request, the
/// answer and the clause.
package struct AttackPage: Sendable {
  /// The page in UTF-8.
  package let octets: [UInt8]

  /// - Parameters:
  ///   - program: The name and version of the program that writes it, for the foot.
  ///   - now: When it is written.
  ///   - reason: What ended the run before its last variant; nil where all were played.
  package init(
    _ results: [AttackResult], _ configuration: AttackConfiguration, by program: String,
    at now: Instant, endedBy reason: String? = nil
  ) {
    let accepted = results.filter(\.isAccepted).sorted { $0.severity > $1.severity }
    let title = Self.title(AttackSummary(results), isWhole: reason == nil)
    var page = HTMLWriter()
    page.documentType()
    page.element(.html, .fixed("lang", "en")) { page in
      page.head(title)
      page.element(.body) { page in
        page.element(.header) { page in
          page.element(.h1, text: title)
          Self.writeFacts(configuration, reason, &page)
          Self.writeList(accepted, &page)
        }
        page.element(.main) { page in
          for (index, result) in accepted.enumerated() {
            Self.write(result, number: index + 1, &page)
          }
          page.element(.section) { page in
            page.element(.h2, text: "All variants")
            Self.writeTable(results, &page)
          }
        }
        page.element(.footer) { page in
          page.element(
            .p, .styled("note"),
            text: "Written by \(program) run --html at \(now.rfc3339). The page fetches nothing.")
        }
      }
    }
    octets = page.octets
  }

  private static func title(_ summary: AttackSummary, isWhole: Bool) -> String {
    let accepted = "The service accepted \(summary.accepted) of \(summary.variants) variants."
    guard summary.variants > 0 else { return "No variant was played." }
    guard isWhole else {
      let failed = summary.unplayed > 0 ? ", \(summary.unplayed) not played" : ""
      return (summary.accepted > 0 ? accepted + " " : "")
        + "The run ended early: \(summary.refused) refused, \(summary.unproven) not proven\(failed)."
    }
    if summary.accepted > 0 { return accepted }
    if summary.unplayed > 0 {
      return
        "The service failed at \(summary.unplayed) of \(summary.variants) variants and accepted none."
    }
    if summary.refused == 0 { return "None of \(summary.variants) variants fits the service." }
    return "The service refused all \(summary.refused) variants"
      + (summary.inapplicable > 0 ? " that fit, \(summary.inapplicable) do not." : ".")
  }

  private static func writeFacts(
    _ configuration: AttackConfiguration, _ reason: String?, _ page: inout HTMLWriter
  ) {
    page.element(.dl, .styled("f")) { page in
      page.fact("Service") { $0.value(configuration.start.description) }
      page.fact("Protocol") { $0.text(configuration.protocolName.title) }
      page.fact("Provider") { $0.value(configuration.issuer) }
      if let authorized = configuration.authorized {
        page.fact("Allowed by") { $0.value(authorized) }
      }
      if let reason { page.fact("Ended early") { $0.text(reason) } }
    }
  }

  private static func writeList(_ accepted: [AttackResult], _ page: inout HTMLWriter) {
    guard accepted.count > 1 else { return }
    page.element(.nav, .label("Accepted")) { page in
      page.element(.ol) { page in
        for (index, result) in accepted.enumerated() {
          page.element(.li) { page in
            page.element(.a, .link(PageAnchor(token: index + 1, name: "variant"))) { page in
              page.text(result.variant.id)
            }
            page.text(": \(result.severity.rawValue), \(result.variant.meaning)")
          }
        }
      }
    }
  }

  private static func write(_ result: AttackResult, number: Int, _ page: inout HTMLWriter) {
    let anchor = PageAnchor(token: number, name: "variant")
    let variant = result.variant
    page.element(.section, .labelledBy(anchor)) { page in
      page.element(.h2, .id(anchor), text: variant.id)
      page.element(.div, .styled("verdict no")) { page in
        page.element(.p, .styled("word"), text: "✗ Accepted: \(variant.summary)")
        page.element(.dl, .styled("f")) { page in
          page.fact("What it means") { $0.text(variant.meaning) }
          page.fact("Severity") { $0.text(result.severity.rawValue) }
          page.fact("Clause") { $0.text(variant.clause) }
          if !variant.attacks.isEmpty {
            page.fact("Attacks") { $0.text(variant.attacks.joined(separator: ", ")) }
          }
          if case .accepted(let whom, let isSteady) = result.verdict {
            page.fact("Signed in") {
              $0.text(whom.text + (isSteady ? ", each time" : ", once and not again"))
            }
          }
        }
      }
      page.element(.dl, .styled("f")) { page in
        page.fact("Asked") { $0.value(result.exchange.request) }
        page.fact("Came to") { $0.value(result.exchange.arrival) }
        page.fact("Repeat") { $0.element(.code, text: "--only \(variant.id)") }
      }
      // Some kilobytes each: folded, the findings stay together.
      page.element(.details) { page in
        page.element(.summary, text: "The answer that the service accepted")
        page.element(.pre) { $0.text(result.exchange.answer) }
      }
    }
  }

  private static func writeTable(_ results: [AttackResult], _ page: inout HTMLWriter) {
    page.table(
      "In the order in which they were played", ["Variant", "Result", "What is changed", "Clause"]
    ) { page in
      for result in results {
        switch result.verdict {
        case .accepted: page.row("failed") { Self.writeCells(result, &$0) }
        case .refused: page.row("passed") { Self.writeCells(result, &$0) }
        case .inapplicable, .unplayed, .unproven: page.row { Self.writeCells(result, &$0) }
        }
      }
    }
  }

  private static func writeCells(_ result: AttackResult, _ page: inout HTMLWriter) {
    page.header { $0.text(result.variant.id) }
    page.cell("Result") { page in
      page.text((result.isAccepted ? "✗ " : "") + AttackRecord.word(result.verdict))
      switch result.verdict {
      case .inapplicable(let reason), .unplayed(let reason), .unproven(let reason):
        page.text(": \(reason)")
      case .refused, .accepted: break
      }
    }
    page.cell("What is changed") { $0.text(result.variant.summary) }
    page.cell("Clause") { $0.text(result.variant.clause) }
  }
}
