public import HTTPExchange
import Octets
import SecurityKeys

/// The identifier of a session: 256 random bits in the browser's cookie. A store knows its SHA-256 alone, so
/// that a copy of the store opens no session.
public struct SessionID: Hashable, Sendable, CustomStringConvertible {
  /// The SHA-256 of the identifier.
  public let digest: [UInt8]

  private init(hashed digest: [UInt8]) { self.digest = digest }

  /// The identifier that a store has; nil for what is no SHA-256. It finds a session and opens none: its
  /// cookie cannot be computed from it.
  public init?(digest: [UInt8]) {
    guard digest.count == 32 else { return nil }
    self.init(hashed: digest)
  }

  /// A new identifier, with the value of its cookie.
  public static func make(_ random: RandomSource = RandomSource()) -> (id: Self, cookie: Secret) {
    let text = Base64.encode(random.octets(32), .url)
    return (Self(hashed: digest(of: text, "session")), Secret(text))
  }

  /// The identifier that a cookie has; nil for what cannot be one.
  public init?(_ cookie: Secret) {
    guard cookie.revealed.utf8.count == 43 else { return nil }
    self.init(hashed: Self.digest(of: cookie.revealed, "session"))
  }

  /// A text that a page of ours sends back with a form, which another site cannot know.
  public static func formToken(_ cookie: Secret) -> String {
    Hex.encode(digest(of: cookie.revealed, "form"))
  }

  /// Eight digits of the digest: enough to find the session in a log.
  public var description: String { "session " + Hex.encode(Array(digest.prefix(4))) }

  private static func digest(of text: String, _ purpose: String) -> [UInt8] {
    let octets = Array("\(purpose):\(text)".utf8)
    return DigestAlgorithm.sha256.digest(of: octets) ?? octets
  }
}
