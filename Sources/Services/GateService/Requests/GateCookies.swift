import Octets
package import SignIn

/// The cookies of the gate, which no application sees: whoever has one is signed in, or finishes a sign-in.
package struct GateCookies: Sendable {
  /// The whole names, behind the prefix.
  package static let names = ["session", "session-end"]
  /// What other names begin with, behind the prefix: pending sign-ins, their times and the choice of a provider, tickets.
  package static let beginnings = ["signin-", "app-signin-"]

  /// What every name begins with: `__Host-` over https, so that bare names are the application's there.
  package let prefix: String

  /// The cookies at a site.
  package init(at settings: SiteSettings) {
    prefix = settings.origin.scheme == "https" ? "__Host-" : ""
  }

  /// The values of `Cookie` fields as one, without the gate's own; nil where nothing is left.
  package func without(own values: [String]) -> String? {
    var kept: [UInt8] = []
    for value in values {
      for pair in value.utf8.split(separator: UInt8(ascii: ";")) {
        let pair = pair.drop(while: ASCII.isWhiteSpace)
        guard !pair.isEmpty, !isOwn(pair) else { continue }
        if !kept.isEmpty { kept += "; ".utf8 }
        kept += pair
      }
    }
    return kept.isEmpty ? nil : String(decoding: kept, as: UTF8.self)
  }

  /// Whether a pair of name and value has a name of the gate's.
  private func isOwn(_ pair: Substring.UTF8View) -> Bool {
    guard pair.starts(with: prefix.utf8) else { return false }
    let name = pair.dropFirst(prefix.utf8.count).prefix {
      $0 != UInt8(ascii: "=") && !ASCII.isWhiteSpace($0)
    }
    return Self.names.contains { name.elementsEqual($0.utf8) }
      || Self.beginnings.contains { name.starts(with: $0.utf8) }
  }
}
