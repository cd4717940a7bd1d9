/// A place in a page that has one of each: of the token with this number, and of the part with this name.
struct PageAnchor {
  let token: Int
  let name: StaticString

  var text: String { "t\(token)-\(name)" }
}
