import TokenBasics

/// A page about one token or several: one HTML file that fetches nothing and runs nothing, fit to be attached to a
/// ticket.
///
/// What a masked page shows is what the protocols say about the message; values of claims, names of subjects, digests,
/// signatures, ciphertexts and the octets of layers are dots. Everything from the token is escaped, whatever it is, and
/// is bounded: the page says what it leaves out.
package struct TokenPage {
  /// The page in UTF-8.
  package let octets: [UInt8]

  /// A page about these tokens, in order.
  ///
  /// - Parameters:
  ///   - showsValues: Whether values are shown: the page is as secret as the token then.
  ///   - program: The name and version of the program that writes it, for the foot.
  package init(
    _ subjects: [PageSubject], showsValues: Bool = false, by program: String = "claims"
  ) {
    var page = HTMLWriter()
    page.documentType()
    page.element(.html, .fixed("lang", "en")) { page in
      page.head(Self.title(subjects))
      page.element(.body) { page in
        page.element(.header) { page in
          page.element(.h1, text: Self.title(subjects))
          if subjects.count > 1 { Self.writeList(subjects, &page) }
        }
        page.element(.main) { page in
          for (index, subject) in subjects.enumerated() {
            TokenSection(subject, number: index + 1, of: subjects.count, showsValues: showsValues)
              .write(to: &page)
          }
        }
        page.element(.footer) { page in
          page.element(.p, .styled("note"), text: Self.foot(subjects, program))
        }
      }
    }
    octets = page.octets
  }

  private static func title(_ subjects: [PageSubject]) -> String {
    guard subjects.count == 1, let subject = subjects.first else {
      let accepted = subjects.count { $0.error == nil }
      return "\(subjects.count) tokens, \(accepted) accepted"
    }
    return subject.error.map { VerdictSection.sentence($0.message) } ?? "The token is accepted."
  }

  private static func foot(_ subjects: [PageSubject], _ program: String) -> String {
    var files: [String] = []
    for file in subjects.compactMap(\.file) where !files.contains(file) { files.append(file) }
    let from = files.isEmpty ? "" : " from \(files.joined(separator: ", "))"
    let clock = subjects.first.map { ", with the clock at \($0.now.rfc3339)" } ?? ""
    return "Written by \(program) explain --html\(from)\(clock). The page fetches nothing."
  }

  private static func writeList(_ subjects: [PageSubject], _ page: inout HTMLWriter) {
    page.element(.nav, .label("Tokens")) { page in
      page.element(.ol) { page in
        for (index, subject) in subjects.enumerated() {
          page.element(.li) { page in
            page.element(.a, .link(PageAnchor(token: index + 1, name: "token"))) { page in
              page.text("Token \(index + 1)")
            }
            page.text(subject.error.map { ": rejected, \($0.code)" } ?? ": accepted")
          }
        }
      }
    }
  }
}

/// How much of a token a page shows: enough for any real one, and bounded for the others. The page says what it
/// leaves out.
enum PageLimits {
  /// Characters of one text.
  static let characters = 1_000
  /// Elements of one document.
  static let elements = 4_000
  /// Nodes inside of one element.
  static let children = 500
  /// Octets of page that one part may take: hostile text grows tenfold where it is escaped.
  static let sectionOctets = 1 << 20
  /// Octets of input that are shown as they are.
  static let inputOctets = 1_000
  /// Rows of one table.
  static let rows = 500
  /// Lines about a failure.
  static let remarks = 100
  /// Texts of a token that are looked for in messages.
  static let knownValues = 2_000
}
