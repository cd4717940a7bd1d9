import HTTPExchange
import Octets
import SecurityKeys
import TokenBasics

/// The cookie of the session of an application: the place at which the store has it, and 256 random bits, of which the store
/// knows the SHA-256.
struct ChildCookie {
  /// What tells the sessions of one sign-in at one application from all others, and a digit.
  private let place: String
  /// The random bits in base64url.
  private let bits: String

  /// The cookie at a place, from 0 to 9.
  init(of parent: SessionID, _ place: Int, _ bits: String, at application: SiteSettings) {
    self.place = Self.family(of: parent, at: application) + "\(place)"
    self.bits = bits
  }

  /// Reads the cookie; nil for any other text.
  init?(_ cookie: Secret) {
    let text = cookie.revealed
    guard text.utf8.count == Self.placeLength + Self.bitsLength else { return nil }
    place = String(decoding: text.utf8.prefix(Self.placeLength), as: UTF8.self)
    bits = String(decoding: text.utf8.dropFirst(Self.placeLength), as: UTF8.self)
  }

  /// The value of the cookie.
  var secret: Secret { Secret(place + bits) }
  /// What the store knows of the random bits.
  var proof: [UInt8] { Self.digest("child:\(bits)") }

  /// The name under which the store has the session.
  func keptName(at application: SiteSettings) -> KeptName<ApplicationLink> {
    .child(place, at: application)
  }

  /// The name of a cookie's session; nil for a text that is no cookie. The cookies of a former release are random bits alone.
  static func keptName(
    of cookie: Secret, at application: SiteSettings
  ) -> KeptName<ApplicationLink>? {
    if cookie.revealed.utf8.count == bitsLength { return .child(cookie.revealed, at: application) }
    return Self(cookie)?.keptName(at: application)
  }

  /// A digest of a digest: it opens nothing.
  static func family(of parent: SessionID, at application: SiteSettings) -> String {
    Hex.encode(
      Array(
        digest("children:\(application.origin):\(Hex.encode(parent.digest))").prefix(familyOctets))
    )
  }

  private static let familyOctets = 16
  private static let placeLength = 2 * familyOctets + 1
  private static let bitsLength = 43

  private static func digest(_ text: String) -> [UInt8] {
    DigestAlgorithm.sha256.digest(of: Array(text.utf8)) ?? Array(text.utf8)
  }
}
