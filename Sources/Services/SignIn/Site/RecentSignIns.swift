import HTTPExchange
import Instants

/// When a browser signed in within the last ten seconds: what finds a loop in which a cookie does not come back.
struct RecentSignIns {
  /// Seconds since the epoch, at most the last eight.
  private let times: [Int64]
  private let name: String
  private let now: Int64

  init(_ cookies: CookieJar, _ settings: SiteSettings, at now: Instant) {
    let now = now.seconds
    name = settings.cookiePrefix + "signin-times"
    self.now = now
    times = (cookies[name]?.revealed ?? "").split(separator: ".").prefix(8)
      .compactMap { Int64($0) }.filter { $0 <= now && now - $0 < 10 }
  }

  /// Whether a browser that has no session signed in so often that its cookies cannot be coming back. Several tabs that
  /// begin at once have not signed in yet.
  var isLoop: Bool { times.count >= 2 }

  /// Remembers that the browser signs in now. It comes along with the form of the next answer.
  var remembering: SetCookie {
    let text = (times.suffix(7) + [now]).map(String.init).joined(separator: ".")
    return SetCookie(name: name, value: Secret(text), maximumAge: 10, sameSite: .none)
  }
}
