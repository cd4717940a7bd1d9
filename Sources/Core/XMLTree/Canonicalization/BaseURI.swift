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

/// The path of an `xml:base` value.
///
/// "Remove Dot Segments" (RFC 3986, 5.2.4) as Canonical XML 1.1, 2.4 changes it: leading `..` segments
/// of a relative path stay, repeated slashes are one, and a `..` at the end gets a slash.
struct BasePath {
  /// The path as it was written, until dots are removed from it.
  private var written: ArraySlice<UInt8>?
  private(set) var isAbsolute: Bool
  /// How many `..` a relative path starts with.
  private var levelsUp = 0
  /// The segments after these, the last one first, so that a folder can be put in front.
  private var reversedSegments: [ArraySlice<UInt8>] = []
  private var endsInFolder = false

  init(_ text: ArraySlice<UInt8>) {
    written = text
    isAbsolute = text.first == UInt8(ascii: "/")
  }

  var isEmpty: Bool {
    if let written { return written.isEmpty }
    return !isAbsolute && levelsUp == 0 && reversedSegments.isEmpty
  }

  mutating func removeDots() {
    guard let text = written else { return }
    written = nil
    var segments: [ArraySlice<UInt8>] = []
    let parts = text.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true)
    for part in parts where !part.elementsEqual(".".utf8) {
      if !part.elementsEqual("..".utf8) {
        segments.append(part)
      } else if segments.popLast() == nil, !isAbsolute {
        levelsUp += 1
      }
    }
    reversedSegments = segments.reversed()
    endsInFolder =
      text.last == UInt8(ascii: "/") || parts.last.map { Self.isDots($0) } ?? false
  }

  /// RFC 3986, 5.2.3, and the removal of dots from the result.
  ///
  /// Only the leading `..` of this path reach into the folder, so nothing else is looked at again.
  mutating func prepend(folderOf base: BasePath, isBelowAuthority: Bool) {
    removeDots()
    var folder = base
    folder.reduceToFolder()
    if isBelowAuthority { folder.isAbsolute = true }
    let undone = min(levelsUp, folder.reversedSegments.count)
    reversedSegments += folder.reversedSegments.dropFirst(undone)
    isAbsolute = folder.isAbsolute
    levelsUp = isAbsolute ? 0 : folder.levelsUp + levelsUp - undone
  }

  /// A base that ends in `..` names a folder.
  mutating func endInFolderAfterParent() {
    guard let text = written, text.suffix(2).elementsEqual("..".utf8),
      text.count == 2 || text.dropLast(2).last == UInt8(ascii: "/")
    else { return }
    written = text + [UInt8(ascii: "/")]
  }

  /// All but the last segment, unless that is `..`.
  private mutating func reduceToFolder() {
    endInFolderAfterParent()
    if let text = written {
      let end = text.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? text.startIndex
      written = text[..<end]
    }
    removeDots()
  }

  private static func isDots(_ segment: ArraySlice<UInt8>) -> Bool {
    segment.elementsEqual(".".utf8) || segment.elementsEqual("..".utf8)
  }

  var text: [UInt8] {
    if let written { return Array(written) }
    var text: [UInt8] = isAbsolute ? [UInt8(ascii: "/")] : []
    for _ in 0..<levelsUp { text += "../".utf8 }
    for (position, segment) in reversedSegments.enumerated().reversed() {
      text += segment
      if position > 0 || endsInFolder { text.append(UInt8(ascii: "/")) }
    }
    return text
  }
}
