import HTTPExchange
import Octets
import SecurityKeys
import TokenBasics

/// When a browser signed in within the last ten seconds, and for whom: what finds a loop in which a cookie does not come back.
///
/// A loop is one application that asks again and again. A person who opens several applications makes none.
struct RecentSignIns {
  /// A sign-in: seconds since the epoch, and the mark of who asked for it.
  private struct Entry {
    let time: Int64
    let mark: String

    init(_ time: Int64, _ mark: String) {
      self.time = time
      self.mark = mark
    }

    /// The entry that ``text`` wrote; nil for anything else.
    init?(_ text: Substring) {
      let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      guard let time = parts.first.flatMap({ Int64($0) }) else { return nil }
      self.init(time, parts.count == 2 ? String(parts[1]) : "")
    }

    var text: String { mark.isEmpty ? "\(time)" : "\(time)-\(mark)" }
  }

  /// At most the last eight.
  private let entries: [Entry]
  private let name: String
  private let now: Int64

  init(_ cookies: CookieJar, _ settings: SiteSettings, at now: Instant) {
    let now = now.seconds
    name = settings.cookiePrefix + SiteCookie.times
    self.now = now
    entries = (cookies[name]?.revealed ?? "").split(separator: ".").prefix(8)
      .compactMap { Entry($0) }.filter { $0.time <= now && now - $0.time < 10 }
  }

  /// What tells those who ask apart: eight hexadecimal digits of the SHA-256 of a name; empty for the site itself, which has
  /// none.
  static func mark(of asker: String) -> String {
    guard !asker.isEmpty, let digest = DigestAlgorithm.sha256.digest(of: Array(asker.utf8)) else {
      return ""
    }
    return Hex.encode(Array(digest.prefix(4)))
  }

  /// Whether a browser that has no session signed in so often for the one who asks now that its cookies cannot be coming
  /// back. Several tabs that begin at once have not signed in yet.
  ///
  /// - Parameter most: How often it may have signed in.
  func isLoop(_ mark: String = "", after most: Int = 2) -> Bool {
    entries.count { $0.mark.hasSameBytes(as: mark) } >= most
  }

  /// How often a browser may sign in within ten seconds for a party that another service asks for. That service keeps no
  /// session in the browser, so a person who signs in a few times quickly is told from a loop by the number alone.
  static let mostForOthers = 6

  /// Remembers that the browser signs in now. It comes along with the form of the next answer.
  func remembering(_ mark: String = "") -> SetCookie {
    let text = (entries.suffix(7) + [Entry(now, mark)]).map(\.text).joined(separator: ".")
    return SetCookie(name: name, value: Secret(text), maximumAge: 10, sameSite: .none)
  }
}
