/// An attribute of a page. Text of a token has one place among them, ``label(_:)``; all others hold what the program
/// says. No case takes an address or a style.
enum HTMLAttribute {
  case styled(StaticString)
  case id(PageAnchor)
  /// A place in the same page.
  case link(PageAnchor)
  case labelledBy(PageAnchor)
  case label(String)
  /// An attribute of the program's, such as `scope`.
  case fixed(StaticString, StaticString)
  /// A length or a position in a drawing.
  case number(StaticString, Int)
}
