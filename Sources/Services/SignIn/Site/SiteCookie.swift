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
  package static func isOwn(_ name: some Collection<UInt8>, bare: Bool) -> Bool {
    let hasPrefix = name.starts(with: hostPrefix.utf8)
    guard hasPrefix || bare else { return false }
    let rest = hasPrefix ? name.dropFirst(hostPrefix.utf8.count) : name[...]
    return all.contains { cookie in
      cookie.isBeginning
        ? rest.starts(with: cookie.name.utf8) : rest.elementsEqual(cookie.name.utf8)
    }
  }

  /// The `Cookie` fields of a request without any cookie of a site, however often each occurs. A field of which nothing has to go stays
  /// as it is, and one of which nothing is left goes.
  ///
  /// - Parameter bare: Whether names without ``hostPrefix`` are those of the site too.
  package static func removing(from fields: [String], bare: Bool) -> [String] {
    fields.compactMap { field in
      guard mayHaveOwn(field.utf8.span, bare: bare) else { return field }
      let pairs = field.utf8.split(
        separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      let kept = pairs.filter { !isOwn(Self.name(of: $0), bare: bare) }
      guard kept.count < pairs.count else { return field }
      let text = kept.map { String($0) ?? "" }.joined(separator: ";")
      // A field has no white space at its ends (RFC 9110, 5.5).
      let rest = trimmed(text.utf8[...])
      return rest.isEmpty ? nil : String(rest)
    }
  }

  /// Whether a field may have a cookie of a site: every request asks, and few fields have one. Every whole name begins with `__`.
  private static func mayHaveOwn(_ field: Span<UInt8>, bare: Bool) -> Bool {
    guard !bare, let mark = hostPrefix.utf8.first else { return true }
    for index in field.indices.dropFirst() where field[index] == mark && field[index - 1] == mark {
      return true
    }
    return false
  }

  /// The name of a pair, without white space around it.
  private static func name(of pair: Substring.UTF8View) -> Substring.UTF8View {
    trimmed(pair.prefix { $0 != ASCII.equals })
  }

  private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
    let rest = text.drop { ASCII.isWhiteSpace($0) }
    guard let end = rest.lastIndex(where: { !ASCII.isWhiteSpace($0) }) else { return rest }
    return rest[...end]
  }
}
