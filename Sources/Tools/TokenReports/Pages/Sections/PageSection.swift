/// A part of what a page says about one token.
protocol PageSection {
  func write(to page: inout HTMLWriter)
}

extension HTMLWriter {
  /// A part with a heading, which names it.
  package mutating func part(
    _ anchor: PageAnchor, _ title: String, content: (inout HTMLWriter) -> Void
  ) {
    element(.section, .labelledBy(anchor)) { page in
      page.element(.h3, .id(anchor), text: title)
      content(&page)
    }
  }

  /// A table with its caption; the roles keep it a table on narrow screens, where rows become blocks.
  package mutating func table(
    _ caption: String, _ columns: [String], rows: (inout HTMLWriter) -> Void
  ) {
    element(.table, .fixed("role", "table")) { page in
      page.element(.caption, text: caption)
      page.element(.thead, .fixed("role", "rowgroup")) { page in
        page.element(.tr, .fixed("role", "row")) { page in
          for column in columns {
            page.element(
              .th, .fixed("scope", "col"), .fixed("role", "columnheader"), text: column)
          }
        }
      }
      page.element(.tbody, .fixed("role", "rowgroup"), content: rows)
    }
  }

  package mutating func row(_ content: (inout HTMLWriter) -> Void) {
    element(.tr, .fixed("role", "row"), content: content)
  }

  /// A row whose style says what it says.
  package mutating func row(_ style: StaticString, _ content: (inout HTMLWriter) -> Void) {
    element(.tr, .styled(style), .fixed("role", "row"), content: content)
  }

  /// The cell that names its row.
  package mutating func header(_ content: (inout HTMLWriter) -> Void) {
    element(.th, .fixed("scope", "row"), .fixed("role", "rowheader"), content: content)
  }

  /// A cell of the column that is named, which narrow screens repeat.
  package mutating func cell(_ column: StaticString, _ content: (inout HTMLWriter) -> Void) {
    element(.td, .fixed("role", "cell"), .fixed("data-of", column), content: content)
  }

  /// An entry of a list of facts.
  package mutating func fact(_ name: String, _ content: (inout HTMLWriter) -> Void) {
    element(.dt, text: name)
    element(.dd, content: content)
  }
}
