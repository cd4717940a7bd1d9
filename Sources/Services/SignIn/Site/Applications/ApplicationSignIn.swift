package import HTTPExchange
import TokenBasics

/// What an application on a host of its own asks of the site at which people sign in. It travels sealed in the browser's
/// address, so that the site sends a browser only to an origin and a path that an application of its own named.
package struct ApplicationSignIn: Sendable {
  /// The origin of the application, as it is configured.
  package private(set) var origin: String
  /// Where its page is.
  package private(set) var returnPath: ReturnPath
  /// The SHA-256 of the 256 bits that the browser has at the application: a ticket counts in that browser alone.
  private(set) var browser: [UInt8]
  /// Eight hexadecimal digits that name the cookie with these bits.
  private(set) var cookie: String
  /// Whether the person wants to sign in anew, by another provider, though there is a session.
  private(set) var isAnew: Bool
  /// When it is too late.
  private(set) var expires: Instant

  init(
    origin: String, returnPath: ReturnPath, browser: [UInt8], cookie: String, isAnew: Bool,
    expires: Instant
  ) {
    self.origin = origin
    self.returnPath = returnPath
    self.browser = browser
    self.cookie = cookie
    self.isAnew = isAnew
    self.expires = expires
  }

  /// The page of the application.
  var address: String { origin + returnPath.text }
}

extension ApplicationSignIn: KeptValue {
  /// What sealed text of this kind is for, so that no other opens as one.
  package static let purpose = "application sign-in"

  package static var blank: Self {
    Self(
      origin: "", returnPath: .front, browser: [], cookie: "", isAnew: false,
      expires: Instant(secondsSinceEpoch: 0))
  }

  package mutating func members(_ kept: inout KeptMembers) {
    kept.member("origin", &origin)
    kept.member("return", &returnPath)
    var digest = KeptOctets(browser)
    kept.member("browser", &digest)
    browser = digest.octets
    kept.member("cookie", &cookie)
    kept.member("anew", &isAnew)
    kept.member("expires", &expires)
  }
}

/// What a ticket or the cookie of an application's session stands for.
struct ApplicationLink: KeptValue {
  /// The session at the site, without which there is none at the application.
  private(set) var parent: SessionID
  private(set) var end: Instant
  /// For which application and browser a ticket is; nil in the session of an application, whose name has the application.
  private(set) var asked: ApplicationSignIn?
  /// When the session of an application began; nil for a ticket, and in a session of a former release.
  var begun: Instant?
  /// The SHA-256 of the random part of the cookie; nil for a ticket, and in a session of a former release.
  var proof: [UInt8]?

  init(to parent: SessionID, until end: Instant, asked: ApplicationSignIn? = nil) {
    self.parent = parent
    self.end = end
    self.asked = asked
  }

  static var blank: Self { Self(to: .none, until: Instant(secondsSinceEpoch: 0)) }

  mutating func members(_ kept: inout KeptMembers) {
    kept.member("parent", &parent)
    kept.member("end", &end)
    var asked = asked.map { KeptJSON($0) }
    kept.member("asked", &asked)
    self.asked = asked?.value
    kept.member("begun", &begun)
    var digest = proof.map { KeptOctets($0) }
    kept.member("proof", &digest)
    proof = digest?.octets
  }
}

extension KeptName<ApplicationLink> {
  /// The name of a ticket.
  static func ticket(_ ticket: String) -> Self { Self(.ticket, ticket) }

  /// The name of the session of an application, whose origin is a part of it.
  ///
  /// - Parameter text: The cookie in a former release, else its part without the random bits.
  static func child(_ text: String, at application: SiteSettings) -> Self {
    Self(.child, "\(application.origin):\(text)")
  }

  /// The name of one of the places that the sessions of one sign-in have at an application.
  static func child(of parent: SessionID, _ place: Int, at application: SiteSettings) -> Self {
    .child(ChildCookie.family(of: parent, at: application) + "\(place)", at: application)
  }
}
