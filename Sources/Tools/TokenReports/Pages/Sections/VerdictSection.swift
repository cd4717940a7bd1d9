import Claims
import Federation
import TokenBasics

/// The verdict and what to do about it: what the page is for.
struct VerdictSection: PageSection {
  let subject: PageSubject
  let disclosure: Disclosure
  /// Whether the heading of the page has the sentence of this verdict already.
  let isAlone: Bool

  func write(to page: inout HTMLWriter) {
    switch subject.verdict {
    case .accepted(let content):
      page.element(.div, .styled("verdict ok")) { page in
        page.element(.p, .styled("word"), text: "✓ Accepted")
        page.element(.dl, .styled("f")) { page in
          page.fact("Format") { $0.text(format) }
          page.fact("Issuer") { $0.value(content.facts.issuer) }
          page.fact("Claims") { $0.text("\(content.claims.count)") }
          page.fact("Signed by") {
            $0.value("\(content.signedBy.algorithm) by \(content.signedBy.key)")
          }
          for warning in subject.warnings { page.fact("Warning") { $0.text(warning) } }
        }
      }
    case .rejected(let error):
      page.element(.div, .styled("verdict no")) { page in
        page.element(.p, .styled("word")) { page in
          page.text("✗ Rejected: ")
          page.element(.code, text: error.code.rawValue)
        }
        if !isAlone { page.element(.p, text: Self.sentence(error.message)) }
        page.element(.dl, .styled("f")) { page in
          page.findings(expected: error.expected, found: error.found, error, disclosure)
          if let node = error.node { page.fact("Where") { $0.value(node) } }
          page.fact("What to do") { $0.text(Self.sentence(error.hint)) }
          if !format.isEmpty { page.fact("Format") { $0.text(format) } }
        }
      }
    }
  }

  /// What else is known about a failure.
  func writeRemarks(to page: inout HTMLWriter) {
    guard !subject.remarks.isEmpty else { return }
    page.element(.p, text: "More about the failure:")
    var lines = subject.remarks.prefix(PageLimits.remarks).map {
      $0.hasPrefix("  ") ? String($0.dropFirst(2)) : $0
    }
    let rest = subject.remarks.count - lines.count
    if rest > 0 { lines.append("… \(rest) more lines are in the text of claims explain") }
    page.element(.pre) { $0.text(lines.joined(separator: "\n")) }
  }

  /// A text of an error, as it stands alone.
  static func sentence(_ text: String) -> String {
    guard let first = text.unicodeScalars.first, first.isASCII,
      ("a"..."z").contains(Character(first))
    else { return text + "." }
    let capital = Unicode.Scalar(UInt8(truncatingIfNeeded: first.value) & 0xDF)
    return "\(Character(capital))\(text.dropFirst())."
  }

  private var format: String {
    if case .success(let token) = subject.token { token.format.name } else { "" }
  }
}

extension HTMLWriter {
  /// A text of the report: a digest is a value, any other text has dots where it repeats one, and a mark where it
  /// differs from its counterpart.
  mutating func finding(
    _ text: String, against other: String?, isDigest: Bool, _ disclosure: Disclosure
  ) {
    guard !isDigest else { return value(text, disclosure) }
    let shown = disclosure.message(TokenError.unquoted(text))
    guard let other else { return value(shown) }
    value(shown, against: disclosure.message(TokenError.unquoted(other)))
  }

  /// What was expected and found. The digests of a mismatch are masked as values are: with them a reader could try
  /// out what a value is.
  mutating func findings(
    expected: String?, found: String?, _ error: TokenError?, _ disclosure: Disclosure
  ) {
    let isDigest = error?.code == .digestMismatch
    if let expected {
      fact("Expected") { page in
        page.finding(expected, against: found, isDigest: isDigest, disclosure)
      }
    }
    if let found {
      fact("Found") { page in
        page.finding(found, against: expected, isDigest: isDigest, disclosure)
      }
    }
  }
}
