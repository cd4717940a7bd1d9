import Octets
import TokenBasics

/// Parses an address from left to right, octet by octet.
struct HTTPURLReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  /// Scheme, host and port; the rest begins with `/` or `?`, or is empty.
  mutating func origin() throws(TokenError) -> HTTPOrigin {
    let scheme = takeWhile(ASCII.isLetter).lowercasedASCII
    guard scheme == "http" || scheme == "https", take("://") else {
      throw malformed(expected: "http:// or https://")
    }
    let authority = takeWhile { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    do throws(HostPort.Refusal) {
      let place = try HostPort(authority, usualPort: scheme == "https" ? 443 : 80)
      // A zone means something on one machine alone; percent signs are rejected.
      guard !place.host.utf8.contains(ASCII.percent) else { throw .host }
      return HTTPOrigin(scheme: scheme, host: place.shownHost, port: place.port)
    } catch {
      throw malformed(expected: error.expected)
    }
  }

  /// Path and query, to the end.
  mutating func target() throws(TokenError) -> (path: String, query: String?) {
    let path = takeWhile { $0 != UInt8(ascii: "?") }
    let query = take("?") ? takeWhile { _ in true } : nil
    guard path.isEmpty || path.hasPrefix("/"), isPlain(path), isPlain(query ?? ""),
      hasWholeEscapes(path), hasWholeEscapes(query ?? "")
    else {
      throw malformed(expected: "a path in ASCII, percent-encoded, without a fragment")
    }
    return (path.isEmpty ? "/" : path, query)
  }

  /// Whether it is visible ASCII without the characters that parsers treat differently.
  private func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"#\\\"<>^`{|}".utf8.contains($0) }
  }

  /// Whether two hexadecimal digits follow each `%`. Any other `%` some parsers escape, others pass on.
  private func hasWholeEscapes(_ text: String) -> Bool {
    var octets = text.utf8[...]
    while let percent = octets.firstIndex(of: ASCII.percent) {
      octets = octets[percent...].dropFirst()
      let digits = octets.prefix(2)
      guard digits.count == 2,
        digits.allSatisfy({ ASCII.isDigit($0) || (0x61...0x66).contains($0 | 0x20) })
      else { return false }
      octets = octets.dropFirst(2)
    }
    return true
  }

  private mutating func takeWhile(_ isWanted: (UInt8) -> Bool) -> String {
    let taken = rest.prefix(while: isWanted)
    rest = rest[taken.endIndex...]
    return String(Substring(taken))
  }

  private mutating func take(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  private func malformed(expected: String) -> TokenError {
    TokenError(.transportMalformedAddress, expected: expected)
  }
}

extension StringProtocol {
  /// The text with A–Z as a–z, otherwise unchanged.
  package var lowercasedASCII: String {
    String(decoding: utf8.map(ASCII.lowercased), as: UTF8.self)
  }
}
