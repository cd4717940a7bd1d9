/// A document with what its signatures cover.
struct DocumentSection: PageSection {
  let covered: CoveredDocument
  let disclosure: Disclosure

  func write(to page: inout HTMLWriter) {
    page.element(.ul, .styled("key"), .label("What the marks of the document mean")) { page in
      page.element(.li, .styled("r signed"), text: "SIGNED: covered by a valid signature")
      page.element(
        .li, .styled("r broken"), text: "NOT VALID: a signature refers to it, but does not fit")
      page.element(.li, .styled("r bare"), text: "NOT SIGNED: covered by no signature")
    }
    page.element(
      .p, .styled("note"), text: "White space between elements is left out.")
    var view = DocumentView(covered, disclosure)
    view.write(to: &page)
  }
}
