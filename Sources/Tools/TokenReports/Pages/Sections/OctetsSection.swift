/// The start of octets that are nothing known.
struct OctetsSection: PageSection {
  let octets: [UInt8]
  let disclosure: Disclosure

  func write(to page: inout HTMLWriter) {
    let start = octets.prefix(PageLimits.inputOctets)
    page.element(
      .p,
      text: start.count < octets.count
        ? "The first \(start.count) of \(octets.count) octets:" : "All \(octets.count) octets:")
    page.element(.pre) { page in
      page.value(
        disclosure.showsValues
          ? String(decoding: start, as: UTF8.self) : Mask.shape(of: start))
    }
    if !disclosure.showsValues {
      page.element(
        .p, .styled("note"),
        text: "Each letter, digit and octet beyond ASCII is a dot; --show-values shows them.")
    }
  }
}
