/// Joining `xml:base` values (Canonical XML 1.1, 2.4).
///
/// That is RFC 3986, 5.2 with four changes: a base need not have a scheme, a `..` at its end names a
/// folder, fragments are ignored, and ``BasePath`` removes dots in its own way.
struct BaseURI {
  private var scheme: ArraySlice<UInt8>?
  private var authority: ArraySlice<UInt8>?
  private var path: BasePath
  private var query: ArraySlice<UInt8>?

  /// Joins values, ordered from the innermost element to the outermost, each relative to the next; a
  /// single value stays unchanged.
  ///
  /// Linear in the length of all values.
  static func join(_ values: [ArraySlice<UInt8>]) -> [UInt8] {
    guard let first = values.first else { return [] }
    guard values.count > 1 else { return Array(first) }
    var result = BaseURI(first)
    for value in values.dropFirst() { result.resolve(against: BaseURI(value)) }
    return result.text
  }

  /// RFC 3986, 5.2.2.
  private mutating func resolve(against base: BaseURI) {
    if scheme != nil { return path.removeDots() }
    scheme = base.scheme
    if authority != nil { return path.removeDots() }
    authority = base.authority
    if path.isEmpty {
      path = base.path
      path.endInFolderAfterParent()
      query = query ?? base.query
    } else if path.isAbsolute {
      path.removeDots()
    } else {
      path.prepend(folderOf: base.path, isBelowAuthority: base.authority != nil)
    }
  }

  /// RFC 3986, Appendix B; the fragment is dropped.
  private init(_ text: ArraySlice<UInt8>) {
    var rest = text.prefix { $0 != UInt8(ascii: "#") }
    let mark = rest.firstIndex { ":/?".utf8.contains($0) }
    if let mark, rest[mark] == UInt8(ascii: ":"), mark > rest.startIndex {
      scheme = rest[..<mark]
      rest = rest[(mark + 1)...]
    }
    if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
      query = rest[(mark + 1)...]
      rest = rest[..<mark]
    }
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = rest[..<end]
      rest = rest[end...]
    }
    path = BasePath(rest)
  }

  /// RFC 3986, 5.3.
  private var text: [UInt8] {
    var text: [UInt8] = []
    if let scheme { text += scheme + [UInt8(ascii: ":")] }
    if let authority { text += Array("//".utf8) + authority }
    text += path.text
    if let query { text += [UInt8(ascii: "?")] + query }
    return text
  }
}
