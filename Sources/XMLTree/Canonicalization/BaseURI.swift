/// Joining two `xml:base` values (Canonical XML 1.1, 2.4 and Appendix A).
enum BaseURI {
  /// `reference` seen from `base`, either of which may be relative.
  static func join(_ reference: String, to base: String) -> String {
    var base = Parts(base)
    // A base that ends in ".." or "." names a folder, and going up from it must go on.
    if base.path.hasSuffix("..") || base.path.hasSuffix(".") { base.path += "/" }
    let reference = Parts(reference)
    var result = Parts()
    if reference.scheme != nil {
      result = reference
      result.path = removingDots(reference.path)
    } else {
      result.scheme = base.scheme
      if reference.authority != nil {
        result.authority = reference.authority
        result.path = removingDots(reference.path)
        result.query = reference.query
      } else {
        result.authority = base.authority
        if reference.path.isEmpty {
          result.path = removingDots(base.path)
          result.query = reference.query ?? base.query
        } else {
          result.path =
            reference.path.hasPrefix("/")
            ? removingDots(reference.path) : removingDots(merge(reference.path, base))
          result.query = reference.query
        }
      }
    }
    return result.text
  }

  /// RFC 3986, 5.2.3.
  private static func merge(_ path: String, _ base: Parts) -> String {
    if base.authority != nil, base.path.isEmpty { return "/" + path }
    guard let slash = base.path.lastIndex(of: "/") else { return path }
    return String(base.path[...slash]) + path
  }

  /// RFC 3986, 5.2.4 as Canonical XML 1.1 changes it: leading `..` segments of a relative path stay,
  /// and a trailing `..` becomes `../`.
  private static func removingDots(_ path: String) -> String {
    guard !path.isEmpty else { return path }
    let isAbsolute = path.hasPrefix("/")
    var segments: [Substring] = []
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    var endsInFolder = false
    for (position, part) in parts.enumerated() {
      if position == 0, isAbsolute { continue }
      let isLast = position == parts.count - 1
      switch part {
      case ".":
        endsInFolder = isLast
      case "..":
        if let last = segments.last, last != ".." {
          segments.removeLast()
        } else if !isAbsolute {
          segments.append(part)
        }
        endsInFolder = isLast
      case "" where !isLast:
        // Repeated slashes count as one.
        continue
      default:
        if isLast, part.isEmpty { endsInFolder = true } else { segments.append(part) }
      }
    }
    var result = (isAbsolute ? "/" : "") + segments.joined(separator: "/")
    if endsInFolder, !segments.isEmpty { result += "/" }
    return result
  }

  private struct Parts {
    var scheme: Substring?
    var authority: Substring?
    var path = ""
    var query: Substring?

    init() {}

    /// RFC 3986, Appendix B; the fragment is dropped.
    init(_ text: String) {
      var rest = Substring(text.prefix { $0 != "#" })
      if let colon = rest.firstIndex(of: ":"),
        !rest[..<colon].contains(where: { "/?".contains($0) }), colon != rest.startIndex
      {
        scheme = rest[..<colon]
        rest = rest[rest.index(after: colon)...]
      }
      if let mark = rest.firstIndex(of: "?") {
        query = rest[rest.index(after: mark)...]
        rest = rest[..<mark]
      }
      if rest.hasPrefix("//") {
        rest = rest.dropFirst(2)
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        authority = rest[..<end]
        rest = rest[end...]
      }
      path = String(rest)
    }

    var text: String {
      (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path
        + (query.map { "?" + $0 } ?? "")
    }
  }
}
