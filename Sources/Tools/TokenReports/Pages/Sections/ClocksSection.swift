import Claims
import Federation
import JSONWebTokens
import TokenBasics
import XMLTree

/// Both clocks on one line with the validity window, as a drawing and as a list.
struct ClocksSection: PageSection {
  let times: TokenTimes
  let now: Instant
  /// In seconds.
  let skew: Int64

  func write(to page: inout HTMLWriter) {
    if times.isEmpty {
      page.element(.p, .styled("note"), text: "The token states no moment that can be read.")
    } else {
      drawing(&page)
    }
    page.element(.dl, .styled("f")) { page in
      entry("▼", "sw now", "Our clock", &page) {
        $0.text("\(now.withMilliseconds), which may differ by \(skew) s")
      }
      if let issued = times.issued {
        entry("●", "sw issued", "Issued", &page) {
          $0.text("\(issued.withMilliseconds), \(Self.relation(of: issued, to: now))")
        }
      }
      if let start = times.notBefore {
        entry("▮", "sw valid", "Valid from", &page) {
          $0.text("\(start.withMilliseconds), \(Self.relation(of: start, to: now))")
        }
      }
      if let end = times.expires {
        entry("▮", "sw valid", "Valid before", &page) {
          $0.text("\(end.withMilliseconds), \(Self.relation(of: end, to: now))")
        }
      }
    }
    if !times.isEmpty { page.element(.p, text: sentence) }
  }

  private func entry(
    _ sign: String, _ style: StaticString, _ name: String, _ page: inout HTMLWriter,
    _ content: (inout HTMLWriter) -> Void
  ) {
    page.element(.dt) { page in
      page.element(.span, .styled(style), .fixed("aria-hidden", "true"), text: sign)
      page.text(" \(name)")
    }
    page.element(.dd, content: content)
  }

  private static func relation(of moment: Instant, to now: Instant) -> String {
    if moment == now { return "now" }
    return moment < now
      ? "\(now.distance(after: moment)) ago"
      : "in \(moment.distance(after: now))"
  }

  /// What the drawing shows, in words.
  var sentence: String {
    guard let end = times.expires else { return "The token states no end of its validity." }
    if let start = times.notBefore, now < start.advanced(bySeconds: -skew) {
      return "By our clock the token is not valid yet, even if the clocks differ by \(skew) s."
    }
    if now >= end.advanced(bySeconds: skew) {
      return "By our clock the token has expired, even if the clocks differ by \(skew) s."
    }
    if now >= end || times.notBefore.map({ now < $0 }) == true {
      return "By our clock the token is valid only because clocks may differ by \(skew) s."
    }
    return "By our clock the token is within its validity."
  }

  // MARK: The drawing

  private static let width: Int64 = 680
  private static let margin: Int64 = 20

  private func drawing(_ page: inout HTMLWriter) {
    let moments = [
      times.issued, times.notBefore?.advanced(bySeconds: -skew), times.notBefore, times.expires,
      times.expires?.advanced(bySeconds: skew), now.advanced(bySeconds: -skew),
      now.advanced(bySeconds: skew),
    ].compactMap { $0?.seconds }
    guard let first = moments.min(), let last = moments.max() else { return }
    let range = max(last - first, 1)
    func place(_ moment: Instant) -> Int {
      Int(Self.margin + (moment.seconds - first) * Self.width / range)
    }
    page.element(
      .svg, .styled("track"), .fixed("viewBox", "0 0 720 76"), .fixed("role", "img"),
      .label("Our clock, the moment of issue and the validity on one line. \(sentence)")
    ) { page in
      page.element(
        .line, .styled("axis"), .number("x1", 0), .number("y1", 44), .number("x2", 720),
        .number("y2", 44))
      validity(place, &page)
      let (from, to) = (
        place(now.advanced(bySeconds: -skew)), place(now.advanced(bySeconds: skew))
      )
      page.element(
        .rect, .styled("nowskew"), .number("x", from), .number("y", 14),
        .number("width", max(to - from, 2)), .number("height", 8))
      let x = place(now)
      page.element(
        .line, .styled("now"), .number("x1", x), .number("y1", 10), .number("x2", x),
        .number("y2", 70))
      page.element(.circle, .styled("nowmark"), .number("cx", x), .number("cy", 8), .number("r", 6))
      if let issued = times.issued {
        page.element(
          .circle, .styled("issued"), .number("cx", place(issued)), .number("cy", 44),
          .number("r", 8))
      }
    }
  }

  private func validity(_ place: (Instant) -> Int, _ page: inout HTMLWriter) {
    guard let end = times.expires else { return }
    let start = times.notBefore ?? times.issued
    let (from, to) = (start.map(place) ?? 0, place(end))
    page.element(
      .rect, .styled("valid"), .number("x", from), .number("y", 36),
      .number("width", max(to - from, 3)), .number("height", 16))
    let early = times.notBefore.map { place($0.advanced(bySeconds: -skew)) } ?? from
    let late = place(end.advanced(bySeconds: skew))
    page.element(
      .rect, .styled("skew"), .number("x", early), .number("y", 31),
      .number("width", max(late - early, 3)), .number("height", 26))
  }
}

/// The moments that a token states, on the issuer's clock.
struct TokenTimes {
  var issued: Instant?
  var notBefore: Instant?
  var expires: Instant?

  /// - Parameter assertion: The assertion, where the token has one that may be shown.
  init(_ subject: PageSubject, assertion: Element?) {
    let facts: TokenFacts?
    if case .accepted(let content) = subject.verdict {
      facts = content.facts
    } else if case .success(let token) = subject.token {
      facts = token.unverifiedFacts
    } else {
      facts = nil
    }
    notBefore = facts?.notBefore
    expires = facts?.expires
    if let assertion, notBefore == nil, expires == nil {
      let conditions = assertion.descendants { $0.localName == "Conditions" }.first
      notBefore = Self.instant("NotBefore", of: conditions)
      expires = Self.instant("NotOnOrAfter", of: conditions)
    }
    issued = Self.instant("IssueInstant", of: assertion)
    if case .success(.jwt(let token)) = subject.token { issued = token.issuedAt }
  }

  private static func instant(_ name: String, of element: Element?) -> Instant? {
    guard let text = element?.attribute(ExpandedName(name)) else { return nil }
    return try? Instant(dateTime: text)
  }

  var isEmpty: Bool { issued == nil && notBefore == nil && expires == nil }
}
