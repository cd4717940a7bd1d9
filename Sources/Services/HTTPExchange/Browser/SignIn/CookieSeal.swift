import Octets
package import SecurityKeys

/// Keeps what a service has to compare an answer with sealed in the browser that asked, and nowhere else.
package struct CookieSeal: Sendable {
  private let keys: [SealingKey]

  /// - Parameter keys: The first seals, all open, so that a change of keys ends no sign-in.
  package init(_ keys: [SealingKey]) { self.keys = keys }

  /// The value of a cookie. Empty if OpenSSL fails, which no answer matches.
  /// - Parameter context: What the cookie is for: it opens for nothing else.
  package func seal(_ octets: [UInt8], for context: [String]) -> Secret {
    Secret(Base64.encode(keys.first?.seal(octets, context: Self.octets(context)) ?? [], .url))
  }

  /// What was sealed for the same context; nil for anything else.
  package func open(_ cookie: Secret, for context: [String]) -> [UInt8]? {
    guard let sealed = try? Base64.decode(cookie.revealed.utf8, .url) else { return nil }
    let context = Self.octets(context)
    return keys.lazy.compactMap { $0.open(sealed, context: context) }.first
  }

  /// Each part with its length before it, so that it has one reading.
  private static func octets(_ context: [String]) -> [UInt8] {
    context.flatMap { part in Array("\(part.utf8.count):\(part)".utf8) }
  }
}
