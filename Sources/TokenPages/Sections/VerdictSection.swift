import Claims
import Federation
import TokenErrors

/// The verdict and what to do about it: what the page is for.
struct VerdictSection: PageSection {
  let subject: PageSubject
  let disclosure: Disclosure

  func write(to page: inout HTMLWriter) {
    switch subject.verdict {
    case .accepted(let content):
      page.element(.div, .styled("verdict ok")) { page in
        page.element(.p, .styled("word"), text: "Accepted")
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
          page.text("Rejected: ")
          page.element(.code, text: error.code.rawValue)
        }
        page.element(.p, text: Self.sentence(error.message))
        page.element(.dl, .styled("f")) { page in
          page.findings(expected: error.expected, found: error.found, error, disclosure)
          if let node = error.node { page.fact("Where") { $0.value(node) } }
          page.fact("What to do") { $0.text(Self.sentence(error.hint)) }
          if !format.isEmpty { page.fact("Format") { $0.text(format) } }
        }
      }
    }
    if !subject.remarks.isEmpty {
      page.element(.p, text: "More about this:")
      page.element(.pre) { $0.text(subject.remarks.joined(separator: "\n")) }
    }
  }

  /// A text of an error, as it stands alone.
  private static func sentence(_ text: String) -> String {
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
  /// What was expected and found. The digests of a mismatch are masked as values are: with them a reader could try
  /// out what a value is.
  mutating func findings(
    expected: String?, found: String?, _ error: TokenError?, _ disclosure: Disclosure
  ) {
    let isDigest = error?.code == .digestMismatch
    if let expected {
      fact("Expected") { page in
        page.value(disclosure.message(expected), disclosure, isPublic: !isDigest)
      }
    }
    if let found {
      fact("Found") { page in
        page.value(disclosure.message(found), disclosure, isPublic: !isDigest)
      }
    }
  }
}
