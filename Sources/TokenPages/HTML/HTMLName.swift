/// The elements that a page may have: none that fetches, runs or submits anything.
enum HTMLName: String {
  case html, head, title, meta, body, main, header, footer, section, nav
  case h1, h2, h3, p, div, span, ul, ol, li, dl, dt, dd, a, b, code, pre
  case table, caption, thead, tbody, tr, th, td
  case svg, rect, line, circle

  /// Whether it has no content and no end tag.
  var isVoid: Bool { self == .meta }
}
