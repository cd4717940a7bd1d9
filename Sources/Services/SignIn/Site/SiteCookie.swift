import Octets

/// The cookies that a site sets, at its own host and at those of its applications. Each name is here once: what keeps the cookies from
/// an application is made from this list.
package struct SiteCookie: Hashable, Sendable {
  /// The name without ``hostPrefix``; of a cookie that exists several times, what its names begin with.
  package let name: String
  /// Whether further characters follow, which tell several cookies of one kind apart.
  package let isBeginning: Bool
  /// What it holds, in words.
  package let purpose: String

  private init(_ name: String, isBeginning: Bool = false, _ purpose: String) {
    self.name = name
    self.isBeginning = isBeginning
    self.purpose = purpose
  }

  /// The session.
  package static let session = Self("session", "the session")
  /// What ends a session and opens none.
  package static let sessionEnd = Self("session-end", "what ends the session")
  /// A pending sign-in, with the first eight digits of the request. Those of ``times`` and ``choice`` begin so too.
  package static let pending = Self("signin-", isBeginning: true, "a pending sign-in")
  /// A pending sign-in at an application on a host of its own, with eight digits.
  package static let application = Self(
    "app-signin-", isBeginning: true, "a pending sign-in of an application")
  /// When the browser signed in lately. Its name begins as ``pending``.
  static let times = pending.name + "times"
  /// The provider that was chosen last. Its name begins as ``pending``.
  static let choice = pending.name + "choice"

  /// Every cookie of a site.
  package static let all: [Self] = [session, sessionEnd, pending, application]

  /// Binds a cookie to its host and to https (RFC 6265bis, 4.1.3.2).
  package static let hostPrefix = "__Host-"

  /// Whether a cookie's name is that of one of a site's cookies.
  ///
  /// - Parameters:
  ///   - name: The name, in octets, without white space around it.
  ///   - bare: Whether names without ``hostPrefix`` count too, as they do at a host without https.
  package static func isOwn(_ name: Span<UInt8>, bare: Bool) -> Bool {
    var start = 0
    if begins(name, with: hostPrefix) {
      start = hostPrefix.utf8.count
    } else if !bare {
      return false
    }
    let rest = name.extracting(start...)
    for cookie in all where begins(rest, with: cookie.name) {
      if cookie.isBeginning || rest.count == cookie.name.utf8.count { return true }
    }
    return false
  }

  private static func begins(_ octets: Span<UInt8>, with text: String) -> Bool {
    let text = text.utf8.span
    return octets.count >= text.count
      && Bytes.areEqual(octets.extracting(first: text.count), text)
  }

  /// The `Cookie` fields of a request without any cookie of a site, however often each occurs. A field of which nothing has to go stays
  /// as it is, and one of which nothing is left goes.
  ///
  /// - Parameter bare: Whether names without ``hostPrefix`` are those of the site too.
  package static func removing(from fields: [String], bare: Bool) -> [String] {
    fields.compactMap { removing(from: $0, bare: bare) }
  }

  /// One field without them. Every check of a session asks, and most fields have nothing else: so only what stays is copied.
  private static func removing(from field: String, bare: Bool) -> String? {
    let octets = field.utf8.span
    var kept: [Range<Int>] = []
    var hasOwn = false
    var (start, copied) = (0, 0)
    while start <= octets.count {
      let end = octets.firstIndex(of: separator, from: start) ?? octets.count
      let equals = octets.firstIndex(of: ASCII.equals, in: start..<end) ?? end
      if isOwn(octets.extracting(trimmed(octets, start..<equals)), bare: bare) {
        if copied < start { kept.append(copied..<start - 1) }
        copied = end + 1
        hasOwn = true
      }
      start = end + 1
    }
    guard hasOwn else { return field }
    if copied < start { kept.append(copied..<start - 1) }
    guard !kept.isEmpty else { return nil }
    let all = Array(field.utf8)
    let joined = Array(kept.map { all[$0] }.joined(separator: [separator]))
    // A field has no white space at its ends (RFC 9110, 5.5).
    let rest = trimmed(joined.span, joined.indices)
    return rest.isEmpty ? nil : String(decoding: joined[rest], as: UTF8.self)
  }

  private static let separator = UInt8(ascii: ";")

  private static func trimmed(_ octets: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, ASCII.isWhiteSpace(octets[start]) { start += 1 }
    while start < end, ASCII.isWhiteSpace(octets[end - 1]) { end -= 1 }
    return start..<end
  }
}
