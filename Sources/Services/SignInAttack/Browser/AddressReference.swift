import Octets
import TokenBasics

/// Resolves what a page or a `Location` refers to (RFC 3986, 5.2), as browsers do: what they would escape is escaped.
package enum AddressReference {
  /// The address that a reference means on a page.
  ///
  /// - Throws: `transport.malformed-address`, `transport.insecure-address`.
  package static func resolve(_ text: String, at base: HTTPURL) throws(TokenError) -> HTTPURL {
    let reference = plain(text)
    if let scheme = scheme(of: reference) {
      guard scheme == "http" || scheme == "https" else {
        throw TokenError(.transportMalformedAddress, expected: "http or https", found: scheme)
      }
      return try HTTPURL(reference)
    }
    if reference.hasPrefix("//") { return try HTTPURL(base.origin.scheme + ":" + reference) }
    let path = reference.prefix { $0 != "?" }
    let query = reference[path.endIndex...]
    if path.isEmpty {
      return try base.at(
        path: base.path + (query.isEmpty ? base.query.map { "?" + $0 } ?? "" : query))
    }
    let folder = base.path.lastIndex(of: "/").map { base.path[...$0] } ?? "/"
    let whole = path.hasPrefix("/") ? String(path) : folder + String(path)
    return try base.at(path: withoutDots(whole) + query)
  }

  /// Without white space at the ends and without fragment; characters that no address has are escaped.
  private static func plain(_ text: String) -> String {
    var octets = text.utf8.prefix { $0 != UInt8(ascii: "#") }
    while let first = octets.first, first <= 0x20 { octets = octets.dropFirst() }
    while let last = octets.last, last <= 0x20 { octets = octets.dropLast() }
    return String(
      decoding: PercentEncoding.encode(
        octets.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
      ) {
        $0 > 0x20 && $0 < 0x7F && !"\"<>^`{|}".utf8.contains($0)
      }, as: UTF8.self)
  }

  /// The scheme in lower case; nil for a relative reference.
  private static func scheme(of text: String) -> String? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), let first = text.utf8.first,
      ASCII.isLetter(first)
    else { return nil }
    let scheme = text.utf8[..<colon]
    guard scheme.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0) })
    else { return nil }
    return String(decoding: scheme.map(ASCII.lowercased), as: UTF8.self)
  }

  /// RFC 3986, 5.2.4.
  private static func withoutDots(_ path: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    var kept: [Substring] = []
    for (number, part) in parts.enumerated() {
      let isLast = number == parts.count - 1
      switch part {
      case ".": if isLast { kept.append("") }
      case "..":
        if kept.count > 1 { kept.removeLast() }
        if isLast { kept.append("") }
      default: kept.append(part)
      }
    }
    return kept.joined(separator: "/")
  }
}
